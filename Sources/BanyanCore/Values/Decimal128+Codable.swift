#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Decimal128: Codable {
    /// Reads a string such as `"12.50"`, or a number.
    ///
    /// A number comes as precise as the decoder hands it out: with all its digits from JSON. A string always keeps
    /// every digit and the decimal places.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text: String
        do {
            text = try container.decode(String.self)
        } catch DecodingError.typeMismatch {
            try self.init(number: container)
            return
        }
        guard let parsed = TextParser.parse(text), parsed.isExact else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "Not a decimal number of at most 34 digits: \"\(text)\"")
        }
        self = parsed.value
    }

    /// Writes `description`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// The first of ever less precise types that the decoder can hand out. How one says that it cannot is its own
    /// affair: whatever it throws leads to the next type, and the last one's error is the answer.
    private init(number container: any SingleValueDecodingContainer) throws {
        do {
            self.init(try container.decode(Decimal.self))
            return
        } catch {}
        do {
            self.init(try container.decode(Int64.self))
            return
        } catch {}
        do {
            self.init(try container.decode(UInt64.self))
            return
        } catch {}
        self.init(try container.decode(Double.self))
    }
}
