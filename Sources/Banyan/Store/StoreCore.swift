import BanyanCore
import BanyanPersistence
import Dispatch
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a store's actor and its graphs share: the newest versions, the way in for writers, the files.
///
/// There are two newest versions. The *tip* is the last one made; the next writer starts from it. The *published* one is the
/// last that is as durable as the store promises; readers and observers see that. In memory they are the same.
@usableFromInline
final class StoreCore: Sendable {
    let binding: ModelBinding
    let gate = WriteGate()
    let files: StoreFiles?
    let observerHub = ObserverHub()
    private let readers = ReaderPool()
    /// The number of the published version, for whoever only wants to know whether there is a newer one.
    private let publishedSequence: Atomic<UInt64>
    let clock: @Sendable () -> Int64
    let disk: any Disk
    private let isReadOnly: Bool
    private let checkpoints = DispatchQueue(label: "banyan.checkpoint", qos: .utility)

    private struct State {
        var published: Version
        var tip: Version
        /// Committed but not published, in order. What the journal could not write stays here: nobody publishes it, and no
        /// commit comes after it. What was made before may still be on its way to be published.
        var pending: [Version] = []
        var isClosed = false
        /// The first call of `close`, which the others wait for too.
        var closing: Task<Void, any Error>?
        var isCheckpointing = false
        var checkpointFailure: Store.CheckpointFailure?
    }
    private let state: Mutex<State>
    /// What opening found; nil for a store in memory.
    let recovery: Store.RecoveryReport?
    private let checkpointFailed: (@Sendable (Store.CheckpointFailure) -> Void)?

    init(
        _ binding: ModelBinding, version: Version, files: StoreFiles?, readOnly: Bool,
        clock: @escaping @Sendable () -> Int64, disk: any Disk, recovery: Store.RecoveryReport? = nil,
        checkpointFailed: (@Sendable (Store.CheckpointFailure) -> Void)? = nil
    ) {
        self.disk = disk
        self.binding = binding
        self.files = files
        self.clock = clock
        self.recovery = recovery
        self.checkpointFailed = checkpointFailed
        isReadOnly = readOnly
        state = Mutex(State(published: version, tip: version))
        publishedSequence = Atomic(version.sequence)
    }

    // MARK: - Reading

    /// A graph at the newest version, for a `read` block. While the block runs, its caller keeps the store.
    @usableFromInline
    func beginRead() -> Graph {
        guard let graph = readers.take() else { return Graph(borrowing: self) }
        if graph.sequence != publishedSequence.load(ordering: .acquiring) { graph.workspace.move(to: newest) }
        return graph
    }

    /// The block is done: its graph serves the next one, unless something of it is still in use. That keeps the store from
    /// now on.
    @usableFromInline
    func endRead(_ graph: consuming Graph) {
        graph.context.spares.removeAll()
        guard isKnownUniquelyReferenced(&graph), graph.workspace.standing.pointee.holders == 1 else {
            return graph.context.holdCore()
        }
        guard graph.context.wasNeverObserved else { return }
        readers.keep(graph) { publishedSequence.load(ordering: .sequentiallyConsistent) }
    }

    /// The newest version that readers may see.
    var newest: Version { state.withLock { $0.published } }

    // MARK: - Writing

    /// Before a write, inside the gate: throws when there is no point in starting, else returns where to start. Then there is
    /// a segment of the journal for what is committed.
    func prepareWrite() throws(BanyanError) -> Version {
        let (tip, isClosed) = state.withLock { ($0.tip, $0.isClosed) }
        guard !isClosed else {
            throw BanyanError(.closed, "the store is closed", remedy: "Open it again")
        }
        guard !isReadOnly else {
            throw BanyanError(
                .readOnly, "the store was opened read-only", remedy: "Open it without readOnly, or fork() it")
        }
        try files?.checkWritable()
        return tip
    }

    /// Ends a write inside the gate: makes the version, hands it to the journal, and returns the number to wait for.
    func commit(_ workspace: Workspace, _ metadata: CommitMetadata) throws(BanyanError) -> UInt64 {
        let sequence = workspace.version.sequence + 1
        let time = clock()
        let before = workspace.version
        guard let version = workspace.commit(sequence: sequence, time: time) else { return before.sequence }
        if let files {
            for changes in before.changeSets(to: version) {
                files.append(ChangeSetCodec.encode(changes, metadata: metadata), sequence: sequence, time: time)
            }
            state.withLock {
                $0.tip = version
                $0.pending.append(version)
            }
        } else {
            state.withLock {
                $0.tip = version
                $0.published = version
            }
            announce(sequence)
        }
        return sequence
    }

