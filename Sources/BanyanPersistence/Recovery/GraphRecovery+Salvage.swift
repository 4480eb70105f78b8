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
        var unloadable: [BanyanError] = []
        var start: (version: Version, schema: [UInt8])?
        for snapshot in remains.snapshots
        where !target.excludes(snapshot.header.sequence) {
            do {
                start = (try load(snapshot, plainLayout, progress), snapshot.header.schema)
                break
            } catch let error as BanyanError where error.code == .damaged {
                unloadable.append(error)
            }
        }
        let replay = GraphReplay(from: start, layout: plainLayout)
        let base = start?.version.sequence ?? 0
        var misfit: BanyanError?
        var last = (sequence: base, time: start?.version.time)
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
            // The transaction it failed in is gone, and the commits before it in that transaction with it: once more, up to
            // the last that fits.
            let (version, again, _) = try salvage(remains, through: .sequence(last.sequence), progress: progress)
            outcome.lastSequence = again.lastSequence
            outcome.lastTime = again.lastTime
            outcome.records = again.records
            outcome.stopped = misfit
            return (version, outcome, unloadable)
        }
        let version = try replay.finish()
        if outcome.lastTime == nil { outcome.lastTime = last.time }
        guard version.sequence > 0 || outcome.stopped == nil else {
            throw outcome.stopped ?? unloadable.first
                ?? BanyanError(.damaged, "Nothing here can be salvaged", at: .init(file: remains.path))
        }
        return (version, outcome, unloadable)
    }
}
