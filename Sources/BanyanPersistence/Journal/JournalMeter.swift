/// Counts of what the journal did, and the times of its latest flushes.
struct JournalMeter: Sendable {
    private static let samples = 1024

    var commits: UInt64 = 0
    var frames: UInt64 = 0
    var writes: UInt64 = 0
    var syncs: UInt64 = 0
    var bytesWritten: UInt64 = 0
    private var latest: [UInt64] = []
    private var maximum: UInt64 = 0
    /// Nanoseconds of the latest flush.
    private(set) var lastSync: UInt64 = 0

    /// Notes a flush of this many nanoseconds.
    mutating func noteSync(_ nanoseconds: UInt64) {
        if latest.count < Self.samples {
            latest.append(nanoseconds)
        } else {
            latest[Int(syncs % UInt64(Self.samples))] = nanoseconds
        }
        syncs += 1
        lastSync = nanoseconds
        maximum = max(maximum, nanoseconds)
    }

    func counters(queueDepth: Int, queuedBytes: Int, bytesSinceSnapshot: UInt64) -> JournalCounters {
        let sorted = latest.sorted()
        func percentile(_ share: Double) -> UInt64 {
            sorted.isEmpty ? 0 : sorted[min(Int(Double(sorted.count) * share), sorted.count - 1)]
        }
        return JournalCounters(
            commits: commits, frames: frames, writes: writes, syncs: syncs, bytesWritten: bytesWritten,
            queueDepth: queueDepth, queuedBytes: queuedBytes, bytesSinceSnapshot: bytesSinceSnapshot,
            syncP50: percentile(0.5), syncP99: percentile(0.99), syncMaximum: maximum)
    }
}
