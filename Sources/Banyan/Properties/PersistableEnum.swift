public import BanyanCore

/// An enum that properties and collections can hold; it is stored as its raw value.
///
/// ```swift
/// enum Status: String, PersistableEnum { case open, closed }
/// ```
/// A property without a default starts with the first case. A stored raw value that is no case any more reads as nil where
/// the property, or the element of a collection, is optional. Elsewhere it fails the transaction inside a write, and reads as the
/// property's default; as an element, which has none, as the first case.
nonisolated public protocol PersistableEnum: RawRepresentable, CaseIterable, Sendable, Codable, _PersistedProperty,
    MapValue, _SetElement,
    _OptionalWrapped, _CustomStorage, _DetachedScalar, PrimaryKeyValue
where
    RawValue: _PersistedProperty & CollectionValue & _OptionalWrapped & Codable, _Detached == Self,
    _DetachedStored == Self
{}

extension PersistableEnum {
    static var _$first: Self {
        guard let first = allCases.first else {
            fatalError("the enum \(Self.self) has no case, so no value can be made")
        }
        return first
    }

    public static var _$blank: Self { _$first }

    public static var _$propertyType: _PropertyType {
        var type = RawValue._$propertyType
        type.implicitDefault = { object, column in RawValue._$set(object, column, _$first.rawValue) }
        type.accepts = _$accepts
        return type
    }
    public static var _$optionalType: _PropertyType { accepting(RawValue._$optionalType) }
    public static var _$elementType: _PropertyType { accepting(RawValue._$elementType) }

    private static func accepting(_ type: _PropertyType) -> _PropertyType {
        var type = type
        type.accepts = _$accepts
        return type
    }

    /// Whether a stored value is that of a case.
    @Sendable
    private static func _$accepts(_ value: Value) -> Bool {
        RawValue._$make(_Untyped(value)).flatMap(Self.init(rawValue:)) != nil
    }

    public static func _$get(_ object: ObjectBase, _ column: Int) -> Self {
        let raw = RawValue._$get(object, column)
        if let value = Self(rawValue: raw) { return value }
        return unreadable(object, column, "\(raw)")
    }
    /// What a stored value that is no case reads as.
    @inline(never)
    private static func unreadable(_ object: ObjectBase, _ column: Int, _ raw: String) -> Self {
        guard let graph = object._graph else { return _$first }
        graph.reportUnknownCase(object._id, column, raw, Self.self)
        let model = type(of: object)._$model
        guard model.properties[column].hasDefault else { return _$first }
        return Self(rawValue: RawValue._$get(model.type.init(), column)) ?? _$first
    }
    public static func _$set(_ object: ObjectBase, _ column: Int, _ value: Self) {
        RawValue._$set(object, column, value.rawValue)
    }
    public static func _$getOptional(_ object: ObjectBase, _ column: Int) -> Self? {
        RawValue._$getOptional(object, column).flatMap(Self.init(rawValue:))
    }
    public static func _$setOptional(_ object: ObjectBase, _ column: Int, _ value: Self?) {
        RawValue._$setOptional(object, column, value?.rawValue)
    }

    public static var _$mayBeUnreadable: Bool { true }
    public static func _$element(_ cell: Cell, _ graph: Graph) -> Self {
        let raw = RawValue._$element(cell, graph)
        if let value = Self(rawValue: raw) { return value }
        graph.reportUnreadable("\(raw)", Self.self)
        return _$first
    }
    public static func _$scalar(_ cell: Cell) -> Self? {
        RawValue._$scalar(cell).map { Self(rawValue: $0) ?? _$first }
    }
    public func _$cell(in graph: Graph) -> Cell? { rawValue._$cell(in: graph) }
    public func _$withLookupCell<R>(in graph: Graph, _ body: (Cell?) -> R) -> R {
        rawValue._$withLookupCell(in: graph, body)
    }
    public func _$withScalarCell<R>(_ body: (Cell?) -> R) -> R { rawValue._$withScalarCell(body) }
    public static func _$optionalElement(_ cell: Cell, _ graph: Graph) -> Self? {
        RawValue._$optionalElement(cell, graph).flatMap(Self.init(rawValue:))
    }
    public static func _$optionalScalar(_ cell: Cell) -> Self? {
        RawValue._$optionalScalar(cell).flatMap(Self.init(rawValue:))
    }
    public static func _$withOptionalScalarCell<R>(_ value: Self?, _ body: (Cell?) -> R) -> R {
        RawValue._$withOptionalScalarCell(value?.rawValue, body)
    }
    public static func _$optionalCell(_ value: Self?, in graph: Graph) -> Cell? {
        RawValue._$optionalCell(value?.rawValue, in: graph)
    }
    public static func _$withOptionalLookupCell<R>(_ value: Self?, in graph: Graph, _ body: (Cell?) -> R) -> R {
        RawValue._$withOptionalLookupCell(value?.rawValue, in: graph, body)
    }
}
