import BanyanCore

/// A type that the values of a `Map` can have: every scalar, an enum or custom type, `AnyValue`, and an Optional of these or of
/// an object.
///
/// Objects are held as optional values, `Map<String, Dog?>`: when one is deleted, its key stays, with nil.
public protocol MapValue: CollectionValue {}

@available(
    *, unavailable,
    message:
        "the objects of a map are optional, as in 'Map<String, Dog?>': when one is deleted, its key stays, with nil"
)
extension ObjectBase: MapValue {}

extension Optional: MapValue where Wrapped: _OptionalWrapped {}
extension AnyValue: MapValue {}
