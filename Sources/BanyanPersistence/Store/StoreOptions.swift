extension StoreFiles {
    /// How a store's files are kept. The defaults suit a server.
    package struct Options: Sendable {
        package var durability: Durability = .everyCommit
        /// A journal segment is closed, and the next one begun, once it is larger than this.
        package var segmentSize: UInt64 = 64 << 20
        /// `needsCheckpoint` turns true when the journal since the snapshot exceeds both this many bytes …
        package var checkpointMinimum: UInt64 = 256 << 20
        /// … and this share of the snapshot's size.
        package var checkpointShare: Double = 0.5
        /// It also turns true at this many segments: a store that is opened often and written little makes small ones.
        package var checkpointSegments: Int = 256
        /// Snapshots kept, at least one. The journal since the oldest kept one stays, for point-in-time restore.
        package var keepSnapshots: Int = 2
        /// The largest payload stored in one frame; a larger record is stored in several, replayed only as a whole.
        /// At most `JournalFrame.maximumRawLength`.
        package var maxRecordSize: Int = 64 << 20
        /// Commits are refused with `diskFull`, before anything is written, when less than this is free.
        package var freeSpaceReserve: UInt64 = 16 << 20
        /// Opens a store on a network file system, where locks and flushes may not hold what they promise.
        package var allowNetworkFileSystem = false
        /// Largest raw size accepted for one frame of a snapshot.
        package var maxSnapshotFrameSize: Int = 1 << 30
        /// The identity given to a store that is created; random when nil.
        package var newStoreID: StoreID?

        package init() {}
    }

    /// What a store is opened for.
    package enum Mode: Sendable, Hashable {
        /// Holds the lock exclusively; recovers and repairs a torn tail.
        case readWrite(createIfMissing: Bool)
        /// Holds the lock with other readers; changes nothing, a torn tail is passed over and reported.
        case readOnly
        /// Takes no lock: reads what is there while a writer may be at work, up to the last complete record. Changes
        /// nothing.
        case readOnlyWhileInUse
    }
}

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

/// How far a long operation has come, in bytes of the files it reads.
package struct StoreProgress: Sendable, Hashable {
    package var done: UInt64
    package var total: UInt64
}

/// A snapshot that exists and was verified.
package struct SnapshotInfo: Sendable, Hashable {
    package var name: String
    package var sequence: UInt64
    package var time: Int64
    package var length: UInt64
    package var rootHash: UInt64
    /// Files that count no more but could not be removed yet; they go when the store is next opened.
    package var unremoved: [String] = []
}

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
    package var framesPerSync: Double { syncs == 0 ? 0 : Double(frames) / Double(syncs) }
}
