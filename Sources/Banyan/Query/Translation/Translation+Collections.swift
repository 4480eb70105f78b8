import BanyanCore
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PredicateExpressions.SequenceContains: TranslatedExpression {
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated {
        switch (try translator.translate(sequence), try translator.translate(element)) {
        case (.constant(let values), .operand(let operand)):
            guard let values = values as? LHS.Output else { throw translator.unsupported(Self.self) }
            var known: [Value] = []
            for value in values { if let value = try translator.value(value) { known.append(value) } }
            return .condition(.comparison(BanyanCore.Comparison(operand, .isIn, .values(known))))
        case (.operand(let operand), .constant(let value)):
            if let character = value as? Character {
                return text(operand, .contains, "\(character)")
            }
            guard let value = try translator.value(value) else { return .condition(.constant(false)) }
            return .condition(
                .comparison(BanyanCore.Comparison(operand, .equal, .value(value), quantifier: .any)))
        case (.operand(let operand), .operand(let other)):
            return .condition(.comparison(BanyanCore.Comparison(operand, .equal, other, quantifier: .any)))
        default: throw translator.unsupported(Self.self)
        }
    }
}

private func text(_ operand: Operand, _ relation: Comparison.Operator, _ text: String) -> Translated {
    .condition(.comparison(Comparison(operand, relation, .value(.string(text)))))
}

extension PredicateExpressions.CollectionContainsCollection: TranslatedExpression {
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated {
        guard case .operand(let operand) = try translator.translate(base),
            case .constant(let part as String) = try translator.translate(other)
        else { throw translator.unsupported(Self.self) }
        return text(operand, .contains, part)
    }
}

extension PredicateExpressions.SequenceStartsWith: TranslatedExpression {
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated {
        guard case .operand(let operand) = try translator.translate(base),
            case .constant(let start as String) = try translator.translate(prefix)
        else { throw translator.unsupported(Self.self) }
        return text(operand, .beginsWith, start)
    }
}

extension PredicateExpressions.CollectionIndexSubscript: TranslatedExpression {
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated {
        guard case .constant(let index as Int) = try translator.translate(index) else {
            throw translator.unsupported(Self.self)
        }
        return .operand(.path(try translator.path(wrapped).element(index)))
    }
}

extension PredicateExpressions.SequenceMaximum: TranslatedExpression {
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated {
        .operand(.aggregate(.maximum, try translator.path(elements)))
    }
}

extension PredicateExpressions.SequenceMinimum: TranslatedExpression {
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated {
        .operand(.aggregate(.minimum, try translator.path(elements)))
    }
}

// MARK: - With closures

extension PredicateExpressions.SequenceContainsWhere: TranslatedExpression {
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated {
        try translator.elements(LHS.Output.Element.self, sequence, variable.key, test, .any, Self.self)
    }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatedExpression {
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated {
        try translator.elements(LHS.Output.Element.self, sequence, variable.key, test, .all, Self.self)
    }
}

extension PredicateExpressions.Filter: TranslatedExpression {
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated {
        guard LHS.Output.Element.self is any _QueriedObject.Type else { throw translator.unsupported(Self.self) }
        return try translator.objects(sequence, variable.key, filter)
    }
}

extension PredicateTranslator {
    /// The objects of a collection that satisfy a condition, with one that the collection is narrowed by already.
    fileprivate func objects(
        _ sequence: any PredicateExpression, _ variable: PredicateExpressions.VariableID,
        _ test: any PredicateExpression, isNegated: Bool = false
    ) throws(BanyanError) -> Translated {
        let condition = try inside(variable).condition(test)
        let right = isNegated ? !condition : condition
        switch try translate(sequence) {
        case .operand(.path(let path)): return .objects(path, right)
        case .objects(let path, let others): return .objects(path, others && right)
        default: throw unsupported(type(of: sequence))
        }
    }

    /// Whether one element, or every one, satisfies a condition.
    fileprivate func elements(
        _ element: Any.Type, _ sequence: any PredicateExpression, _ variable: PredicateExpressions.VariableID,
        _ test: any PredicateExpression, _ quantifier: Comparison.Quantifier, _ type: Any.Type
    ) throws(BanyanError) -> Translated {
        let isAll = quantifier == .all
        if element is any _QueriedObject.Type {
            guard case .objects(let path, let condition) = try objects(sequence, variable, test, isNegated: isAll)
            else {
                throw unsupported(type)
            }
            let count = Operand.subqueryCount(path, condition)
            return .condition(.comparison(Comparison(count, isAll ? .equal : .greater, .value(.int(0)))))
        }
        // Of values: one comparison of the element.
        let path = try path(sequence).appending(.values)
        guard case .comparison(var comparison) = try binding(variable, to: path).condition(test),
            comparison.quantifier == nil, [comparison.left, comparison.right].contains(.path(path))
        else { throw unsupported(type) }
        comparison.quantifier = quantifier
        return .condition(.comparison(comparison))
    }
}
