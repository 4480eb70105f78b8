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
        let written: Written
        var value: T?
        do {
            let made = try body(self)
            // The body may have ended the write itself, and waited for the outcome.
            guard isInWriteTransaction else { return made }
            value = made
            written = end(core, metadata)
        } catch {
            guard isInWriteTransaction else { throw error }
            written = end(core, error)
        }
        do throws(BanyanError) {
            try await core.settle(written.sequence)
            finish(core, isSettled: true)
        } catch {
            finish(core, isSettled: false)
            throw written.error ?? error
        }
        if let error = written.error { throw error }
        return value.unsafelyUnwrapped
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

    /// How a transaction ended, once the next writer may come in.
    private struct Written {
        /// What must be durable before anybody may act on the outcome: the commit, or what it was decided on.
        var sequence: UInt64
        var error: (any Error)?
    }

    @usableFromInline
    func endWrite(_ metadata: CommitMetadata) throws {
        // The body may have ended the write itself.
        guard let core, workspace.transaction != nil else { return }
        if let error = settle(core, end(core, metadata)) { throw error }
    }

    /// Takes the transaction back because the body has thrown, which matters more than what else goes wrong.
    @usableFromInline
    func abandonWrite() {
        guard let core, workspace.transaction != nil else { return }
        _ = settle(core, end(core, nil as (any Error)?))
    }

    private func writableCore() throws(BanyanError) -> StoreCore {
        guard let core else {
            throw BanyanError(.frozen, "a frozen graph cannot be written", remedy: "Write to the live graph, or thaw()")
        }
        guard workspace.transaction == nil, !core.gate.isWritingHere else {
            throw BanyanError(
                .nestedWrite, "a write to this store is already running here", remedy: "Make one write of both")
        }
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
    }

    /// Ends the transaction with a commit, and leaves the gate.
    private func end(_ core: StoreCore, _ metadata: CommitMetadata) -> Written {
        guard let transaction = workspace.transaction, transaction.hasChanges, transaction.fault == nil else {
            return end(core, workspace.transaction?.fault)
        }
        // Only now: while `body` ran, values may have been on their way from one object to another.
        if transaction.isDoubtful, let violation = transaction.takeViolation() { return end(core, violation) }
        do throws(BanyanError) {
            let sequence = try core.commit(workspace, metadata)
            context.adder = nil
            core.gate.endBody()
            core.gate.leave()
            return Written(sequence: sequence, error: nil)
        } catch {
            return end(core, error)
        }
    }

    /// Ends the transaction without one.
    private func end(_ core: StoreCore, _ error: (any Error)?) -> Written {
        context.adder = nil
        workspace.rollback()
        core.gate.endBody()
        core.gate.leave()
        return Written(sequence: workspace.version.sequence, error: error)
    }

    /// Waits for the disk, on this thread. Returns what the caller of the write is told: first of all what went wrong in its
    /// body.
    private func settle(_ core: StoreCore, _ written: consuming Written) -> (any Error)? {
        do throws(BanyanError) {
            try core.settle(written.sequence)
            finish(core, isSettled: true)
            return written.error
        } catch {
            finish(core, isSettled: false)
            return written.error ?? error
        }
    }

    private func finish(_ core: StoreCore, isSettled: Bool) {
        // Another write may have started in this graph while this one waited for the disk; then it is not ours to move.
        guard workspace.transaction == nil else { return }
        if !isSettled { workspace.move(to: core.newest) }
        if context.isObserved { observers.deliver(self) }
    }
}
