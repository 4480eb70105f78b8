/// What a set can hold: all that a list can but embedded objects, which have one place in one owner.
public protocol _SetElement: CollectionValue {}

extension Object: _SetElement {}
extension AnyValue: _SetElement {}
extension Optional: _SetElement where Wrapped: _OptionalWrapped {}

extension ObjectBase {
    @inlinable
    @inline(__always)
    public final func _$getSet<E: _SetElement>(_ slot: Int) -> MutableSet<E> { MutableSet<E>._$get(self, slot) }

    @_disfavoredOverload
    @available(*, unavailable, message: "a set holds no embedded objects; use a List or a Map")
    public final func _$getSet<E: CollectionValue>(_ slot: Int) -> MutableSet<E> { fatalError("unavailable") }
}
