public import BanyanCore

// Floating-point numbers are compared and stored as bits, so that NaN again is not a change and -0 after 0 is one.

extension SummableValue where Self: BinaryFloatingPoint {
    public static func _$sum(_ values: some Sequence<Self>) -> Double { values.reduce(into: 0) { $0 += Double($1) } }

    public static func _$average(_ values: some Sequence<Self>) -> Double? {
        var (sum, count) = (0.0, 0)
        for value in values { (sum, count) = (sum + Double(value), count + 1) }
        return count == 0 ? nil : sum / Double(count)
    }
}

extension Float: _PlainScalar, _CustomStorage, _DetachedScalar, _QueryNumber, _QueryAveraged, SummableValue,
    PlainAggregate
{
    public typealias _DetachedStored = Float
    public typealias _Detached = Float
    @inlinable public static var _$kind: ValueKind { .float }
    @inlinable public init(_$bits bits: UInt32) { self.init(bitPattern: bits) }
    @inlinable public var _$bits: UInt32 { bitPattern }
    @inlinable public init(_$cell cell: Cell) { self.init(bitPattern: UInt32(truncatingIfNeeded: cell.low)) }
    @inlinable public var _$cell: Cell { Cell(low: UInt64(bitPattern)) }
}

extension Double: _PlainScalar, _CustomStorage, _DetachedScalar, _QueryNumber, SummableValue, PlainAggregate {
    public typealias _DetachedStored = Double
    public typealias _Detached = Double
    @inlinable public static var _$kind: ValueKind { .double }
    @inlinable public init(_$bits bits: UInt64) { self.init(bitPattern: bits) }
    @inlinable public var _$bits: UInt64 { bitPattern }
    @inlinable public init(_$cell cell: Cell) { self.init(bitPattern: cell.low) }
    @inlinable public var _$cell: Cell { Cell(low: bitPattern) }
}
