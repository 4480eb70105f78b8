/// Reads the string language: `age > 30 AND ANY dogs.name BEGINSWITH[c] 'r' SORT(name ASC) LIMIT(10)`.
///
/// ```
/// query      = [ or ] { SORT(key, …) | LIMIT(n) | OFFSET(n) }
/// or         = and { (OR | ||) and }
/// and        = not { (AND | &&) not }
/// not        = (NOT | !) not | '(' or ')' | TRUEPREDICATE | FALSEPREDICATE | comparison
/// comparison = [ ANY | SOME | ALL | NONE ] operand [ operator [ '[' c d ']' ] operand ]
/// operand    = path [ .@count … ] | constant | '{' constant, … '}' | SUBQUERY(path, $x, or).@count | %@ | $name
/// path       = [ $x . ] name { '[' key | index | FIRST | LAST | SIZE | * | %@ ']' } { . path | .@keys | .@values } [ .@type ]
/// ```
/// A path alone is a comparison with true. Words are recognised in any case; `#in` is the property named `in`. Errors
/// name the column, here and where the result is bound to a schema.
///
/// Arguments are values, and paths where `%K` stands; nothing in them is ever read as text of the language. Inside SUBQUERY
/// `$x` is the object that it is about, and that of each SUBQUERY around it has its own name; a path without one starts at
/// the innermost.
package struct PredicateParser {
    let text: QueryText
    let tokens: [Token]
    var index = 0
    let arguments: QueryArguments
    var argumentIndex = 0
    /// Those with a name that were used.
    var usedNames: Set<String> = []
    /// What the objects of the SUBQUERYs around here are called, the innermost one last.
    var variables: [String] = []
    private var depth = 0
    /// Where each path was first seen, for errors that come up when it is resolved.
    var positions: [PropertyPath: Int] = [:]

    /// Reads a predicate. `%@` stands for the next argument's value, `%K` for the next one as a path, `$name` for one with a
    /// name.
    package static func predicate(
        _ text: String, arguments: QueryArguments = QueryArguments()
    ) throws(BanyanError) -> Predicate {
        try condition(text, on: "", arguments: arguments).query.predicate
    }

    /// As above, with values for arguments; a string serves as a path where `%K` stands.
    package static func predicate(_ text: String, values: [Value]) throws(BanyanError) -> Predicate {
        try predicate(text, arguments: QueryArguments(values.map { .operand(.value($0)) }))
    }

    /// Reads a predicate alone, as a query on a type.
    package static func condition(
        _ text: String, on type: String, arguments: QueryArguments = QueryArguments()
    ) throws(BanyanError) -> ParsedQuery {
        var parser = try PredicateParser(text, arguments)
        let query = Query(type, try parser.or())
        try parser.finish()
        return ParsedQuery(query: query, text: parser.text, positions: parser.positions)
    }

    /// Reads a predicate and what may follow it. An empty text asks for everything.
    package static func query(
        _ text: String, on type: String, arguments: QueryArguments = QueryArguments()
    ) throws(BanyanError) -> ParsedQuery {
        var parser = try PredicateParser(text, arguments)
        var query = Query(type)
        if parser.current.kind != .end, !parser.startsClause { query.predicate = try parser.or() }
        while parser.startsClause { try parser.clause(&query) }
        try parser.finish()
        return ParsedQuery(query: query, text: parser.text, positions: parser.positions)
    }

    /// Reads what to sort by: paths, each with ASC or DESC behind it where it is to be said, separated by commas.
    package static func sortKeys(_ text: String) throws(BanyanError) -> [SortKey] {
        var parser = try PredicateParser(text, QueryArguments())
        let keys = try parser.sortKeys()
        guard parser.current.kind == .end else {
            throw parser.error("expected ASC, DESC or the end, found \(parser.current.shown)")
        }
        return keys
    }

    private init(_ string: String, _ arguments: QueryArguments) throws(BanyanError) {
        text = QueryText(string)
        tokens = try Lexer.tokens(of: text)
        self.arguments = arguments
    }

    private func finish() throws(BanyanError) {
        guard current.kind == .end else {
            throw error("expected AND, OR or the end, found \(current.shown)")
        }
        let given = arguments.values.count
        guard argumentIndex == given else {
            throw error(
                "\(given) argument\(given == 1 ? " was" : "s were") given, and the text takes \(argumentIndex)",
                remedy: "Pass one value for each %@ and %K")
        }
        if let unused = arguments.named.keys.filter({ !usedNames.contains($0) }).min() {
            throw error("there is no $\(unused) in the text, for which an argument was given")
        }
    }

    // MARK: - Tokens

    var current: Token { tokens[index] }
    var following: Token { tokens[min(index + 1, tokens.count - 1)] }

    func error(_ message: String, remedy: String? = nil) -> BanyanError {
        text.error(at: current.position, message, remedy: remedy)
    }

    mutating func take(_ symbols: String...) -> Bool {
        guard case .symbol(let symbol) = current.kind, symbols.contains(symbol) else { return false }
        index += 1
        return true
    }

    mutating func take(_ keyword: Keyword) -> Bool {
        guard current.keyword == keyword else { return false }
        index += 1
        return true
    }

    mutating func expect(_ symbol: String) throws(BanyanError) {
        guard take(symbol) else { throw error("expected '\(symbol)', found \(current.shown)") }
    }

    // MARK: - Conditions

    mutating func or() throws(BanyanError) -> Predicate {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Predicate.maximumDepth else {
            throw error("conditions are nested more than \(Predicate.maximumDepth) deep")
        }
        var parts = [try and()]
        while take(.or) || take("||") { parts.append(try and()) }
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    private mutating func and() throws(BanyanError) -> Predicate {
        var parts = [try not()]
        while take(.and) || take("&&") { parts.append(try not()) }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    private mutating func not() throws(BanyanError) -> Predicate {
        // In a loop: a row of negations needs no stack.
        var isNegated = false
        while true {
            if current.keyword == .not, following.kind == .end {
                index += 1
                throw error("expected a condition, found the end")
            }
            guard take(.not) || take("!") else { break }
            isNegated.toggle()
        }
        let part: Predicate
        if take("(") {
            part = try or()
            try expect(")")
        } else if take(.truepredicate) {
            part = .constant(true)
        } else if take(.falsepredicate) {
            part = .constant(false)
        } else {
            part = try comparison()
        }
        return isNegated ? .not(part) : part
    }

    private mutating func comparison() throws(BanyanError) -> Predicate {
        let quantifier = takeQuantifier()
        let left = try operand()
        let isNegated = current.keyword == .not && following.keyword == .in && take(.not)
        guard let relation = takeOperator() else {
            if case .path = left, endsCondition {
                return .comparison(Comparison(left, .equal, .value(.bool(true)), quantifier: quantifier))
            }
            if current.keyword == .matches {
                throw error("MATCHES is not supported", remedy: "Use LIKE with '?' and '*', BEGINSWITH or CONTAINS")
            }
            throw error("expected a comparison such as == or IN, found \(current.shown)")
        }
        let options = try takeOptions()
        let position = current.position
        let right = try operand()
        if relation == .between {
            guard case .values(let values) = right, values.count == 2 else {
                throw text.error(
                    at: position, "BETWEEN takes two values in braces", remedy: "Write BETWEEN {low, high}")
            }
        } else if case .values = right, relation != .isIn {
            throw text.error(at: position, "\(relation.rawValue) takes one value, not several", remedy: "Use IN")
        }
        if relation == .isIn, case .value = right {
            throw text.error(at: position, "IN takes values in braces or a collection", remedy: "Write IN {a, b}")
        }
        let result = Predicate.comparison(
            Comparison(left, relation, right, options: options, quantifier: quantifier))
        return isNegated ? .not(result) : result
    }

    private var endsCondition: Bool {
        switch current.kind {
        case .end, .symbol(")"), .symbol("&&"), .symbol("||"), .symbol(","): true
        default: [.and, .or].contains(current.keyword) || startsClause
        }
    }

    private mutating func takeQuantifier() -> Comparison.Quantifier? {
        // A property may have the name of a quantifier; then an operator follows.
        switch following.kind {
        case .word(_, let isEscaped):
            guard isEscaped || ![.in, .between, .beginswith, .endswith, .contains, .like].contains(following.keyword)
            else {
                return nil
            }
        case .nameArgument, .string, .number, .valueArgument, .symbol("{"), .variable: break
        default: return nil
        }
        switch current.keyword {
        case .any?, .some?:
            index += 1
            return .any
        case .all?:
            index += 1
            return .all
        case Keyword.none?:
            index += 1
            return Comparison.Quantifier.none
        default: return nil
        }
    }

    private mutating func takeOperator() -> Comparison.Operator? {
        let relation: Comparison.Operator
        switch (current.kind, current.keyword) {
        case (.symbol("=="), _), (.symbol("="), _): relation = .equal
        case (.symbol("!="), _), (.symbol("<>"), _): relation = .notEqual
        case (.symbol("<"), _): relation = .less
        case (.symbol("<="), _), (.symbol("=<"), _): relation = .lessOrEqual
        case (.symbol(">"), _): relation = .greater
        case (.symbol(">="), _), (.symbol("=>"), _): relation = .greaterOrEqual
        case (_, .in): relation = .isIn
        case (_, .between): relation = .between
        case (_, .beginswith): relation = .beginsWith
        case (_, .endswith): relation = .endsWith
        case (_, .contains): relation = .contains
        case (_, .like): relation = .like
        default: return nil
        }
        index += 1
        return relation
    }

    private mutating func takeOptions() throws(BanyanError) -> TextOptions {
        guard take("[") else { return [] }
        guard case .word(let letters, _) = current.kind, !letters.isEmpty else {
            throw error("expected c, d or cd, found \(current.shown)")
        }
        var options: TextOptions = []
        for letter in letters.lowercased() {
            switch letter {
            case "c": options.insert(.caseInsensitive)
            case "d": options.insert(.diacriticInsensitive)
            default: throw error("'\(letter)' is not an option: c ignores case, d diacritics")
            }
        }
        index += 1
        try expect("]")
        return options
    }
}
