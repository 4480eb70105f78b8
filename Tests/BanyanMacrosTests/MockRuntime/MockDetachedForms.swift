// How the expansions for detached values find what types become, and compare and encode them.

public struct _DetachedForm<Value, Form: Sendable & Hashable & Codable>: Sendable {
    private let detach: @Sendable (Value, _Detaching) -> Form
    private let makeBlank: @Sendable () -> Form

    public init(
        _ detach: @escaping @Sendable (Value, _Detaching) -> Form,
        blank: @escaping @Sendable () -> Form = { fatalError("no blank") }
    ) {
        self.detach = detach
        makeBlank = blank
    }

    public var blank: Form { makeBlank() }
    public var optional: Form? { nil }
    public var list: [Form] { [] }
    public var set: Set<Form> { [] }
    public func map<K: Hashable>(_ key: K.Type) -> [K: Form] { [:] }
    public func optionalMap<K: Hashable>(_ key: K.Type) -> [K: Form?] { [:] }

    public func blank(_ value: Value, _ context: _Detaching) -> Form { detach(value, context) }
    public func optional(_ value: Value?, _ context: _Detaching) -> Form? { context.optional(value, detach) }
    // The mock's collections hold nothing.
    public func list(_ list: List<Value>, _ context: _Detaching) -> [Form] { [] }
    public func set(_ set: MutableSet<Value>, _ context: _Detaching) -> Set<Form> { [] }
    public func map<K>(_ map: Map<K, Value>, _ context: _Detaching) -> [K: Form] { [:] }
    public func optionalMap<K>(_ map: Map<K, Value?>, _ context: _Detaching) -> [K: Form?] { [:] }
}

public struct _DetachedKeyForm<Key: Sendable>: Sendable {
    public init<V>(_ form: _DetachedForm<V, Key>) {}
    fileprivate init() {}
}

extension DetachedObject {
    public static var _$keyForm: _DetachedKeyForm<_Key> { _DetachedKeyForm() }
}

@dynamicMemberLookup
public struct _DetachedForms<T> {
    public init() {}
    public subscript<Form>(dynamicMember keyPath: KeyPath<T.Type, Form>) -> Form { T.self[keyPath: keyPath] }
}

extension _DetachedScalar {
    public static var _$detaching: _DetachedForm<Self, _Detached> {
        _DetachedForm({ _$detach($0, $1) }, blank: { _$detachedBlank })
    }
}

public protocol _DetachedVisitor {
    associatedtype Failure: Error
    mutating func callAsFunction<V: Hashable & Encodable>(_ value: V, _ other: V, _ key: _DetachedKey) throws(Failure)
    mutating func callAsFunction(id: ObjectID?, _ other: ObjectID?) throws(Failure)
}

private struct Comparison: _DetachedVisitor {
    var isEqual = true
    mutating func callAsFunction<V: Hashable & Encodable>(_ value: V, _ other: V, _ key: _DetachedKey) {
        isEqual = isEqual && value == other
    }
    mutating func callAsFunction(id: ObjectID?, _ other: ObjectID?) { isEqual = isEqual && id == other }
}

private struct Hashing: _DetachedVisitor {
    var hasher: Hasher
    mutating func callAsFunction<V: Hashable & Encodable>(_ value: V, _ other: V, _ key: _DetachedKey) {
        hasher.combine(value)
    }
    mutating func callAsFunction(id: ObjectID?, _ other: ObjectID?) { hasher.combine(id) }
}

private struct Encoding: _DetachedVisitor {
    var container: KeyedEncodingContainer<_DetachedKey>
    mutating func callAsFunction<V: Hashable & Encodable>(_ value: V, _ other: V, _ key: _DetachedKey) throws {
        try container.encode(value, forKey: key)
    }
    mutating func callAsFunction(id: ObjectID?, _ other: ObjectID?) throws {
        try container.encodeIfPresent(id, forKey: "objectID")
    }
}

extension DetachedObject {
    public static func == (a: Self, b: Self) -> Bool {
        var comparison = Comparison()
        a._$visit(beside: b, &comparison)
        return comparison.isEqual
    }

    public func hash(into hasher: inout Hasher) {
        var hashing = Hashing(hasher: hasher)
        _$visit(beside: self, &hashing)
        hasher = hashing.hasher
    }

    public func encode(to encoder: any Encoder) throws {
        var encoding = Encoding(container: encoder.container(keyedBy: _DetachedKey.self))
        try _$visit(beside: self, &encoding)
    }
}
