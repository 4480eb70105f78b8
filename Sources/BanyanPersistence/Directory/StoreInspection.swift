package import BanyanCore

/// A look at a store's directory that writes nothing and takes no lock, so it may be made while another process runs the
/// store: what it shows of the journal's end is then a moment old.
package struct StoreInspection: Sendable {
    /// A snapshot the manifest lists.
    package struct Snapshot: Sendable, Hashable {
        package var name: String
        package var sequence: UInt64
        package var time: Int64
        package var length: UInt64
        package var rootHash: UInt64
    }

    /// A journal segment the manifest lists.
    package struct Segment: Sendable, Hashable {
        package var name: String
        package var number: UInt64
        package var epoch: UInt32
        package var firstSequence: UInt64
        /// nil while the segment is open: its end is known by reading it.
        package var lastSequence: UInt64?
        package var length: UInt64
        package var sealed: Bool
    }

    /// A record with the place it was read from.
    package struct LocatedRecord: Sendable, Hashable {
        package var record: JournalRecord
        package var file: String
        package var offset: UInt64
        package var epoch: UInt32
    }

    /// Where a replay ends.
    package enum Target: Sendable, Hashable {
        case end
        /// The state right after this commit.
        case sequence(UInt64)
        /// The state after the last commit at or before this time (nanoseconds since 1970).
        case time(Int64)
    }

    package let path: String
    package let storeID: StoreID
    package let parent: StoreParent?
    package let epoch: UInt32
    package let generation: UInt64
    /// Newest first.
    package let snapshots: [Snapshot]
    /// Oldest first.
    package let segments: [Segment]
    /// Whether some process holds the store's lock, and what it wrote about itself.
    package let owner: String?

    /// - Throws: `notAStore`, `damaged`, `unsupportedFormat`, `io`.
    package static func open(_ path: String, on disk: any Disk) throws(BanyanError) -> StoreInspection { fatalError() }

    /// Every record after `sequence`, in order, checked, up to `target`. Stops early when `body` returns false.
    ///
    /// - Returns: the report a recovery would give.
    @discardableResult
    package func records(
        after sequence: UInt64, through target: Target = .end, progress: ((StoreProgress) -> Void)? = nil,
        _ body: (_ located: LocatedRecord, _ segmentSchema: [UInt8]) throws -> Bool
    ) throws -> RecoveryReport { fatalError() }

    /// The newest snapshot at or before the target; nil when the journal must be replayed from the beginning.
    package func snapshot(atOrBefore target: Target) -> Snapshot? { fatalError() }
}

/// The store, and the commit in it, that a restored store began as.
package struct StoreParent: Sendable, Hashable {
    package var storeID: StoreID
    package var sequence: UInt64

    package init(storeID: StoreID, sequence: UInt64) {
        self.storeID = storeID
        self.sequence = sequence
    }
}
