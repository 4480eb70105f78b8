package import BanyanCore
import Synchronization

extension StoreFiles {
    /// The newest valid snapshot, if there is one. Load it first, then `replay`, which gives it up: an open file keeps
    /// its space on the disk even when it is pruned.
    package var snapshot: SnapshotReader? { state.withLock { $0.snapshot } }

    /// When `snapshot` proves damaged while it is loaded: puts the next older one in its place. With the journal after
    /// *its* sequence it gives the same state.
    ///
    /// - Returns: the older snapshot; nil when the journal reaches back to the first commit, so that an empty graph is
    ///   where to start.
    /// - Throws: `error` itself when there is no older snapshot from which the journal leads on.
    package func olderSnapshot(because error: BanyanError) throws(BanyanError) -> SnapshotReader? {
        let (manifest, current) = state.withLock { ($0.manifest, $0.snapshot) }
        guard let current,
            let index = manifest.snapshots.firstIndex(where: { directory.pathOf($0.name) == current.path })
        else { throw error }
        let older: SnapshotReader?
        var skipped = [RecoveryReport.SkippedSnapshot(file: current.path, reason: error.description)]
        do throws(BanyanError) {
            let (found, more) = try Self.newestSnapshot(
                of: manifest, in: directory, options: options, from: index + 1)
            older = found
            skipped += more
        } catch _ {
            throw error
        }
        let first = manifest.segments.first?.first ?? .max
        let base = older?.header.sequence ?? 0
        guard first <= base + 1 else { throw error }
        state.withLock { state in
            state.snapshot = older
            state.skipped += skipped
        }
        return older
    }

    /// Calls `apply` with every record after `snapshot`, in order, each checked; then repairs a torn tail (not in a
    /// read-only mode) and makes the store ready for `append`.
    ///
    /// - Throws: `damaged` with file and offset, having changed nothing on disk; or what `apply` throws. The store
    ///   can then only be closed.
    @discardableResult
    package func replay(
        progress: ((StoreProgress) -> Void)? = nil,
        _ apply: (_ record: JournalRecord, _ segmentSchema: [UInt8]) throws -> Void
    ) throws -> RecoveryReport {
        let start = state.withLock { $0 }
        guard case .recovering = start.phase else {
            throw BanyanError(.closed, "The journal has been replayed already", at: .init(file: path))
        }
        let base = start.snapshot?.header.sequence ?? 0
        let isWriter: Bool
        if case .readWrite = mode { isWriter = true } else { isWriter = false }
        let replay = JournalReplay(
            directory: directory, manifest: start.manifest,
            tolerance: mode == .readOnlyWhileInUse ? .live : .exact, distrustsCache: isWriter)
        let outcome: JournalReplay.Outcome
        do {
            outcome = try replay.run(after: base, progress: progress) { located in
                try apply(located.record, located.schema)
                return true
            }
        } catch let error as BanyanError where mode == .readOnlyWhileInUse {
            throw try Manifest.excuse(for: error, in: directory, since: start.manifest.generation) ?? error
        }
        var report = RecoveryReport(
            snapshotSequence: base, lastSequence: outcome.lastSequence,
            lastTime: outcome.lastTime ?? start.snapshot?.header.time, records: outcome.records, bytes: outcome.bytes,
            segments: outcome.segments, epoch: start.manifest.epoch, skippedSnapshots: start.skipped,
            endIsSealed: outcome.open?.isSealed ?? true)
        report.witnessedSequence =
            report.endIsSealed ? outcome.lastSequence : max(base, outcome.open?.witness ?? 0, start.manifest.witness)
        if let end = outcome.open, end.isTorn {
            report.tornTail = RecoveryReport.TornTail(
                file: end.name, offset: end.end, length: end.fileEnd - end.end, afterSequence: end.last)
        }
        guard isWriter else {
            state.withLock { state in
                state.phase = .reading
                state.lastSequence = outcome.lastSequence
                state.snapshot = nil
            }
            return report
        }
        var manifest = start.manifest
        try DirectoryContents(directory).checkStraySnapshots(manifest, last: outcome.lastSequence)
        if let end = outcome.open {
            let copy = try TailRepair(directory: directory, end: end).run(&manifest)
            report.tornTail?.quarantine = copy
        }
        manifest.epoch += 1
        manifest.generation += 1
        manifest.witness = max(manifest.witness, outcome.lastSequence)
        try manifest.publish(in: directory)
        try DirectoryContents(directory).removeStrays(manifest)
        report.epoch = manifest.epoch
        let writer = JournalWriter(
            directory: directory, manifest: manifest, schema: start.schema, written: outcome.lastSequence,
            lastTime: report.lastTime ?? 0, segmentSize: options.segmentSize,
            maxRecordSize: options.maxRecordSize)
        let engine = JournalEngine(writer: writer, durability: options.durability, lock: lock)
        state.withLock { state in
            state.phase = .running(engine)
            state.lastSequence = outcome.lastSequence
            state.snapshot = nil
        }
        return report
    }
}

/// Makes the end of an open segment final: what cannot be believed is copied aside and cut off, what stays is flushed,
/// and the manifest is told exactly where it ends. Nothing is ever appended behind such an end.
struct TailRepair {
    let directory: any DiskDirectory
    let end: JournalReplay.OpenEnd

    /// Returns where the cut bytes were put; nil when there were none, or only zeros.
    func run(_ manifest: inout Manifest) throws(BanyanError) -> String? {
        guard let index = manifest.segments.indices.last else { return nil }
        let entry = manifest.segments[index]
        let copy = try onDisk { () throws(DiskFault) -> String? in
            let file = try directory.open(entry.name, .readWrite)
            defer { file.close() }
            var copy: String?
            if end.isTorn {
                copy = try quarantine(file, "\(entry.name).\(manifest.epoch + 1).tail")
                try file.truncate(to: end.end)
            }
            // What was read may never have been flushed by whoever wrote it.
            try file.sync()
            return copy
        }
        if end.last < entry.first {
            // Nothing in it: its name is free for the next one.
            manifest.segments.removeLast()
            manifest.tailLink = entry.previousLink
        } else {
            manifest.segments[index].sealed = true
            manifest.segments[index].last = end.last
            manifest.segments[index].link = end.link
            manifest.segments[index].length = end.end
            manifest.tailLink = end.link
        }
        return copy
    }

    private func quarantine(_ file: any DiskFile, _ name: String) throws(DiskFault) -> String? {
        var bytes: [UInt8] = []
        var at = end.end
        while at < end.fileEnd {
            let part = try file.readUpTo(Int(min(end.fileEnd - at, 1 << 20)), at: at)
            if part.isEmpty { break }
            bytes += part
            at += UInt64(part.count)
        }
        guard bytes.contains(where: { $0 != 0 }) else { return nil }
        let place = try directory.subdirectory(FileNames.quarantine, createIfMissing: true)
        try place.replace(name, with: bytes)
        return place.pathOf(name)
    }
}
