package import BanyanCore

/// The files of one durable store: the manifest, the journal and the snapshots of a directory, as one thing.
///
/// It is used in this order: `open`, load `snapshot`, `replay` the journal over it (always, also for a new store), then
/// `append` and `flush` commits, now and then `checkpoint`, finally `close`.
package final class StoreFiles: Sendable {
    /// Opens the store's directory, takes its lock, reads its manifest. Nothing on disk changes before `replay`, except
    /// that a new store is made when that is asked for.
    ///
    /// - Parameter schema: opaque bytes put in the headers of journal segments and snapshots.
    /// - Throws: `notAStore`, `inUse`, `permission`, `damaged`, `foreignFile`, `unsupportedFormat`, `io`.
    package static func open(
        at path: String, on disk: any Disk, options: Options, mode: Mode, schema: [UInt8]
    ) throws(BanyanError) -> StoreFiles {
        fatalError()
    }
    package let path: String
    package let storeID: StoreID
    package let options: Options
    package init(path: String, storeID: StoreID, options: Options) {
        self.path = path
        self.storeID = storeID
        self.options = options
    }

    // MARK: Recovery

    /// The newest valid snapshot, if there is one. Load it first, then `replay`.
    package var snapshot: SnapshotReader? { fatalError() }

    /// All valid snapshots the manifest lists, newest first. When the newest proves damaged while it is loaded, the
    /// next one and a replay after *its* sequence give the same state.
    package var snapshots: [SnapshotReader] { fatalError() }

    /// Calls `apply` with every record after `sequence` (default: after `snapshot`), in order, each checked; then
    /// repairs a torn tail (not in a read-only mode) and makes the store ready for `append`.
    ///
    /// - Throws: `damaged` with file and offset, having changed nothing on disk; or what `apply` throws.
    @discardableResult
    package func replay(
        after sequence: UInt64? = nil, progress: ((StoreProgress) -> Void)? = nil,
        _ apply: (_ record: JournalRecord, _ segmentSchema: [UInt8]) throws -> Void
    ) throws -> RecoveryReport { fatalError() }

    /// Replaces the schema written into segment and snapshot headers from now on. Ends the current journal segment
    /// when it has records.
    package func setSchema(_ schema: [UInt8]) { fatalError() }

    // MARK: Running

    /// Throws when a commit could not be made durable anyway: the store is read-only, closed, poisoned, or the disk is
    /// nearly full. Cheap; call it before the work of a transaction.
    package func checkWritable() throws(BanyanError) { fatalError() }

    /// Queues a record. Never waits for the disk. Call in sequence order, one at a time; `flush` reports failures.
    package func append(_ payload: [UInt8], sequence: UInt64, time: Int64) { fatalError() }

    /// Returns when all records through `sequence` are as safe as `options.durability` promises. Blocks the thread; a
    /// caller that finds nobody flushing does the work itself.
    ///
    /// - Throws: `poisoned` when the outcome is unknown or the record was refused after an earlier failure.
    package func flush(through sequence: UInt64) throws(BanyanError) { fatalError() }

    /// The same without blocking: a thread of the store's own flushes.
    package func flush(through sequence: UInt64) async throws(BanyanError) { fatalError() }

    /// Returns when everything appended so far is on the device, whatever the durability.
    package func sync() throws(BanyanError) { fatalError() }

    /// The last sequence known to be on the device.
    package var durableSequence: UInt64 { fatalError() }

    /// The failure that ended writing, if there was one. Only reopening the store gets past it.
    package var poisoned: BanyanError? { fatalError() }

    package var counters: JournalCounters { fatalError() }

    // MARK: Checkpoint

    /// Whether the journal has outgrown its share of the snapshot (see `Options`).
    package var needsCheckpoint: Bool { fatalError() }

    /// Writes a snapshot of the state at `sequence`, which must have been appended, and prunes by `options`. Appends
    /// and flushes go on meanwhile. When it fails the temporary file is gone and the store goes on as before, unless
    /// the journal or manifest itself could not be written, which poisons.
    package func checkpoint(
        sequence: UInt64, time: Int64, schema: [UInt8], write: (SnapshotWriter) throws -> Void
    ) throws -> SnapshotInfo { fatalError() }

    // MARK: Closing

    /// Flushes, seals the journal and gives up the lock. A second call does nothing.
    ///
    /// - Throws: the poison, or what failed just now; the files are closed and the lock is free all the same.
    package func close() throws(BanyanError) { fatalError() }
}
