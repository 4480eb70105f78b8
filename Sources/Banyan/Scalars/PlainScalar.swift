public import BanyanCore

/// A value that is stored as its bits in a column of its width.
public protocol _PlainScalar: _PersistedProperty, MapValue, _SetElement, _OptionalWrapped {
    /// What the column holds.
    associatedtype _Bits: BitwiseCopyable & Equatable
    init(_$bits bits: _Bits)
    var _$bits: _Bits { get }
    static var _$kind: ValueKind { get }
    static var _$implicitDefault: (@Sendable () -> Self)? { get }
    init(_$cell cell: Cell)
    var _$cell: Cell { get }
}

extension _PlainScalar {
    public static var _$implicitDefault: (@Sendable () -> Self)? { nil }

    public static var _$propertyType: _PropertyType {
        var type = _PropertyType(kind: _$kind)
        if let make = _$implicitDefault {
            type.implicitDefault = { object, column in _$set(object, column, make()) }
        }
        return type
    }

    public static var _$optionalType: _PropertyType { _PropertyType(kind: _$kind, isOptional: true) }
    public static var _$elementType: _PropertyType { _PropertyType(kind: _$kind) }
    @inlinable public static var _$valueKind: ValueKind { _$kind }

    @inlinable
    @inline(__always)
    static func _$address(_ page: UnsafeRawPointer, _ column: Column, _ slot: Int) -> UnsafeRawPointer {
        page + (Int(column.valueOffset) &+ slot &* MemoryLayout<_Bits>.size)
    }

    @inlinable
    @inline(__always)
    public static func _$get(_ object: ObjectBase, _ column: Int) -> Self {
        let page = object._$readablePage(column)
        let address = _$address(page, object._columns[column], object._slot)
        return Self(_$bits: address.loadUnaligned(as: _Bits.self))
    }

    @inlinable
    @inline(__always)
    public static func _$set(_ object: ObjectBase, _ column: Int, _ value: Self) {
        let bits = value._$bits
        let page = object._$readablePage(column)
        let place = object._columns[column]
        if _$address(page, place, object._slot).loadUnaligned(as: _Bits.self) == bits { return }
        guard place.flags == 0 else { return object._$setCell(column, value._$cell) }
        guard let target = object._$writablePage(column) else { return }
        UnsafeMutableRawPointer(mutating: _$address(target, place, object._slot)).copyBits(bits)
        Page.mark(target, slot: object._slot, column: column)
    }

    @inlinable
    @inline(__always)
    public static func _$getOptional(_ object: ObjectBase, _ column: Int) -> Self? {
        let page = object._$readablePage(column)
        let place = object._columns[column]
        guard place.isPresent(page, object._slot) else { return nil }
        return Self(_$bits: _$address(page, place, object._slot).loadUnaligned(as: _Bits.self))
    }

    @inlinable
    public static func _$setOptional(_ object: ObjectBase, _ column: Int, _ value: Self?) {
        let page = object._$readablePage(column)
        let place = object._columns[column]
        let isPresent = place.isPresent(page, object._slot)
        if let value {
            if isPresent, _$address(page, place, object._slot).loadUnaligned(as: _Bits.self) == value._$bits { return }
        } else if !isPresent {
            return
        }
        guard place.flags == 0 else { return object._$setCell(column, value?._$cell ?? .null) }
        guard let target = object._$writablePage(column) else { return }
        place.setPresent(target, object._slot, value != nil)
        let address = UnsafeMutableRawPointer(mutating: _$address(target, place, object._slot))
        if let value {
            address.copyBits(value._$bits)
        } else {
            address.initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<_Bits>.size)
        }
        Page.mark(target, slot: object._slot, column: column)
    }

    public static func _$element(_ cell: Cell, _ graph: Graph) -> Self { Self(_$cell: cell) }
    public static func _$scalar(_ cell: Cell) -> Self? { Self(_$cell: cell) }
    public func _$cell(in graph: Graph) -> Cell? { _$cell }
    @inlinable
    public func _$withLookupCell<R>(in graph: Graph, _ body: (Cell?) -> R) -> R { body(_$cell) }
    public func _$withScalarCell<R>(_ body: (Cell?) -> R) -> R { body(_$cell) }
    public static func _$optionalElement(_ cell: Cell, _ graph: Graph) -> Self? { _$optionalScalar(cell) }
    public static func _$optionalScalar(_ cell: Cell) -> Self? { cell.isNull ? nil : Self(_$cell: cell) }
    public static func _$optionalCell(_ value: Self?, in graph: Graph) -> Cell? { value?._$cell ?? .null }
    public static func _$withOptionalLookupCell<R>(_ value: Self?, in graph: Graph, _ body: (Cell?) -> R) -> R {
        body(value?._$cell ?? .null)
    }
    public static func _$withOptionalScalarCell<R>(_ value: Self?, _ body: (Cell?) -> R) -> R {
        body(value?._$cell ?? .null)
    }
}

extension UnsafeMutableRawPointer {
    @inlinable
    @inline(__always)
    func copyBits<T: BitwiseCopyable>(_ value: T) {
        withUnsafeBytes(of: value) {
            copyMemory(from: $0.baseAddress.unsafelyUnwrapped, byteCount: MemoryLayout<T>.size)
        }
    }
}

extension ObjectBase {
    /// Sets a managed property that takes more than a store.
    @usableFromInline
    @_effects(notEscapingself.**)
    final func _$setCell(_ column: Int, _ cell: Cell) {
        guard let graph = _graph else { return }
        graph.requireTransaction(_id, column).set(_id, column, cell)
    }
}

/// Sixteen bytes as two words: what columns of 16-byte values hold.
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
