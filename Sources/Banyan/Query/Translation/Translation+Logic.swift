import BanyanCore
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PredicateExpressions.Conjunction: TranslatedExpression {
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated {
        .condition(try translator.condition(lhs) && translator.condition(rhs))
    }
}

extension PredicateExpressions.Disjunction: TranslatedExpression {
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated {
        .condition(try translator.condition(lhs) || translator.condition(rhs))
    }
}

extension PredicateExpressions.Negation: TranslatedExpression {
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated {
        .condition(!(try translator.condition(wrapped)))
    }
}

extension PredicateExpressions.Conditional: TranslatedExpression {
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated {
        let (test, yes, no) = (
            try translator.condition(test), try translator.condition(trueBranch), try translator.condition(falseBranch)
        )
        return .condition(test && yes || !test && no)
    }
}

// MARK: - Optionals

extension PredicateExpressions.NilLiteral: TranslatedExpression {
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated {
        .constant(Wrapped?.none as Any)
    }
}

extension PredicateExpressions.NilCoalesce: TranslatedExpression {
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated {
        switch (try translator.translate(lhs), try translator.translate(rhs)) {
        case (.conditionIf(let present, let condition), let other):
            guard let ifNil = other.condition else { throw translator.unsupported(Self.self) }
            return .condition(present && condition || !present && ifNil)
        case (.operand(let operand), .constant(let value)): return .coalesced(operand, value)
        case (.operandIf(let present, let operand), .constant(let value)):
            return .coalescedIf(present: present, operand, value)
        case (.constant(let value), let other): return ValueConversion.isNil(value) ? other : .constant(value)
        default: throw translator.unsupported(Self.self)
        }
    }
}

extension PredicateExpressions.OptionalFlatMap: TranslatedExpression {
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated {
        let path = try translator.path(wrapped)
        let isHere = BanyanCore.Predicate.comparison(
            BanyanCore.Comparison(.path(path), .notEqual, .value(.null)))
        let made = try translator.binding(variable.key, to: path).translate(transform)
        switch made {
        // Nil on the way is nil at the end of a path, but not what the values behind it amount to.
        case .operand(.path): return made
        case .operand(let operand): return .operandIf(present: isHere, operand)
        case .operandIf(let present, let operand): return .operandIf(present: isHere && present, operand)
        case .condition(let condition): return .conditionIf(present: isHere, condition)
        case .conditionIf(let present, let condition): return .conditionIf(present: isHere && present, condition)
        case .coalesced, .coalescedIf, .objects, .constant: throw translator.unsupported(Self.self)
        }
    }
}

extension PredicateExpressions.ForcedUnwrap: TranslatedExpression {
    // Where it is nil, nothing is true of it.
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated {
        try translator.translate(inner)
    }
}
