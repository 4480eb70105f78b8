import BanyanCore

extension AnyValue: Encodable {
    /// Encodes the value by itself, as it would be without the AnyValue around it: numbers as numbers, lists as arrays. What it
    /// was is not written.
    ///
    /// - Throws: an `EncodingError` for an object whose class is not Encodable, and for lists and dictionaries that are nested
    ///   deeper than a graph holds them.
    public func encode(to encoder: any Encoder) throws {
        guard encoder.codingPath.count < Self.maximumCodingDepth else {
            throw EncodingError.invalidValue(
                self, .init(codingPath: encoder.codingPath, debugDescription: "the value is nested too deep"))
        }
        switch self {
        case .list(let value): try value.encode(to: encoder)
        case .dictionary(let value): try value.encode(to: encoder)
        case .object(let value):
            guard let value = value as? any Encodable else {
                throw EncodingError.invalidValue(
                    value,
                    .init(codingPath: encoder.codingPath, debugDescription: "\(type(of: value)) is not Encodable"))
            }
            try value.encode(to: encoder)
        default:
            var container = encoder.singleValueContainer()
            guard let scalar = stored.scalar else { return try container.encodeNil() }
            try scalar.encode(into: &container)
        }
    }

    /// Values within values, objects included: far more than a graph holds, and far less than a stack does.
    private static var maximumCodingDepth: Int { 400 }
}

extension AnyValue: Decodable {
    /// Decodes what the data says by itself: nothing, a Bool, an Int where the number is a whole one, a Double, a String, a
    /// list or a dictionary.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard decoder.codingPath.count < Self.maximumCodingDepth else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "the value is nested too deep"))
        }
        // How a decoder says that it has something else is its own affair: whatever it throws leads to the next type.
        func value<T: Decodable>(_ type: T.Type) -> T? {
            do { return try container.decode(type) } catch { return nil }
        }
        if container.decodeNil() {
            self = .none
        } else if let bool = value(Bool.self) {
            self = .bool(bool)
        } else if let int = value(Int.self) {
            self = .int(int)
        } else if let double = value(Double.self) {
            self = .double(double)
        } else if let string = value(String.self) {
            self = .string(string)
        } else if let list = try Self.list(decoder) {
            self = .fromArray(list)
        } else {
            self = .fromDictionary(try container.decode([String: AnyValue].self))
        }
    }

    /// Nil where it is no list; what is wrong inside one is thrown.
    private static func list(_ decoder: any Decoder) throws -> [AnyValue]? {
        var container: any UnkeyedDecodingContainer
        do { container = try decoder.unkeyedContainer() } catch DecodingError.typeMismatch { return nil }
        var values: [AnyValue] = []
        while !container.isAtEnd { values.append(try container.decode(AnyValue.self)) }
        return values
    }
}
