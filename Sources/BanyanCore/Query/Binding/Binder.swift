/// Where a predicate meets a schema: names become tables and columns, constants become values of the kinds they are
/// compared with, and what cannot be compared is refused with the reason.
struct Binder {
    let layout: StoreLayout
    let names: NameMapping?
    /// Inside SUBQUERY: the tables of the objects around it, the innermost one last.
    var around: [Int] = []

    func bind(_ predicate: Predicate, on table: Int, depth: Int = 0) throws(BindingProblem) -> BoundPredicate {
        guard depth < Predicate.maximumDepth else {
            throw BindingProblem(nil, "conditions are nested more than \(Predicate.maximumDepth) deep")
        }
        switch predicate {
        case .constant(let value): return .constant(value)
        case .and(let parts): return .conjunction(try bind(parts, on: table, depth: depth + 1))
        case .or(let parts): return .disjunction(try bind(parts, on: table, depth: depth + 1))
        case .not(let part): return .negation(try bind(part, on: table, depth: depth + 1))
        case .comparison(let comparison): return try bind(comparison, on: table, depth: depth + 1)
        }
    }

    private func bind(_ parts: [Predicate], on table: Int, depth: Int) throws(BindingProblem) -> [BoundPredicate] {
        var bound: [BoundPredicate] = []
        for part in parts { bound.append(try bind(part, on: table, depth: depth)) }
        return bound
    }

    // MARK: - Comparisons

    /// One side of a comparison.
    private enum Side {
        case constant(Value)
        case constants([Value])
        case nested(NestedConstant)
        case many(ResolvedPath)
        case one(ValueSource)

        var isMany: Bool { if case .many = self { true } else { false } }
    }

    private func bind(_ comparison: Comparison, on table: Int, depth: Int) throws(BindingProblem) -> BoundPredicate {
        let left = try side(comparison.left, on: table, depth: depth)
        let right = try side(comparison.right, on: table, depth: depth)
        let isMany = left.isMany || right.isMany
        guard isMany || comparison.quantifier == nil else {
            throw BindingProblem(
                comparison.firstPath, "\(comparison.quantifier?.rawValue ?? "") needs a path through a collection")
        }
        switch comparison.quantifier {
        case nil, .any: return try bind(comparison, left, right, negated: false)
        // All pass unless some fails.
        case .all: return .negation(try bind(comparison, left, right, negated: true))
        case Comparison.Quantifier.none?: return .negation(try bind(comparison, left, right, negated: false))
        }
    }

    private func side(_ operand: Operand, on table: Int, depth: Int) throws(BindingProblem) -> Side {
        switch operand {
        case .value(let value): return .constant(value)
        case .values(let values): return .constants(values)
        case .nested(let constant): return .nested(constant)
        default:
            if case .path(let written) = operand {
                let path = try resolve(written, from: table)
                if path.isToMany { return .many(path) }
                return .one(path.asksForLength ? .length(path) : .path(path))
            }
            return .one(try source(operand, on: table, depth: depth))
        }
    }

    /// The one value an operand other than a constant has for each object.
    func source(_ operand: Operand, on table: Int, depth: Int = 0) throws(BindingProblem) -> ValueSource {
        switch operand {
        case .value, .values, .nested: throw BindingProblem(nil, "a constant stands where a property is needed")
        case .path(let written):
            let path = try resolve(written, from: table)
            if path.asksForLength, !path.isToMany { return .length(path) }
            try checkIsValue(path)
            return .path(path)
        case .aggregate(let aggregate, let written):
            let path = try resolve(written, from: table)
            // The count of a text is its length.
            if aggregate == .count, !path.isToMany, path.kind.form == .text { return .length(path) }
            try checkIsValue(path)
            if !path.last.isToMany, let contents = contents(of: path) {
                if aggregate == .count { return path.isToMany ? .aggregate(.count, contents) : .size(contents) }
                if !path.isToMany { return try checked(aggregate, contents) }
            }
            return try checked(aggregate, path)
        case .subqueryCount(let written, let predicate):
            let path = try resolve(written, from: table)
            guard path.isToMany, let target = path.target else {
                throw BindingProblem(
                    written, "'\(written)' is \(typeName(path)); SUBQUERY needs a collection of objects")
            }
            var inside = self
            inside.around.append(table)
            return .subqueryCount(path, try inside.bind(predicate, on: target, depth: depth + 1))
        }
    }

    /// A path that asks for a type, or how long each of several texts is, is compared with constants only.
    func checkIsValue(_ path: ResolvedPath) throws(BindingProblem) {
        if path.asksForLength {
            throw BindingProblem(path.written, "'\(path.written)' is compared with numbers, and nothing else")
        }
        guard path.asksForType else { return }
        throw BindingProblem(path.written, "'\(path.written)' is compared with the names of types, and nothing else")
    }

