#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Properties of types that `@Persisted` does not know from how they are spelled: models, enums, custom types, and whatever cannot
// be stored. The compiler chooses among these functions by what the type is. The unavailable ones are chosen for what fits no
// other; then their message is the one error, on the line of the property. Writing has to be silent about it.

extension ObjectBase {
    @inlinable
    @inline(__always)
    public final func _$getStored<V: _PersistedProperty>(_ slot: Int) -> V { V._$get(self, slot) }

    @inlinable
    @inline(__always)
    public final func _$setStored<V: _PersistedProperty>(_ slot: Int, _ value: V) { V._$set(self, slot, value) }

    /// A link whose type is not written down.
    // The compiler does not see by itself that what is below is worse than the one above, for Optionals of classes.
    @inlinable
    @inline(__always)
    public final func _$setStored<T: ObjectBase>(_ slot: Int, _ value: T?) { T._$setOptional(self, slot, value) }

    /// The object that a link leads to.
    @inlinable
    @inline(__always)
    public final func _$getOptional<T: ObjectBase>(_ slot: Int) -> T? { _$target(T.self, slot) }

    /// What an Optional holds that is no link.
    // A class is one of these too. Without this the compiler takes this function for a link, which costs a fifth more.
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public final func _$getOptional<V: _OptionalWrapped>(_ slot: Int) -> V? { V._$getOptional(self, slot) }

    @inlinable
    @inline(__always)
    public final func _$setOptional<T: ObjectBase>(_ slot: Int, _ value: T?) { T._$setOptional(self, slot, value) }

    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public final func _$setOptional<V: _OptionalWrapped>(_ slot: Int, _ value: V?) {
        V._$setOptional(self, slot, value)
    }

    /// For what reading has reported.
    @_disfavoredOverload
    public final func _$setOptional<V>(_ slot: Int, _ value: V?) { fatalError("unavailable") }

    /// For what reading has reported.
    @_disfavoredOverload
    public final func _$setStored<V>(_ slot: Int, _ value: V) { fatalError("unavailable") }
}

// MARK: - What is not stored

extension ObjectBase {
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "this type is not stored; make it a PersistableEnum or CustomPersistable, or leave out '@Persisted'"
    )
    public final func _$getStored<V>(_ slot: Int) -> V { fatalError("unavailable") }

    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "this type is not stored; make it a PersistableEnum or CustomPersistable, or leave out '@Persisted'"
    )
    public final func _$getOptional<V>(_ slot: Int) -> V? { fatalError("unavailable") }

    @available(
        *, unavailable,
        message: "a link is Optional, or says what deleting its target does: 'deleteRule: .cascade' or '.deny'"
    )
    public final func _$getStored<T: Object>(_ slot: Int) -> T { fatalError("unavailable") }

    @available(*, unavailable, message: "an embedded object is declared as Optional")
    public final func _$getStored<T: EmbeddedObject>(_ slot: Int) -> T { fatalError("unavailable") }

    @available(
        *, unavailable, message: "an AnyValue is never Optional: declare it as AnyValue; its .none stands for nil"
    )
    public final func _$getOptional(_ slot: Int) -> AnyValue? { fatalError("unavailable") }

    @available(*, unavailable, message: "an enum is stored when it is a PersistableEnum: declare that it is one")
    public final func _$getStored<V: RawRepresentable>(_ slot: Int) -> V { fatalError("unavailable") }

    @available(*, unavailable, message: "an enum is stored when it is a PersistableEnum: declare that it is one")
    public final func _$getOptional<V: RawRepresentable>(_ slot: Int) -> V? { fatalError("unavailable") }

    @available(*, unavailable, message: "unsigned integers are not stored; use Int, Int8, Int16, Int32 or Int64")
    public final func _$getStored<V: UnsignedInteger>(_ slot: Int) -> V { fatalError("unavailable") }

    @available(*, unavailable, message: "unsigned integers are not stored; use Int, Int8, Int16, Int32 or Int64")
    public final func _$getOptional<V: UnsignedInteger>(_ slot: Int) -> V? { fatalError("unavailable") }

    @available(*, unavailable, message: "a Decimal is not stored; use Decimal128")
    public final func _$getStored(_ slot: Int) -> Decimal { fatalError("unavailable") }

    @available(*, unavailable, message: "a Decimal is not stored; use Decimal128")
    public final func _$getOptional(_ slot: Int) -> Decimal? { fatalError("unavailable") }

    @available(
        *, unavailable, message: "a URL is not stored; keep its 'absoluteString', or make URL FailableCustomPersistable"
    )
    public final func _$getStored(_ slot: Int) -> URL { fatalError("unavailable") }

    @available(
        *, unavailable, message: "a URL is not stored; keep its 'absoluteString', or make URL FailableCustomPersistable"
    )
    public final func _$getOptional(_ slot: Int) -> URL? { fatalError("unavailable") }
}
