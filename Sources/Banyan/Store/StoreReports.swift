import BanyanPersistence

extension Store {
    /// What opening a durable store found in its files, and what it did about it.
    ///
    /// A store that was closed gives an uneventful one. Log the others: nothing in them is an error, but an operator wants to
    /// know that a process died, or that a file has gone bad for which there was another way this time.
    public struct RecoveryReport: Sendable, Hashable {
        /// The incomplete end of the journal, which was cut off; of a store opened read-only, passed over.
        public struct TornTail: Sendable, Hashable {
            public var file: String
            /// Where in the file it began, and how many bytes there were.
            public var offset: UInt64
            public var length: UInt64
            /// The last commit before it, which stays.
            public var afterSequence: UInt64
            /// The file in `quarantine/` that has a copy; nil when there were only zeros, or the store is read-only.
            public var quarantine: String?
        }

        /// A snapshot that could not be read. An older one, and the journal behind it, gave the same.
        public struct SkippedSnapshot: Sendable, Hashable {
            public var file: String
            public var reason: String
        }

        /// The commit of the snapshot that was loaded; 0 without one.
        public var snapshotSequence: UInt64
        /// The last commit there is.
        public var lastSequence: UInt64
        /// Commits of the journal that were made again, and its bytes that were read.
        public var replayedCommits: UInt64
        public var replayedBytes: UInt64
        public var tornTail: TornTail?
        public var skippedSnapshots: [SkippedSnapshot]
        /// Whether the journal says itself where it ends, as it does after `close()`. If not, a process ended without it, and
        /// `lastSequence` is the last commit that stands there whole.
        public var endIsSealed: Bool
        /// The last commit of which the files say elsewhere that it was on the device. When the end is sealed that is the last
        /// one. If not, what came after it is known only from its own record: should the last file of the journal have been
        /// cut short behind this commit, nothing is left that could tell.
        public var witnessedSequence: UInt64

        /// Nothing that needs a look: the store was closed, and every file was read.
        public var isUneventful: Bool { tornTail == nil && skippedSnapshots.isEmpty && endIsSealed }
    }

    /// A checkpoint that did not succeed.
    ///
    /// The store goes on and loses nothing; its journal, and with it the time that opening takes, grows until one succeeds.
    /// Another is made by itself when the journal has grown by an eighth; after further failures it waits longer, until it has
    /// doubled. `checkpoint()` tries at once.
    public struct CheckpointFailure: Sendable {
        /// Most of the time a `BanyanError`: `diskFull`, `io`, …
        public var error: any Error
        /// The commit that the snapshot would have been of.
        public var sequence: UInt64
        /// How many have failed since the last that succeeded, or since the store was opened.
        public var attempts: Int
    }
}

extension Store.RecoveryReport {
    init(_ report: BanyanPersistence.RecoveryReport) {
        self.init(
            snapshotSequence: report.snapshotSequence, lastSequence: report.lastSequence,
            replayedCommits: report.records, replayedBytes: report.bytes,
            tornTail: report.tornTail.map { tail in
                TornTail(
                    file: tail.file, offset: tail.offset, length: tail.length, afterSequence: tail.afterSequence,
                    quarantine: tail.quarantine)
            },
            skippedSnapshots: report.skippedSnapshots.map { SkippedSnapshot(file: $0.file, reason: $0.reason) },
            endIsSealed: report.endIsSealed, witnessedSequence: report.witnessedSequence)
    }
}
