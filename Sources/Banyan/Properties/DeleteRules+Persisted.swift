import BanyanCore

// Properties with a delete rule: links and collections of links to objects that stand on their own. What is embedded goes with its
// owner, whatever a rule would say.

extension ObjectBase {
    @inlinable
    @inline(__always)
    public final func _$getRuledLink<T: Object>(_ slot: Int) -> T? { _$target(T.self, slot) }

    @inlinable
    @inline(__always)
    public final func _$getRuledList<T: Object>(_ slot: Int) -> List<T> { List<T>._$get(self, slot) }

    @inlinable
    @inline(__always)
    public final func _$getRuledSet<T: Object>(_ slot: Int) -> MutableSet<T> { MutableSet<T>._$get(self, slot) }

    @inlinable
    @inline(__always)
    public final func _$getRuledMap<K: MapKey, T: Object>(_ slot: Int) -> Map<K, T?> { Map<K, T?>._$get(self, slot) }

    // Where the type is not written down.

    @inlinable
    @inline(__always)
    public final func _$getRuled<T: Object>(_ slot: Int) -> T? { _$target(T.self, slot) }

    @inlinable
    @inline(__always)
    public final func _$getRuled<T: Object>(_ slot: Int) -> List<T> { List<T>._$get(self, slot) }

    @inlinable
    @inline(__always)
    public final func _$getRuled<T: Object>(_ slot: Int) -> MutableSet<T> { MutableSet<T>._$get(self, slot) }

    @inlinable
    @inline(__always)
    public final func _$getRuled<K: MapKey, T: Object>(_ slot: Int) -> Map<K, T?> { Map<K, T?>._$get(self, slot) }
}

// MARK: - What has no rule

extension ObjectBase {
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "'deleteRule' is for links and collections of links; what is embedded goes with its owner without one"
    )
    public final func _$getRuledLink<V>(_ slot: Int) -> V? { fatalError("unavailable") }

    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "'deleteRule' is for links and collections of links; what is embedded goes with its owner without one"
    )
    public final func _$getRuledList<V>(_ slot: Int) -> List<V> { fatalError("unavailable") }

    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "'deleteRule' is for links and collections of links; what is embedded goes with its owner without one"
    )
    public final func _$getRuledSet<V>(_ slot: Int) -> MutableSet<V> { fatalError("unavailable") }

    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "'deleteRule' is for links and collections of links; what is embedded goes with its owner without one"
    )
    public final func _$getRuledMap<K: MapKey, V>(_ slot: Int) -> Map<K, V> { fatalError("unavailable") }

    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "'deleteRule' is for links and collections of links; what is embedded goes with its owner without one"
    )
    public final func _$getRuled<V>(_ slot: Int) -> V { fatalError("unavailable") }
}
