public import BanyanCore

/// The base class of models that stand on their own.
///
/// ```swift
/// @Model class Dog: Object {
///     @Persisted var name = ""
/// }
/// ```
/// A new object is unmanaged: an ordinary mutable object. `Graph.add` makes the same instance managed; then it is live, its
/// properties show the version its graph stands at, and they can be set inside a write only.
nonisolated open class Object: ObjectBase {
    open override class var _$model: _ObjectModel { BaseModels.object }
}

/// The base class of models that belong to exactly one owner and go with it.
nonisolated open class EmbeddedObject: ObjectBase {
    open override class var _$model: _ObjectModel { BaseModels.embedded }
}

/// The models of the base classes: no properties.
private enum BaseModels {
    static let object = _ObjectModel(
        Object.self, name: "Object", superclass: ObjectBase.self
    ) { _ in }
    static let embedded = _ObjectModel(
        EmbeddedObject.self, name: "EmbeddedObject", superclass: ObjectBase.self
    ) { _ in }
}

extension ObjectBase {
    /// The graph that manages the object; nil for an unmanaged one.
    public final var graph: Graph? { _graph }

    /// The identity of a managed object: Sendable, and stable across versions and restarts. Nil for an unmanaged one.
    public final var objectID: ObjectID? { _isManaged ? _id : nil }

    /// Whether the object was managed and is no longer there: it was deleted, or the write that added it was rolled back.
    ///
    /// Reading a property of such an object fails the transaction inside a write. Outside of one it reads as nil, 0, false or
    /// empty: where that could be taken for a value, read through `existing()`.
    public final var isInvalidated: Bool {
        _isManaged && Standing.locate(_standing, _id) == nil
    }

    /// Whether the object stands at one version for good.
    public final var isFrozen: Bool { _owner.map { $0._withUnsafeGuaranteedRef { $0.isFrozen } } ?? false }

    /// Whether both are the same object of the same store.
    public final func isSameObject(as other: ObjectBase?) -> Bool {
        guard let other else { return false }
        guard let graph = _graph, let otherGraph = other._graph else { return self === other }
        return _id == other._id && graph.lineage === otherGraph.lineage
    }
}

extension ObjectBase: Hashable {
    /// Managed objects are equal when they are the same object of the same store, at the same version where frozen;
    /// unmanaged ones when they are the same instance.
    public static func == (a: ObjectBase, b: ObjectBase) -> Bool {
        guard a.isSameObject(as: b) else { return false }
        guard let x = a._graph, let y = b._graph, x.isFrozen || y.isFrozen else { return true }
        return x.isFrozen && y.isFrozen && x.workspace.version === y.workspace.version
    }

    public func hash(into hasher: inout Hasher) {
        if !_isManaged {
            hasher.combine(ObjectIdentifier(self))
        } else {
            hasher.combine(_id)
        }
    }
}
