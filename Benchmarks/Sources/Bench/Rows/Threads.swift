import BenchKit
import Banyan
import Foundation
import Synchronization

extension RowGroup {
    static let threads = RowGroup("16", "16-scaling", "16-blocks", title: "reading with two threads") { world in
        let (store, keys) = (try world.banyan.store, world.keys)
        // Sound: nobody writes to it while the threads read.
        nonisolated(unsafe) let plain = world.plain
        // A connection in memory is one for all threads; a file has one for each reader.
        try world.database.copy(to: world.path("readers.sqlite"))
        let database = try SQLPeer(durableAt: world.path("readers.sqlite"))
        // Sound: a pool of connections is made for threads.
        nonisolated(unsafe) let pool = database
        let few = world.some(50_000)

        func entrants(_ threads: Int) -> [Entrant] {
            [
                onThreads(Peer.banyan, threads, keys) { keys in
                    store.read { graph in
                        var sum = 0
                        for key in keys { sum &+= graph.object(ofType: Person.self, forPrimaryKey: key)?.age ?? 0 }
                        return sum
                    }
                },
                onThreads(Peer.plain, threads, keys) { keys in
                    var sum = 0
                    for key in keys { sum &+= plain.people[key]?.age ?? 0 }
                    return sum
                },
                onThreads(Peer.grdb, threads, Array(keys.prefix(few))) { keys in try pool.sumOfAges(keys) },
            ]
        }
        let one = try await contest(entrants(1), runs: world.runs)
        let two = try await contest(entrants(2), runs: world.runs)
        let blocks = try await contest(
            [
                onThreads(Peer.banyan, 2, keys) { keys in
                    var sum = 0
                    for key in keys {
                        sum &+= store.read { graph in
                            graph.object(ofType: Person.self, forPrimaryKey: key)?.age ?? 0
                        }
                    }
                    return sum
                },
                onThreads(Peer.grdb, 2, Array(keys.prefix(world.some(10_000)))) { keys in
                    return try pool.sumOfAgesOneByOne(keys)
                },
            ], runs: world.runs)
        try database.close()
        let scaling = Dictionary(uniqueKeysWithValues: one.keys.map { ($0, one[$0]! / two[$0]!) })
        return [
            Row("16", "key reads, 2 threads", .perSecond, seconds: two, [.of(0.75, Peer.plain)]),
            Row("16-scaling", "key reads: 2 threads over 1", .times, figures: scaling, [.limit(1.9)]),
            Row("16-blocks", "key reads, 2 threads, a read block each", .perSecond, seconds: blocks, [.limit(3e6)]),
        ]
    }
}

/// Divides the keys among threads; the run is over when the last one is done. Finds the sum of what they find.
private func onThreads(
    _ name: String, _ threads: Int, _ keys: [Int], _ body: @escaping @Sendable (ArraySlice<Int>) throws -> Int
) -> Entrant {
    Entrant(name, keys.count, clock: .wall) {
        let found = Mutex<Result<Int, any Error>>(.success(0))
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            let mine = (thread * keys.count / threads)..<((thread + 1) * keys.count / threads)
            let sum = Result { try body(keys[mine]) }
            found.withLock { all in all = all.flatMap { total in sum.map { total &+ $0 } } }
        }
        return try found.withLock { try $0.get() }
    }
}
