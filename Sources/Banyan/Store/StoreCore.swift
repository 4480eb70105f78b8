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
        /// Committed but not published, in order.
        var pending: [Version] = []
        var isClosed = false
        var isCheckpointing = false
    }
    private let state: Mutex<State>

    init(
        _ binding: ModelBinding, version: Version, files: StoreFiles?, readOnly: Bool,
        clock: @escaping @Sendable () -> Int64, disk: any Disk
    ) {
        self.disk = disk
        self.binding = binding
        self.files = files
        self.clock = clock
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

    /// Before a write, inside the gate: throws when there is no point in starting, else returns where to start.
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
        do throws(BanyanError) {
            try files.flush(through: sequence)
        } catch {
            throw abandon(error)
        }
        publish(through: sequence)
    }

    /// The same without blocking a thread.
    func settle(_ sequence: UInt64) async throws(BanyanError) {
        guard let files else { return }
        do throws(BanyanError) {
            try await files.flush(through: sequence)
        } catch {
            throw abandon(error)
        }
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

    /// The journal has failed: what it did not take never was.
    private func abandon(_ error: BanyanError) -> BanyanError {
        state.withLock { state in
            state.tip = state.published
            state.pending = []
        }
        return error
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
            // A failed checkpoint leaves the store as it was, with a longer journal; the next commit tries again. Only a
            // failure of the journal itself matters, and that one every write reports.
            _ = Result { try self.checkpointNow() }
            state.withLock { $0.isCheckpointing = false }
        }
    }

    @discardableResult
    func checkpointNow() throws -> SnapshotInfo? {
        guard let files else { return nil }
        let version = newest
        return try files.checkpoint(
            sequence: version.sequence, time: version.time, schema: SchemaCodec.encode(binding.layout.schema)
        ) { writer in
            try SnapshotCodec.write(version: version, to: writer)
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

    func close() async throws {
        try Task.checkCancellation()
        let ticket = gate.takeTicket()
        while !gate.tryEnter(ticket) { try await gate.turn(ticket) }
        let wasClosed = state.withLock { state in
            defer { state.isClosed = true }
            return state.isClosed
        }
        gate.leave()
        guard !wasClosed, let files else { return }
        try await onQueue { try files.close() }
    }
}
