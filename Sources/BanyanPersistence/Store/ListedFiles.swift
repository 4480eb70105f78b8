import BanyanCore

/// The files of a store as one manifest lists them: the snapshots, and the journal behind them.
///
/// An opened store and an inspection both read through it, so both find the same state in the same files.
struct ListedFiles: Sendable {
    /// Who else may be at work on the files.
    enum Access: Sendable {
        /// Nobody: the reader holds the lock for writing. What a failed write left in the cache is not believed.
        case exclusive
        /// Nobody writes.
        case quiet
        /// A writer may be at work: an incomplete end of the journal is a record on its way, and files may be pruned.
        case live
    }

    let directory: any DiskDirectory
    var manifest: Manifest
    let access: Access
    var maxFrameSize = 1 << 30

    /// Opens a snapshot; it must be the one that is listed.
    ///
    /// - Throws: `damaged`, `notAStore` when it is missing or no snapshot, `foreignFile`, `unsupportedFormat`, `io`.
    func open(_ entry: Manifest.Snapshot) throws(BanyanError) -> SnapshotReader {
        let reader = try SnapshotReader(in: directory, name: entry.name, maxFrameSize: maxFrameSize)
        try entry.check(reader, store: manifest.storeID)
        return reader
    }

    /// The newest snapshot at or before the target; nil when the journal must be replayed from the first commit.
    ///
    /// - Throws: `limit` when neither a snapshot nor the journal reaches back that far.
    func snapshot(atOrBefore target: StoreInspection.Target) throws(BanyanError) -> Manifest.Snapshot? {
        if let found = manifest.snapshots.first(where: { !target.excludes($0.sequence) }) { return found }
        let first = manifest.segments.first?.first
        guard first ?? 1 == 1, first != nil || manifest.snapshots.isEmpty else {
            throw BanyanError(
                .limit, "The store does not reach back that far",
                remedy: "Its oldest snapshot is of commit \(manifest.snapshots.last?.sequence ?? 0)",
                at: .init(file: directory.path))
        }
        return nil
    }

    /// What reading the journal gave besides its records.
    struct JournalRead {
        var report: RecoveryReport
        /// How far the open segment can be believed; nil where none was read to its end.
        var end: JournalReader.OpenEnd?
    }

    /// Calls `body` with every record after `sequence`, in order and checked, up to `target`; it returns false to stop.
    ///
    /// - Parameter leavingLargePayloads: leaves payloads of more than about a megabyte in the file.
    /// - Throws: `damaged`; `inUse` when the store's own process removed a file meanwhile; what `body` throws.
    func records(
        after sequence: UInt64, through target: StoreInspection.Target = .end, leavingLargePayloads: Bool = false,
        progress: ((StoreProgress) -> Void)? = nil, _ body: (JournalReader.Located) throws -> Bool
    ) throws -> JournalRead {
        let journal = JournalReader(
            directory: directory, manifest: manifest, tolerance: access == .live ? .live : .exact,
            distrustsCache: access == .exclusive, leavesLargePayloads: leavingLargePayloads)
        let outcome: JournalReader.Outcome
        do {
            outcome = try journal.read(after: sequence, through: target.last, progress: progress, body)
        } catch let error as BanyanError where access == .live {
            throw try Manifest.excuse(for: error, in: directory, since: manifest.generation) ?? error
        }
        var report = RecoveryReport(
            snapshotSequence: sequence, lastSequence: outcome.lastSequence, lastTime: outcome.lastTime,
            records: outcome.records, bytes: outcome.bytes, segments: outcome.segments, epoch: manifest.epoch,
            endIsSealed: outcome.open?.isSealed ?? true)
        report.witnessedSequence =
            report.endIsSealed
            ? outcome.lastSequence : max(sequence, outcome.open?.durableSequence ?? 0, manifest.durableSequence)
        if let end = outcome.open, end.isTorn {
            report.tornTail = RecoveryReport.TornTail(
                file: end.name, offset: end.end, length: end.fileEnd - end.end, afterSequence: end.last)
        }
        return JournalRead(report: report, end: outcome.open)
    }
}

extension Manifest.Snapshot {
    /// The file must be the snapshot that is listed.
    func check(_ reader: SnapshotReader, store: StoreID) throws(BanyanError) {
        guard reader.header.storeID == store else {
            throw BanyanError(
                .foreignFile, "The snapshot belongs to another store (\(reader.header.storeID))",
                remedy: "Put back the snapshot of this store", at: .init(file: reader.path))
        }
        guard reader.header.sequence == sequence, reader.length == length, reader.rootHash == rootHash else {
            throw BanyanError(
                .damaged, "The snapshot is not the one the manifest lists", remedy: "Put it back from a copy",
                at: .init(file: reader.path))
        }
    }
}
