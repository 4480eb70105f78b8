import BanyanCore
import Synchronization

// Recovery of an opened store: its files are read through `recoverableFiles`, and `endRecovery` makes it ready for use.

extension StoreFiles {
    /// The files from which the graph is to be recovered.
    ///
    /// - Throws: `closed` when that was done already.
    func recoverableFiles() throws(BanyanError) -> ListedFiles {
        let (phase, manifest) = state.withLock { ($0.phase, $0.manifest) }
        guard case .recovering = phase else {
            throw BanyanError(.closed, "The journal has been replayed already", at: .init(file: path))
        }
        let access: ListedFiles.Access =
            switch mode {
            case .readWrite: .exclusive
            case .readOnly: .quiet
            case .readOnlyWhileInUse: .live
            }
        return ListedFiles(
            directory: directory, manifest: manifest, access: access, maxFrameSize: options.maxSnapshotFrameSize)
    }

    /// Makes the store ready for `append` once its journal was read to the end: cuts off a torn tail, and removes what a
    /// crash left. In a read-only mode nothing on disk changes.
    ///
    /// - Returns: the report of `read`, with what was done.
    /// - Throws: `damaged`, `foreignFile`, `io`. The store can then only be closed.
    func endRecovery(_ read: ListedFiles.JournalRead) throws(BanyanError) -> RecoveryReport {
        var report = read.report
        let last = report.lastSequence
        guard case .readWrite = mode else {
            state.withLock { state in
                state.phase = .reading
                state.lastSequence = last
            }
            return report
        }
        var (manifest, schema) = state.withLock { ($0.manifest, $0.schema) }
        try DirectoryContents(directory).checkStraySnapshots(manifest, last: last)
        if let end = read.end {
            let copy = try TailRepair(directory: directory, end: end).run(&manifest)
            report.tornTail?.quarantine = copy
        }
        manifest.epoch += 1
        manifest.generation += 1
        manifest.durableSequence = max(manifest.durableSequence, last)
        try manifest.publish(in: directory)
        try DirectoryContents(directory).removeStrays(manifest)
        report.epoch = manifest.epoch
        let writer = JournalWriter(
            directory: directory, manifest: manifest, schema: schema, written: last, lastTime: report.lastTime ?? 0,
            segmentSize: options.segmentSize, maxRecordSize: options.maxRecordSize)
        let engine = JournalEngine(writer: writer, durability: options.durability, lock: lock)
        state.withLock { state in
            state.phase = .running(engine)
            state.lastSequence = last
        }
        return report
    }
}
