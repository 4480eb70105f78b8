public import BanyanCore

// A Bool is a bit of its column's bitmap.
extension Bool: _PersistedProperty, MapValue, _SetElement, _OptionalWrapped, _CustomStorage, _DetachedScalar {
    public typealias _DetachedStored = Bool
    public typealias _Detached = Bool
    public static var _$blank: Bool { false }

    public static var _$propertyType: _PropertyType { _PropertyType(kind: .bool) }
    public static var _$optionalType: _PropertyType { _PropertyType(kind: .bool, isOptional: true) }
    public static var _$elementType: _PropertyType { _PropertyType(kind: .bool) }

    @inlinable
    @inline(__always)
    static func _$bit(_ page: UnsafeRawPointer, _ place: Column, _ slot: Int) -> Bool {
        let word = page.load(fromByteOffset: Int(place.valueOffset), as: UInt64.self)
        return word &>> UInt64(truncatingIfNeeded: slot) & 1 != 0
    }

    @inlinable
    @inline(__always)
    public static func _$get(_ object: ObjectBase, _ column: Int) -> Bool {
        _$bit(object._$readablePage(column), object._columns[column], object._slot)
    }

    @inlinable
    @inline(__always)
    public static func _$set(_ object: ObjectBase, _ column: Int, _ value: Bool) {
        let page = object._$readablePage(column)
        let place = object._columns[column]
        if _$bit(page, place, object._slot) == value { return }
        guard place.flags == 0 else { return object._$setCell(column, Cell(low: value ? 1 : 0)) }
        guard let target = object._$writablePage(column) else { return }
        Column.setBit(target, Int(place.valueOffset), object._slot, value)
        Page.mark(target, slot: object._slot, column: column)
    }

    @inlinable
    @inline(__always)
    public static func _$getOptional(_ object: ObjectBase, _ column: Int) -> Bool? {
        let page = object._$readablePage(column)
        let place = object._columns[column]
        return place.isPresent(page, object._slot) ? _$bit(page, place, object._slot) : nil
    }

    public static func _$setOptional(_ object: ObjectBase, _ column: Int, _ value: Bool?) {
        guard _$getOptional(object, column) != value else { return }
        let place = object._columns[column]
        guard place.flags == 0 else { return object._$setCell(column, value.map { Cell(low: $0 ? 1 : 0) } ?? .null) }
        guard let target = object._$writablePage(column) else { return }
        place.setPresent(target, object._slot, value != nil)
        Column.setBit(target, Int(place.valueOffset), object._slot, value ?? false)
        Page.mark(target, slot: object._slot, column: column)
    }

    private var stored: Cell { Cell(low: self ? 1 : 0) }

    public static func _$element(_ cell: Cell, _ graph: Graph) -> Bool { cell.low != 0 }
    public static func _$scalar(_ cell: Cell) -> Bool? { cell.low != 0 }
    public func _$cell(in graph: Graph) -> Cell? { stored }
    public func _$withLookupCell<R>(in graph: Graph, _ body: (Cell?) -> R) -> R { body(stored) }
    public func _$withScalarCell<R>(_ body: (Cell?) -> R) -> R { body(stored) }
    public static func _$optionalElement(_ cell: Cell, _ graph: Graph) -> Bool? { _$optionalScalar(cell) }
    public static func _$optionalScalar(_ cell: Cell) -> Bool? { cell.isNull ? nil : cell.low != 0 }
    public static func _$optionalCell(_ value: Bool?, in graph: Graph) -> Cell? { value?.stored ?? .null }
    public static func _$withOptionalLookupCell<R>(_ value: Bool?, in graph: Graph, _ body: (Cell?) -> R) -> R {
        body(value?.stored ?? .null)
    }
    public static func _$withOptionalScalarCell<R>(_ value: Bool?, _ body: (Cell?) -> R) -> R {
        body(value?.stored ?? .null)
    }
}
