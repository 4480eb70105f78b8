import BanyanCore
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PredicateExpressions.Equal: TranslatedExpression {
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated {
        try translator.equality(lhs, rhs, Self.self) { (a: LHS.Output, b: LHS.Output) in a == b }
    }
}

extension PredicateExpressions.NotEqual: TranslatedExpression {
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated {
        let isEqual = try translator.equality(lhs, rhs, Self.self) { (a: LHS.Output, b: LHS.Output) in a == b }
        guard let condition = isEqual.condition else { throw translator.unsupported(Self.self) }
        return .condition(!condition)
    }
}

extension PredicateExpressions.Comparison: TranslatedExpression {
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated {
        let relation: BanyanCore.Comparison.Operator
        let holds: (LHS.Output, LHS.Output) -> Bool
        switch op {
        case .lessThan: (relation, holds) = (.less, { $0 < $1 })
        case .lessThanOrEqual: (relation, holds) = (.lessOrEqual, { $0 <= $1 })
        case .greaterThan: (relation, holds) = (.greater, { $0 > $1 })
        case .greaterThanOrEqual: (relation, holds) = (.greaterOrEqual, { $0 >= $1 })
        @unknown default: throw translator.unsupported(Self.self)
        }
        return .condition(
            try translator.compare(
                relation, try translator.translate(lhs), try translator.translate(rhs), Self.self, holds))
    }
}

extension PredicateTranslator {
    fileprivate func equality<Value: Equatable>(
        _ left: any PredicateExpression, _ right: any PredicateExpression, _ type: Any.Type,
        _ isEqual: (Value, Value) -> Bool
    ) throws(BanyanError) -> Translated {
        let (a, b) = (try translate(left), try translate(right))
        switch (a, b) {
        case (.condition, _), (_, .condition):
            guard let x = a.condition, let y = b.condition else { throw unsupported(type) }
            return .condition(x && y || !x && !y)
        case (.conditionIf(let present, let condition), .constant(let value)),
            (.constant(let value), .conditionIf(let present, let condition)):
            guard let value = value as? Bool else { return .condition(!present) }
            return .condition(present && (value ? condition : !condition))
        default: return .condition(try compare(.equal, a, b, type, isEqual))
        }
    }

    /// - Parameter holds: the relation of two constants.
    fileprivate func compare<V>(
        _ relation: Comparison.Operator, _ a: Translated, _ b: Translated, _ type: Any.Type, _ holds: (V, V) -> Bool
    ) throws(BanyanError) -> BanyanCore.Predicate {
        func constants(_ a: Any, _ b: Any) throws(BanyanError) -> BanyanCore.Predicate {
            guard let a = a as? V, let b = b as? V else { throw unsupported(type) }
            return .constant(holds(a, b))
        }
        /// What no object of the graph has is equal to nothing in it.
        func comparison(_ left: Operand?, _ right: Operand?) -> BanyanCore.Predicate {
            guard let left, let right else { return .constant(false) }
            return .comparison(Comparison(left, relation, right))
        }
        func ifPresent(
            _ operand: Operand, _ ifNil: BanyanCore.Predicate, _ condition: BanyanCore.Predicate
        ) -> BanyanCore.Predicate {
            let isNil = BanyanCore.Predicate.comparison(Comparison(operand, .equal, .value(.null)))
            return !isNil && condition || isNil && ifNil
        }
        switch (a, b) {
        case (.operandIf(let present, _), .constant(let b)) where ValueConversion.isNil(b):
            return try !present || compare(relation, a.always, .constant(b), type, holds)
        case (.constant(let a), .operandIf(let present, _)) where ValueConversion.isNil(a):
            return try !present || compare(relation, .constant(a), b.always, type, holds)
        case (.operandIf(let present, let a), _): return try present && compare(relation, .operand(a), b, type, holds)
        case (_, .operandIf(let present, let b)): return try present && compare(relation, a, .operand(b), type, holds)
        case (.coalescedIf(let present, let a, let ifNil), .constant(let b)):
            let isMeant = try compare(relation, .operand(a), .constant(b), type, holds)
            return try present && isMeant || !present && constants(ifNil, b)
        case (.constant(let a), .coalescedIf(let present, let b, let ifNil)):
            let isMeant = try compare(relation, .constant(a), .operand(b), type, holds)
            return try present && isMeant || !present && constants(a, ifNil)
        case (.constant(let a), .constant(let b)): return try constants(a, b)
        case (.operand(let a), .operand(let b)): return comparison(a, b)
        case (.operand(let a), .constant(let b)): return comparison(a, try value(b).map { .value($0) })
        case (.constant(let a), .operand(let b)): return comparison(try value(a).map { .value($0) }, b)
        case (.coalesced(let a, let ifNil), .constant(let b)):
            return ifPresent(a, try constants(ifNil, b), comparison(a, try value(b).map { .value($0) }))
        case (.constant(let a), .coalesced(let b, let ifNil)):
            return ifPresent(b, try constants(a, ifNil), comparison(try value(a).map { .value($0) }, b))
        case (.coalesced(let a, let ifNil), .operand(let b)):
            return ifPresent(a, comparison(try value(ifNil).map { .value($0) }, b), comparison(a, b))
        case (.operand(let a), .coalesced(let b, let ifNil)):
            return ifPresent(b, comparison(a, try value(ifNil).map { .value($0) }), comparison(a, b))
        default: throw unsupported(type)
        }
    }
}

// MARK: - Ranges

extension PredicateExpressions.RangeExpressionContains: TranslatedExpression {
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated {
        let element = try translator.translate(element)
        let (lower, upper, isClosed): (Translated, Translated, Bool)
        if let bounds = range as? any TranslatedRange {
            (lower, upper) = try bounds.bounds(translator)
            isClosed = bounds.isClosed
        } else if case .constant(let range) = try translator.translate(range) {
            switch range {
            case let range as ClosedRange<Element.Output>:
                (lower, upper, isClosed) = (.constant(range.lowerBound), .constant(range.upperBound), true)
            case let range as Swift.Range<Element.Output>:
                (lower, upper, isClosed) = (.constant(range.lowerBound), .constant(range.upperBound), false)
            default: throw translator.unsupported(type(of: range))
            }
        } else {
            throw translator.unsupported(Self.self)
        }
        let isAbove = try translator.compare(.greaterOrEqual, element, lower, Self.self) {
            (a: Element.Output, b: Element.Output) in a >= b
        }
        let isBelow = try translator.compare(isClosed ? .lessOrEqual : .less, element, upper, Self.self) {
            (a: Element.Output, b: Element.Output) in isClosed ? a <= b : a < b
        }
        return .condition(isAbove && isBelow)
    }
}

private protocol TranslatedRange {
    var isClosed: Bool { get }
    func bounds(_ translator: PredicateTranslator) throws(BanyanError) -> (Translated, Translated)
}

extension PredicateExpressions.ClosedRange: TranslatedRange {
    var isClosed: Bool { true }
    func bounds(_ translator: PredicateTranslator) throws(BanyanError) -> (Translated, Translated) {
        (try translator.translate(lower), try translator.translate(upper))
    }
}

extension PredicateExpressions.Range: TranslatedRange {
    var isClosed: Bool { false }
    func bounds(_ translator: PredicateTranslator) throws(BanyanError) -> (Translated, Translated) {
        (try translator.translate(lower), try translator.translate(upper))
    }
}
