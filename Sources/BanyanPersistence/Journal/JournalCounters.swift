/// Figures about the journal, all since open.
package struct JournalCounters: Sendable, Hashable {
    package var commits: UInt64 = 0
    package var frames: UInt64 = 0
    package var writes: UInt64 = 0
    package var syncs: UInt64 = 0
    package var bytesWritten: UInt64 = 0
    /// Records waiting to be written now.
    package var queueDepth = 0
    package var queuedBytes = 0
    /// Journal bytes a recovery would have to read now.
    package var bytesSinceSnapshot: UInt64 = 0
    /// Time of a flush, in nanoseconds, over the last 1,024.
    package var syncP50: UInt64 = 0
    package var syncP99: UInt64 = 0
    package var syncMaximum: UInt64 = 0
}
