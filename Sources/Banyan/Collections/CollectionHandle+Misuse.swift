import BanyanCore

// What goes wrong with a managed collection, and what changing it asks for.

extension CollectionHandle {
    /// The open transaction; traps outside a write.
    var transaction: Transaction {
        context._withUnsafeGuaranteedRef { context in
            if let transaction = context.workspace.transaction { return transaction }
            context.graph.refuseChange(owner, column)
        }
    }

    /// Inside a write an index that is not there fails the transaction; elsewhere it traps, as with an array.
    @inline(never)
    func reportOutOfBounds(_ index: Int, count: Int) { reportBounds(outOfBounds(index, count: count)) }

    func reportBounds(_ message: String) {
        guard graph.workspace.transaction != nil else { fatalError(message) }
        fail(.outOfBounds, message)
    }

    func fail(_ code: BanyanError.Code, _ message: @autoclosure () -> String, remedy: String? = nil) {
        graph.fail(
            BanyanError(
                code, message(), remedy: remedy,
                at: graph.binder(Int(owner.table)).layout.location(column, object: "\(owner)")))
    }
}
