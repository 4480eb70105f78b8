package import BanyanCore

// A store is read without opening it: no lock is taken and nothing is written. Tools read this way, also a store that a
// program has open.

extension GraphRecovery {
    /// The graph as it was right after the last commit that `target` takes in: the newest snapshot at or before it, and the
    /// records from there on. A damaged snapshot is passed over for an older one, as when the store is opened.
    ///
    /// O(size of the snapshot and of the journal up to the target).
    ///
    /// - Throws: `limit` for a target before anything the files hold or behind the last commit; `damaged`,
    ///   `unsupportedFormat`, `inUse` when the store's own process removed a file meanwhile, `io`; what `layout` throws.
    package static func read(
        _ store: StoreInspection, through target: StoreInspection.Target = .end,
        layout: @escaping (_ stored: Schema?) throws -> StoreLayout = plainLayout, progress: Progress? = nil
    ) throws -> (version: Version, report: RecoveryReport) {
        let (graph, read) = try graph(of: store.files, through: target, layout, progress)
        let version = graph.version
        let wanted = target.last
        if wanted < .max, version.sequence < wanted {
            throw BanyanError(
                .limit, "The store has no commit \(wanted): its newest is \(version.sequence)",
                remedy: "Choose a commit from \(oldest(store)) to \(version.sequence)", at: .init(file: store.path))
        }
        var report = read.report
        report.lastSequence = version.sequence
        report.lastTime = version.sequence > 0 ? version.time : nil
        return (version, report)
    }

    /// The graph of a single snapshot file, laid out by its own schema.
    ///
    /// - Throws: `damaged`, `unsupportedFormat`, `limit`, `io`.
    package static func read(_ snapshot: SnapshotReader, progress: Progress? = nil) throws -> Version {
        try replayBase(snapshot, plainLayout, progress).version
    }

    /// The layout of whatever schema a file holds, and of no types at all when there is none.
    package static func plainLayout(_ stored: Schema?) throws(BanyanError) -> StoreLayout {
        do throws(BanyanError) {
            return try StoreLayout(stored ?? Schema(types: []))
        } catch {
            throw BanyanError(
                .damaged, "The stored schema does not hold together: \(error.message)", at: error.location,
                cause: error.cause)
        }
    }

    /// The schema of the newest file that has one, without reading anything else; nil for a store nothing was written to.
    ///
    /// - Throws: `damaged`, also where every file that had one is missing; `unsupportedFormat`, `io`.
    package static func newestSchema(of store: StoreInspection) throws(BanyanError) -> Schema? {
        for segment in store.segments.reversed() {
            let path = store.files.directory.pathOf(segment.name)
            let header = try onListedFile { () throws(DiskFault) in
                try store.files.directory.openIfPresent(segment.name, .read)
            }
            if let file = header {
                defer { file.close() }
                let size = try onDisk { () throws(DiskFault) in try file.size() }
                return try schema(try SegmentHeader.read(from: file, path: path, size: size).header.schema, in: path)
            }
        }
        if store.snapshots.isEmpty, let segment = store.segments.last {
            throw BanyanError(
                .damaged, "A journal segment is missing", remedy: "Put it back from a copy, or run `banyan salvage`",
                at: .init(file: store.files.directory.pathOf(segment.name), sequence: segment.firstSequence))
        }
        guard let snapshot = store.snapshots.first else { return nil }
        let reader = try store.open(snapshot)
        return try schema(reader.header.schema, in: reader.path)
    }

    /// The commit that a time means.
    ///
    /// - Throws: `limit` where the files do not reach back that far; `damaged`, `inUse`, `io`.
    package static func commit(
        atOrBefore time: Int64, of store: StoreInspection, progress: Progress? = nil
    ) throws -> CommitAtTime {
        let found = try store.commit(
            atOrBefore: time, progress: progress.map { tell in { tell(.journal, $0.done, $0.total) } })
        if let found { return found }
        throw BanyanError(
            .limit, "The store does not reach back that far",
            remedy: "The oldest commit that it still gives is \(oldest(store))", at: .init(file: store.path))
    }

    /// The oldest commit whose state the files still give.
    package static func oldest(_ store: StoreInspection) -> UInt64 {
        if let first = store.segments.first?.firstSequence, first == 1 { return 0 }
        return store.snapshots.last?.sequence ?? 0
    }
}
