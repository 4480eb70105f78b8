/// Takes a relationship field apart, byte by byte.
struct RelationParser {
    struct Problem: Error {
        var position: Int
        var message: String
    }

    private let bytes: [UInt8]
    private var position: Int
    private let end: Int

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    mutating func parse() throws(Problem) -> [Relation] {
        var relations: [Relation] = []
        skipWhite()
        while position < end {
            // Empty entries, as in `a,, b` and `a,`, are tolerated by dpkg, and so by us.
            if take(",") { continue }
            while true {
                var relation = try relation()
                relation.orNext = take("|")
                relations.append(relation)
                if !relation.orNext { break }
            }
            guard position == end || take(",") else { throw problem("expected ',' or '|' after '\(relations.last!)'") }
        }
        return relations
    }

    private mutating func relation() throws(Problem) -> Relation {
        let name = word { Self.isNameByte($0) }
        guard !name.isEmpty else { throw problem("expected the name of a package") }
        var relation = Relation(name: name)
        if position < end, bytes[position] == UInt8(ascii: ":") {
            position += 1
            relation.qualifier = word { Self.isNameByte($0) }
            guard !relation.qualifier.isEmpty else { throw problem("expected an architecture after '\(name):'") }
        }
        skipWhite()
        if take("(") {
            relation.comparison = try comparison()
            relation.version = word { !$0.isWhite && $0 != UInt8(ascii: ")") }
            guard !relation.version.isEmpty else { throw problem("expected a version of '\(name)'") }
            skipWhite()
            guard take(")") else { throw problem("expected ')' after the version of '\(name)'") }
        }
        if take("[") {
            relation.architectures = try bracketed("]", of: name).split(separator: " ").map(String.init)
        }
        while take("<") { relation.profiles.append(try bracketed(">", of: name)) }
        return relation
    }

    private mutating func comparison() throws(Problem) -> Relation.Comparison {
        let sign = word { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ">") }
        skipWhite()
        switch sign {
        // The single signs are old spellings that dpkg still reads.
        case "<": return .earlierOrEqual
        case ">": return .laterOrEqual
        default:
            guard let comparison = Relation.Comparison(rawValue: sign) else {
                throw problem("expected one of <<, <=, =, >=, >>, found '\(sign)'")
            }
            return comparison
        }
    }

    private mutating func bracketed(_ close: Unicode.Scalar, of name: String) throws(Problem) -> String {
        let text = word { $0 != UInt8(ascii: close) }
        guard take(close) else { throw problem("expected '\(close)' after '\(name)'") }
        return text.split { $0.isWhitespace }.joined(separator: " ")
    }

    // MARK: - Bytes

    /// Debian's names use lower-case letters, digits and `+ - .`; others use more, so only what separates is excluded.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "|"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ":"),
            UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "="):
            false
        default: byte > 0x20
        }
    }

    private mutating func word(_ belongs: (UInt8) -> Bool) -> String {
        let start = position
        while position < end, belongs(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skipWhite() {
        while position < end, bytes[position].isWhite { position += 1 }
    }

    /// Whether `scalar` came next; it and the white space after it are then behind us.
    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard position < end, bytes[position] == UInt8(ascii: scalar) else { return false }
        position += 1
        skipWhite()
        return true
    }

    private func problem(_ message: String) -> Problem { Problem(position: min(position, end), message: message) }
}
