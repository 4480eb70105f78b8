package import BanyanCore
import Dispatch
import Synchronization

/// The files of one durable store: the manifest, the journal and the snapshots of a directory, as one thing.
///
/// It is used in this order: `open`, recover (always, also a new store: see `GraphRecovery`), then `append` and `flush`
/// commits, now and then `checkpoint`, finally `close`. One that is released without `close` behaves as if the process had
/// been killed.
package final class StoreFiles: Sendable {
    /// Where in its life the store is.
    enum Phase: Sendable {
        case recovering
        case running(JournalEngine)
        /// Replayed, for reading only.
        case reading
        case closed
    }

    struct State: Sendable {
        var phase = Phase.recovering
        var schema: [UInt8]
        /// As read at open; the journal's writer has the current one.
        var manifest: Manifest
        var snapshotLength: UInt64
        var lastSequence: UInt64 = 0
        var isCheckpointing = false
        /// Those who close and wait for the checkpoint under way.
        var closers: [DispatchSemaphore] = []
        /// How many checkpoints have failed since the last one that did not.
        var failedCheckpoints = 0
        /// None is needed before the journal has so many bytes since the snapshot: see `noteFailedCheckpoint`.
        var checkpointFloor: UInt64 = 0
        var space: SpaceGauge
    }

    package let path: String
    package let storeID: StoreID
    /// The store, and the commit in it, that this one was restored from.
    package let parent: StoreParent?
    package let options: Options
    package let mode: Mode
    let directory: any DiskDirectory
    /// The engine's, once there is one.
    let lock: StoreLock?
    let state: Mutex<State>

    init(
        directory: any DiskDirectory, lock: StoreLock?, manifest: Manifest, options: Options, mode: Mode,
        schema: [UInt8]
    ) {
        path = directory.path
        storeID = manifest.storeID
        parent = manifest.parent
        self.options = options
        self.mode = mode
        self.directory = directory
        self.lock = lock
        state = Mutex(
            State(
                schema: schema, manifest: manifest,
                snapshotLength: manifest.snapshots.first?.length ?? 0,
                space: SpaceGauge(reserve: options.freeSpaceReserve)))
    }

    deinit {
        switch state.withLock({ $0.phase }) {
        // Its flusher may be writing: it gives up the lock when it has done so.
        case .running(let engine): engine.shutDown()
        case .recovering, .reading: lock?.release()
        case .closed: break
        }
    }

    // MARK: Running

    /// Throws when a commit could not be made durable anyway: the store is read-only, closed, poisoned, not yet replayed, its
    /// disk is nearly full, or there is no journal segment for it and none can be made. Call it before the work of a
    /// transaction: what has been committed in memory has a segment for its record then.
    ///
    /// Cheap, except for the first call after opening, which makes the segment.
    package func checkWritable() throws(BanyanError) {
        let engine = try running()
        let standing = engine.standing
        if let end = standing.end { throw end }
        let written = standing.bytesWritten
        if state.withLock({ $0.space.isDue(bytesWritten: written) }) { try checkSpace(written) }
        if !standing.hasSegment { try engine.beginSegment() }
    }

    private func checkSpace(_ written: UInt64) throws(BanyanError) {
        let free = try onDisk { () throws(DiskFault) in try directory.freeBytes() }
        let isShort = state.withLock { $0.space.note(free: free, bytesWritten: written) }
        if isShort {
            throw BanyanError(
                .diskFull, "Only \(free) bytes are free on the disk of the store, less than its reserve",
                remedy: "Free space, or move the store to a larger disk", at: .init(file: path))
        }
    }

    /// Queues a record. Never waits for the disk. Call after `checkWritable`, in sequence order, one at a time; `flush` reports
    /// failures.
    package func append(_ payload: [UInt8], sequence: UInt64, time: Int64) {
        guard case .running(let engine) = state.withLock({ $0.phase }) else { return }
        engine.append(JournalRecord(sequence: sequence, time: time, payload: payload))
    }

    /// Returns when all records through `sequence` are as safe as `options.durability` promises. Blocks the thread; a
    /// caller that finds nobody flushing does the work itself.
    ///
    /// - Throws: `poisoned` when the outcome is unknown or the record was refused after an earlier failure.
    package func flush(through sequence: UInt64) throws(BanyanError) {
        try running().flush(through: sequence)
    }

    /// Returns when all records through `sequence` are as safe as `options.durability` promises, without blocking the thread:
    /// a thread of the store flushes. Throws as the blocking `flush(through:)`.
    package func flush(through sequence: UInt64) async throws(BanyanError) {
        try await running().flush(through: sequence)
    }

    /// Returns when everything appended so far is on the device, whatever the durability.
    package func sync() throws(BanyanError) {
        let engine = try running()
        try engine.flush(through: engine.appendedSequence, goal: .durable)
    }

    /// Replaces the schema written into segment and snapshot headers from now on. When the journal has an open segment
    /// it is closed and another begun, so that every record lies behind a header that explains it.
    ///
    /// - Throws: `poisoned`; `io` or `diskFull` when the other segment cannot be made, and the schema is as before.
    package func setSchema(_ schema: [UInt8]) throws(BanyanError) {
        if case .running(let engine) = state.withLock({ $0.phase }) {
            try engine.withTurn { writer throws(JournalEngine.TurnFailure) in
                do throws(Manifest.WriteFailure) { try writer.setSchema(schema) } catch {
                    throw error.reported("A journal segment with the new schema could not be made")
                }
            }
        }
        state.withLock { $0.schema = schema }
    }

    /// The last sequence known to be on the device.
    package var durableSequence: UInt64 {
        let (phase, last) = state.withLock { ($0.phase, $0.lastSequence) }
        if case .running(let engine) = phase { return engine.durableSequence }
        return last
    }

    /// The failure that ended writing, if there was one. Only reopening the store gets past it.
    package var poisoned: BanyanError? {
        if case .running(let engine) = state.withLock({ $0.phase }) { return engine.poisoned }
        return nil
    }

    package var counters: JournalCounters {
        if case .running(let engine) = state.withLock({ $0.phase }) { return engine.counters }
        return JournalCounters()
    }

    /// Whether the journal has outgrown its share of the snapshot, or has many segments (see `Options`). After a checkpoint
    /// that failed, only when the journal has grown since.
    package var needsCheckpoint: Bool {
        let (phase, snapshotLength, floor) = state.withLock { ($0.phase, $0.snapshotLength, $0.checkpointFloor) }
        guard case .running(let engine) = phase else { return false }
        let since = engine.sinceSnapshot
        if since.bytes < floor { return false }
        if since.segments >= options.checkpointSegments { return true }
        let share = Double(snapshotLength) * options.checkpointShare
        return Double(since.bytes) > max(Double(options.checkpointMinimum), share)
    }

    /// Waits for a checkpoint under way, flushes, seals the journal and gives up the lock. A second call does nothing.
    /// Not to be called from within `checkpoint`.
    ///
    /// - Throws: the poison, or what failed just now; the files are closed and the lock is free all the same.
    package func close() throws(BanyanError) {
        let gate = DispatchSemaphore(value: 0)
        let (phase, mustWait) = state.withLock { state in
            let phase = state.phase
            if case .running(let engine) = phase { state.lastSequence = engine.durableSequence }
            state.phase = .closed
            if state.isCheckpointing { state.closers.append(gate) }
            return (phase, state.isCheckpointing)
        }
        let engine: JournalEngine
        switch phase {
        case .running(let running): engine = running
        case .recovering, .reading:
            lock?.release()
            return
        case .closed: return
        }
        if mustWait { gate.wait() }
        defer { state.withLock { $0.lastSequence = engine.durableSequence } }
        try engine.close()
    }

    func running() throws(BanyanError) -> JournalEngine {
        switch state.withLock({ $0.phase }) {
        case .running(let engine): return engine
        case .reading: throw BanyanError(.readOnly, "The store is open read-only", at: .init(file: path))
        case .closed: throw BanyanError(.closed, "The store is closed", remedy: "Open it again", at: .init(file: path))
        case .recovering:
            throw BanyanError(.closed, "The journal has not been replayed yet", at: .init(file: path))
        }
    }
}
