/// Constants as the string language writes them.
package enum Literal {
    /// The text that, read where a value of its kind is expected, gives the value again.
    package static func text(of value: Value) -> String {
        switch value {
        case .null: "nil"
        case .object(let v), .list(let v), .dictionary(let v): "\(objectTag)\"\(v.table):\(v.slot)\""
        default: value.scalar?.literal ?? "nil"
        }
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
    package static func value(of string: String, as kind: ValueKind) -> Value? { kind.type.value(written: string) }

    // MARK: - Constants with a tag

    /// The tag of links, which are no scalars.
    static let objectTag = "O"

    /// Each tag with the kinds whose constants have it.
    private static let tagged = Dictionary(grouping: ValueKind.allCases.compactMap { $0.type.taggedLiteral }, by: \.tag)

    static func isTag(_ word: String) -> Bool { word == objectTag || tagged[word] != nil }

    /// The value of a constant with a tag that there is.
    /// - Throws: what is wrong with it.
    static func value(of contents: String, tag: String) throws(Misfit) -> Value {
        guard let literals = tagged[tag] else {
            let parts = contents.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, let table = UInt16(parts[0]), let slot = UInt32(parts[1]) else {
                throw Misfit(reason: "expected an object as O\"table:slot\"")
            }
            return .object(ObjectRef(table: Int(table), slot: Int(slot)))
        }
        for literal in literals {
            if let value = literal.value(contents) { return value }
        }
        throw Misfit(reason: literals.map(\.misfit).joined(separator: ", or "))
    }

    struct Misfit: Error {
        let reason: String
    }
}
