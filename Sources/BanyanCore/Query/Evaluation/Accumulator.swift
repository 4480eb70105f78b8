/// A running aggregate over cells of one kind. Nil cells count only for `@count`. Of AnyValues only numbers are
/// summed up.
package struct Accumulator {
    let aggregate: Aggregate
    let kind: ValueKind
    private var count = 0
    private var integer: Int128 = 0
    private var binary = 0.0
    private var decimal = Decimal128.zero
    private var extreme = Cell.null

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
            if kind.isInteger {
                integer += Int128(Int64(bitPattern: cell.low)) * Int128(times)
            } else if kind == .decimal128 {
                decimal += Decimal128(cell: cell) * Decimal128(times)
            } else if kind == .any {
                if !add(any: cell, times) { count -= times }
            } else {
                binary += cell.double(kind) * Double(times)
            }
        }
    }

    /// Adds the number that an AnyValue is; false for those that are none.
    private mutating func add(any cell: Cell, _ times: Int) -> Bool {
        let (kind, value) = AnyCell.open(cell)
        switch kind {
        case .int: integer += Int128(Int64(bitPattern: value.low)) * Int128(times)
        case .float: binary += value.double(.float) * Double(times)
        case .double: binary += value.double(.double) * Double(times)
        case .decimal128: decimal += Decimal128(cell: value) * Decimal128(times)
        default: return false
        }
        return true
    }

    /// The sum of AnyValues.
    private var total: Decimal128 { decimal + Decimal128(integer) + Decimal128(binary) }

    /// Adds integers that were summed elsewhere.
    mutating func add(integers sum: Int128, count: Int) {
        integer += sum
        self.count += count
    }

    /// Adds floating-point numbers that were summed elsewhere.
    mutating func add(binaries sum: Double, count: Int) {
        binary += sum
        self.count += count
    }

    /// Of the kind `aggregate.resultKind` says. A sum of integers beyond 64 bits is the nearest one within.
    package var result: Cell {
        switch aggregate {
        case .count: return Cell(low: UInt64(count))
        case .minimum, .maximum: return extreme
        case .sum:
            if kind.isInteger { return Cell(low: UInt64(bitPattern: Int64(clamping: integer))) }
            if kind == .any { return total.cell }
            return kind == .decimal128 ? decimal.cell : Cell(low: binary.bitPattern)
        case .average:
            if count == 0 { return .null }
            if kind == .decimal128 { return (decimal / Decimal128(count)).cell }
            if kind == .any { return (total / Decimal128(count)).cell }
            let sum = kind.isInteger ? Double(integer) : binary
            return Cell(low: (sum / Double(count)).bitPattern)
        }
    }
}

extension Aggregate {
    /// The kind of the result over values of `kind`.
    package func resultKind(_ kind: ValueKind) -> ValueKind {
        switch self {
        case .count: .int
        case .minimum, .maximum: kind
        case .sum: kind.isInteger ? .int : kind == .float ? .double : kind == .any ? .decimal128 : kind
        case .average: kind == .decimal128 || kind == .any ? .decimal128 : .double
        }
    }
}
