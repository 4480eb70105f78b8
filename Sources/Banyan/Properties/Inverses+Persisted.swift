import BanyanCore

// Inverses. The key path names the property that is followed back; it is never evaluated, but compiles only where there is such a
// property, and the function only where that property links to the class of the inverse, or to one that this inherits from.

extension ObjectBase {
    @inlinable
    @inline(__always)
    public final func _$getInverse<O: ObjectBase, T: ObjectBase>(
        _ slot: Int, of object: T, _ origin: @autoclosure () -> KeyPath<O, T?>
    ) -> LinkingObjects<O> { LinkingObjects<O>._$get(self, slot) }

    @inlinable
    @inline(__always)
    public final func _$getInverse<O: ObjectBase, T: ObjectBase>(
        _ slot: Int, of object: T, _ origin: @autoclosure () -> KeyPath<O, T>
    ) -> LinkingObjects<O> { LinkingObjects<O>._$get(self, slot) }

    @inlinable
    @inline(__always)
    public final func _$getInverse<O: ObjectBase, T: ObjectBase>(
        _ slot: Int, of object: T, _ origin: @autoclosure () -> KeyPath<O, List<T>>
    ) -> LinkingObjects<O> { LinkingObjects<O>._$get(self, slot) }

    @inlinable
    @inline(__always)
    public final func _$getInverse<O: ObjectBase, T: ObjectBase>(
        _ slot: Int, of object: T, _ origin: @autoclosure () -> KeyPath<O, MutableSet<T>>
    ) -> LinkingObjects<O> { LinkingObjects<O>._$get(self, slot) }

    @inlinable
    @inline(__always)
    public final func _$getInverse<O: ObjectBase, K: MapKey, T: ObjectBase>(
        _ slot: Int, of object: T, _ origin: @autoclosure () -> KeyPath<O, Map<K, T?>>
    ) -> LinkingObjects<O> { LinkingObjects<O>._$get(self, slot) }

    // Links in AnyValues may lead to anything.

    @inlinable
    @inline(__always)
    public final func _$getInverse<O: ObjectBase>(
        _ slot: Int, of object: ObjectBase, _ origin: @autoclosure () -> KeyPath<O, AnyValue>
    ) -> LinkingObjects<O> { LinkingObjects<O>._$get(self, slot) }

    @inlinable
    @inline(__always)
    public final func _$getInverse<O: ObjectBase>(
        _ slot: Int, of object: ObjectBase, _ origin: @autoclosure () -> KeyPath<O, List<AnyValue>>
    ) -> LinkingObjects<O> { LinkingObjects<O>._$get(self, slot) }

    @inlinable
    @inline(__always)
    public final func _$getInverse<O: ObjectBase>(
        _ slot: Int, of object: ObjectBase, _ origin: @autoclosure () -> KeyPath<O, MutableSet<AnyValue>>
    ) -> LinkingObjects<O> { LinkingObjects<O>._$get(self, slot) }

    @inlinable
    @inline(__always)
    public final func _$getInverse<O: ObjectBase, K: MapKey>(
        _ slot: Int, of object: ObjectBase, _ origin: @autoclosure () -> KeyPath<O, Map<K, AnyValue>>
    ) -> LinkingObjects<O> { LinkingObjects<O>._$get(self, slot) }

    @_disfavoredOverload
    @available(*, unavailable, message: "an inverse follows a link to its own class back; this property is none")
    public final func _$getInverse<O, E, V>(
        _ slot: Int, of object: ObjectBase, _ origin: @autoclosure () -> KeyPath<O, V>
    ) -> LinkingObjects<E> { fatalError("unavailable") }
}
