import BenchKit
import Banyan
import Dispatch

extension RowGroup {
    static let observation = RowGroup(
        "15a", "15a-few", "15a-all", "15b", title: "observed queries", measure: observed)

    private static func observed(_ world: World) async throws -> [Row] {
        let store = try world.banyan.store
        let graph = try world.banyan.graph
        let commits = world.some(20)
        guard let person = graph.objects(Person.self).where({ $0.age < 9 && $0.id < 1000 }).first else { return [] }
        let before = person.age
        var age = before

        /// The median time from the start of a write to the callback, and what the write itself took.
        func latency(_ selection: Watcher.Selection?) async throws -> (callback: Double, write: Double) {
            let watcher = Watcher(store)
            if let selection { await watcher.watch(selection) }
            var callbacks: [Double] = []
            var writes: [Double] = []
            for _ in 0..<commits {
                age = age == 3 ? 4 : 3
                let start = Clock.wall.now
                try graph.write { person.age = age }
                writes.append(Clock.wall.now - start)
                guard selection != nil else { continue }
                callbacks.append(await watcher.told() - start)
            }
            return (callbacks.isEmpty ? 0 : median(callbacks), median(writes))
        }

        let alone = try await latency(nil)
        let few = try await latency(.firstThousand)
        let tenth = try await latency(.belowTen)
        let all = try await latency(.all)
        let database = try world.database
        let sql = try await SQLWatcher.latency(database, key: person.id, commits: min(commits, 5))
        // As it was, for the rows behind.
        try graph.write { person.age = before }
        try database.setAge(person.id, before)
        return [
            Row(
                "15a", "one object changes, a tenth of all observed: write to callback", .milliseconds,
                seconds: [Peer.banyan: tenth.callback, Peer.grdb: sql.callback], [.limit(0.1)]),
            Row(
                "15a-few", "the same, 1 k objects observed", .milliseconds, seconds: [Peer.banyan: few.callback],
                [.limit(0.1)]),
            Row(
                "15a-all", "the same, all objects observed", .milliseconds,
                seconds: [Peer.banyan: all.callback, "1 k results": few.callback],
                [.limit(0.1), .of(2, "1 k results")]),
            Row(
                "15b", "what the writer pays for it", .milliseconds,
                seconds: [
                    Peer.banyan: max(0, tenth.write - alone.write), Peer.grdb: max(0, sql.write - sql.alone),
                ], [.limit(0.01)]),
        ]
    }

    /// The queries watch dogs; the commits change persons. The writer is the one who watches, so it pays for both.
    static let manyQueries = RowGroup("15c", title: "many live queries that watch something else", measure: manyWatched)

    private static func manyWatched(_ world: World) async throws -> [Row] {
        let store = try world.banyan.store
        let watcher = Watcher(store)
        let (queries, commits) = (world.some(10_000), world.some(40))
        let alone = try await watcher.secondsPerCommit(commits, runs: world.runs)
        try await watcher.watchDogs(queries)
        let watched = try await watcher.secondsPerCommit(commits, runs: world.runs)
        return [
            Row(
                "15c", "\(Row.short(Double(queries))) live queries that watch something else: cost added per commit",
                .microseconds,
                seconds: [Peer.banyan: max(0, watched - alone)], [.limit(2)])
        ]
    }
}

/// Somebody with a graph of their own, who is told of changes.
actor Watcher {
    enum Selection: Sendable { case firstThousand, belowTen, all }

    private let graph: Graph
    private var tokens: [NotificationToken] = []
    private var times: [Double] = []
    private var waiting: CheckedContinuation<Double, Never>?

    init(_ store: Store) { graph = Graph(store) }

    func watch(_ selection: Selection) {
        let people = graph.objects(Person.self)
        let results =
            switch selection {
            case .firstThousand: people.where { $0.id < 1000 }
            case .belowTen: people.where { $0.age < 10 }
            case .all: people
            }
        tokens.append(
            results.observe { [weak self] change in
                guard case .update = change else { return }
                self?.assumeIsolated { $0.note(Clock.wall.now) }
            })
    }

    private func note(_ time: Double) {
        if let waiting {
            self.waiting = nil
            waiting.resume(returning: time)
        } else {
            times.append(time)
        }
    }

    /// When the next change was told.
    func told() async -> Double {
        if !times.isEmpty { return times.removeFirst() }
        return await withCheckedContinuation { waiting = $0 }
    }

    func watchDogs(_ count: Int) throws {
        for i in 0..<count {
            tokens.append(graph.objects(Dog.self).where { $0.age == 1_000 + i }.observe { _ in })
        }
    }

    /// The median of several runs of commits that change a person.
    func secondsPerCommit(_ commits: Int, runs: Int) throws -> Double {
        guard let person = graph.objects(Person.self).first else { return .nan }
        let before = person.score
        var times: [Double] = []
        for _ in 0..<runs {
            times.append(
                try Clock.processor.seconds {
                    for _ in 0..<commits { try graph.write { person.score += 1 } }
                } / Double(commits))
        }
        // As it was, for the rows behind.
        try graph.write { person.score = before }
        return median(times)
    }
}
