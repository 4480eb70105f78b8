/// What recovery found and did.
package struct RecoveryReport: Sendable, Hashable {
    /// The incomplete end of the journal that was cut off (or, read-only, passed over).
    package struct TornTail: Sendable, Hashable {
        package var file: String
        package var offset: UInt64
        package var length: UInt64
        /// The last sequence that is kept.
        package var afterSequence: UInt64
        /// Where a copy of the bytes was put; nil when nothing but zeros was cut, or the store is open read-only.
        package var quarantine: String?
    }

    /// A snapshot that could not be opened, and why.
    package struct SkippedSnapshot: Sendable, Hashable {
        package var file: String
        package var reason: String
    }

    /// The snapshot the replay started from; 0 without one.
    package var snapshotSequence: UInt64 = 0
    package var lastSequence: UInt64 = 0
    /// Time of the last record replayed; nil when there was none.
    package var lastTime: Int64?
    package var records: UInt64 = 0
    package var bytes: UInt64 = 0
    package var segments = 0
    package var epoch: UInt32 = 0
    package var tornTail: TornTail?
    /// Newer snapshots that could not be opened, with the reason each.
    package var skippedSnapshots: [SkippedSnapshot] = []
    /// The journal's last record is followed by a seal, or the manifest knows it to be the last: the store was closed. If
    /// not, its process was killed, and what stands there is all that is known.
    package var endIsSealed = true
    /// The last commit that something other than its own record says was on the device; the last of all when the end is
    /// sealed.
    package var witnessedSequence: UInt64 = 0
}
