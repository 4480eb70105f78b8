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
    func reportOutOfBounds(_ index: Int, count: Int) {
        let message = "index \(index) is out of bounds: the collection has \(count) elements"
        guard graph.workspace.transaction != nil else { preconditionFailure(message) }
        fail(.outOfBounds, message)
    }

    func fail(_ code: BanyanError.Code, _ message: @autoclosure () -> String, remedy: String? = nil) {
        graph.fail(
            BanyanError(
                code, message(), remedy: remedy,
                at: graph.binder(Int(owner.table)).layout.location(column, object: "\(owner)")))
    }
}
