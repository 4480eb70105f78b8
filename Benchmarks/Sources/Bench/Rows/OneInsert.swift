import BenchKit
import Banyan

extension RowGroup {
    /// The stores hold the same number of objects at the start of every batch: what a batch inserted is taken out again, off
    /// the clock.
    static let oneInsert = RowGroup("2", "2-full", title: "one-insert transactions") { world in
        let small = Samples(min(1_000, world.count))
        var rows: [Row] = []
        let first = try await oneInserts(small, try BanyanWorld(small), try filled(small), world)
        rows.append(
            Row(
                "2", "one-insert transactions in memory, on 1 k objects", .perSecond, seconds: first,
                [.of(6, Peer.grdb)]))
        var times = try await oneInserts(world.samples, try world.banyan, try world.database, world)
        times["on 1 k"] = first[Peer.banyan]
        rows.append(
            Row(
                "2-full", "one-insert transactions in memory, on all objects", .perSecond, seconds: times,
                [.of(6, Peer.grdb), .of(0.8, "on 1 k")]))
        return rows
    }

    private static func filled(_ samples: Samples) throws -> SQLPeer {
        let database = try SQLPeer()
        try database.insert(samples)
        return database
    }
}

private func oneInserts(
    _ samples: Samples, _ banyan: BanyanWorld, _ database: SQLPeer, _ world: World
) async throws -> [String: Double] {
    let batch = min(1_000, samples.count)
    let batches = world.some(20)
    let people = samples.people[0..<batch]
    let graph = banyan.graph
    return try await contest(
        [
            Entrant(
                Peer.banyan, batch * batches,
                timing: {
                    try timed(batches) {
                        for (i, sample) in people.enumerated() {
                            try graph.write {
                                let person = Person(sample)
                                person.id = samples.count + i
                                try graph.add(person)
                            }
                        }
                    } undo: {
                        try graph.write {
                            for i in 0..<batch {
                                if let person = graph.object(ofType: Person.self, forPrimaryKey: samples.count + i) {
                                    graph.delete(person)
                                }
                            }
                        }
                    }
                }),
            Entrant(
                Peer.grdb, batch * max(1, batches / 4),
                timing: {
                    try timed(max(1, batches / 4)) {
                        try database.insertOneByOne(people, firstKey: samples.count)
                    } undo: {
                        try database.deletePeople(from: samples.count)
                    }
                }),
        ], runs: world.runs)
}

/// Runs `body` several times and counts its time, but not that of `undo`.
private func timed(_ batches: Int, _ body: () throws -> Void, undo: () throws -> Void) throws -> Double {
    var seconds = 0.0
    for _ in 0..<batches {
        seconds += try Clock.processor.seconds(body)
        try undo()
    }
    return seconds
}
