public import BanyanCore

extension Graph {
    /// Runs `body` in a transaction, blocking the thread while another writer is in. It is atomic, and durable on return as
    /// the store promises; a throw, and any misuse inside, rolls everything back and is thrown.
    ///
    /// The graph moves to the newest version first.
    @discardableResult
    public func write<T>(_ metadata: CommitMetadata = CommitMetadata(), _ body: () throws -> T) throws -> T {
        let core = try begin()
        core.gate.enter()
        let outcome = core.gate.whileWriting { run(core, metadata) { _ in try body() } }
        core.gate.leave()
        return try finish(core, outcome, Result { try core.settle(outcome.sequence) })
    }

    /// The same for a body that takes the graph.
    @discardableResult
    public func write<T>(_ metadata: CommitMetadata = CommitMetadata(), _ body: (Graph) throws -> T) throws -> T {
        try write(metadata) { try body(self) }
    }

    /// Runs `body` in a transaction; waits for its turn and for the disk without blocking a thread.
    ///
    /// - Throws: as `write`; `CancellationError` if the task is cancelled before `body` starts.
    @discardableResult
    public func asyncWrite<T>(
        _ metadata: CommitMetadata = CommitMetadata(), _ body: (Graph) throws -> T
    ) async throws -> T {
        let core = try begin()
        try await core.gate.enter()
        let outcome = core.gate.whileWriting { run(core, metadata, body) }
        core.gate.leave()
        let settled: Result<Void, BanyanError>
        do throws(BanyanError) {
            try await core.settle(outcome.sequence)
            settled = .success(())
        } catch {
            settled = .failure(error)
        }
        return try finish(core, outcome, settled.mapError { $0 })
    }

    private struct Outcome<T> {
        var result: Result<T, any Error>
        /// What must be durable before anybody may act on the result: the commit, or what it was decided on.
        var sequence: UInt64
    }

    private func begin() throws(BanyanError) -> StoreCore {
        guard let core else {
            throw BanyanError(.frozen, "a frozen graph cannot be written", remedy: "Write to the live graph, or thaw()")
        }
        guard workspace.transaction == nil, !core.gate.isWritingHere else {
            throw BanyanError(
                .nestedWrite, "a write to this store is already running here", remedy: "Make one write of both")
        }
        return core
    }

    /// The transaction itself, inside the gate.
    private func run<T>(_ core: StoreCore, _ metadata: CommitMetadata, _ body: (Graph) throws -> T) -> Outcome<T> {
        do {
            workspace.move(to: try core.prepareWrite())
            let transaction = workspace.begin()
            let value: T
            do {
                value = try body(self)
            } catch {
                workspace.rollback()
                throw error
            }
            if let fault = transaction.fault {
                workspace.rollback()
                throw fault
            }
            guard transaction.hasChanges else {
                workspace.rollback()
                return Outcome(result: .success(value), sequence: workspace.version.sequence)
            }
            return Outcome(result: .success(value), sequence: try core.commit(workspace, metadata))
        } catch {
            return Outcome(result: .failure(error), sequence: workspace.version.sequence)
        }
    }

    private func finish<T, E: Error>(
        _ core: StoreCore, _ outcome: Outcome<T>, _ settled: Result<Void, E>
    ) throws -> T {
        // Another write may have started in this graph while this one waited for the disk; then it is not ours to move.
        if workspace.transaction == nil {
            if case .failure = settled { workspace.move(to: core.newest) }
            observers.deliver(self)
        }
        let value = try outcome.result.get()
        try settled.get()
        return value
    }
}
