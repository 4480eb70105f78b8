import BanyanCore

/// How coders read and write one property. Whether its type can be coded at all is found out when it is tried: a class need not
/// be Codable.
struct _PropertyCoding: Sendable {
    let decode: @Sendable (ObjectBase, Int, KeyedDecodingContainer<ModelKey>, ModelKey) throws -> Void
    let encode: @Sendable (ObjectBase, Int, inout KeyedEncodingContainer<ModelKey>, ModelKey) throws -> Void

    init<V: _PersistedProperty>(_ type: V.Type) {
        decode = { object, column, container, key in
            guard let value = try Self.decoded(V.self, container, key) as? V else {
                throw Self.notCodable(V.self, "Decodable", container.codingPath + [key])
            }
            V._$set(object, column, value)
        }
        encode = { object, column, container, key in
            try Self.encode(V._$get(object, column), &container, key)
        }
    }

    /// A link that is never nil.
    init<T: ObjectBase>(link type: T.Type) {
        decode = { object, column, container, key in
            guard let value = try Self.decoded(T.self, container, key) as? T else {
                throw Self.notCodable(T.self, "Decodable", container.codingPath + [key])
            }
            object._$setRequired(column, value)
        }
        encode = { object, column, container, key in
            // Nothing is set yet in an object that is still unmanaged.
            if let target = object._$target(T.self, column) { try Self.encode(target, &container, key) }
        }
    }

    private static func decoded(
        _ type: Any.Type, _ container: KeyedDecodingContainer<ModelKey>, _ key: ModelKey
    ) throws -> Any? {
        if let type = type as? any Decodable.Type { return try container.decode(type, forKey: key) }
        let wrapped = (type as? any OptionalValue.Type)?.wrappedType ?? type
        guard let custom = wrapped as? any _CustomPersistable.Type else { return nil }
        if try wrapped != type && container.decodeNil(forKey: key) { return nil as Any? }
        return try custom._$decoded(container, key)
    }

    private static func encode(
        _ value: Any, _ container: inout KeyedEncodingContainer<ModelKey>, _ key: ModelKey
    ) throws {
        var value = value
        while let optional = value as? any OptionalValue {
            // It is written: what is missing would be decoded as the default.
            guard let wrapped = optional.wrappedValue else { return try container.encodeNil(forKey: key) }
            value = wrapped
        }
        if let encodable = value as? any Encodable {
            try container.encode(encodable, forKey: key)
        } else if let custom = value as? any _CustomPersistable, let stored = custom.persistableValue as? any Encodable
        {
            try container.encode(stored, forKey: key)
        } else {
            let path = container.codingPath + [key]
            throw EncodingError.invalidValue(
                value, .init(codingPath: path, debugDescription: "\(type(of: value)) is not Encodable: make it so"))
        }
    }

    private static func notCodable(_ type: Any.Type, _ what: String, _ path: [any CodingKey]) -> DecodingError {
        .typeMismatch(type, .init(codingPath: path, debugDescription: "\(type) is not \(what): make it so"))
    }
}

extension _CustomPersistable {
    /// A value by what it is stored as, for a type that is not Decodable itself.
    fileprivate static func _$decoded(_ container: KeyedDecodingContainer<ModelKey>, _ key: ModelKey) throws -> Any? {
        guard let type = PersistedType.self as? any Decodable.Type else { return nil }
        guard let stored = try container.decode(type, forKey: key) as? PersistedType else { return nil }
        guard let value = _$projection(stored) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: container, debugDescription: "'\(stored)' cannot be read as a \(Self.self)")
        }
        return value
    }
}

/// What coders call a property.
struct ModelKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// The `CodingKeys` that a class has of its own. For the code that `@Model` writes.
public struct _CodingKeys {
    /// How many properties the class has that has them: those that a subclass adds are coded by their names.
    let propertyCount: Int
    let names: [String: String]

    public init(_ type: ObjectBase.Type, _ keys: [(property: String, key: any CodingKey)]) {
        propertyCount = type._$model.propertyCount
        names = Dictionary(keys.map { ($0.property, $0.key.stringValue) }, uniquingKeysWith: { first, _ in first })
    }
}
