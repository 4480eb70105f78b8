/// Takes a query's text apart.
struct Lexer {
    private let text: QueryText
    private let scalars: [Unicode.Scalar]
    private var position = 0

    init(_ text: QueryText) {
        self.text = text
        scalars = text.scalars
    }

    static func tokens(of text: QueryText) throws(BanyanError) -> [Token] {
        var lexer = Lexer(text)
        var tokens: [Token] = []
        repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
        return tokens
    }

    private var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }
    private func peek(_ distance: Int) -> Unicode.Scalar? {
        position + distance < scalars.count ? scalars[position + distance] : nil
    }

    private mutating func next() throws(BanyanError) -> Token {
        while let scalar = current, scalar.properties.isWhitespace { position += 1 }
        let start = position
        guard let scalar = current else { return Token(kind: .end, position: start) }
        let kind: Token.Kind
        switch scalar {
        case "\"", "'": kind = .string(try string())
        case "#": kind = try escapedWord()
        case "@":
            position += 1
            kind = .function(word())
        case "$":
            position += 1
            let name = word()
            guard !name.isEmpty else { throw text.error(at: start, "expected a name after '$'") }
            kind = .variable(name)
        case "%":
            kind = try argument()
        case _ where isDigit(scalar) || (scalar == "-" || scalar == "+") && startsNumber(at: 1):
            kind = try number()
        case _ where Keyword.isStart(scalar):
            let word = word()
            if current == "\"" || current == "'", Literal.isTag(word) {
                kind = .tagged(word, try string())
            } else {
                kind = .word(word, isEscaped: false)
            }
        default: kind = .symbol(try symbol())
        }
        return Token(kind: kind, position: start)
    }

    private func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private func startsNumber(at distance: Int) -> Bool {
        guard let scalar = peek(distance) else { return false }
        if isDigit(scalar) { return true }
        let word = String(String.UnicodeScalarView(scalars[(position + distance)...].prefix { Keyword.isPart($0) }))
        return [.inf, .infinity].contains(Keyword(word))
    }

    private mutating func word() -> String {
        let start = position
        while let scalar = current, Keyword.isPart(scalar) { position += 1 }
        return String(String.UnicodeScalarView(scalars[start..<position]))
    }

    private mutating func escapedWord() throws(BanyanError) -> Token.Kind {
        let start = position
        position += 1
        if current == "\"" || current == "'" { return .word(try string(), isEscaped: true) }
        let word = word()
        guard !word.isEmpty else { throw text.error(at: start, "expected a property name after '#'") }
        return .word(word, isEscaped: true)
    }

    private mutating func argument() throws(BanyanError) -> Token.Kind {
        let start = position
        position += 2
        switch start + 1 < scalars.count ? scalars[start + 1] : " " {
        case "@": return .valueArgument
        case "K", "k": return .nameArgument
        default: throw text.error(at: start, "'%' is followed by neither '@' nor 'K'")
        }
    }

    private mutating func symbol() throws(BanyanError) -> String {
        let start = position
        let pair = String(String.UnicodeScalarView(scalars[position...].prefix(2)))
        if ["==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||"].contains(pair) {
            position += 2
            return pair
        }
        position += 1
        switch scalars[start] {
        case "=", "<", ">", "!", "(", ")", "{", "}", "[", "]", ",", ".", "*": return String(scalars[start])
        default: throw text.error(at: start, "the character '\(scalars[start])' has no meaning here")
        }
    }

    // MARK: - Constants

    private mutating func number() throws(BanyanError) -> Token.Kind {
        let start = position
        if let scalar = current, !isDigit(scalar) { position += 1 }
        let isNegative = scalars[start] == "-"
        if let scalar = current, !isDigit(scalar) {
            _ = word()
            return .number(.double(isNegative ? -.infinity : .infinity))
        }
        skipDigits()
        if current == ".", let next = peek(1), isDigit(next) {
            position += 1
            skipDigits()
        }
        if current == "e" || current == "E" {
            let hasSign = peek(1) == "+" || peek(1) == "-"
            if let digit = peek(hasSign ? 2 : 1), isDigit(digit) {
                position += hasSign ? 2 : 1
                skipDigits()
            }
        }
        if let scalar = current, Keyword.isPart(scalar) {
            throw text.error(at: position, "a number runs into '\(scalar)'")
        }
        let digits = String(String.UnicodeScalarView(scalars[start..<position]))
        if let integer = Int64(digits) { return .number(.int(integer)) }
        let decimal: Decimal128
        do { decimal = try Decimal128(rounding: digits) } catch {
            throw text.error(at: start, "'\(digits)' is not a number")
        }
        // Compared with a Float or a decimal property, a Double stands for what is written again.
        return .number(Literal.double(writtenAs: digits, decimal).map { .double($0) } ?? .decimal128(decimal))
    }

    private mutating func skipDigits() {
        while let scalar = current, isDigit(scalar) { position += 1 }
    }

    private mutating func string() throws(BanyanError) -> String {
        let start = position
        let quote = scalars[position]
        position += 1
        var result = ""
        while let scalar = current {
            position += 1
            if scalar == quote { return result }
            if scalar == "\\" {
                result.unicodeScalars.append(try escape())
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        throw text.error(at: start, "the string is not closed", remedy: "Close it with \(quote)")
    }

    private mutating func escape() throws(BanyanError) -> Unicode.Scalar {
        let start = position - 1
        guard let scalar = current else { throw text.error(at: start, "the escape is not finished") }
        position += 1
        switch scalar {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "0": return "\0"
        case "\\", "\"", "'": return scalar
        case "u":
            guard current == "{", let end = scalars[position...].prefix(10).firstIndex(of: "}"),
                let value = UInt32(String(String.UnicodeScalarView(scalars[(position + 1)..<end])), radix: 16),
                let result = Unicode.Scalar(value)
            else { break }
            position = end + 1
            return result
        default: break
        }
        throw text.error(
            at: start, "an unknown escape",
            remedy: #"Use \n, \r, \t, \0, \", \', \\ or \u{…}; write \\ for a backslash"#)
    }
}
