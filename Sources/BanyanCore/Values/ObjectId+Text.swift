// Ids as text: exactly 24 hexadecimal digits, read in either case, written in lower case.

extension ObjectId {
    /// The id that 24 hexadecimal digits spell.
    ///
    /// - Throws: `BanyanError.Code.invalidValue` for anything else.
    public init(string: String) throws {
        guard let id = ObjectId(string) else {
            let start = string.prefix(50)
            throw BanyanError(
                .invalidValue,
                "\"\(start)\(start.endIndex == string.endIndex ? "" : "…")\" is not an ObjectId",
                remedy: "Write 24 hexadecimal digits, such as 507f1f77bcf86cd799439011")
        }
        self = id
    }
}

extension ObjectId: LosslessStringConvertible, CustomDebugStringConvertible {
    /// The id that 24 hexadecimal digits spell; nil for anything else.
    public init?(_ description: String) {
        guard description.utf8.count == 24 else { return nil }
        var words: [UInt32] = [0, 0, 0]
        for (position, character) in description.utf8.enumerated() {
            guard let digit = Self.value(ofHexDigit: character) else { return nil }
            words[position / 8] = words[position / 8] << 4 | digit
        }
        self.init(words: (words[0], words[1], words[2]))
    }

    /// 24 lower-case hexadecimal digits.
    public var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(24)
        for byte in bytes {
            text.append(Self.hexDigit(byte >> 4))
            text.append(Self.hexDigit(byte & 15))
        }
        return String(decoding: text, as: UTF8.self)
    }

    public var debugDescription: String { description }

    /// The same as `description`.
    public var stringValue: String { description }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }

    private static func value(ofHexDigit character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(character - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(character - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

extension ObjectId: ExpressibleByStringLiteral {
    /// The id that a literal of 24 hexadecimal digits spells. Any other literal traps.
    public init(stringLiteral value: String) {
        do {
            try self.init(string: value)
        } catch {
            fatalError("\(error)")
        }
    }
}

extension ObjectId: Codable {
    /// Reads a string of 24 hexadecimal digits.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = ObjectId(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "Not an ObjectId of 24 hexadecimal digits: \"\(text)\"")
        }
        self = id
    }

    /// Writes `description`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
