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
