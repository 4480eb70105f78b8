import BanyanCore
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Makes a query of what `#Predicate` has built.
///
/// A `#Predicate` is a tree of generic structs, one type for each kind of expression. Those that a query has something for
/// conform to `TranslatedExpression`, and say what they are to it; the others are refused by name. A closure inside, such as
/// that of `contains(where:)`, is a SUBQUERY, and its variable is the object that this one is about.
struct PredicateTranslator {
    let graph: Graph
    /// What variables stand for.
    private var places: [PredicateExpressions.VariableID: Place] = [:]
    /// How many SUBQUERYs are around.
    private(set) var depth = 0

    /// A path, and how many SUBQUERYs are around the object that it starts at.
    private struct Place {
        let path: PropertyPath
        let depth: Int
    }

    init(_ graph: Graph) { self.graph = graph }

    /// - Throws: `invalidQuery` for what a query cannot say.
    static func condition<Object: ObjectBase>(
        _ predicate: _FoundationPredicate<Object>, _ graph: Graph
    ) throws(BanyanError) -> BanyanCore.Predicate {
        var translator = PredicateTranslator(graph)
        translator.places[predicate.variable.key] = Place(path: PropertyPath(steps: []), depth: 0)
        return try translator.condition(predicate.expression)
    }

    // MARK: - Expressions

    func translate(_ expression: any PredicateExpression) throws(BanyanError) -> Translated {
        guard let expression = expression as? any TranslatedExpression else { throw unsupported(type(of: expression)) }
        return try expression.translated(self)
    }

    /// An expression that is true or false.
    func condition(_ expression: any PredicateExpression) throws(BanyanError) -> BanyanCore.Predicate {
        guard let condition = try translate(expression).condition else { throw unsupported(type(of: expression)) }
        return condition
    }

    /// An expression that is a path: of a property, a link or a collection.
    func path(_ expression: any PredicateExpression) throws(BanyanError) -> PropertyPath {
        guard case .operand(.path(let path)) = try translate(expression) else {
            throw unsupported(type(of: expression))
        }
        return path
    }

    /// What a variable stands for, seen from here.
    func path(of variable: PredicateExpressions.VariableID) -> PropertyPath? {
        places[variable].map { PropertyPath(steps: $0.path.steps, outer: depth - $0.depth + $0.path.outer) }
    }

    /// Inside a closure whose variable is an element of a collection of objects.
    func inside(_ variable: PredicateExpressions.VariableID) -> PredicateTranslator {
        var inside = self
        inside.depth += 1
        inside.places[variable] = Place(path: PropertyPath(steps: []), depth: depth + 1)
        return inside
    }

    /// Inside a closure whose variable is what a path leads to.
    func binding(_ variable: PredicateExpressions.VariableID, to path: PropertyPath) -> PredicateTranslator {
        var inside = self
        inside.places[variable] = Place(path: path, depth: depth)
        return inside
    }

    // MARK: - Constants

    /// A Swift value as queries hold it; nil for what no value of the graph is equal to.
    func value(_ constant: Any) throws(BanyanError) -> Value? {
        if ValueConversion.isNil(constant) { return .null }
        guard let value = constant as? any CollectionValue else { throw unsupported(type(of: constant)) }
        if Self.isProjectedObject(value) { throw unsupported(type(of: constant)) }
        return graph.value(value)
    }

    private static func isProjectedObject<V: CollectionValue>(_ value: V) -> Bool { V.isProjectedObject }

    func unsupported(_ type: Any.Type) -> BanyanError {
        // The kind of expression, without what it is made of.
        let name = "\(type)".prefix { $0 != "<" }.split(separator: ".").last ?? "value"
        return BanyanError(
            .invalidQuery, "the predicate has a '\(name)', for which there is nothing in a query",
            remedy: "Write the condition with `where`, or filter the results in Swift")
    }
}

/// A kind of expression that a query has something for.
protocol TranslatedExpression {
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated
}

/// What an expression is to a query.
enum Translated {
    case condition(BanyanCore.Predicate)
    /// A condition on something that may be nil: it is nil then.
    case conditionIf(present: BanyanCore.Predicate, BanyanCore.Predicate)
    case operand(Operand)
    /// What is behind an Optional amounts to: it is nil where that is.
    case operandIf(present: BanyanCore.Predicate, Operand)
    /// A value, and what stands for it where it is nil.
    case coalesced(Operand, Any)
    /// The same of what is behind an Optional.
    case coalescedIf(present: BanyanCore.Predicate, Operand, Any)
    /// The objects of a collection that satisfy a condition.
    case objects(PropertyPath, BanyanCore.Predicate)
    case constant(Any)

    /// The same where it is there.
    var always: Translated { if case .operandIf(_, let operand) = self { .operand(operand) } else { self } }

    /// What it is where a condition is asked for: a bare Bool is compared with true.
    var condition: BanyanCore.Predicate? {
        switch self {
        case .condition(let condition): condition
        case .operand(let operand): .comparison(Comparison(operand, .equal, .value(.bool(true))))
        case .constant(let value): (value as? Bool).map { .constant($0) }
        case .coalesced(let operand, let value):
            (value as? Bool).map { ifNil in
                let isTrue = BanyanCore.Predicate.comparison(Comparison(operand, .equal, .value(.bool(true))))
                return ifNil ? isTrue || .comparison(Comparison(operand, .equal, .value(.null))) : isTrue
            }
        case .conditionIf, .operandIf, .coalescedIf, .objects: nil
        }
    }
}
