extension Bool: PlainScalar {
    package static var valueKind: ValueKind { .bool }
    package static var kindName: String { "Bool" }
    package static var phrase: String { "a Bool" }
    package static var mismatchRemedy: String? { "Compare it with true or false" }
    package static var swiftInitial: String { " = false" }
    package static var canBeIndexed: Bool { true }
    package static var isOrdered: Bool { false }
    package static var anyRank: UInt8? { 1 }
    package static var typeNames: [String] { ["bool"] }

    package init(cell: Cell) { self = cell.low != 0 }
    package var cell: Cell { Cell(low: self ? 1 : 0) }
    package var value: Value { .bool(self) }

    @inline(__always)
    package static func compareCells(_ a: Cell, _ b: Cell) -> Int { NumberOrder.order(a.low, b.low) }
    @inline(__always)
    package static func hashCell(_ cell: Cell, seed: UInt64) -> UInt64 { KeyHash.hash(cell.low, seed: seed) }

    package var literal: String { text }
    package var text: String { self ? "true" : "false" }
    package var json: ScalarJSON { .bool(self) }
    package var isPlainInJSON: Bool { true }
}
