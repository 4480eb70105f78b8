import BanyanCore

/// What belongs to one isolation domain, and is handed to another one by a ``ThreadSafeReference``: graphs, objects, collections
/// and results.
public protocol ThreadConfined {
    /// Whether it stands at one version for good.
    var isFrozen: Bool { get }
    /// The same at this version, for good. What is unmanaged has no versions, and freezing it traps.
    func freeze() -> Self
    /// The same as it is now, live, for the isolation that asks. Nil when it is no longer there.
    func thaw() -> Self?

    /// What finds it again; nil for what is unmanaged or invalidated.
    var _$handOver: _HandOver? { get }
    static func _$resolve(_ handOver: _HandOver, in graph: Graph) -> Self?
}

/// What it takes to find something of a graph again, in another graph of the store.
public struct _HandOver: Sendable {
    enum Target: Sendable {
        case graph
        case object(ObjectID)
        case collection(owner: ObjectID, column: Int)
        case results(BanyanCore.Query, among: ResultsScope?)
    }

    let version: Version
    let binding: ModelBinding
    let target: Target
    /// The store, for as long as others keep it.
    weak let home: StoreCore?

    init(_ graph: Graph, _ target: Target) {
        version = graph.workspace.version
        binding = graph.binding
        home = graph.home
        self.target = target
    }
}

// MARK: - Conformances

extension Graph: ThreadConfined {
    public var _$handOver: _HandOver? { _HandOver(self, .graph) }
    public static func _$resolve(_ handOver: _HandOver, in graph: Graph) -> Graph? { graph }
}

extension ObjectBase: ThreadConfined {
    /// The object at this version for good. One that was added in the open write is not there yet: it is invalidated.
    ///
    /// An unmanaged object has no versions: freezing one traps, as it does in Realm. See `unmanagedCopy(depth:)` and `detached()`.
    public final func freeze() -> Self {
        guard let graph = _graph else {
            fatalError(
                "an unmanaged '\(type(of: self)._$model.name)' was frozen: add it to a graph first, or take"
                    + " `unmanagedCopy()` or `detached()`")
        }
        guard !graph.isFrozen else { return self }
        let frozen = graph.freeze()
        return counterpart(in: frozen) ?? frozen.missing(Self.self)
    }

    /// The live object, for the isolation that asks, in a graph of its own; the same one when it is live or unmanaged. Nil when it
    /// was deleted, or the store is gone. See `thaw(in:)` to look it up in a graph that is there.
    public final func thaw() -> Self? {
        guard let graph = _graph, graph.isFrozen else { return isInvalidated ? nil : self }
        return graph.thaw().flatMap { counterpart(in: $0) }
    }

    /// The same object in another graph of the store; nil when it is not there, or when this is another store.
    public final func thaw(in graph: Graph) -> Self? {
        guard _graph?.lineage === graph.lineage else { return nil }
        return counterpart(in: graph)
    }

    private final func counterpart(in graph: Graph) -> Self? {
        guard let page = graph.workspace.locate(_id) else { return nil }
        return Self(_$binding: _ObjectBinding(graph.context, _id, page))
    }

    public final var _$handOver: _HandOver? { _graph.map { _HandOver($0, .object(_id)) } }

    public static func _$resolve(_ handOver: _HandOver, in graph: Graph) -> Self? {
        guard case .object(let id) = handOver.target else { return nil }
        return graph.object(Self.self, id)
    }
}

extension LiveCollection {
    /// Its place, for freezing it.
    final var versioned: CollectionHandle {
        guard let handle else {
            fatalError("an unmanaged collection was frozen: add its owner to a graph first, or copy it into an Array")
        }
        return handle
    }

    public final var _$handOver: _HandOver? {
        handle.map { _HandOver($0.graph, .collection(owner: $0.owner, column: $0.column)) }
    }
}

extension _HandOver {
    fileprivate func collection<R>(in graph: Graph, _ body: (CollectionHandle) -> R) -> R? {
        guard case .collection(let owner, let column) = target, graph.workspace.locate(owner) != nil else { return nil }
        return withExtendedLifetime(graph) { body(CollectionHandle(graph, owner, column)) }
    }
}

extension List: ThreadConfined {
    public static func _$resolve(_ handOver: _HandOver, in graph: Graph) -> List? {
        handOver.collection(in: graph) { List($0) }
    }
}

extension MutableSet: ThreadConfined {
    public static func _$resolve(_ handOver: _HandOver, in graph: Graph) -> MutableSet? {
        handOver.collection(in: graph) { MutableSet($0) }
    }
}

extension Map: ThreadConfined {
    public static func _$resolve(_ handOver: _HandOver, in graph: Graph) -> Map? {
        handOver.collection(in: graph) { Map($0) }
    }
}

extension LinkingObjects: ThreadConfined {
    public static func _$resolve(_ handOver: _HandOver, in graph: Graph) -> LinkingObjects? {
        handOver.collection(in: graph) { LinkingObjects($0) }
    }
}

extension Results: ThreadConfined {
    public var _$handOver: _HandOver? { _HandOver(graph, .results(source.query, among: source.scope)) }

    public static func _$resolve(_ handOver: _HandOver, in graph: Graph) -> Results? {
        guard case .results(let query, let scope) = handOver.target else { return nil }
        if let scope, graph.workspace.locate(scope.owner) == nil { return nil }
        return Results(ResultsSource(graph, Element.self, query, among: scope))
    }
}
