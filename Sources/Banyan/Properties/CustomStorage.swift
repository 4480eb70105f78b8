import BanyanCore
/// What a custom type can be stored as: any scalar, a `PersistableEnum`, or an embedded object.
public protocol _CustomStorage: CollectionValue, _OptionalWrapped {
    /// The type of a property that is never nil to its users.
    static var _$storedType: _PropertyType { get }
    /// What such a property holds; nil for an embedded object that is not there.
    static func _$getStored(_ object: ObjectBase, _ column: Int) -> Self?
    static func _$setStored(_ object: ObjectBase, _ column: Int, _ value: Self)
    /// What a property without a default starts with.
    static var _$blank: Self { get }
    /// What values of custom types become outside of a graph.
    associatedtype _DetachedStored: Sendable, Hashable, Codable
    func _$detachStored(_ context: _Detaching) -> _DetachedStored
}

extension _CustomStorage where _DetachedStored == Self {
    public func _$detachStored(_ context: _Detaching) -> Self { self }
}

extension _CustomStorage where Self: _PersistedProperty {
    public static var _$storedType: _PropertyType { _$propertyType }
    public static func _$getStored(_ object: ObjectBase, _ column: Int) -> Self? { _$get(object, column) }
    public static func _$setStored(_ object: ObjectBase, _ column: Int, _ value: Self) { _$set(object, column, value) }
}

extension _PlainScalar {
    // All bits zero, where there is no other default.
    public static var _$blank: Self { _$implicitDefault?() ?? Self(_$cell: Cell(low: 0)) }
}

extension EmbeddedObject: _CustomStorage {
    public static var _$storedType: _PropertyType { _$optionalType }
    public static func _$getStored(_ object: ObjectBase, _ column: Int) -> Self? { _$getOptional(object, column) }
    public static func _$setStored(_ object: ObjectBase, _ column: Int, _ value: EmbeddedObject) {
        _$setOptional(object, column, value)
    }
    public static var _$blank: Self { Self() }
    public typealias _DetachedStored = [String: DetachedValue]
    public func _$detachStored(_ context: _Detaching) -> [String: DetachedValue] { detachedValues() }
}
