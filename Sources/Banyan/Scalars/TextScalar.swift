public import BanyanCore
#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A value that is stored as bytes: String and Data.
public protocol _TextScalar: _PersistedProperty, MapValue, _SetElement, _OptionalWrapped {
    static var _$kind: ValueKind { get }
    /// The value of a text cell.
    init(_$text cell: Cell)
    /// Calls `body` with the value's bytes.
    func _$withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R
}

extension String: _TextScalar, _CustomStorage, _DetachedScalar, PrimaryKeyValue, MapKey, _QueryOrdered {
    public typealias _DetachedStored = String
    public typealias _Detached = String
    public static var _$blank: String { "" }
    public var _$keyText: String { self }
    public init?(_$keyText text: String) { self = text }
    public static var _$kind: ValueKind { .string }
    @inlinable
    @inline(__always)
    public init(_$text cell: Cell) {
        self = SmallString.string(cell)
    }
    public func _$withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        var copy = self
        return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}

extension Data: _TextScalar, _CustomStorage, _DetachedScalar {
    public typealias _DetachedStored = Data
    public typealias _Detached = Data
    public static var _$blank: Data { Data() }
    public static var _$kind: ValueKind { .data }
    public init(_$text cell: Cell) { self = Text.withBytes(cell) { Data($0) } }
    public func _$withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R { withUnsafeBytes { body($0) } }
}

extension _TextScalar {
    public static var _$propertyType: _PropertyType { _PropertyType(kind: _$kind) }
    public static var _$optionalType: _PropertyType { _PropertyType(kind: _$kind, isOptional: true) }
    public static var _$elementType: _PropertyType { _PropertyType(kind: _$kind) }
    @inlinable public static var _$valueKind: ValueKind { _$kind }

    @inlinable
    @inline(__always)
    public static func _$get(_ object: ObjectBase, _ column: Int) -> Self {
        let page = object._$readablePage(column)
        let cell = Cell(loading: .string, from: page + Int(object._columns[column].valueOffset), at: object._slot)
        return Self(_$text: cell)
    }

    @inlinable
    @inline(__always)
    public static func _$getOptional(_ object: ObjectBase, _ column: Int) -> Self? {
        let page = object._$readablePage(column)
        let place = object._columns[column]
        guard place.isPresent(page, object._slot) else { return nil }
        return Self(_$text: Cell(loading: .string, from: page + Int(place.valueOffset), at: object._slot))
    }

    public static func _$set(_ object: ObjectBase, _ column: Int, _ value: Self) {
        value._$withBytes { object._$setText(column, $0, _$kind) }
    }

    public static func _$setOptional(_ object: ObjectBase, _ column: Int, _ value: Self?) {
        if let value { _$set(object, column, value) } else { object._$setText(column, nil, _$kind) }
    }

    public static func _$element(_ cell: Cell, _ graph: Graph) -> Self { Self(_$text: cell) }
    public func _$cell(in graph: Graph) -> Cell? {
        _$withBytes { bytes in graph.workspace.transaction?.makeText(bytes, BanyanError.Location()) }
    }
    public func _$withLookupCell<R>(in graph: Graph, _ body: (Cell?) -> R) -> R {
        _$withBytes { Text.withCell($0, body) }
    }
    public static func _$scalar(_ cell: Cell) -> Self? { Self(_$text: cell) }
    public func _$withScalarCell<R>(_ body: (Cell?) -> R) -> R { _$withBytes { Text.withCell($0, body) } }
    public static func _$optionalElement(_ cell: Cell, _ graph: Graph) -> Self? { _$optionalScalar(cell) }
    public static func _$optionalScalar(_ cell: Cell) -> Self? { cell.isNull ? nil : Self(_$text: cell) }
    public static func _$optionalCell(_ value: Self?, in graph: Graph) -> Cell? {
        guard let value else { return .null }
        return value._$cell(in: graph)
    }
    public static func _$withOptionalLookupCell<R>(_ value: Self?, in graph: Graph, _ body: (Cell?) -> R) -> R {
        _$withOptionalScalarCell(value, body)
    }
    public static func _$withOptionalScalarCell<R>(_ value: Self?, _ body: (Cell?) -> R) -> R {
        value.map { $0._$withScalarCell(body) } ?? body(.null)
    }
}

extension ObjectBase {
    @_effects(notEscapingself.**)
    final func _$setText(_ column: Int, _ bytes: UnsafeRawBufferPointer?, _ kind: ValueKind) {
        guard let graph = _graph else {
            let place = _columns[column]
            UnmanagedText.free(place.load(kind, _page, 0))
            place.store(bytes.map(UnmanagedText.make) ?? .null, kind, _page, 0)
            return
        }
        graph.requireTransaction(_id, column).setText(_id, column, bytes)
    }
}
