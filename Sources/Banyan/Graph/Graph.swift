import BanyanCore

/// The graph as one isolation domain sees it: live objects, queries and writes.
///
/// A graph stands at one version. It moves to the newest at `refresh()`, at the start of a write, and before a notification
/// is delivered to it; between those it stands still, so a function without `await` sees one version. It is not `Sendable`:
/// it and its objects stay with the actor or task that made it.
public final class Graph {
    @usableFromInline let context: GraphContext
    let workspace: Workspace
    let binding: ModelBinding
    public let isFrozen: Bool

    /// A live graph on a store, for the isolation that makes it.
    public convenience init(_ store: Store) {
        self.init(core: store.core)
    }

    convenience init(core: StoreCore) {
        self.init(borrowing: core)
        context.holdCore()
    }

    /// A graph that leaves it to others to keep the store.
    convenience init(borrowing core: StoreCore) {
        self.init(GraphContext(Workspace(core.newest), core.binding, core, isFrozen: false))
    }

    /// A graph that stands at one version for ever.
    ///
    /// - Parameter home: the store it came from.
    convenience init(frozen version: Version, _ binding: ModelBinding, home: StoreCore? = nil) {
        let context = GraphContext(Workspace(version), binding, nil, isFrozen: true)
        context.home = home
        self.init(context)
    }

    /// The face of a context that has none.
    init(_ context: GraphContext) {
        self.context = context
        workspace = context.workspace
        binding = context.binding
        isFrozen = context.isFrozen
        context.enter(self)
    }

    deinit { context.leave() }

    /// The store it reads and writes; nil for a frozen graph.
    var core: StoreCore? { context.core }

    var observers: GraphObservers { context.observers }

    var lineage: Lineage { workspace.version.lineage }

    /// The number of the commit whose result the graph shows.
    public var sequence: UInt64 { workspace.version.sequence }

    public var isInWriteTransaction: Bool { workspace.transaction != nil }

    /// Moves to the newest version. Returns whether there was one. Does nothing inside a write, or when frozen.
    @discardableResult
    public func refresh() -> Bool {
        guard let core, workspace.transaction == nil else { return false }
        let newest = core.newest
        // A write that waits for the disk has moved the graph beyond what is published.
        guard newest.sequence > workspace.version.sequence else { return false }
        workspace.move(to: newest)
        if context.isObserved { observers.deliver(self) }
        return true
    }

    /// This version of the graph, for good. O(1); holding it costs what is replaced from now on.
    /// Inside a write it is the version the write started from. The same graph when it is frozen.
    public func freeze() -> Graph { isFrozen ? self : Graph(frozen: workspace.version, binding, home: core) }

    /// A live graph of the same store, for the isolation that asks; the same graph when it is live. Nil when the store is gone.
    public func thaw() -> Graph? { isFrozen ? home.map { Graph(core: $0) } : self }

    /// The store it reads, or the one it was frozen from.
    var home: StoreCore? { core ?? context.home }

    func binder(_ table: Int) -> TableBinder { binding.binders[table] }

    func binder<T: ObjectBase>(_ type: T.Type) throws(BanyanError) -> TableBinder { try binder(for: type) }

    func binder(for type: ObjectBase.Type) throws(BanyanError) -> TableBinder {
        guard let binder = binding.binder(for: type._$model), binder.model.type == type else {
            throw BanyanError(
                .unknownType, "the class \(type) is not in this store's schema",
                remedy: "Add it to `Configuration.models`, with which the store is opened", at: .init(type: "\(type)"))
        }
        return binder
    }

    // MARK: - Handles

    /// A handle of an object that is there, of the class it has. That is `T` or inherits from it.
    @inlinable
    func instance<T: ObjectBase>(_ type: T.Type, _ ref: ObjectRef) -> T {
        unsafeDowncast(context.handle(ref), to: T.self)
    }

    /// The same, always a new handle.
    func instance<T: ObjectBase>(_ type: T.Type, _ id: ObjectID, _ page: UnsafeRawPointer) -> T {
        T._$handle(_ObjectBinding(context, id, page), context)
    }

    /// A handle of nothing: invalidated from the start.
    func missing<T: ObjectBase>(_ type: T.Type) -> T {
        guard let binder = binding.binder(for: type._$model) else { return T() }
        return type.init(_$binding: context.handleOfNothing(binder.access))
    }

    // MARK: - Faults

    /// The open transaction. Changing a managed object without one is a mistake no running program should make.
    func requireTransaction(_ id: ObjectID, _ column: Int) -> Transaction {
        if let transaction = workspace.transaction { return transaction }
        refuseChange(id, column)
    }

    func refuseChange(_ id: ObjectID, _ column: Int) -> Never {
        let layout = binder(Int(id.table)).layout
        refuseChange(of: layout.type.name, layout.names.indices.contains(column) ? layout.names[column] : "?")
    }

    func refuseChange(of type: String, _ name: String) -> Never {
        fatalError(
            isFrozen
                ? "'\(type).\(name)' of a frozen object was changed: thaw() it and change it in a write"
                : "'\(type).\(name)' was changed outside a write: put the change into `graph.write { }`")
    }

    func fail(_ error: @autoclosure () -> BanyanError) { workspace.transaction?.fail(error()) }

    func reportInvalidated(_ id: ObjectID, _ column: Int?) {
        fail(
            BanyanError(
                .invalidatedObject, "the object was deleted, or its creation was rolled back",
                remedy: "Ask `isInvalidated` first, or look the object up again",
                at: binder(Int(id.table)).layout.location(column, object: "\(id)")))
    }

    func reportUnknownCase(_ id: ObjectID, _ column: Int, _ raw: String, _ type: Any.Type) {
        fail(
            BanyanError(
                .invalidValue, "the stored value \(raw) is not a case of \(type)",
                remedy: "Add the case, make the property optional, or migrate the value",
                at: binder(Int(id.table)).layout.location(column, object: "\(id)")))
    }

    func reportUnreadable(_ id: ObjectID, _ column: Int, _ stored: String, _ type: Any.Type) {
        fail(unreadable(stored, type, binder(Int(id.table)).layout.location(column, object: "\(id)")))
    }

    /// The same of an element, which does not know what collection it is in: see `element(_:of:_:)`.
    func reportUnreadable(_ stored: String, _ type: Any.Type) { fail(unreadable(stored, type, BanyanError.Location())) }

    private func unreadable(_ stored: String, _ type: Any.Type, _ place: BanyanError.Location) -> BanyanError {
        BanyanError(
            .invalidValue, "the stored value \(stored) cannot be read as a \(type)",
            remedy: "Make the property or the elements optional, or migrate the value", at: place)
    }
}
