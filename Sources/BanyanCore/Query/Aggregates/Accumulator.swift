/// A running aggregate over cells of one kind. Nil cells count only for `@count`. Of AnyValues only numbers are
/// summed up.
package struct Accumulator {
    let aggregate: Aggregate
    let kind: ValueKind
    private var count = 0
    private var adder = CellAdder()
    private var extreme = Cell.null
    /// All values of a median, in any order.
    private var values: [Cell] = []

    package init(_ aggregate: Aggregate, _ kind: ValueKind) {
        self.aggregate = aggregate
        self.kind = kind
    }

    package mutating func add(_ cell: Cell, times: Int = 1) {
        if aggregate == .count {
            count += times
            return
        }
        if cell.isNull { return }
        count += times
        switch aggregate {
        case .count: break
        case .minimum: if extreme.isNull || CellOrder.compare(cell, extreme, kind) < 0 { extreme = cell }
        case .maximum: if extreme.isNull || CellOrder.compare(cell, extreme, kind) > 0 { extreme = cell }
        case .sum, .average:
            adder.cell = cell
            adder.times = times
            if !kind.visit(with: &adder) { count -= times }
        case .median:
            // Of AnyValues the numbers alone count.
            if kind.form == .any, kind.number(cell) == nil { return count -= times }
            values.append(contentsOf: repeatElement(cell, count: times))
        }
    }

    /// Adds integers that were summed elsewhere.
    mutating func add(integers sum: Int128, count: Int) {
        adder.sum.integer += sum
        self.count += count
    }

    /// Adds floating-point numbers that were summed elsewhere.
    mutating func add(binaries sum: Double, count: Int) {
        adder.sum.binary += sum
        self.count += count
    }

    /// Of the kind `aggregate.resultKind` says. A sum of integers beyond 64 bits is the nearest one within.
    package var result: Cell {
        switch aggregate {
        case .count: return Cell(low: UInt64(count))
        case .minimum, .maximum: return extreme
        case .sum: return kind.type.total(adder.sum)
        case .average: return count == 0 ? .null : kind.type.mean(adder.sum, count: count)
        case .median: return median
        }
    }
}

extension Accumulator {
    /// The value in the middle of all, or the mean of the two that are. O(n log n).
    private var median: Cell {
        let sorted = values.sorted { CellOrder.compare($0, $1, kind) < 0 }
        guard !sorted.isEmpty else { return .null }
        let middle = sorted[(sorted.count - 1) / 2...sorted.count / 2]
        var mean = Accumulator(.average, kind)
        for cell in middle { mean.add(cell) }
        return mean.result
    }
}

/// Adds the value of a cell to a sum, as its kind does.
private struct CellAdder: KindVisitor {
    var sum = ScalarSum()
    var cell = Cell.null
    var times = 1

    @inline(__always)
    mutating func visit<K: StoredKind>(_ kind: K.Type) -> Bool { kind.add(cell, times: times, to: &sum) }
}
