// What properties become in detached values, where `@Model` sees no more of a type than how it is spelled. `Dog?` may be a link, an
// enum, or nothing that is stored. So fields are declared without a type, and the compiler infers one from the form of the type,
// which it looks up here. A type that has none is not stored. It has been reported at the property by then, and has a form without
// any meaning, so that there is no second error.

/// How values of a type are detached. For the code that `@Model` writes.
public struct _DetachedForm<Value, Form: Sendable & Hashable & Codable>: Sendable {
    private let detach: @Sendable (Value, _Detaching) -> Form
    private let makeBlank: @Sendable () -> Form

    public init(
        _ detach: @escaping @Sendable (Value, _Detaching) -> Form,
        blank: @escaping @Sendable () -> Form = { fatalError("a link has no blank value") }
    ) {
        self.detach = detach
        makeBlank = blank
    }

    // What fields start with. Their types follow from these.

    /// Any value, to be replaced.
    public var blank: Form { makeBlank() }
    public var optional: Form? { nil }
    public var list: [Form] { [] }
    public var optionals: [Form?] { [] }
    public var set: Set<Form> { [] }
    public var optionalSet: Set<Form?> { [] }
    public func map<K: Hashable>(_ key: K.Type) -> [K: Form] { [:] }
    public func optionalMap<K: Hashable>(_ key: K.Type) -> [K: Form?] { [:] }
    @_disfavoredOverload public func map<K>(_ key: K.Type) -> _NotDetached { _NotDetached() }
    @_disfavoredOverload public func optionalMap<K>(_ key: K.Type) -> _NotDetached { _NotDetached() }

    // What they are set to.

    public func blank(_ value: Value, _ context: _Detaching) -> Form { detach(value, context) }

    public func optional(_ value: Value?, _ context: _Detaching) -> Form? { context.optional(value, detach) }

    public func list(_ list: List<Value>, _ context: _Detaching) -> [Form] where Value: CollectionValue {
        context.list(list, detach)
    }

    public func optionals(_ list: List<Value?>, _ context: _Detaching) -> [Form?] where Value: _OptionalWrapped {
        context.list(list) { element, context in element.map { detach($0, context) } }
    }

    public func set(_ set: MutableSet<Value>, _ context: _Detaching) -> Set<Form> where Value: CollectionValue {
        context.set(set, detach)
    }

    public func optionalSet(_ set: MutableSet<Value?>, _ context: _Detaching) -> Set<Form?>
    where Value: _OptionalWrapped {
        context.set(set) { element, context in element.map { detach($0, context) } }
    }

    public func map<K: MapKey>(_ map: Map<K, Value>, _ context: _Detaching) -> [K: Form] where Value: MapValue {
        context.map(map, detach)
    }

    public func optionalMap<K: MapKey>(_ map: Map<K, Value?>, _ context: _Detaching) -> [K: Form?]
    where Value: _OptionalWrapped {
        context.map(map) { element, context in element.map { detach($0, context) } }
    }
}

/// The form of what is not stored.
public struct _NotDetachedForm: Sendable {
    public var blank: _NotDetached { _NotDetached() }
    public var optional: _NotDetached { _NotDetached() }
    public var list: _NotDetached { _NotDetached() }
    public var optionals: _NotDetached { _NotDetached() }
    public var set: _NotDetached { _NotDetached() }
    public var optionalSet: _NotDetached { _NotDetached() }
    public func map<K>(_ key: K.Type) -> _NotDetached { _NotDetached() }
    public func optionalMap<K>(_ key: K.Type) -> _NotDetached { _NotDetached() }

    public func blank<V>(_ value: V, _ context: _Detaching) -> _NotDetached { _NotDetached() }
    public func optional<V>(_ value: V, _ context: _Detaching) -> _NotDetached { _NotDetached() }
    public func list<V>(_ value: V, _ context: _Detaching) -> _NotDetached { _NotDetached() }
    public func optionals<V>(_ value: V, _ context: _Detaching) -> _NotDetached { _NotDetached() }
    public func set<V>(_ value: V, _ context: _Detaching) -> _NotDetached { _NotDetached() }
    public func optionalSet<V>(_ value: V, _ context: _Detaching) -> _NotDetached { _NotDetached() }
    public func map<V>(_ value: V, _ context: _Detaching) -> _NotDetached { _NotDetached() }
    public func optionalMap<V>(_ value: V, _ context: _Detaching) -> _NotDetached { _NotDetached() }
}

/// The form of a primary key. For the code that `@Model` writes.
public struct _DetachedKeyForm<Key: Sendable>: Sendable {
    public init<V>(_ form: _DetachedForm<V, Key>) {}
    public init(_ form: _NotDetachedForm) where Key == _NotDetached {}
    fileprivate init() {}
}

extension DetachedObject {
    public static var _$keyForm: _DetachedKeyForm<_Key> { _DetachedKeyForm() }
}

/// What stands for a property that cannot be detached: the compiler has said already that it is not stored.
public struct _NotDetached: Sendable, Hashable, Codable {}

/// The forms of a type by name: `_DetachedForms<Dog>()._$detaching`. For the code that `@Model` writes.
///
/// A type has a form when it has a static property of that name. Of a class that is what the class itself has, not what its
/// superclass has, which an associated type would be.
@dynamicMemberLookup
public struct _DetachedForms<T> {
    public init() {}

    public subscript<Form>(dynamicMember keyPath: KeyPath<T.Type, Form>) -> Form { T.self[keyPath: keyPath] }

    @_disfavoredOverload
    public subscript(dynamicMember name: String) -> _NotDetachedForm { _NotDetachedForm() }
}

extension _DetachedScalar {
    public static var _$detaching: _DetachedForm<Self, _Detached> {
        _DetachedForm({ _$detach($0, $1) }, blank: { _$detachedBlank })
    }
}

extension Object {
    public static var _$detaching: _DetachedForm<Object, DetachedLink<Detached>> {
        _DetachedForm { _$detach($0, $1) }
    }
}
