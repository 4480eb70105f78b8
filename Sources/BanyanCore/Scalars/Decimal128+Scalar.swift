extension Decimal128: WideScalar {
    package static var valueKind: ValueKind { .decimal128 }
    package static var kindName: String { "Decimal128" }
    package static var phrase: String { "a number" }
    package static var constantForm: String { "a decimal number such as '12.50'" }
    package static var isWrittenInQuotes: Bool { true }
    package static var mismatchRemedy: String? { "Write \(constantForm)" }
    package static var swiftInitial: String { " = 0" }
    package static var anyRank: UInt8? { 2 }
    package static var typeNames: [String] { ["decimal128", "decimal"] }
    package static var taggedLiteral: TaggedLiteral? {
        TaggedLiteral(tag: "D", misfit: "expected a decimal number as D\"12.50\"") { value(written: $0) }
    }

    @inlinable
    package init(cell: Cell) {
        self.init(bitPattern: UInt128(cell.high) << 64 | UInt128(cell.low))
    }

    @inlinable
    package var cell: Cell {
        let bits = bitPattern
        return Cell(low: UInt64(truncatingIfNeeded: bits), high: UInt64(truncatingIfNeeded: bits >> 64))
    }

    package var value: Value { .decimal128(self) }

    /// Equal decimals have one key, however many zeros they end with; NaN has 0.
    @inline(__always)
    package static func wideKey(_ cell: Cell) -> UInt128 { Decimal128(cell: cell).orderKey }
    package static func cell(wideKey: UInt128) -> Cell? { nil }
    package static var wideKeys: ClosedRange<UInt128> { 1...(.max) }
    @inline(__always)
    package static func hashCell(_ cell: Cell, seed: UInt64) -> UInt64 {
        let key = wideKey(cell)
        return KeyHash.hash(UInt64(truncatingIfNeeded: key), UInt64(truncatingIfNeeded: key >> 64), seed: seed)
    }
    /// A Double stands for the decimal that it prints as, and a Float too, unless the value itself is asked for.
    package static func wideBound(_ value: Value, isExact: Bool) -> (key: UInt128, order: Int)? {
        guard let number = value.number else { return nil }
        let nearest: Decimal128
        var order = 0
        switch number {
        case .integer(let v): nearest = Decimal128(v)
        case .binary(let v) where isExact:
            nearest = NumberOrder.nearestDecimal(v)
            order = NumberOrder.compare(nearest, v) ?? 0
        case .binary(let v):
            if case .float(let float) = value { nearest = Decimal128(float) } else { nearest = Decimal128(v) }
        case .decimal(let v): nearest = v
        }
        return nearest.isNaN ? nil : (nearest.orderKey, order)
    }
    package func isIdentical(to other: Decimal128) -> Bool { bitPattern == other.bitPattern }

    package static var isNumber: Bool { true }
    package static func number(_ cell: Cell) -> Number? { .decimal(Decimal128(cell: cell)) }
    package static var sumKind: ValueKind? { .decimal128 }
    package static var meanKind: ValueKind? { .decimal128 }
    package static func add(_ cell: Cell, times: Int, to sum: inout ScalarSum) -> Bool {
        sum.decimal += Decimal128(cell: cell) * Decimal128(times)
        return true
    }
    package static func total(_ sum: ScalarSum) -> Cell { sum.decimal.cell }
    package static func mean(_ sum: ScalarSum, count: Int) -> Cell { (sum.decimal / Decimal128(count)).cell }

    package static func value(written text: String) -> Value? { Decimal128(text).map { .decimal128($0) } }
    package static func value(integer: Int64) -> Value? { .decimal128(Decimal128(integer)) }
    package static func value(floatingPoint: Double) -> Value? { .decimal128(Decimal128(floatingPoint)) }

    /// With its tag where a text would take the digits for a Double.
    package var literal: String {
        if isNaN { return "nan" }
        if isInfinite { return isNegative ? "-inf" : "inf" }
        return Literal.double(writtenAs: text, self) == nil ? text : "D\"\(text)\""
    }
    package var text: String { description }
}
