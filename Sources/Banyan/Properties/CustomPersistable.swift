import BanyanCore

/// A type of your own that properties and collections can hold; it is stored as another one.
///
/// ```swift
/// struct Celsius: CustomPersistable {
///     var degrees: Double
///     init(persistedValue: Double) { degrees = persistedValue }
///     var persistableValue: Double { degrees }
/// }
/// ```
/// The stored type is any scalar, a `PersistableEnum`, or an `EmbeddedObject`, of which a new one is made each time a value is
/// set. A property without a default starts with what the stored type starts with. Queries compare with either type:
/// `$0.outside == Celsius(…)`, `$0.outside.persistableValue > 20`, and through the properties of an embedded object.
///
/// Setting a value that is equal to the one that is there is not a change.
nonisolated public protocol CustomPersistable: _CustomPersistable {
    /// Makes the value that `persistedValue` stands for.
    init(persistedValue: PersistedType)
}

/// A type of your own that not every stored value stands for; otherwise like ``CustomPersistable``.
///
/// ```swift
/// extension URL: FailableCustomPersistable {
///     public init?(persistedValue: String) { self.init(string: persistedValue) }
///     public var persistableValue: String { absoluteString }
/// }
/// ```
/// A stored value that stands for none reads as nil where the property or the elements are optional. Elsewhere it fails the
/// transaction, and reads as the default that the property declares, or else as `unreadableValue`. A property or a collection
/// that would have nothing to show is an error when a store is opened.
nonisolated public protocol FailableCustomPersistable: _CustomPersistable {
    /// Makes the value that `persistedValue` stands for, if there is one.
    init?(persistedValue: PersistedType)

    /// What is shown in place of a stored value that cannot be read, where neither nil can be nor the default that a property
    /// declares. If you do not say, the value that the stored type's own default stands for, if there is one.
    static var unreadableValue: Self? { get }
}

/// What ``CustomPersistable`` and ``FailableCustomPersistable`` have in common.
nonisolated public protocol _CustomPersistable: _PersistedProperty, MapValue, _SetElement, _OptionalWrapped,
    _DetachedScalar, PrimaryKeyValue
where _Detached == PersistedType._DetachedStored {
    /// What values are stored as.
    associatedtype PersistedType: _CustomStorage
    /// What stands for this value in storage.
    var persistableValue: PersistedType { get }
    static func _$projection(_ stored: PersistedType) -> Self?
    static var _$fallback: Self? { get }
}

extension CustomPersistable {
    public static func _$projection(_ stored: PersistedType) -> Self? { Self(persistedValue: stored) }
    public static var _$fallback: Self? { Self(persistedValue: PersistedType._$blank) }
}

extension FailableCustomPersistable {
    public static var unreadableValue: Self? { Self(persistedValue: PersistedType._$blank) }
    public static func _$projection(_ stored: PersistedType) -> Self? { Self(persistedValue: stored) }
    public static var _$fallback: Self? { unreadableValue }
}
