import BenchKit
import Banyan

extension RowGroup {
    /// Each run deletes other persons, a tenth of all.
    static let deletion = RowGroup("12", title: "deleting linked objects") { world in
        let (graph, plain, database, keys) = (try world.banyan.graph, world.plain, try world.database, world.keys)
        let number = max(1, min(world.count / (2 * world.runs), 100_000))
        var done = (0, 0, 0)
        let times = try await contest(
            [
                Entrant(
                    Peer.banyan, number,
                    timing: {
                        defer { done.0 += 1 }
                        let some = keys[(done.0 * number)..<((done.0 + 1) * number)]
                        return try Clock.processor.seconds {
                            try graph.write {
                                for key in some {
                                    if let person = graph.object(ofType: Person.self, forPrimaryKey: key) {
                                        graph.delete(person)
                                    }
                                }
                            }
                        }
                    }),
                Entrant(
                    Peer.plain, number,
                    timing: {
                        defer { done.1 += 1 }
                        // Nobody else may hold them, or they would not go.
                        plain.inOrder = []
                        let some = keys[(done.1 * number)..<((done.1 + 1) * number)]
                        return Clock.processor.seconds {
                            for key in some {
                                if let person = plain.people[key] { plain.delete(person) }
                            }
                        }
                    }),
                Entrant(
                    Peer.grdb, min(number, 20_000),
                    timing: {
                        defer { done.2 += 1 }
                        let start = done.2 * number
                        let some = keys[start..<(start + min(number, 20_000))]
                        return try Clock.processor.seconds { try database.deletePeople(some) }
                    }),
            ], runs: world.runs, atLeast: 0)
        world.forget()
        return [
            Row(
                "12", "delete linked persons, one transaction", .nanoseconds, seconds: times, [.of(0.8, Peer.plain)])
        ]
    }
}
