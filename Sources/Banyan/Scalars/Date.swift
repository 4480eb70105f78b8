public import BanyanCore
#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Date: _PlainScalar, _CustomStorage, _DetachedScalar, _QueryOrdered, PlainAggregate {
    public typealias _DetachedStored = Date
    public typealias _Detached = Date
    @inlinable public static var _$kind: ValueKind { .date }
    @inlinable public init(_$bits bits: UInt64) {
        self.init(timeIntervalSinceReferenceDate: Double(bitPattern: bits))
    }
    @inlinable public var _$bits: UInt64 { timeIntervalSinceReferenceDate.bitPattern }
    @inlinable public init(_$cell cell: Cell) { self.init(_$bits: cell.low) }
    @inlinable public var _$cell: Cell { Cell(low: _$bits) }
    public static var _$implicitDefault: (@Sendable () -> Date)? { { Date() } }
}
