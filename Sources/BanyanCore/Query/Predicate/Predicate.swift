/// What a query asks of an object: the one tree that typed closures, `#Predicate` and the string language all build.
///
/// A predicate names properties and knows no schema; it can be made anywhere, sent, compared and printed (in the string
/// language, so that what is printed can be read back). `Binder` resolves it against a schema, which is when it is
/// checked, and turns it into filters over pages.
///
/// The rules of comparison:
/// - `==` is true of two nils, `!=` is its negation; nil is neither less nor greater than anything, begins with nothing
///   and contains nothing.
/// - A nil link on a path stands for nil at its end.
/// - Numbers of all kinds compare by value, exactly. NaN equals NaN and is neither less nor greater than anything.
/// - Texts compare by their UTF-8 bytes, unless options say otherwise.
/// - On a path through a collection or an inverse, a comparison means ANY unless a quantifier says otherwise.
package indirect enum Predicate: Sendable, Hashable {
    case constant(Bool)
    /// True when it has no parts.
    case and([Predicate])
    /// False when it has no parts.
    case or([Predicate])
    case not(Predicate)
    case comparison(Comparison)

    /// Nesting beyond this is refused by the parser and by binding.
    package static let maximumDepth = 200
}

/// One comparison of two operands.
package struct Comparison: Sendable, Hashable {
    package enum Quantifier: String, Sendable, Hashable {
        case any = "ANY"
        case all = "ALL"
        case none = "NONE"
    }

    package enum Operator: String, Sendable, Hashable {
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        /// Whether the left side is among the right side's values.
        case isIn = "IN"
        /// Whether the left side is within the two values on the right, both included.
        case between = "BETWEEN"
        case beginsWith = "BEGINSWITH"
        case endsWith = "ENDSWITH"
        case contains = "CONTAINS"
        /// `?` stands for one character, `*` for any number of them, a backslash takes the next one literally.
        case like = "LIKE"
    }

    package var quantifier: Quantifier?
    package var left: Operand
    package var `operator`: Operator
    package var right: Operand
    package var options: TextOptions

    package init(
        _ left: Operand, _ operator: Operator, _ right: Operand, options: TextOptions = [],
        quantifier: Quantifier? = nil
    ) {
        self.quantifier = quantifier
        self.left = left
        self.operator = `operator`
        self.right = right
        self.options = options
    }
}

/// How texts are compared.
package struct TextOptions: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let caseInsensitive = TextOptions(rawValue: 1)
    package static let diacriticInsensitive = TextOptions(rawValue: 2)
}

/// One side of a comparison, or what a query sorts by.
package enum Operand: Sendable, Hashable {
    case value(Value)
    /// What IN and BETWEEN have on their right.
    case values([Value])
    /// A list or a dictionary, compared with an AnyValue.
    case nested(NestedConstant)
    case path(PropertyPath)
    /// One number or value made of all that the path reaches. `count` takes a path that ends in a collection or an
    /// inverse.
    case aggregate(Aggregate, PropertyPath)
    /// How many of the objects the path reaches satisfy the predicate, whose paths start at those objects, or at those
    /// that the conditions around it are about: see `PropertyPath.outer`.
    case subqueryCount(PropertyPath, Predicate)
}

// MARK: - Building

extension Predicate {
    package static func compare(
        _ path: PropertyPath, _ operator: Comparison.Operator, _ value: Value, options: TextOptions = [],
        quantifier: Comparison.Quantifier? = nil
    ) -> Predicate {
        .comparison(Comparison(.path(path), `operator`, .value(value), options: options, quantifier: quantifier))
    }

    /// Chains stay flat, however long they are.
    package static func && (a: Predicate, b: Predicate) -> Predicate {
        switch (a, b) {
        case (.and(let x), .and(let y)): .and(x + y)
        case (.and(let x), _): .and(x + [b])
        case (_, .and(let y)): .and([a] + y)
        default: .and([a, b])
        }
    }

    package static func || (a: Predicate, b: Predicate) -> Predicate {
        switch (a, b) {
        case (.or(let x), .or(let y)): .or(x + y)
        case (.or(let x), _): .or(x + [b])
        case (_, .or(let y)): .or([a] + y)
        default: .or([a, b])
        }
    }

    package static prefix func ! (a: Predicate) -> Predicate {
        if case .not(let inner) = a { inner } else { .not(a) }
    }
}
