/// Makes filters of bound predicates, cheap conditions before costly ones.
struct Compiler {
    let layout: StoreLayout

    func filter(_ predicate: BoundPredicate) -> any PageFilter {
        switch predicate {
        case .constant(let value): return ConstantFilter(value: value)
        case .and(let parts): return AndFilter(parts: ordered(parts).map(filter))
        case .or(let parts): return OrFilter(parts: ordered(parts).map(filter))
        case .not(let part): return NotFilter(part: filter(part))
        case .some(let path, let test, let isNegated): return around(path, filter(path, 0, test, isNegated))
        case .source(let source, let test):
            return SourceFilter(source: self.source(source), test: test.cellTest(source.kind))
        case .relation(let left, let relation, let right, let options, _):
            return RelationFilter(
                left: source(left), right: source(right),
                relation: CellRelation(relation: relation, left: left.kind, right: right.kind, options: options))
        case .someRelation(let path, let relation, let source, let options, let isNegated, _):
            return SomeRelationFilter(
                path: PathReader(path, layout), levels: path.outer, source: self.source(source),
                relation: CellRelation(relation: relation, left: path.kind, right: source.kind, options: options),
                isNegated: isNegated)
        }
    }

    /// The condition on the object that the path starts at, where that is one around a SUBQUERY.
    private func around(_ path: ResolvedPath, _ filter: any PageFilter) -> any PageFilter {
        path.outer == 0 ? filter : AroundFilter(levels: path.outer, filter: filter)
    }

    private func around(_ path: ResolvedPath, _ source: any CellSource) -> any CellSource {
        path.outer == 0 ? source : AroundSource(levels: path.outer, source: source)
    }

    /// The condition on what the path reaches from its step `index` on.
    private func filter(_ path: ResolvedPath, _ index: Int, _ test: ValueTest, _ isNegated: Bool) -> any PageFilter {
        let step = PathStep(path.steps[index], layout)
        guard index < path.steps.count - 1 else {
            if case .single(let kind) = step.access {
                let filter = test.filter(step.column, kind)
                return isNegated ? NotFilter(part: filter) : filter
            }
            return SomeCellFilter(step: step, test: test.cellTest(path.kind), isNegated: isNegated)
        }
        if step.isAny {
            let rest = path.steps[index...].map { PathStep($0, layout) }
            return SomePathFilter(
                path: PathReader(rest, path.kind), test: test.cellTest(path.kind), isNegated: isNegated)
        }
        let endsSingle = path.steps[(index + 1)...].allSatisfy { !$0.isToMany }
        return link(
            step, filter(path, index + 1, test, isNegated), ifNil: endsSingle && test.acceptsNil != isNegated)
    }

    private func link(_ step: PathStep, _ inner: any PageFilter, ifNil: Bool) -> any PageFilter {
        if case .single = step.access {
            return LinkFilter(column: step.column, target: step.onlyTarget, inner: inner, ifNil: ifNil)
        }
        return SomeObjectFilter(step: step, inner: inner, ifNil: ifNil)
    }

    // MARK: - Values

    func source(_ source: ValueSource) -> any CellSource {
        switch source {
        case .constant(let value, let kind):
            guard let cell = KeyCell(value, kind) else { preconditionFailure("a constant that binding did not check") }
            return ConstantSource(kind: kind, constant: cell)
        case .path(let path):
            let reader = PathReader(path, layout)
            if reader.steps.count == 1, case .single(let kind) = reader.steps[0].access {
                return around(path, ColumnSource(kind: kind, column: reader.steps[0].column))
            }
            return around(path, PathSource(path: reader))
        case .aggregate(.count, let path):
            let reader = PathReader(path, layout)
            let owners = reader.steps.count > 1 ? PathReader(Array(reader.steps.dropLast()), .object) : nil
            return around(path, CountSource(owners: owners, step: reader.steps[reader.steps.count - 1]))
        case .aggregate(let aggregate, let path):
            return around(path, AggregateSource(aggregate, PathReader(path, layout)))
        case .size(let path):
            let steps = PathReader(path, layout).steps
            let owner = PathReader(Array(steps.dropLast()), .any)
            return around(path, SizeSource(owner: owner, step: steps[steps.count - 1]))
        case .length(let path): return around(path, LengthSource(path: PathReader(path, layout)))
        case .subqueryCount(let path, let inner):
            return SubqueryCountSource(path: PathReader(path, layout), levels: path.outer, inner: filter(inner))
        }
    }

    // MARK: - Order of conditions

    private func ordered(_ parts: [BoundPredicate]) -> [BoundPredicate] {
        parts.enumerated().map { (cost($1), $0, $1) }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }

    /// Roughly nanoseconds an object.
    private func cost(_ predicate: BoundPredicate) -> Int {
        switch predicate {
        case .constant: 0
        case .and(let parts), .or(let parts): parts.reduce(0) { $0 + cost($1) }
        case .not(let part): cost(part)
        case .some(let path, let test, _): pathCost(path) + cost(test)
        case .source(let source, _): cost(source)
        case .relation(let left, _, let right, _, _): 10 + cost(left) + cost(right)
        case .someRelation(let path, _, let source, _, _, _): pathCost(path) + cost(source)
        }
    }

    private func pathCost(_ path: ResolvedPath) -> Int {
        path.steps.enumerated().reduce(0) { sum, step in
            switch step.element.access {
            case .single: sum + (step.offset < path.steps.count - 1 ? 20 : 0)
            case .mapValue, .element, .lastElement: sum + 50
            case .elements, .mapKeys, .sources, .contents: sum + 100
            }
        }
    }

    private func cost(_ test: ValueTest) -> Int {
        switch test {
        case .never, .isNil, .bool: 0
        case .integers, .binaries, .links: 1
        case .integerSet, .binarySet, .isNaN, .wides, .wideSet: 5
        case .text(let text): text.options.isEmpty ? 4 : 40
        case .anyOf(let tests): tests.reduce(0) { $0 + cost($1) }
        case .any, .kinds: 30
        case .contents: 200
        case .length(let test): 40 + cost(test)
        }
    }

    private func cost(_ source: ValueSource) -> Int {
        switch source {
        case .constant: 0
        case .path(let path): 5 + pathCost(path)
        case .length(let path): 45 + pathCost(path)
        case .aggregate(_, let path), .size(let path): 20 + pathCost(path)
        case .subqueryCount(let path, let inner): 20 + pathCost(path) + cost(inner)
        }
    }
}
