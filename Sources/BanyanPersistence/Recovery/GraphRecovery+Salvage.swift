package import BanyanCore

extension GraphRecovery {
    /// The newest graph that can be believed of a damaged directory: the newest snapshot that loads and every record behind
    /// it up to the first that is missing, or does not fit. Changes nothing in the directory.
    ///
    /// - Returns: the graph, how far the records could be followed, and the snapshots that did not load.
    /// - Throws: `damaged` when no snapshot loads and the first commit is missing; `schemaMismatch`, `unsupportedFormat`,
    ///   `io`.
    package static func salvage(
        _ remains: StoreSalvage, through target: StoreInspection.Target = .end, progress: Progress? = nil
    ) throws -> (version: Version, outcome: StoreSalvage.Outcome, unloadable: [BanyanError]) {
        var start = try ReplayStart(
            remains.snapshots.lazy.filter { !target.excludes($0.header.sequence) }.map {
                (candidate: $0, file: $0.path, sequence: $0.header.sequence)
            },
            open: { $0 }, load: { snapshot in try replayBase(snapshot, plainLayout, progress) },
            // What lies between an older snapshot and the journal is lost, and counted as such.
            leads: { _, _ in true })
        let unloadable = start.skipped.map(\.error)
        let base = start.sequence
        let replay = GraphReplay(from: start.base.take(), layout: plainLayout)
        var misfit: BanyanError?
        var last = (sequence: base, time: start.time)
        var applied: UInt64 = 0
        var outcome = try remains.records(after: base, through: target) { record, schema in
            if misfit != nil { return }
            do {
                try replay.apply(record, schema: schema, at: .init(file: remains.path, sequence: record.sequence))
                last = (record.sequence, record.time)
                applied += 1
            } catch let error as BanyanError where error.code == .damaged {
                misfit = error
            }
        }
        if let misfit {
            // The transaction in which it failed was rolled back, and with it commits that fit. The replay is repeated up to
            // the last of them.
            let (version, again, _) = try salvage(remains, through: .sequence(last.sequence), progress: progress)
            outcome.lastSequence = again.lastSequence
            outcome.lastTime = again.lastTime
            outcome.records = again.records
            outcome.stopped = misfit
            return (version, outcome, unloadable)
        }
        let version = try replay.finish().version
        if outcome.lastTime == nil { outcome.lastTime = last.time }
        guard version.sequence > 0 || outcome.stopped == nil else {
            throw outcome.stopped ?? unloadable.first
                ?? BanyanError(.damaged, "Nothing here can be salvaged", at: .init(file: remains.path))
        }
        return (version, outcome, unloadable)
    }
}
