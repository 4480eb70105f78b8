package import BanyanCore

// Reading a store without opening it: no lock, nothing written, at any commit the files reach back to. This is what tools
// use, also on a store that a program has open.

extension GraphRecovery {
    /// The graph as it was right after the last commit that `target` takes in: the newest snapshot at or before it, and the
    /// records from there on. A damaged snapshot is passed over for an older one, as opening the store would.
    ///
    /// O(size of the snapshot and of the journal up to the target).
    ///
    /// - Throws: `limit` for a target before anything the files hold or behind the last commit; `damaged`,
    ///   `unsupportedFormat`, `inUse` when the store's own process removed a file meanwhile, `io`; what `layout` throws.
    package static func read(
        _ store: StoreInspection, through target: StoreInspection.Target = .end,
        layout: @escaping (_ stored: Schema?) throws -> StoreLayout = plainLayout, progress: Progress? = nil
    ) throws -> (version: Version, report: RecoveryReport) {
        var skipped: [RecoveryReport.SkippedSnapshot] = []
        let start = try start(store, target, layout, progress, &skipped)
        let replay = GraphReplay(from: start, layout: layout)
        let base = start?.version.sequence ?? 0
        // Not one record is read beyond the one asked for: what is damaged behind it is no hindrance.
        var wanted = UInt64.max
        if case .sequence(let sequence) = target { wanted = sequence }
        var report = RecoveryReport(snapshotSequence: base, epoch: store.epoch)
        var records: UInt64 = 0
        if wanted > base {
            report = try store.records(
                after: base, through: target, progress: progress.map { tell in { tell(.journal, $0.done, $0.total) } }
            ) { located, schema in
                try replay.apply(
                    located.record, schema: schema,
                    at: .init(file: located.file, offset: located.offset, sequence: located.record.sequence))
                records += 1
                return located.record.sequence < wanted
            }
        }
        report.records = records
        let version = try replay.finish()
        if wanted < .max, version.sequence < wanted {
            throw BanyanError(
                .limit, "The store has no commit \(wanted): its newest is \(version.sequence)",
                remedy: "Choose a commit from \(oldest(store)) to \(version.sequence)", at: .init(file: store.path))
        }
        report.lastSequence = version.sequence
        report.lastTime = version.sequence > 0 ? version.time : nil
        report.skippedSnapshots = skipped
        return (version, report)
    }

    /// The graph of a single snapshot file, laid out by its own schema.
    ///
    /// - Throws: `damaged`, `unsupportedFormat`, `limit`, `io`.
    package static func read(_ snapshot: SnapshotReader, progress: Progress? = nil) throws -> Version {
        try load(snapshot, plainLayout, progress)
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
            let path = store.directory.pathOf(segment.name)
            let header = try onListedFile { () throws(DiskFault) in
                try store.directory.openIfPresent(segment.name, .read)
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
                at: .init(file: store.directory.pathOf(segment.name), sequence: segment.firstSequence))
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

    /// The newest snapshot at or before the target that loads; nil when the first commit is where to start.
    private static func start(
        _ store: StoreInspection, _ target: StoreInspection.Target,
        _ layout: (Schema?) throws -> StoreLayout, _ progress: Progress?,
        _ skipped: inout [RecoveryReport.SkippedSnapshot]
    ) throws -> (version: Version, schema: [UInt8])? {
        guard var candidate = try store.snapshot(atOrBefore: target) else { return nil }
        var firstFailure: BanyanError?
        while true {
            do {
                let reader = try store.open(candidate)
                try check(reader, against: candidate, of: store)
                return (try load(reader, layout, progress), reader.header.schema)
            } catch let error as BanyanError where error.code == .damaged || error.code == .notAStore {
                let failure = firstFailure ?? error
                firstFailure = failure
                skipped.append(
                    .init(file: store.directory.pathOf(candidate.name), reason: error.description))
                let older = store.snapshots.drop { $0 != candidate }.dropFirst().first
                // From here on the journal must lead over what the snapshot would have given.
                guard store.segments.first.map({ $0.firstSequence <= (older?.sequence ?? 0) + 1 }) ?? false else {
                    throw failure
                }
                guard let older else { return nil }
                candidate = older
            }
        }
    }

    private static func check(
        _ reader: SnapshotReader, against entry: StoreInspection.Snapshot, of store: StoreInspection
    ) throws(BanyanError) {
        guard reader.header.storeID == store.storeID, reader.rootHash == entry.rootHash else {
            throw BanyanError(
                .damaged, "The snapshot is not the one the manifest lists", remedy: "Put it back from a copy",
                at: .init(file: reader.path, sequence: entry.sequence))
        }
    }
}
