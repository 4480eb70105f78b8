import BanyanCore

extension Graph {
    /// Runs `body` as a part of the open write that can fail alone. Savepoints nest.
    ///
    /// If the body throws, or misuses something, or breaks a unique constraint, then what happened since the savepoint began
    /// is taken back, and nothing else is: objects that were added are invalidated, deleted ones are there again, and handles
    /// from before show what they showed. The write goes on, and the error is thrown here.
    ///
    /// ```swift
    /// try graph.write {
    ///     for row in rows {
    ///         do {
    ///             try graph.savepoint { try graph.add(Person(row)) }
    ///         } catch {
    ///             rejected.append(row)
    ///         }
    ///     }
    /// }
    /// ```
    /// Starting one is O(1). What was written before it is copied once more when it is written again.
    ///
    /// - Throws: what the body throws; what was wrong with what it did; `notInWrite` outside a write; inside a write that has
    ///   failed already, why it has.
    @inlinable
    @discardableResult
    public func savepoint<T>(_ body: () throws -> T) throws -> T {
        let savepoint = try beginSavepoint()
        let value: T
        do {
            value = try body()
        } catch {
            abandonSavepoint(savepoint)
            throw error
        }
        try endSavepoint(savepoint)
        return value
    }

    /// The same for a body that takes the graph.
    @inlinable
    @discardableResult
    public func savepoint<T>(_ body: (Graph) throws -> T) throws -> T {
        try savepoint { try body(self) }
    }

    /// An open savepoint: the transaction, and how deep in it.
    @usableFromInline
    struct OpenSavepoint {
        let transaction: Transaction
        let depth: Int
    }

    @usableFromInline
    func beginSavepoint() throws -> OpenSavepoint {
        guard let transaction = workspace.transaction else {
            throw BanyanError(
                .notInWrite, "a savepoint is a part of a write, and none is open",
                remedy: "Put it into `graph.write { }`")
        }
        if let fault = transaction.fault { throw fault }
        transaction.beginSavepoint()
        return OpenSavepoint(transaction: transaction, depth: transaction.savepointDepth)
    }

    @usableFromInline
    func endSavepoint(_ savepoint: OpenSavepoint) throws {
        guard isOpen(savepoint) else {
            throw BanyanError(
                .notInWrite, "the write was ended inside a savepoint",
                remedy: "Throw from the savepoint, and from the write, to take both back")
        }
        try savepoint.transaction.endSavepoint()
    }

    @usableFromInline
    func abandonSavepoint(_ savepoint: OpenSavepoint) {
        if isOpen(savepoint) { savepoint.transaction.rollbackSavepoint() }
    }

    private func isOpen(_ savepoint: OpenSavepoint) -> Bool {
        workspace.transaction === savepoint.transaction && savepoint.transaction.savepointDepth == savepoint.depth
    }
}
