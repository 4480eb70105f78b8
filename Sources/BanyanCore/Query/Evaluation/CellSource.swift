/// One value for each object: a column, what stands at the end of a path of single values, or a number made of many
/// values.
protocol CellSource: Sendable {
    var kind: ValueKind { get }
    func cell(_ page: UnsafeRawPointer, _ slot: Int, _ view: QueryView) -> Cell
}

struct ConstantSource: CellSource {
    let kind: ValueKind
    let constant: KeyCell

    func cell(_ page: UnsafeRawPointer, _ slot: Int, _ view: QueryView) -> Cell { constant.cell }
}

struct ColumnSource: CellSource {
    let kind: ValueKind
    let column: Column

    func cell(_ page: UnsafeRawPointer, _ slot: Int, _ view: QueryView) -> Cell { column.load(kind, page, slot) }
}

struct PathSource: CellSource {
    let path: PathReader
    var kind: ValueKind { path.kind }

    func cell(_ page: UnsafeRawPointer, _ slot: Int, _ view: QueryView) -> Cell {
        var result = Cell.null
        path.forEachCell(page, slot, view) { cell, _ in
            result = cell
            return false
        }
        return result
    }
}

/// `@count`: the sizes of the collections or inverses that a path ends in.
struct CountSource: CellSource {
    /// The way to the collection's owners; nil when that is the object itself.
    let owners: PathReader?
    let step: PathStep
    var kind: ValueKind { .int }

    func cell(_ page: UnsafeRawPointer, _ slot: Int, _ view: QueryView) -> Cell {
        guard let owners else { return Cell(low: UInt64(step.count(page, slot))) }
        var count = 0
        owners.forEachCell(page, slot, view) { cell, times in
            if let ref = owners.target(cell), let page = view.page(ref.table, slot: ref.slot) {
                count += step.count(page, ref.slot & Page.slotMask) * times
            }
            return true
        }
        return Cell(low: UInt64(count))
    }
}

/// `@count` of what one AnyValue holds; nil where that is neither a list nor a dictionary.
struct SizeSource: CellSource {
    let owner: PathReader
    let step: PathStep
    var kind: ValueKind { .int }

    func cell(_ page: UnsafeRawPointer, _ slot: Int, _ view: QueryView) -> Cell {
        var size = Cell.null
        owner.forEachCell(page, slot, view) { cell, _ in
            if let ref = owner.target(cell), let page = view.page(ref.table, slot: ref.slot) {
                size = Cell(low: UInt64(step.count(page, ref.slot & Page.slotMask)))
            }
            return false
        }
        return size
    }
}

/// How many objects at a path's end satisfy a condition.
struct SubqueryCountSource: CellSource {
    let path: PathReader
    /// How many SUBQUERYs are around the object that the path starts at, seen from here.
    let levels: Int
    let inner: any PageFilter
    var kind: ValueKind { .int }

    func cell(_ page: UnsafeRawPointer, _ slot: Int, _ view: QueryView) -> Cell {
        var count = 0
        let start = levels == 0 ? (page, slot, view) : view.around(levels)
        view.inside(page, slot) { inside in
            path.forEachCell(start.0, start.1, view) { cell, times in
                if !cell.isNull, let ref = ObjectRef(word: cell.low), let page = view.page(ref.table, slot: ref.slot),
                    inner.accepts(page, ref.slot & Page.slotMask, inside)
                {
                    count += times
                }
                return true
            }
        }
        return Cell(low: UInt64(count))
    }
}

/// An aggregate over all that a path reaches.
struct AggregateSource: CellSource {
    let aggregate: Aggregate
    let path: PathReader
    let kind: ValueKind

    init(_ aggregate: Aggregate, _ path: PathReader) {
        self.aggregate = aggregate
        self.path = path
        kind = aggregate.resultKind(path.kind)
    }

    func cell(_ page: UnsafeRawPointer, _ slot: Int, _ view: QueryView) -> Cell {
        var accumulator = Accumulator(aggregate, path.kind)
        path.forEachCell(page, slot, view) { cell, times in
            accumulator.add(cell, times: times)
            return true
        }
        return accumulator.result
    }
}
