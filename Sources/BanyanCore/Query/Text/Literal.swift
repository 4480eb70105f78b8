#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Constants as the string language writes them.
package enum Literal {
    /// The text that, read where a value of its kind is expected, gives the value again.
    package static func text(of value: Value) -> String {
        switch value {
        case .null: "nil"
        case .bool(let v): v ? "true" : "false"
        case .int(let v): String(v)
        case .float(let v): v.isFinite && Double(v).description != v.description ? "F\"\(v)\"" : number(v)
        case .double(let v): number(v)
        case .string(let v): quoted(v)
        case .data(let v): "b64\"\(v.base64EncodedString())\""
        case .date(let v): ISODate.text(of: v).map(quoted) ?? "T\"\(v.timeIntervalSinceReferenceDate)\""
        case .uuid(let v): "\"\(v.uuidString)\""
        case .objectId(let v): "\"\(v)\""
        case .decimal128(let v): decimal(v)
        case .object(let v), .list(let v), .dictionary(let v): "O\"\(v.table):\(v.slot)\""
        }
    }

    private static func number<T: BinaryFloatingPoint & CustomStringConvertible>(_ value: T) -> String {
        value.isNaN ? "nan" : value.description
    }

    /// With its tag where a text would take the digits for a Double.
    private static func decimal(_ value: Decimal128) -> String {
        if value.isNaN { return "nan" }
        if value.isInfinite { return value.isNegative ? "-inf" : "inf" }
        let digits = value.description
        return double(writtenAs: digits, value) == nil ? digits : "D\"\(digits)\""
    }

    /// The Double that a number in a text is: a fraction that a Double prints as, as in Swift. Nil for whole numbers,
    /// and for fractions of more digits, which are decimals.
    static func double(writtenAs digits: String, _ value: Decimal128) -> Double? {
        guard digits.contains(where: { $0 == "." || $0 == "e" || $0 == "E" }), let double = Double(digits),
            double.isFinite, Decimal128(double) == value
        else { return nil }
        return double
    }

    /// In double quotes, with what cannot stand there escaped.
    package static func quoted(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                text += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    /// The value of `kind` that a string in a query stands for; nil where it is none.
    package static func value(of string: String, as kind: ValueKind) -> Value? {
        switch kind {
        case .string: .string(string)
        case .date: ISODate.date(string).map(Value.date)
        case .uuid: UUID(uuidString: string).map(Value.uuid)
        case .objectId: ObjectId(string).map(Value.objectId)
        case .decimal128: Decimal128(string).map(Value.decimal128)
        default: nil
        }
    }

    /// What a string must look like to be a value of `kind`.
    static func form(of kind: ValueKind) -> String {
        switch kind {
        case .date: "an ISO 8601 date such as '2024-02-29' or '2024-02-29T18:30:00.25Z'"
        case .uuid: "a UUID such as '6F9619FF-8B86-D011-B42D-00CF4FC964FF'"
        case .objectId: "24 hexadecimal digits such as '507f1f77bcf86cd799439011'"
        case .decimal128: "a decimal number such as '12.50'"
        case .data: "Base64 written as b64'…'"
        default: "a value of \(kind.name)"
        }
    }
}
