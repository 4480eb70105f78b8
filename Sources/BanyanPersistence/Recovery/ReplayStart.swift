import BanyanCore

/// Where a replay of the journal starts: a snapshot, or the empty graph before the first commit.
struct ReplayStart<Base> {
    /// What the snapshot was loaded into; nil where the first commit is where to start.
    var base: Base?
    var sequence: UInt64 = 0
    /// The time of that commit; nil without a snapshot.
    var time: Int64?
    /// Newer snapshots that could not be read.
    var skipped: [SkippedSnapshot] = []

    struct SkippedSnapshot {
        var file: String
        var sequence: UInt64
        var error: BanyanError
    }

    /// Loads the first of some snapshots, newest first, that can be read, and passes over those before it that cannot.
    ///
    /// - Parameters:
    ///   - open: opens a snapshot.
    ///   - load: makes what is needed of it.
    ///   - leads: whether the state that an older sequence gives leads, with the journal, over that of a newer one; 0 is
    ///     the empty graph before the first commit.
    /// - Throws: the first failure, when no snapshot behind it can stand in for it; what `open` and `load` throw that says
    ///   nothing against the file, such as `unsupportedFormat`, `foreignFile`, `schemaMismatch`.
    init<Candidate>(
        _ candidates: some Sequence<(candidate: Candidate, file: String, sequence: UInt64)>,
        open: (Candidate) throws(BanyanError) -> SnapshotReader, load: (SnapshotReader) throws -> Base,
        leads: (_ older: UInt64, _ newer: UInt64) -> Bool
    ) throws {
        for (candidate, file, sequence) in candidates {
            if let first = skipped.first, !leads(sequence, first.sequence) { throw first.error }
            do {
                let reader = try open(candidate)
                base = try load(reader)
                self.sequence = reader.header.sequence
                time = reader.header.time
                return
            } catch let error as BanyanError where [.damaged, .notAStore, .io].contains(error.code) {
                skipped.append(SkippedSnapshot(file: file, sequence: sequence, error: error))
            }
        }
        if let first = skipped.first, !leads(0, first.sequence) { throw first.error }
    }
}

extension ListedFiles {
    /// Loads the newest snapshot at or before the target that can be read. One that cannot is passed over where an older
    /// one, or the empty graph, and the journal after it lead to the same state.
    ///
    /// O(size of the snapshot).
    ///
    /// - Throws: `limit` when nothing reaches back to the target; otherwise as `ReplayStart.init`.
    func start<Base>(
        through target: StoreInspection.Target = .end, load: (SnapshotReader) throws -> Base
    ) throws -> ReplayStart<Base> {
        if target != .end { _ = try snapshot(atOrBefore: target) }
        let first = manifest.segments.first?.first ?? .max
        return try ReplayStart(
            manifest.snapshots.lazy.filter { !target.excludes($0.sequence) }.map {
                (candidate: $0, file: directory.pathOf($0.name), sequence: $0.sequence)
            },
            open: { entry throws(BanyanError) in try open(entry) }, load: load,
            leads: { older, newer in first <= older + 1 || (older > 0 && older == newer) })
    }

    /// Calls `body` with every record behind a start, up to `target`; it returns false to stop. See `records(after:)`.
    func records(
        after start: ReplayStart<some Any>, through target: StoreInspection.Target = .end,
        progress: ((StoreProgress) -> Void)? = nil, _ body: (JournalReader.Located) throws -> Bool
    ) throws -> JournalRead {
        var read = try records(after: start.sequence, through: target, progress: progress, body)
        read.report.lastTime = read.report.lastTime ?? start.time
        read.report.skippedSnapshots = start.skipped.map { .init(file: $0.file, reason: $0.error.description) }
        return read
    }
}
