// What the kinds that hold a binary floating-point number have in common: Float, Double and Date.

/// A scalar that orders as a Double does: NaN equal to itself and below every number, -0 equal to 0.
package protocol BinaryScalar: PlainScalar {
    /// The number in a cell.
    static func binary(_ cell: Cell) -> Double
}

extension BinaryScalar {
    @inline(__always)
    package static func compareCells(_ a: Cell, _ b: Cell) -> Int {
        let (a, b) = (binary(a), binary(b))
        if a < b { return -1 }
        if a > b { return 1 }
        if a == b { return 0 }
        return a.isNaN ? (b.isNaN ? 0 : -1) : 1
    }

    @inline(__always)
    static func hash(bits cell: Cell, seed: UInt64) -> UInt64 {
        let value = Double(bitPattern: cell.low)
        return KeyHash.hash(value.isNaN ? 1 : (value == 0 ? 0 : value).bitPattern, seed: seed)
    }
}

/// A binary floating-point number.
package protocol BinaryNumber: BinaryScalar, BinaryFloatingPoint {}

extension BinaryNumber {
    package static var phrase: String { "a number" }
    package static var swiftInitial: String { " = 0" }
    package static var canBeIndexed: Bool { false }
    package static var canBeOrdered: Bool { true }
    package static var anyRank: UInt8? { 2 }
    package static var isNumber: Bool { true }
    package static var sumKind: ValueKind? { .double }
    package static var meanKind: ValueKind? { .double }

    @inline(__always)
    package static func number(_ cell: Cell) -> Number? { .binary(binary(cell)) }
    @inline(__always)
    package static func add(_ cell: Cell, times: Int, to sum: inout ScalarSum) -> Bool {
        sum.binary += binary(cell) * Double(times)
        return true
    }
    package static func total(_ sum: ScalarSum) -> Cell { sum.binary.cell }
    package static func mean(_ sum: ScalarSum, count: Int) -> Cell { (sum.binary / Double(count)).cell }

    package static func value(integer: Int64) -> Value? { value(floatingPoint: Double(integer)) }
}

extension Float: BinaryNumber {
    package static var valueKind: ValueKind { .float }
    package static var kindName: String { "Float" }
    package static var typeNames: [String] { ["float"] }
    package static var taggedLiteral: TaggedLiteral? {
        TaggedLiteral(tag: "F", misfit: "expected a number as F\"0.1\"") { Float($0).map { .float($0) } }
    }

    @inline(__always)
    package init(cell: Cell) { self.init(bitPattern: UInt32(truncatingIfNeeded: cell.low)) }
    package var cell: Cell { Cell(low: UInt64(bitPattern)) }
    package var value: Value { .float(self) }
    @inline(__always)
    package static func binary(_ cell: Cell) -> Double { Double(Float(cell: cell)) }
    @inline(__always)
    package static func hashCell(_ cell: Cell, seed: UInt64) -> UInt64 {
        let value = Float(cell: cell)
        return KeyHash.hash(value.isNaN ? 1 : UInt64((value == 0 ? 0 : value).bitPattern), seed: seed)
    }
    package func isIdentical(to other: Float) -> Bool { bitPattern == other.bitPattern }

    package static func value(floatingPoint: Double) -> Value? { .float(Float(floatingPoint)) }

    package var literal: String {
        isFinite && Double(self).description != description ? "F\"\(self)\"" : isNaN ? "nan" : description
    }
    package var text: String { "\(self)" }
    package var json: ScalarJSON { .float(self) }
}

extension Double: BinaryNumber {
    package static var valueKind: ValueKind { .double }
    package static var kindName: String { "Double" }
    package static var typeNames: [String] { ["double"] }

    @inline(__always)
    package init(cell: Cell) { self.init(bitPattern: cell.low) }
    package var cell: Cell { Cell(low: bitPattern) }
    package var value: Value { .double(self) }
    @inline(__always)
    package static func binary(_ cell: Cell) -> Double { Double(bitPattern: cell.low) }
    @inline(__always)
    package static func hashCell(_ cell: Cell, seed: UInt64) -> UInt64 { hash(bits: cell, seed: seed) }
    package func isIdentical(to other: Double) -> Bool { bitPattern == other.bitPattern }

    package static func value(floatingPoint: Double) -> Value? { .double(floatingPoint) }

    package var literal: String { isNaN ? "nan" : description }
    package var text: String { "\(self)" }
    package var json: ScalarJSON { .double(self) }
    package var isPlainInJSON: Bool { isFinite }
}
