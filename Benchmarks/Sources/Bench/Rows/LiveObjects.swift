import BenchKit
import Banyan
import CBench

extension RowGroup {
    static let liveObjects = RowGroup(
        "4a", "4a-string", "4b", "4b-string", title: "reading live objects"
    ) { world in
        let (graph, plain, database) = (try world.banyan.graph, world.plain, try world.database)
        let count = world.count
        var rows: [Row] = []
        var times = try await contest(
            [
                Entrant(Peer.banyan, count) {
                    var sum = 0
                    for person in graph.objects(Person.self) { sum &+= person.age }
                    return sum
                },
                Entrant(Peer.plain, count) {
                    var sum = 0
                    for person in plain.inOrder { sum &+= person.age }
                    return sum
                },
                Entrant(Peer.grdb, count) { try database.sumOfColumn("SELECT age FROM person") },
            ], runs: world.runs)
        rows.append(
            Row(
                "4a", "table order: live object and read Int", .nanoseconds, seconds: times,
                [.of(2.5, Peer.plain), .recorded(0.8, "realm", 16)]))
        times = try await contest(
            [
                Entrant(Peer.banyan, count) {
                    var sum = 0
                    for person in graph.objects(Person.self) { sum &+= person.name.utf8.count }
                    return sum
                },
                Entrant(Peer.plain, count) {
                    var sum = 0
                    for person in plain.inOrder { sum &+= person.name.utf8.count }
                    return sum
                },
                Entrant(Peer.grdb, count) { try database.lengthOfColumn("SELECT name FROM person") },
            ], runs: world.runs)
        rows.append(
            Row(
                "4a-string", "table order: live object and read String", .nanoseconds, seconds: times,
                [.of(2.5, Peer.plain), .recorded(0.8, "realm", 18.5)]))

        let handles = world.keys.compactMap { graph.object(ofType: Person.self, forPrimaryKey: $0) }
        let objects = world.keys.compactMap { plain.people[$0] }
        times = try await contest(
            [
                Entrant(Peer.banyan, count) { sumOfAges(handles) },
                Entrant(Peer.plain, count) { sumOfAges(objects) },
            ], runs: world.runs)
        rows.append(
            Row("4b", "handle in hand, random: read Int", .nanoseconds, seconds: times, [.of(4, Peer.plain)]))
        times = try await contest(
            [
                Entrant(Peer.banyan, count) {
                    var sum = 0
                    for person in handles { sum &+= person.name.utf8.count }
                    return sum
                },
                Entrant(Peer.plain, count) {
                    var sum = 0
                    for person in objects { sum &+= person.name.utf8.count }
                    return sum
                },
            ], runs: world.runs)
        rows.append(
            Row(
                "4b-string", "handle in hand, random: read String", .nanoseconds, seconds: times,
                [.of(4, Peer.plain)]))
        return rows
    }

    /// A barrier after each read: the next one has to be made, and not taken from a register.
    static let hotHandle = RowGroup("4c", "4c-string", title: "reading a hot handle") { world in
        let (person, object) = (try world.banyan.person(0), world.plain.people[0]!)
        let count = world.some(10) * 1_000_000
        let integers = try await contest(
            [
                Entrant(Peer.banyan, count) {
                    var sum = 0
                    for _ in 0..<count {
                        sum &+= person.age
                        bench_barrier()
                    }
                    return sum
                },
                Entrant(Peer.plain, count) {
                    var sum = 0
                    for _ in 0..<count {
                        sum &+= object.age
                        bench_barrier()
                    }
                    return sum
                },
            ], runs: world.runs)
        let strings = try await contest(
            [
                Entrant(Peer.banyan, count) {
                    var sum = 0
                    for _ in 0..<count {
                        sum &+= person.name.utf8.count
                        bench_barrier()
                    }
                    return sum
                },
                Entrant(Peer.plain, count) {
                    var sum = 0
                    for _ in 0..<count {
                        sum &+= object.name.utf8.count
                        bench_barrier()
                    }
                    return sum
                },
            ], runs: world.runs)
        return [
            Row("4c", "hot handle: read Int again", .nanoseconds, seconds: integers, [.limit(3)]),
            Row("4c-string", "hot handle: read String again", .nanoseconds, seconds: strings, [.limit(5)]),
        ]
    }
}

private func sumOfAges(_ people: [Person]) -> Int {
    var sum = 0
    for person in people { sum &+= person.age }
    return sum
}

private func sumOfAges(_ people: [PlainPerson]) -> Int {
    var sum = 0
    for person in people { sum &+= person.age }
    return sum
}
