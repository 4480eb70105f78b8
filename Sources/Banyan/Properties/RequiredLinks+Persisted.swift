import BanyanCore

// A to-one link that is never nil: `@Persisted(deleteRule: .deny) var owner: Person`.

extension ObjectBase {
    /// The object that such a link leads to.
    public final func _$getRequired<T: Object>(_ slot: Int) -> T { _$target(T.self, slot) ?? _$unset(T.self, slot) }

    public final func _$setRequired<T: Object>(_ slot: Int, _ value: T) { T._$setOptional(self, slot, value) }

    @available(*, unavailable, message: "an embedded object is declared as Optional, without 'deleteRule'")
    public final func _$getRequired<T: EmbeddedObject>(_ slot: Int) -> T { fatalError("unavailable") }

    @_disfavoredOverload
    @available(*, unavailable, message: "'deleteRule' is for links and collections of links")
    public final func _$getRequired<V>(_ slot: Int) -> V { fatalError("unavailable") }

    /// For what reading has reported.
    @_disfavoredOverload
    public final func _$setRequired<V>(_ slot: Int, _ value: V) { fatalError("unavailable") }

    /// What a link that is not set yet reads as: an object that is not there.
    @inline(never)
    private final func _$unset<T: ObjectBase>(_ type: T.Type, _ column: Int) -> T {
        let model = Swift.type(of: self)._$model
        guard let graph = _graph else {
            fatalError(
                "'\(model.name).\(model.properties[column].name)' is never nil, and was read before it was set")
        }
        // Of an object that is gone that has been reported already.
        if !isInvalidated { graph.reportUnset(_id, column) }
        return graph.missing(type)
    }
}

extension Graph {
    fileprivate func reportUnset(_ id: ObjectID, _ column: Int) {
        fail(
            BanyanError(
                .constraint, "the link is never nil, and was read before it was set", remedy: "Set it first",
                at: binder(Int(id.table)).layout.location(column, object: "\(id)")))
    }
}
