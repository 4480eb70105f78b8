import BenchKit
import Banyan

extension RowGroup {
    static let aggregates = RowGroup("9", "9-average", title: "sum and average") { world in
        let (graph, plain, database) = (try world.banyan.graph, world.plain, try world.database)
        let ages = world.samples.people.map(\.age)
        func others(_ function: String, _ result: @escaping (Int) -> Int) -> [Entrant] {
            [
                Entrant(Peer.plain, world.count) {
                    var sum = 0
                    for person in plain.inOrder { sum &+= person.age }
                    return result(sum)
                },
                Entrant(Peer.columns, world.count) {
                    var sum = 0
                    for age in ages { sum &+= age }
                    return result(sum)
                },
                Entrant(Peer.grdb, world.count) { try database.number("SELECT \(function) FROM person") },
            ]
        }
        let sum = try await contest(
            [Entrant(Peer.banyan, world.count) { graph.objects(Person.self).sum(of: \.age) }]
                + others("SUM(age)") { $0 },
            runs: world.runs)
        let average = try await contest(
            [Entrant(Peer.banyan, world.count) { graph.objects(Person.self).average(of: \.age).map { Int($0) } }]
                + others("CAST(AVG(age) AS INTEGER)") { $0 / ages.count }, runs: world.runs)
        return [
            Row("9", "sum of age, per object", .nanoseconds, seconds: sum, [.of(3, Peer.columns)]),
            Row("9-average", "average of age, per object", .nanoseconds, seconds: average, [.of(3, Peer.columns)]),
        ]
    }
}
