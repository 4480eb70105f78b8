extension Decimal128: Codable {
    /// Reads a string such as `"12.50"`, or a number.
    ///
    /// A number comes as precise as the decoder hands it out; a string always keeps every digit.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try Self.decode(String.self, from: container) {
            guard let parsed = TextParser.parse(text), parsed.isExact else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "Not a decimal number of at most 34 digits: \"\(text)\"")
            }
            self = parsed.value
        } else if let integer = try Self.decode(Int64.self, from: container) {
            self.init(integer)
        } else if let integer = try Self.decode(UInt64.self, from: container) {
            self.init(integer)
        } else {
            self.init(try container.decode(Double.self))
        }
    }

    /// Writes `description`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Nil when the container holds something that is no `Value`.
    private static func decode<Value: Decodable>(
        _ type: Value.Type, from container: any SingleValueDecodingContainer
    ) throws -> Value? {
        do {
            return try container.decode(type)
        } catch DecodingError.typeMismatch, DecodingError.dataCorrupted {
            return nil
        }
    }
}
