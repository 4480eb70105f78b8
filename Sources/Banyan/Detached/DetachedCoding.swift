// Scalars whose own coding is not what JSON is to have, in detached values and in collections of these.

/// A value that detached values code as another one.
public protocol _DetachedCoding: Codable {
    associatedtype _Coded: Codable
    var _$coded: _Coded { get }
    init?(_$coded: _Coded)
}

extension Optional: _DetachedCoding where Wrapped: _DetachedCoding {
    public var _$coded: Wrapped._Coded? { self?._$coded }
    public init?(_$coded coded: Wrapped._Coded?) {
        guard let coded else {
            self = Optional.none
            return
        }
        guard let value = Wrapped(_$coded: coded) else { return nil }
        self = value
    }
}

extension Array: _DetachedCoding where Element: _DetachedCoding {
    public var _$coded: [Element._Coded] { map(\._$coded) }
    public init?(_$coded coded: [Element._Coded]) {
        let values = coded.compactMap(Element.init(_$coded:))
        guard values.count == coded.count else { return nil }
        self = values
    }
}

extension Set: _DetachedCoding where Element: _DetachedCoding {
    public var _$coded: [Element._Coded] { map(\._$coded) }
    public init?(_$coded coded: [Element._Coded]) {
        guard let values = [Element](_$coded: coded) else { return nil }
        self = Set(values)
    }
}

extension Dictionary: _DetachedCoding where Key: Codable, Value: _DetachedCoding {
    public var _$coded: [Key: Value._Coded] { mapValues(\._$coded) }
    public init?(_$coded coded: [Key: Value._Coded]) {
        let values = coded.compactMapValues(Value.init(_$coded:))
        guard values.count == coded.count else { return nil }
        self = values
    }
}

extension KeyedEncodingContainer {
    public mutating func _$write<V: _DetachedCoding>(_ value: V, _ key: Key) throws { try encode(value, forKey: key) }

    /// What the compiler writes for the cases of `DetachedValue` takes this one.
    mutating func encode<V: _DetachedCoding>(_ value: V, forKey key: Key) throws {
        try encode(value._$coded, forKey: key)
    }
}

extension KeyedDecodingContainer {
    public func _$read<V: _DetachedCoding>(_ key: Key, into value: inout V) throws {
        if contains(key) { value = try decode(V.self, forKey: key) }
    }

    public func _$require<V: _DetachedCoding>(_ key: Key, into value: inout V) throws {
        value = try decode(V.self, forKey: key)
    }

    func decode<V: _DetachedCoding>(_ type: V.Type, forKey key: Key) throws -> V {
        guard let value = V(_$coded: try decode(V._Coded.self, forKey: key)) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "what is there is no \(V.self)")
        }
        return value
    }
}
