import BenchKit
import Banyan

extension RowGroup {
    static let keyLookup = RowGroup("3", title: "key lookup") { world in
        let (graph, plain, database, keys) = (try world.banyan.graph, world.plain, try world.database, world.keys)
        let few = keys.prefix(world.some(100_000))
        let times = try await contest(
            [
                Entrant(Peer.banyan, keys.count) {
                    var sum = 0
                    for key in keys { sum &+= graph.object(ofType: Person.self, forPrimaryKey: key)?.age ?? 0 }
                    return sum
                },
                Entrant(Peer.plain, keys.count) {
                    var sum = 0
                    for key in keys { sum &+= plain.people[key]?.age ?? 0 }
                    return sum
                },
                Entrant(Peer.grdb, few.count) { try database.sumOfAges(few) },
            ], runs: world.runs)
        return [Row("3", "key lookup and read Int, random", .nanoseconds, seconds: times, [.of(0.8, Peer.plain)])]
    }
}
