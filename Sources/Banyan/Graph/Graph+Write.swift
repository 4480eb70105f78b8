public import BanyanCore

// What depends on the type of the body's result is inlined where `write` is called; the rest is here once.

extension Graph {
    /// Runs `body` in a transaction, blocking the thread while another writer is in. It is atomic, and durable on return as
    /// the store promises; a throw, and any misuse inside, rolls everything back and is thrown.
    ///
    /// The graph moves to the newest version first.
    @inlinable
    @discardableResult
    public func write<T>(_ body: () throws -> T) throws -> T { try write(CommitMetadata(), body) }

    /// The same for a body that takes the graph.
    @inlinable
    @discardableResult
    public func write<T>(_ body: (Graph) throws -> T) throws -> T { try write(CommitMetadata(), { try body(self) }) }

    // Without a default for what is written about a commit: `write(block)` and `write({ … })` would be ambiguous.

    /// Runs `body` in a transaction, and has the journal keep who made the commit and why.
    @inlinable
    @discardableResult
    public func write<T>(_ metadata: CommitMetadata, _ body: () throws -> T) throws -> T {
        try beginWrite()
        let value: T
        do {
            value = try body()
        } catch {
            abandonWrite()
            throw error
        }
        try endWrite(metadata)
        return value
    }

    /// The same for a body that takes the graph.
    @inlinable
    @discardableResult
    public func write<T>(_ metadata: CommitMetadata, _ body: (Graph) throws -> T) throws -> T {
        try write(metadata, { try body(self) })
    }

    /// Runs `body` in a transaction; waits for its turn and for the disk without blocking a thread.
    ///
    /// - Throws: as `write`; `CancellationError` if the task is cancelled before `body` starts.
    @discardableResult
    public func asyncWrite<T>(_ body: (Graph) throws -> T) async throws -> T {
        try await asyncWrite(CommitMetadata(), body)
    }

    /// The same for a body that does not take the graph.
    @discardableResult
    public func asyncWrite<T>(_ body: () throws -> T) async throws -> T {
        try await asyncWrite(CommitMetadata()) { _ in try body() }
    }

    /// Runs `body` in a transaction as `asyncWrite` does, and has the journal keep who made the commit and why.
    @discardableResult
    public func asyncWrite<T>(_ metadata: CommitMetadata, _ body: (Graph) throws -> T) async throws -> T {
        let core = try writableCore()
        try Task.checkCancellation()
        let ticket = core.gate.takeTicket()
        while !core.gate.tryEnter(ticket) { try await core.gate.turn(ticket) }
        // Nothing is awaited from here until the gate is left.
        try start(core)
        let value: T
        do {
            value = try body(self)
        } catch {
            // The body may have ended the write itself, and waited for the outcome.
            if var ending = end(core, .cancel, metadata) {
                let failure = await core.awaitDurability(of: ending.sequence)
                _ = conclude(core, ending.session.settled(failure))
            }
            throw error
        }
        if var ending = end(core, .commit, metadata) {
            let failure = await core.awaitDurability(of: ending.sequence)
            _ = try conclude(core, ending.session.settled(failure)).get()
        }
        return value
    }

    // MARK: - Writes without a block

    /// Begins a transaction, blocking the thread while another writer is in, and moves the graph to the newest version.
    ///
    /// End it with `commitWrite` or `cancelWrite`, on the same thread and without suspending in between: all other writers of
    /// the store wait for it. `write` sees to all of that by itself.
    ///
    /// - Throws: `nestedWrite`, `frozen`, `readOnly`, `closed`, or what keeps the store from being written.
    public func beginWrite() throws {
        let core = try writableCore()
        core.gate.enter()
        try start(core)
    }