    /// Waits until everything up to `sequence` is durable, on this thread, and publishes it.
    func settle(_ sequence: UInt64) throws(BanyanError) {
        guard let files else { return }
        try files.flush(through: sequence)
        publish(through: sequence)
    }

    /// The same without blocking a thread.
    func settle(_ sequence: UInt64) async throws(BanyanError) {
        guard let files else { return }
        try await files.flush(through: sequence)
        publish(through: sequence)
    }

    private func publish(through sequence: UInt64) {
        var announced: UInt64 = 0
        let isNew = state.withLock { state in
            guard let last = state.pending.lastIndex(where: { $0.sequence <= sequence }) else { return false }
            state.published = state.pending[last]
            announced = state.published.sequence
            state.pending.removeSubrange(...last)
            return true
        }
        if isNew {
            announce(announced)
            checkpointIfNeeded()
        }
    }

    /// A version has been published.
    private func announce(_ sequence: UInt64) {
        // Two writers that waited for one flush may come here in either order.
        publishedSequence.max(sequence, ordering: .sequentiallyConsistent)
        readers.empty()
        observerHub.published()
    }

    // MARK: - Checkpoints

    private func checkpointIfNeeded() {
        guard let files, files.needsCheckpoint else { return }
        let mayStart = state.withLock { state in
            if state.isCheckpointing || state.isClosed { return false }
            state.isCheckpointing = true
            return true
        }
        guard mayStart else { return }
        checkpoints.async { [self] in
            // A failed checkpoint leaves the store as it was, with a longer journal; another one follows when that has grown.
            do { try checkpointNow() } catch { report(error) }
            state.withLock { $0.isCheckpointing = false }
        }
    }

    private func report(_ error: any Error) {
        guard !Self.isNoFailure(error), let failure = checkpointFailure else { return }
        checkpointFailed?(failure)
    }

    /// A store that was closed meanwhile has not failed, nor has one where another checkpoint is being made.
    private static func isNoFailure(_ error: any Error) -> Bool {
        guard let error = error as? BanyanError else { return false }
        return error.code == .closed || error.code == .inUse
    }

    /// The failure of the last checkpoint, if that failed.
    var checkpointFailure: Store.CheckpointFailure? { state.withLock { $0.checkpointFailure } }

    @discardableResult
    func checkpointNow() throws -> SnapshotInfo? {
        guard let files else { return nil }
        let version = newest
        do {
            let info = try files.checkpoint(
                sequence: version.sequence, time: version.time, schema: SchemaCodec.encode(binding.layout.schema)
            ) { writer in
                try SnapshotCodec.write(version: version, to: writer)
            }
            state.withLock { $0.checkpointFailure = nil }
            return info
        } catch {
            if Self.isNoFailure(error) { throw error }
            state.withLock { state in
                let before = state.checkpointFailure?.attempts ?? 0
                state.checkpointFailure = .init(error: error, sequence: version.sequence, attempts: before + 1)
            }
            throw error
        }
    }

    func writeSnapshot(of version: Version, to path: String) throws {
        try writeSnapshotFile(
            to: path, on: disk, storeID: files?.storeID ?? StoreID(), sequence: version.sequence, time: version.time,
            schema: SchemaCodec.encode(binding.layout.schema)
        ) { writer in
            try SnapshotCodec.write(version: version, to: writer)
        }
    }

    /// Runs blocking work on the store's own queue.
    func onQueue<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            checkpoints.async { continuation.resume(with: Result { try work() }) }
        }
    }

    /// A task of its own closes the files: that the caller's is cancelled is no reason to leave commits in memory.
    func close() async throws {
        let closing = state.withLock { state in
            if let closing = state.closing { return closing }
            let closing = Task { try await self.closeFiles() }
            state.closing = closing
            return closing
        }
        try await closing.value
    }

    private func closeFiles() async throws {
        let ticket = gate.takeTicket()
        while !gate.tryEnter(ticket) { await gate.certainTurn(ticket) }
        state.withLock { $0.isClosed = true }
        gate.leave()
        guard let files else { return }
        try await onQueue { try files.close() }
    }
}
