import BenchKit
import Banyan

extension RowGroup {
    static let links = RowGroup("10a", "10a-random", title: "following links") { world in
        let (graph, plain, database, keys) = (try world.banyan.graph, world.plain, try world.database, world.keys)
        let inOrder = try await contest(
            [
                Entrant(Peer.banyan, world.count) {
                    var sum = 0
                    for person in graph.objects(Person.self) { sum &+= person.dog?.name.utf8.count ?? 0 }
                    return sum
                },
                Entrant(Peer.plain, world.count) {
                    var sum = 0
                    for person in plain.inOrder { sum &+= person.dog?.name.utf8.count ?? 0 }
                    return sum
                },
                Entrant(Peer.grdb, world.count) {
                    return try database.lengthOfColumn(
                        "SELECT dog.name FROM person JOIN dog ON dog.id = person.dogID ORDER BY person.id")
                },
            ], runs: world.runs)
        let handles = keys.compactMap { graph.object(ofType: Person.self, forPrimaryKey: $0) }
        let objects = keys.compactMap { plain.people[$0] }
        let few = keys.prefix(world.some(100_000))
        let random = try await contest(
            [
                Entrant(Peer.banyan, world.count) {
                    var sum = 0
                    for person in handles { sum &+= person.dog?.name.utf8.count ?? 0 }
                    return sum
                },
                Entrant(Peer.plain, world.count) {
                    var sum = 0
                    for person in objects { sum &+= person.dog?.name.utf8.count ?? 0 }
                    return sum
                },
                Entrant(Peer.grdb, few.count) {
                    return try database.lengthOfTexts(
                        "SELECT dog.name FROM person JOIN dog ON dog.id = person.dogID WHERE person.id = ?", few)
                },
            ], runs: world.runs)
        return [
            Row(
                "10a", "person.dog.name, persons in order", .nanoseconds, seconds: inOrder, [.of(1.3, Peer.plain)]),
            Row(
                "10a-random", "person.dog.name, persons at random", .nanoseconds, seconds: random,
                [.of(1.3, Peer.plain)]),
        ]
    }

    static let inverses = RowGroup("10b", "10b-first", title: "following inverse links") { world in
        let (graph, plain, database, keys) = (try world.banyan.graph, world.plain, try world.database, world.keys)
        let all = Array(graph.objects(Dog.self))
        let handles = keys.map { all[$0] }
        let objects = keys.map { plain.dogs[$0] }
        let few = keys.prefix(world.some(100_000))
        let count = try await contest(
            [
                Entrant(Peer.banyan, world.count) {
                    var sum = 0
                    for dog in handles { sum &+= dog.owners.count }
                    return sum
                },
                Entrant(Peer.plain, world.count) {
                    var sum = 0
                    for dog in objects { sum &+= dog.owners.count }
                    return sum
                },
                Entrant(Peer.grdb, few.count) {
                    return try database.sumOfNumbers("SELECT COUNT(*) FROM person WHERE dogID = ?", few)
                },
            ], runs: world.runs)
        // Which owner comes first is up to each, so there is nothing to compare.
        let first = try await contest(
            [
                Entrant(Peer.banyan, world.count) {
                    var sum = 0
                    for dog in handles {
                        let owners = dog.owners
                        sum &+= owners.count &+ (owners.first?.age ?? 0)
                    }
                    keep(sum)
                    return nil
                },
                Entrant(Peer.plain, world.count) {
                    var sum = 0
                    for dog in objects {
                        sum &+= dog.owners.count &+ (dog.owners.first?._withUnsafeGuaranteedRef { $0.age } ?? 0)
                    }
                    keep(sum)
                    return nil
                },
                Entrant(Peer.grdb, few.count) {
                    keep(try database.sumOfNumbers("SELECT COUNT(*) FROM person WHERE dogID = ?", few))
                    keep(try database.sumOfNumbers("SELECT age FROM person WHERE dogID = ? LIMIT 1", few))
                    return nil
                },
            ], runs: world.runs)
        return [
            Row("10b", "inverse: count", .nanoseconds, seconds: count, [.of(1.3, Peer.plain)]),
            Row(
                "10b-first", "inverse: count, first and read Int", .nanoseconds, seconds: first,
                [.of(1.3, Peer.plain)]),
        ]
    }
}
