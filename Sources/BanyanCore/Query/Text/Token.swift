/// A word, sign or constant of a query's text, and where it starts.
struct Token: Sendable {
    enum Kind: Sendable, Hashable {
        /// A name; escaped ones are never words of the language.
        case word(String, isEscaped: Bool)
        /// `@count`, without the sign.
        case function(String)
        /// `$x`, without the sign: an object of SUBQUERY, or an argument with a name.
        case variable(String)
        case string(String)
        /// `b64"…"`: what stands before the quote, and what in it.
        case tagged(String, String)
        case number(Value)
        /// `%@`
        case valueArgument
        /// `%K`
        case nameArgument
        case symbol(String)
        case end
    }

    var kind: Kind
    /// In Unicode scalars.
    var position: Int

    var keyword: Keyword? {
        if case .word(let word, isEscaped: false) = kind { Keyword(word) } else { nil }
    }

    /// How an error names it.
    var shown: String {
        switch kind {
        case .word(let word, _): "'\(word)'"
        case .function(let name): "'@\(name)'"
        case .variable(let name): "'$\(name)'"
        case .string: "a string"
        case .tagged(let tag, _): "a \(tag) constant"
        case .number(let value): "the number \(Literal.text(of: value))"
        case .valueArgument: "'%@'"
        case .nameArgument: "'%K'"
        case .symbol(let symbol): "'\(symbol)'"
        case .end: "the end"
        }
    }
}
