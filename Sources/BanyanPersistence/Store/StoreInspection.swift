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

        init(_ entry: Manifest.Snapshot) {
            name = entry.name
            sequence = entry.sequence
            time = entry.time
            length = entry.length
            rootHash = entry.rootHash
        }
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
        /// Where its last frame begins.
        package var offset: UInt64
        package var epoch: UInt32
    }

    /// A commit with the place it was read from. A large payload is still in the file: see `commits`.
    package struct LocatedCommit: Sendable {
        package var sequence: UInt64
        /// Nanoseconds since 1970.
        package var time: Int64
        package var payload: CommitPayload
        package var file: String
        /// Where its last frame begins.
        package var offset: UInt64
    }

    /// Where a replay ends. A time is no target: `commit(atOrBefore:)` finds the commit that it means.
    package enum Target: Sendable, Hashable {
        case end
        /// The state right after this commit.
        case sequence(UInt64)

        /// The last commit that it takes in.
        var last: UInt64 {
            switch self {
            case .end: .max
            case .sequence(let last): last
            }
        }

        /// Whether a commit lies beyond it.
        func excludes(_ sequence: UInt64) -> Bool { sequence > last }
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
    /// What the process that holds the store's lock wrote about itself; nil when none does.
    package let owner: String?
    let files: ListedFiles

    /// - Throws: `notAStore`, `damaged`, `foreignFile`, `unsupportedFormat`, `io`.
    package static func open(_ path: String, on disk: any Disk) throws(BanyanError) -> StoreInspection {
        let directory = try StoreFiles.openDirectory(path, on: disk, create: false)
        guard let manifest = try Manifest.read(in: directory) else {
            throw try DirectoryContents(directory).noStore(at: path)
        }
        try DirectoryContents(directory).checkManifestBelongs(manifest)
        return try StoreInspection(directory, manifest)
    }

    init(_ directory: any DiskDirectory, _ manifest: Manifest) throws(BanyanError) {
        path = directory.path
        storeID = manifest.storeID
        parent = manifest.parent
        epoch = manifest.epoch
        generation = manifest.generation
        owner = try StoreLock.currentOwner(in: directory)
        files = ListedFiles(directory: directory, manifest: manifest, access: owner == nil ? .quiet : .live)
        snapshots = manifest.snapshots.map(Snapshot.init)
        var segments: [Segment] = []
        for entry in manifest.segments {
            var length = entry.length
            if !entry.sealed {
                let size = try onListedFile { () throws(DiskFault) in
                    try directory.openIfPresent(entry.name, .read)?.size()
                }
                length = size ?? length
            }
            segments.append(
                Segment(
                    name: entry.name, number: entry.number, epoch: entry.epoch, firstSequence: entry.first,
                    lastSequence: entry.sealed ? entry.last : nil, length: length, sealed: entry.sealed))
        }
        self.segments = segments
    }

    /// Every record after `sequence`, in order, checked, up to `target`. Stops early when `body` returns false.
    ///
    /// - Returns: the report a recovery would give.
    /// - Throws: `damaged`; `inUse` when the store's process removed a file meanwhile (open it again); what `body`
    ///   throws.
    @discardableResult
    package func records(
        after sequence: UInt64, through target: Target = .end, progress: ((StoreProgress) -> Void)? = nil,
        _ body: (_ located: LocatedRecord, _ segmentSchema: [UInt8]) throws -> Bool
    ) throws -> RecoveryReport {
        try files.records(after: sequence, through: target, progress: progress) { located in
            try body(
                LocatedRecord(
                    record: located.record, file: located.file, offset: located.offset, epoch: located.epoch),
                located.schema)
        }.report
    }

    /// Every commit after `sequence` as `records` gives them, as checked, in memory that does not grow with the largest of
    /// them: payloads of more than about a megabyte are left in the file, to be read in parts.
    ///
    /// - Returns: the report a recovery would give.
    /// - Throws: as `records`.
    @discardableResult
    package func commits(
        after sequence: UInt64, through target: Target = .end, progress: ((StoreProgress) -> Void)? = nil,
        _ body: (_ located: LocatedCommit, _ segmentSchema: [UInt8]) throws -> Bool
    ) throws -> RecoveryReport {
        try files.records(after: sequence, through: target, leavingLargePayloads: true, progress: progress) { located in
            let payload = located.placed.map { CommitPayload(.file($0)) } ?? CommitPayload(located.record.payload)
            return try body(
                LocatedCommit(
                    sequence: located.record.sequence, time: located.record.time, payload: payload,
                    file: located.file, offset: located.offset),
                located.schema)
        }.report
    }

    /// The newest snapshot at or before the target; nil when the journal must be replayed from the first commit.
    ///
    /// - Throws: `limit` when neither a snapshot nor the journal reaches back that far.
    package func snapshot(atOrBefore target: Target) throws(BanyanError) -> Snapshot? {
        guard let entry = try files.snapshot(atOrBefore: target) else { return nil }
        return Snapshot(entry)
    }

    /// Opens a snapshot for reading. It can be read to its end even when it is pruned meanwhile.
    package func open(
        _ snapshot: Snapshot, maxFrameSize: Int = 1 << 30
    ) throws(BanyanError) -> SnapshotReader {
        try SnapshotReader(in: files.directory, name: snapshot.name, maxFrameSize: maxFrameSize)
    }
}
