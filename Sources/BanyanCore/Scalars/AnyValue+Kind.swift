/// A value of a kind that only the program's run decides: see `AnyCell`.
package enum AnyValueKind: StoredKind {
    package static var valueKind: ValueKind { .any }
    package static var kindName: String { "AnyValue" }
    package static var phrase: String { "a value" }
    package static var canBeIndexed: Bool { true }
    package static var canBeOrdered: Bool { false }

    @inline(__always)
    package static func compareCells(_ a: Cell, _ b: Cell) -> Int { AnyOrder.compare(a, b) }
    @inline(__always)
    package static func hashCell(_ cell: Cell, seed: UInt64) -> UInt64 { AnyOrder.hash(cell, seed: seed) }

    package static func value(_ cell: Cell) -> Value {
        let (kind, value) = AnyCell.open(cell)
        return switch (kind, ObjectRef(word: value.low)) {
        case (.none, _), (.list, nil), (.dictionary, nil): .null
        case (.list, let ref?): .list(ref)
        case (.dictionary, let ref?): .dictionary(ref)
        case (.value(let kind), _): Value(value, kind)
        }
    }

    // Of AnyValues those that are numbers add up, as decimals.

    package static var sumKind: ValueKind? { .decimal128 }
    package static var meanKind: ValueKind? { .decimal128 }
    package static func number(_ cell: Cell) -> Number? {
        let (kind, value) = AnyCell.open(cell)
        return kind.valueKind.flatMap { $0.number(value) }
    }
    package static func add(_ cell: Cell, times: Int, to sum: inout ScalarSum) -> Bool {
        let (kind, value) = AnyCell.open(cell)
        guard let kind = kind.valueKind, kind.isNumber else { return false }
        return kind.type.add(value, times: times, to: &sum)
    }
    package static func total(_ sum: ScalarSum) -> Cell { sum.number.cell }
    package static func mean(_ sum: ScalarSum, count: Int) -> Cell { (sum.number / Decimal128(count)).cell }
}
