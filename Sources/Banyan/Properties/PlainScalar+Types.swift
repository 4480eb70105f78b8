public import BanyanCore
#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// The plain types: what their columns hold, and their cells.

extension _PlainScalar where Self: FixedWidthInteger & SignedInteger & BitwiseCopyable, _Bits == Self {
    @inlinable public init(_$bits bits: Self) { self = bits }
    @inlinable public var _$bits: Self { self }
    @inlinable public init(_$cell cell: Cell) { self = Self(truncatingIfNeeded: cell.low) }
    @inlinable public var _$cell: Cell { Cell(low: UInt64(bitPattern: Int64(self))) }
}

extension Int: _PlainScalar {
    public typealias _Bits = Int
    @inlinable public static var _$kind: ValueKind { .int }
}
extension Int8: _PlainScalar {
    public typealias _Bits = Int8
    @inlinable public static var _$kind: ValueKind { .int8 }
}
extension Int16: _PlainScalar {
    public typealias _Bits = Int16
    @inlinable public static var _$kind: ValueKind { .int16 }
}
extension Int32: _PlainScalar {
    public typealias _Bits = Int32
    @inlinable public static var _$kind: ValueKind { .int32 }
}
extension Int64: _PlainScalar {
    public typealias _Bits = Int64
    @inlinable public static var _$kind: ValueKind { .int }
}

// Floating-point numbers are compared and stored as bits, so that NaN again is not a change and -0 after 0 is one.
extension Float: _PlainScalar {
    @inlinable public static var _$kind: ValueKind { .float }
    @inlinable public init(_$bits bits: UInt32) { self.init(bitPattern: bits) }
    @inlinable public var _$bits: UInt32 { bitPattern }
    @inlinable public init(_$cell cell: Cell) { self.init(bitPattern: UInt32(truncatingIfNeeded: cell.low)) }
    @inlinable public var _$cell: Cell { Cell(low: UInt64(bitPattern)) }
}
extension Double: _PlainScalar {
    @inlinable public static var _$kind: ValueKind { .double }
    @inlinable public init(_$bits bits: UInt64) { self.init(bitPattern: bits) }
    @inlinable public var _$bits: UInt64 { bitPattern }
    @inlinable public init(_$cell cell: Cell) { self.init(bitPattern: cell.low) }
    @inlinable public var _$cell: Cell { Cell(low: bitPattern) }
}

extension Date: _PlainScalar {
    @inlinable public static var _$kind: ValueKind { .date }
    @inlinable public init(_$bits bits: UInt64) {
        self.init(timeIntervalSinceReferenceDate: Double(bitPattern: bits))
    }
    @inlinable public var _$bits: UInt64 { timeIntervalSinceReferenceDate.bitPattern }
    @inlinable public init(_$cell cell: Cell) { self.init(_$bits: cell.low) }
    @inlinable public var _$cell: Cell { Cell(low: _$bits) }
    public static var _$implicitDefault: (@Sendable () -> Date)? { { Date() } }
}

/// Sixteen bytes as two words: what columns of UUID and Decimal128 hold.
@frozen
public struct _TwoWords: BitwiseCopyable, Equatable {
    @usableFromInline var low: UInt64
    @usableFromInline var high: UInt64
    @inlinable
    init(_ cell: Cell) {
        low = cell.low
        high = cell.high
    }
    @inlinable var cell: Cell { Cell(low: low, high: high) }
}

extension UUID: _PlainScalar {
    @inlinable public static var _$kind: ValueKind { .uuid }
    @inlinable public init(_$bits bits: _TwoWords) { self.init(cell: bits.cell) }
    @inlinable public var _$bits: _TwoWords { _TwoWords(cell) }
    @inlinable public init(_$cell cell: Cell) { self.init(cell: cell) }
    @inlinable public var _$cell: Cell { cell }
    public static var _$implicitDefault: (@Sendable () -> UUID)? { { UUID() } }
}

extension Decimal128: _PlainScalar {
    @inlinable public static var _$kind: ValueKind { .decimal128 }
    @inlinable public init(_$bits bits: _TwoWords) { self.init(cell: bits.cell) }
    @inlinable public var _$bits: _TwoWords { _TwoWords(cell) }
    @inlinable public init(_$cell cell: Cell) { self.init(cell: cell) }
    @inlinable public var _$cell: Cell { cell }
    // All bits zero is 0E-6176; a decimal starts as plain 0.
    public static var _$implicitDefault: (@Sendable () -> Decimal128)? { { Decimal128() } }
}

extension ObjectId: _PlainScalar {
    @inlinable public static var _$kind: ValueKind { .objectId }
    @inlinable public init(_$bits bits: ObjectId) { self = bits }
    @inlinable public var _$bits: ObjectId { self }
    @inlinable public init(_$cell cell: Cell) { self.init(cell: cell) }
    @inlinable public var _$cell: Cell { cell }
    public static var _$implicitDefault: (@Sendable () -> ObjectId)? { { ObjectId.generate() } }
}
