// Predicates print in the string language, with no more parentheses than it takes to read them back as they are.

extension Predicate: CustomStringConvertible {
    package var description: String { text(inside: .or, depth: 0) }

    fileprivate enum Precedence: Int { case or, and, not }

    /// - Parameter depth: How many SUBQUERYs it stands in.
    fileprivate func text(inside precedence: Precedence, depth: Int) -> String {
        switch self {
        case .constant(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .and(let parts):
            return chain(parts, " AND ", empty: "TRUEPREDICATE", own: .and, inside: precedence, depth)
        case .or(let parts):
            return chain(parts, " OR ", empty: "FALSEPREDICATE", own: .or, inside: precedence, depth)
        case .not(let part): return "NOT (\(part.text(inside: .or, depth: depth)))"
        case .comparison(let comparison): return comparison.text(depth)
        }
    }

    private func chain(
        _ parts: [Predicate], _ separator: String, empty: String, own: Precedence, inside: Precedence,
        _ depth: Int
    ) -> String {
        if parts.isEmpty { return empty }
        if parts.count == 1 { return parts[0].text(inside: inside, depth: depth) }
        let nested = Precedence(rawValue: own.rawValue + 1) ?? .not
        let text = parts.map { $0.text(inside: nested, depth: depth) }.joined(separator: separator)
        return own.rawValue < inside.rawValue ? "(\(text))" : text
    }
}

extension Comparison: CustomStringConvertible {
    package var description: String { text(0) }

    fileprivate func text(_ depth: Int) -> String {
        let prefix = quantifier.map { $0.rawValue + " " } ?? ""
        return "\(prefix)\(left.text(depth)) \(`operator`.rawValue)\(options.description) \(right.text(depth))"
    }
}

extension TextOptions: CustomStringConvertible {
    package var description: String {
        if isEmpty { return "" }
        return "[" + (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "") + "]"
    }
}

extension Operand: CustomStringConvertible {
    package var description: String { text(0) }

    fileprivate func text(_ depth: Int) -> String {
        switch self {
        case .value(let value): return Literal.text(of: value)
        case .values(let values): return "{" + values.map(Literal.text).joined(separator: ", ") + "}"
        case .nested(let constant): return constant.description
        case .path(let path): return path.text(depth)
        case .aggregate(let aggregate, let path): return "\(path.text(depth)).\(aggregate.rawValue)"
        case .subqueryCount(let path, let predicate):
            let variable = PropertyPath.variable(depth + 1)
            let condition = predicate.text(inside: .or, depth: depth + 1)
            return "SUBQUERY(\(path.text(depth)), \(variable), \(condition)).@count"
        }
    }
}

extension PropertyPath {
    /// What the objects of the SUBQUERY at a depth are called: `$x`, `$y`, `$z`, `$x4`.
    fileprivate static func variable(_ depth: Int) -> String {
        depth <= 3 ? "$" + ["x", "y", "z"][depth - 1] : "$x\(depth)"
    }

    fileprivate func text(_ depth: Int) -> String {
        outer > 0 && outer < depth ? "\(Self.variable(depth - outer)).\(self)" : description
    }
}