    /// Ends the transaction that `beginWrite` began. It is durable on return, as the store promises.
    ///
    /// - Throws: the misuse that failed the transaction, or why it could not be made durable: it is rolled back then.
    ///   `notInWrite` if there is none; `nestedWrite` inside a savepoint, which stays open.
    public func commitWrite(_ metadata: CommitMetadata = CommitMetadata()) throws {
        guard let transaction = workspace.transaction else {
            throw BanyanError(.notInWrite, "there is no write to commit", remedy: "Call beginWrite() first")
        }
        guard transaction.savepointDepth == 0 else {
            throw BanyanError(
                .nestedWrite, "a write cannot be committed inside a savepoint",
                remedy: "Return from the savepoint first")
        }
        try endWrite(metadata)
    }

    /// Takes back the transaction that is open, as if it had never been: what it added is invalidated, what it changed or
    /// deleted is as before. Does nothing if there is none.
    public func cancelWrite() { abandonWrite() }

    // MARK: - The steps of a write

    /// Ends a write whose body has returned.
    ///
    /// - Returns: Nil if the body ended the write itself.
    @usableFromInline
    @discardableResult
    func endWrite(_ metadata: CommitMetadata) throws -> Commit? {
        guard let core, var ending = end(core, .commit, metadata) else { return nil }
        let failure = core.awaitDurability(of: ending.sequence)
        return try conclude(core, ending.session.settled(failure)).get()
    }

    /// Ends a write whose body has thrown; that matters more than what else goes wrong.
    @usableFromInline
    func abandonWrite() {
        guard let core, var ending = end(core, .cancel, CommitMetadata()) else { return }
        let failure = core.awaitDurability(of: ending.sequence)
        _ = conclude(core, ending.session.settled(failure))
    }

    private func writableCore() throws(BanyanError) -> StoreCore {
        guard let core else {
            throw BanyanError(.frozen, "a frozen graph cannot be written", remedy: "Write to the live graph, or thaw()")
        }
        try context.session.requireIdle(isWritingHere: core.gate.isWritingHere)
        return core
    }

    /// Opens the transaction, inside the gate; leaves the gate when there is no point in starting.
    private func start(_ core: StoreCore) throws(BanyanError) {
        do throws(BanyanError) {
            workspace.move(to: try core.prepareWrite())
        } catch {
            core.gate.leave()
            throw error
        }
        core.gate.beginBody()
        workspace.begin()
        context.session.begin()
    }

    /// A write that waits to be settled, and the commit that must be durable for that.
    private struct Ending {
        var session: WriteSession
        let sequence: UInt64
    }

    /// Ends the transaction as the session says, and leaves the gate: from then on another write may begin in this graph.
    ///
    /// - Returns: Nil if no write is open.
    private func end(_ core: StoreCore, _ request: WriteSession.Request, _ metadata: CommitMetadata) -> Ending? {
        guard let transaction = workspace.transaction else { return nil }
        var session = context.session
        context.session = WriteSession()
        var step = session.end(
            request,
            .init(
                hasChanges: transaction.hasChanges, fault: transaction.fault,
                hasPendingChecks: transaction.hasPendingChecks))
        while true {
            switch step {
            case .checkConstraints: step = session.checked(transaction.takeViolation())
            case .commit: step = session.committed(core.commit(workspace, metadata))
            case .rollBack:
                workspace.rollback()
                step = session.rolledBack(to: workspace.version)
            case .settle(let sequence):
                context.adder = nil
                core.gate.endBody()
                core.gate.leave()
                return Ending(session: session, sequence: sequence)
            }
        }
    }

    private func conclude(_ core: StoreCore, _ conclusion: WriteSession.Conclusion) -> WriteSession.Outcome {
        // Another write may have started in this graph while this one waited for the disk; then it is not ours to move.
        if workspace.transaction == nil {
            if conclusion.isRefused { workspace.move(to: core.newest) }
            if context.isObserved { observers.deliver(self) }
        }
        return conclusion.outcome
    }
}

extension WriteSession.Outcome {
    /// The commit; nil if the write was cancelled.
    fileprivate func get() throws(BanyanError) -> Commit? {
        switch self {
        case .committed(let commit): commit
        case .failed(let error): throw error
        case .cancelled: nil
        }
    }
}