    private func checked(_ aggregate: Aggregate, _ path: ResolvedPath) throws(BindingProblem) -> ValueSource {
        let isSuitable =
            aggregate.need == .elements ? path.last.isToMany : path.isToMany && aggregate.takes(path.kind)
        guard isSuitable else {
            let reason = path.isToMany ? "needs \(aggregate.need.words)" : "needs a path through a collection"
            throw BindingProblem(
                path.written, "'\(path.written)' is \(typeName(path)); \(aggregate.rawValue) \(reason)")
        }
        return .aggregate(aggregate, path)
    }

    private func bind(
        _ comparison: Comparison, _ left: Side, _ right: Side, negated: Bool
    ) throws(BindingProblem) -> BoundPredicate {
        let relation = comparison.operator
        switch (left, right) {
        case (.constant, .constant), (.constant, .constants), (.constant, .nested), (.constants, _),
            (.nested, .constant), (.nested, .constants), (.nested, .nested):
            throw BindingProblem(nil, "'\(comparison)' compares constants", remedy: "Name a property on one side")
        case (.many(let a), .many(let b)):
            throw BindingProblem(
                b.written, "'\(a.written)' and '\(b.written)' both lead through collections",
                remedy: "Compare one of them with a property of the object, or use SUBQUERY")
        case (.many(let path), .constant(let value)):
            return try compare(path, relation, [value], comparison, negated)
        case (.many(let path), .constants(let values)):
            return try compare(path, relation, values, comparison, negated)
        case (.one(.path(let path)), .constant(let value)):
            return try compare(path, relation, [value], comparison, negated)
        case (.one(.path(let path)), .constants(let values)):
            return try compare(path, relation, values, comparison, negated)
        case (.one(let source), .constant(let value)):
            return try compare(source, relation, [value], comparison)
        case (.one(let source), .constants(let values)):
            return try compare(source, relation, values, comparison)
        case (.constant(let value), .many(let path)):
            // `value IN path` asks whether the path reaches the value.
            let flipped = relation == .isIn ? .equal : relation.flipped
            guard let flipped else { throw cannotStandLeft(comparison, path.written) }
            return try compare(path, flipped, [value], comparison, negated)
        case (.constant(let value), .one(let source)):
            guard let flipped = relation.flipped else { throw cannotStandLeft(comparison, comparison.firstPath) }
            if case .path(let path) = source { return try compare(path, flipped, [value], comparison, negated) }
            return try compare(source, flipped, [value], comparison)
        case (.many(let path), .nested(let constant)), (.one(.path(let path)), .nested(let constant)),
            (.nested(let constant), .many(let path)), (.nested(let constant), .one(.path(let path))):
            guard let contents = contents(of: path), relation == .equal || relation == .notEqual else {
                throw BindingProblem(
                    path.written,
                    "'\(path.written)' is \(typeName(path)); a list or a dictionary is compared with an AnyValue",
                    remedy: "Use == or != and an AnyValue")
            }
            return .some(path, .contents(constant, contents), isNegated: negated != (relation == .notEqual))
        case (.one, .nested), (.nested, .one):
            throw BindingProblem(comparison.firstPath, "a list or a dictionary is compared with an AnyValue")
        case (.many(let path), .one(let source)):
            try check(path, relation, source, comparison)
            return .someRelation(
                path, relation, source, comparison.options, isNegated: negated,
                contents: comparedContents(.path(path), source))
        case (.one(let source), .many(let path)):
            let flipped = relation == .isIn ? .equal : relation.flipped
            guard let flipped else { throw cannotStandLeft(comparison, path.written) }
            try check(path, flipped, source, comparison)
            return .someRelation(
                path, flipped, source, comparison.options, isNegated: negated,
                contents: comparedContents(.path(path), source))
        case (.one(let a), .one(let b)):
            try check(a, relation, b, comparison)
            return .relation(a, relation, b, comparison.options, contents: comparedContents(a, b))
        }
    }

    /// The paths to what is in the AnyValues compared.
    private func comparedContents(_ a: ValueSource, _ b: ValueSource) -> [ResolvedPath] {
        guard a.kind == .any, b.kind == .any else { return [] }
        return (a.paths + b.paths).compactMap { contents(of: $0) }
    }

    private func cannotStandLeft(_ comparison: Comparison, _ path: PropertyPath?) -> BindingProblem {
        BindingProblem(
            path, "\(comparison.operator.rawValue) needs the property on its left and the value on its right")
    }
}

extension Comparison {
    var firstPath: PropertyPath? {
        for operand in [left, right] {
            switch operand {
            case .path(let path), .aggregate(_, let path), .subqueryCount(let path, _): return path
            case .value, .values, .nested: continue
            }
        }
        return nil
    }
}

extension Comparison.Operator {
    /// The relation that holds from right to left; nil where there is none.
    var flipped: Comparison.Operator? {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .isIn, .between, .beginsWith, .endsWith, .contains, .like: nil
        }
    }

    var isOrdering: Bool {
        switch self {
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .between: true
        default: false
        }
    }

    var isTextual: Bool {
        switch self {
        case .beginsWith, .endsWith, .contains, .like: true
        default: false
        }
    }
}
