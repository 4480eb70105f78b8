public import BanyanCore

extension Decimal128: _PlainScalar, _CustomStorage, _DetachedScalar, _QueryNumber, _QueryAveraged, SummableValue,
    PlainAggregate
{
    public typealias _DetachedStored = Decimal128
    public typealias _Detached = Decimal128
    @inlinable public static var _$kind: ValueKind { .decimal128 }
    @inlinable public init(_$bits bits: _TwoWords) { self.init(cell: bits.cell) }
    @inlinable public var _$bits: _TwoWords { _TwoWords(cell) }
    @inlinable public init(_$cell cell: Cell) { self.init(cell: cell) }
    @inlinable public var _$cell: Cell { cell }
    // All bits zero is 0E-6176; a decimal starts as plain 0.
    public static var _$implicitDefault: (@Sendable () -> Decimal128)? { { Decimal128() } }

    public static func _$sum(_ values: some Sequence<Decimal128>) -> Decimal128 { values.reduce(into: 0) { $0 += $1 } }

    public static func _$average(_ values: some Sequence<Decimal128>) -> Decimal128? {
        var (sum, count) = (Decimal128(0), 0)
        for value in values { (sum, count) = (sum + value, count + 1) }
        return count == 0 ? nil : sum / Decimal128(count)
    }
}
