import BanyanCore
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PredicateExpressions.Value: TranslatedExpression {
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated { .constant(value) }
}

extension PredicateExpressions.Variable: TranslatedExpression {
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated {
        guard let path = translator.path(of: key) else { throw translator.unsupported(Self.self) }
        return .operand(.path(path))
    }
}

extension PredicateExpressions.KeyPath: TranslatedExpression {
    func translated(_ translator: PredicateTranslator) throws(BanyanError) -> Translated {
        switch try translator.translate(root) {
        case .operand(.path(let path)):
            if let type = Root.Output.self as? any _QueriedObject.Type {
                return .operand(.path(path.appending(try property(type))))
            }
            if let made = member(of: path) { return made }
        case .objects(let path, let condition):
            let count = Operand.subqueryCount(path, condition)
            switch kind {
            case .collectionCount: return .operand(count)
            case .collectionIsEmpty: return .condition(.comparison(Comparison(count, .equal, .value(.int(0)))))
            default: break
            }
        case .constant(let value):
            if let value = value as? Root.Output { return .constant(value[keyPath: keyPath]) }
        default: break
        }
        throw BanyanError(
            .invalidQuery, "the predicate has the key path \(keyPath), for which there is nothing in a query",
            remedy: "Use properties marked @Persisted, and count and isEmpty of texts, data and collections")
    }

    private func property(_ type: any _QueriedObject.Type) throws(BanyanError) -> PropertyPath.Step {
        .property(try KeyPathTracer.property(keyPath, of: type._$model).name)
    }

    /// Of a text, data, or a collection.
    private func member(of path: PropertyPath) -> Translated? {
        func isEqual(_ operand: Operand, _ value: Value) -> Translated {
            .condition(.comparison(Comparison(operand, .equal, .value(value))))
        }
        let keyPath = keyPath as AnyKeyPath
        if keyPath == \String.count || keyPath == \Data.count { return .operand(.path(path.appending(.length))) }
        if keyPath == \String.isEmpty { return isEqual(.path(path), .string("")) }
        if keyPath == \Data.isEmpty { return isEqual(.path(path), .data(Data())) }
        guard let members = (Root.Output.self as? any QueriedMembers.Type)?.members else { return nil }
        switch keyPath {
        case members.count: return .operand(.aggregate(.count, path))
        case members.isEmpty: return isEqual(.aggregate(.count, path), .int(0))
        case members.first: return .operand(.path(path.appending(.first)))
        case members.last: return .operand(.path(path.appending(.last)))
        default: return nil
        }
    }
}

/// The key paths of what a query knows of a collection.
private protocol QueriedMembers {
    static var members: (count: AnyKeyPath, isEmpty: AnyKeyPath, first: AnyKeyPath?, last: AnyKeyPath?) { get }
}

extension List: QueriedMembers {
    static var members: (count: AnyKeyPath, isEmpty: AnyKeyPath, first: AnyKeyPath?, last: AnyKeyPath?) {
        (\List.count, \List.isEmpty, \List.first, \List.last)
    }
}

extension MutableSet: QueriedMembers {
    static var members: (count: AnyKeyPath, isEmpty: AnyKeyPath, first: AnyKeyPath?, last: AnyKeyPath?) {
        (\MutableSet.count, \MutableSet.isEmpty, nil, nil)
    }
}

extension LinkingObjects: QueriedMembers {
    static var members: (count: AnyKeyPath, isEmpty: AnyKeyPath, first: AnyKeyPath?, last: AnyKeyPath?) {
        (\LinkingObjects.count, \LinkingObjects.isEmpty, nil, nil)
    }
}

extension Map: QueriedMembers {
    static var members: (count: AnyKeyPath, isEmpty: AnyKeyPath, first: AnyKeyPath?, last: AnyKeyPath?) {
        (\Map.count, \Map.isEmpty, nil, nil)
    }
}
