// Predicates print in the string language, with no more parentheses than it takes to read them back as they are.

extension Predicate: CustomStringConvertible {
    package var description: String { text(inside: .or) }

    private enum Precedence: Int { case or, and, not }

    private func text(inside precedence: Precedence) -> String {
        switch self {
        case .constant(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .and(let parts):
            return chain(parts, " AND ", empty: "TRUEPREDICATE", own: .and, inside: precedence)
        case .or(let parts):
            return chain(parts, " OR ", empty: "FALSEPREDICATE", own: .or, inside: precedence)
        case .not(let part): return "NOT (\(part.text(inside: .or)))"
        case .comparison(let comparison): return comparison.description
        }
    }

    private func chain(
        _ parts: [Predicate], _ separator: String, empty: String, own: Precedence, inside: Precedence
    ) -> String {
        if parts.isEmpty { return empty }
        if parts.count == 1 { return parts[0].text(inside: inside) }
        let nested = Precedence(rawValue: own.rawValue + 1) ?? .not
        let text = parts.map { $0.text(inside: nested) }.joined(separator: separator)
        return own.rawValue < inside.rawValue ? "(\(text))" : text
    }
}

extension Comparison: CustomStringConvertible {
    package var description: String {
        let prefix = quantifier.map { $0.rawValue + " " } ?? ""
        return "\(prefix)\(left) \(`operator`.rawValue)\(options.description) \(right)"
    }
}

extension TextOptions: CustomStringConvertible {
    package var description: String {
        if isEmpty { return "" }
        return "[" + (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "") + "]"
    }
}

extension Operand: CustomStringConvertible {
    package var description: String {
        switch self {
        case .value(let value): return Literal.text(of: value)
        case .values(let values): return "{" + values.map(Literal.text).joined(separator: ", ") + "}"
        case .path(let path): return path.description
        case .aggregate(let aggregate, let path): return "\(path).\(aggregate.rawValue)"
        case .subqueryCount(let path, let predicate):
            return "SUBQUERY(\(path), $x, \(predicate)).@count"
        }
    }
}
