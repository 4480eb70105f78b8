// Aggregates over the objects that satisfy a predicate.

extension CompiledPredicate {
    /// The minimum, maximum, sum, average or median of a property over all objects that satisfy the predicate; `@count` counts
    /// the objects. Nil values are left out; minimum, maximum and average of nothing are nil.
    ///
    /// - Parameter operand: a path of single values, or an aggregate of each object.
    /// - Throws: `invalidQuery` for a property that is not there or has no such aggregate.
    /// - Complexity: O(objects worth testing); O(log n) for the extremes of a property with an ordered index over all
    ///   objects.
    package func aggregate(
        _ aggregate: Aggregate, of operand: Operand, in view: GraphView, names: NameMapping? = nil
    ) throws(BanyanError) -> Value {
        if aggregate == .count { return .int(Int64(count(in: view))) }
        var sum = try accumulator(aggregate, of: operand, view.layout, names)
        accumulate(into: &sum, in: view)
        return sum.result
    }

    /// An aggregate of nothing yet.
    func accumulator(
        _ aggregate: Aggregate, of operand: Operand, _ layout: StoreLayout, _ names: NameMapping?
    ) throws(BanyanError) -> AggregateInProgress {
        do throws(BindingProblem) {
            let source = try AggregateBinder(layout: layout, names: names).source(aggregate, of: operand, on: table)
            return AggregateInProgress(
                accumulator: Accumulator(aggregate, source.source.kind), source: source.source, own: source.own,
                kind: aggregate.resultKind(source.source.kind))
        } catch {
            throw error.asError
        }
    }

    /// Adds the objects that satisfy the predicate.
    func accumulate(into sum: inout AggregateInProgress, in view: GraphView) {
        if let own = sum.own, addExtreme(of: own, into: &sum.accumulator, in: view) { return }
        let source = sum.source
        var accumulator = sum.accumulator
        let column = (source as? ColumnSource)?.column
        forEachPage(in: view, reading: column.map { ($0, source.kind.width) }) { page, mask, _ in
            if let column, accumulator.add(column, page, mask) { return true }
            var rest = mask
            while rest != 0 {
                accumulator.add(source.cell(page, rest.trailingZeroBitCount, QueryView(view)))
                rest &= rest &- 1
            }
            return true
        }
        sum.accumulator = accumulator
    }
}

struct AggregateInProgress {
    fileprivate var accumulator: Accumulator
    fileprivate let source: any CellSource
    /// The number of the column that it is.
    fileprivate let own: Int?
    fileprivate let kind: ValueKind

    var result: Value { Value(accumulator.result, kind) }
}

private struct AggregateBinder {
    let layout: StoreLayout
    let names: NameMapping?

    func source(
        _ aggregate: Aggregate, of operand: Operand, on table: Int
    ) throws(BindingProblem) -> (source: any CellSource, own: Int?) {
        let bound = try Binder(layout: layout, names: names).source(operand, on: table)
        let path = bound.paths.first?.written
        if case .path(let path) = bound, path.isToMany {
            throw BindingProblem(path.written, "'\(path.written)' has several values for each object")
        }
        guard aggregate.takes(bound.kind) else {
            throw BindingProblem(
                path, "'\(operand)' is \(bound.kind.name); \(aggregate.rawValue) needs \(aggregate.need.words)")
        }
        return (Compiler(layout: layout).source(bound), bound.ownColumn)
    }
}
