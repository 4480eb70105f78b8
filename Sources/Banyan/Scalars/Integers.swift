public import BanyanCore

// Integers of every width.

extension _PlainScalar where Self: FixedWidthInteger & SignedInteger & BitwiseCopyable, _Bits == Self {
    @inlinable public init(_$bits bits: Self) { self = bits }
    @inlinable public var _$bits: Self { self }
    @inlinable public init(_$cell cell: Cell) { self = Self(truncatingIfNeeded: cell.low) }
    @inlinable public var _$cell: Cell { Cell(low: UInt64(bitPattern: Int64(self))) }
}

extension SummableValue where Self: FixedWidthInteger & SignedInteger {
    public static func _$sum(_ values: some Sequence<Self>) -> Int {
        Int(clamping: values.reduce(into: Int128(0)) { $0 += Int128($1) })
    }

    public static func _$average(_ values: some Sequence<Self>) -> Double? {
        var (sum, count) = (Int128(0), 0)
        for value in values { (sum, count) = (sum + Int128(value), count + 1) }
        return count == 0 ? nil : Double(sum) / Double(count)
    }
}

extension Int: _PlainScalar, _CustomStorage, _DetachedScalar, PrimaryKeyValue, _QueryNumber, _QueryAveraged,
    SummableValue,
    PlainAggregate
{
    public typealias _Bits = Int
    public typealias _DetachedStored = Int
    public typealias _Detached = Int
    @inlinable public static var _$kind: ValueKind { .int }
}

extension Int8: _PlainScalar, _CustomStorage, _DetachedScalar, PrimaryKeyValue, _QueryNumber, _QueryAveraged,
    SummableValue,
    PlainAggregate
{
    public typealias _Bits = Int8
    public typealias _DetachedStored = Int8
    public typealias _Detached = Int8
    @inlinable public static var _$kind: ValueKind { .int8 }
}

extension Int16: _PlainScalar, _CustomStorage, _DetachedScalar, PrimaryKeyValue, _QueryNumber, _QueryAveraged,
    SummableValue,
    PlainAggregate
{
    public typealias _Bits = Int16
    public typealias _DetachedStored = Int16
    public typealias _Detached = Int16
    @inlinable public static var _$kind: ValueKind { .int16 }
}

extension Int32: _PlainScalar, _CustomStorage, _DetachedScalar, PrimaryKeyValue, _QueryNumber, _QueryAveraged,
    SummableValue,
    PlainAggregate
{
    public typealias _Bits = Int32
    public typealias _DetachedStored = Int32
    public typealias _Detached = Int32
    @inlinable public static var _$kind: ValueKind { .int32 }
}

extension Int64: _PlainScalar, _CustomStorage, _DetachedScalar, PrimaryKeyValue, _QueryNumber, _QueryAveraged,
    SummableValue,
    PlainAggregate
{
    public typealias _Bits = Int64
    public typealias _DetachedStored = Int64
    public typealias _Detached = Int64
    @inlinable public static var _$kind: ValueKind { .int }
}

extension Int: MapKey {
    public var _$keyText: String { String(self) }
    public init?(_$keyText text: String) { self.init(text) }
}
