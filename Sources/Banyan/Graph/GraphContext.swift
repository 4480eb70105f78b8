import BanyanCore

/// What a `Graph` and its objects share, and keep alive together.
///
/// A graph and everything that came out of it stay in one isolation domain. So those who use the context are counted without
/// atomic operations, in `standing.holders`, and all of them together hold it by one reference. Making and dropping a live
/// object thus touches no reference count but its own. The `Graph` itself is one holder; when the user lets go of it while
/// objects remain, the context stays, and makes another `Graph` if somebody asks an object for it.
@usableFromInline
final class GraphContext {
    let workspace: Workspace
    let binding: ModelBinding
    /// The store it reads and writes; nil for a frozen graph.
    let core: StoreCore?
    let isFrozen: Bool
    private var observersIfAny: GraphObservers?
    /// Set while a key path is traced instead of read.
    @exclusivity(unchecked) var probe: KeyPathProbe?
    /// What adds objects in the open transaction, once it has added one.
    @exclusivity(unchecked) var adder: ObjectAdder?
    /// The `Graph` there is; it takes itself out when it goes.
    @exclusivity(unchecked) fileprivate unowned(unsafe) var facade: Graph?

    init(_ workspace: Workspace, _ binding: ModelBinding, _ core: StoreCore?, isFrozen: Bool) {
        self.workspace = workspace
        self.binding = binding
        self.core = core
        self.isFrozen = isFrozen
    }

    deinit { if observersIfAny != nil { core?.observerHub.remove(self) } }

    /// Whether anybody observes the graph.
    var isObserved: Bool { observersIfAny.map { !$0.isEmpty } ?? false }

    var observers: GraphObservers {
        if let observersIfAny { return observersIfAny }
        let made = GraphObservers()
        observersIfAny = made
        return made
    }

    @usableFromInline
    var graph: Graph { facade ?? Graph(self) }

    /// One more holder.
    func hold() {
        let standing = workspace.standing
        if standing.pointee.holders == 0 { _ = Unmanaged.passRetained(self) }
        standing.pointee.holders &+= 1
    }

    /// One holder less; the last one takes the context with it.
    func letGo() {
        let standing = workspace.standing
        standing.pointee.holders &-= 1
        if standing.pointee.holders == 0 { Self.release(Unmanaged.passUnretained(self)) }
    }

    /// Called when there is no holder any more.
    @usableFromInline
    static func release(_ context: Unmanaged<GraphContext>) { context.release() }

    func enter(_ graph: Graph) {
        facade = graph
        hold()
    }

    func leave() {
        facade = nil
        letGo()
    }
}
