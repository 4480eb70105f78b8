import Dispatch
import GRDB
import Synchronization

/// GRDB's observation of a query.
enum SQLWatcher {
    /// The median time from the start of a write to the callback, what the write took, and what it takes unobserved.
    static func latency(
        _ database: SQLPeer, key: Int, commits: Int
    ) async throws -> (callback: Double, write: Double, alone: Double) {
        var (callbacks, writes, alone) = ([Double](), [Double](), [Double]())
        for i in 0..<commits {
            alone.append(try Clock.wall.seconds { try database.setAge(key, i % 2 + 5) })
        }
        let (stream, continuation) = AsyncStream.makeStream(of: Double.self)
        let observation = ValueObservation.tracking { db in
            try Int64.fetchAll(db.cachedStatement(sql: "SELECT id FROM person WHERE age < 10"))
        }
        let queue = DispatchQueue(label: "bench.watcher")
        let watching = observation.start(
            in: database.writer, scheduling: .async(onQueue: queue), onError: { _ in continuation.finish() },
            onChange: { _ in continuation.yield(Clock.wall.now) })
        var told = stream.makeAsyncIterator()
        _ = await told.next()
        for i in 0..<commits {
            let start = Clock.wall.now
            try database.setAge(key, i % 2 + 3)
            writes.append(Clock.wall.now - start)
            guard let time = await told.next() else { break }
            callbacks.append(time - start)
        }
        watching.cancel()
        return (median(callbacks), median(writes), median(alone))
    }
}
