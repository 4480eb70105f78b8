// Integers of every width. A cell holds the 64 bits, whatever the width is, and a `Value` does not say it.

/// An integer as properties have it.
package protocol IntegerScalar: PlainScalar, FixedWidthInteger, SignedInteger {}

extension IntegerScalar {
    package static var phrase: String { "a number" }
    package static var swiftInitial: String { " = 0" }
    package static var canBeKey: Bool { true }
    package static var isNumber: Bool { true }
    package static var sumKind: ValueKind? { .int }
    package static var meanKind: ValueKind? { .double }

    @inline(__always)
    package init(cell: Cell) { self.init(truncatingIfNeeded: cell.low) }
    package var cell: Cell { Cell(low: UInt64(bitPattern: Int64(self))) }
    package var value: Value { .int(Int64(self)) }

    @inline(__always)
    package static func value(_ cell: Cell) -> Value { .int(Int64(bitPattern: cell.low)) }
    package func cell(as kind: ValueKind) -> Cell? {
        guard let all = kind.integers, all.contains(Int64(self)) else { return nil }
        return cell
    }

    @inline(__always)
    package static func compareCells(_ a: Cell, _ b: Cell) -> Int {
        NumberOrder.order(Int64(bitPattern: a.low), Int64(bitPattern: b.low))
    }
    @inline(__always)
    package static func hashCell(_ cell: Cell, seed: UInt64) -> UInt64 { KeyHash.hash(cell.low, seed: seed) }

    @inline(__always)
    package static func number(_ cell: Cell) -> Number? { .integer(Int64(bitPattern: cell.low)) }
    @inline(__always)
    package static func add(_ cell: Cell, times: Int, to sum: inout ScalarSum) -> Bool {
        sum.integer += Int128(Int64(bitPattern: cell.low)) * Int128(times)
        return true
    }
    /// Beyond 64 bits the nearest one within.
    package static func total(_ sum: ScalarSum) -> Cell { Int64(clamping: sum.integer).cell }
    package static func mean(_ sum: ScalarSum, count: Int) -> Cell { (Double(sum.integer) / Double(count)).cell }

    package static func value(key text: String) -> Value? { Int64(text).map { .int($0) } }
    /// Whether it is in range is found out where it is stored.
    package static func value(integer: Int64) -> Value? { .int(integer) }
    package static func value(floatingPoint: Double) -> Value? { Int64(exactly: floatingPoint).map { .int($0) } }

    package var literal: String { text }
    package var text: String { String(self) }
    package var json: ScalarJSON { .integer(Int64(self)) }
    package var isPlainInJSON: Bool { true }
}

extension Int8: IntegerScalar {
    package static var valueKind: ValueKind { .int8 }
    package static var kindName: String { "Int8" }
}

extension Int16: IntegerScalar {
    package static var valueKind: ValueKind { .int16 }
    package static var kindName: String { "Int16" }
}

extension Int32: IntegerScalar {
    package static var valueKind: ValueKind { .int32 }
    package static var kindName: String { "Int32" }
}

/// The kind of Int, and the only one in AnyValues.
extension Int64: IntegerScalar {
    package static var valueKind: ValueKind { .int }
    package static var kindName: String { "Int" }
    package static var anyRank: UInt8? { 2 }
    package static var typeNames: [String] { ["int", "integer"] }

    package func swift(_ kind: ValueKind) -> any Sendable {
        switch kind.form {
        case .int8: Int8(truncatingIfNeeded: self)
        case .int16: Int16(truncatingIfNeeded: self)
        case .int32: Int32(truncatingIfNeeded: self)
        case .int64, .bit, .float32, .float64, .bytes12, .bytes16, .text, .any, .link: Int(self)
        }
    }
}
