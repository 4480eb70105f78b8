// What detached values do with all that they hold: compare, hash and encode it. `@Model` writes one function that shows the fields,
// and the protocol has the rest.

/// Something that is done with each field of a detached value. For the code that `@Model` writes.
public protocol _DetachedVisitor {
    associatedtype Failure: Error
    /// A property, beside the same of another value, and the name that coders call it by.
    mutating func callAsFunction<V: Hashable & Encodable>(
        _ value: V, _ other: V, _ key: _DetachedKey
    ) throws(Failure)
    /// One whose own coding is not what it is coded as here.
    mutating func callAsFunction<V: Hashable & _DetachedCoding>(
        _ value: V, _ other: V, _ key: _DetachedKey
    ) throws(Failure)
    /// The identity.
    mutating func callAsFunction(id: ObjectID?, _ other: ObjectID?) throws(Failure)
}

@usableFromInline
struct DetachedComparison: _DetachedVisitor {
    @usableFromInline var isEqual = true

    @inlinable
    init() {}

    @inlinable
    mutating func callAsFunction<V: Hashable & Encodable>(_ value: V, _ other: V, _ key: _DetachedKey) {
        isEqual = isEqual && value == other
    }

    @inlinable
    mutating func callAsFunction<V: Hashable & _DetachedCoding>(_ value: V, _ other: V, _ key: _DetachedKey) {
        isEqual = isEqual && value == other
    }

    @inlinable
    mutating func callAsFunction(id: ObjectID?, _ other: ObjectID?) { isEqual = isEqual && id == other }
}

@usableFromInline
struct DetachedHashing: _DetachedVisitor {
    @usableFromInline var hasher: Hasher

    @inlinable
    init(hasher: Hasher) { self.hasher = hasher }

    @inlinable
    mutating func callAsFunction<V: Hashable & Encodable>(_ value: V, _ other: V, _ key: _DetachedKey) {
        hasher.combine(value)
    }

    @inlinable
    mutating func callAsFunction<V: Hashable & _DetachedCoding>(_ value: V, _ other: V, _ key: _DetachedKey) {
        hasher.combine(value)
    }

    @inlinable
    mutating func callAsFunction(id: ObjectID?, _ other: ObjectID?) { hasher.combine(id) }
}

@usableFromInline
struct DetachedEncoding: _DetachedVisitor {
    @usableFromInline var container: KeyedEncodingContainer<_DetachedKey>

    @inlinable
    init(container: KeyedEncodingContainer<_DetachedKey>) { self.container = container }

    // Nil is written too, for what is missing would be decoded as the default.
    @inlinable
    mutating func callAsFunction<V: Hashable & Encodable>(_ value: V, _ other: V, _ key: _DetachedKey) throws {
        try container.encode(value, forKey: key)
    }

    @inlinable
    mutating func callAsFunction<V: Hashable & _DetachedCoding>(_ value: V, _ other: V, _ key: _DetachedKey) throws {
        try container._$write(value, key)
    }

    @inlinable
    mutating func callAsFunction(id: ObjectID?, _ other: ObjectID?) throws {
        try container.encodeIfPresent(id, forKey: "objectID")
    }
}

extension DetachedObject {
    @inlinable
    public static func == (a: Self, b: Self) -> Bool {
        var comparison = DetachedComparison()
        a._$visit(beside: b, &comparison)
        return comparison.isEqual
    }

    @inlinable
    public func hash(into hasher: inout Hasher) {
        var hashing = DetachedHashing(hasher: hasher)
        _$visit(beside: self, &hashing)
        hasher = hashing.hasher
    }

    @inlinable
    public func encode(to encoder: any Encoder) throws {
        var encoding = DetachedEncoding(container: encoder.container(keyedBy: _DetachedKey.self))
        try _$visit(beside: self, &encoding)
    }
}
