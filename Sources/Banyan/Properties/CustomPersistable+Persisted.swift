public import BanyanCore

// How values of custom types get in and out of storage: through the type that they are stored as.

extension _CustomPersistable {
    fileprivate static var isEmbedded: Bool { PersistedType.self is EmbeddedObject.Type }

    public static var _$propertyType: _PropertyType {
        var type = PersistedType._$storedType
        type.implicitDefault = { object, column in
            if let value = _$fallback { _$set(object, column, value) }
        }
        type.lacksFallback = { _$fallback == nil }
        type.accepts = accepts
        return type
    }

    public static var _$optionalType: _PropertyType {
        var type = PersistedType._$optionalType
        type.accepts = accepts
        type.isProjection = isEmbedded
        return type
    }

    public static var _$elementType: _PropertyType {
        var type = PersistedType._$elementType
        type.lacksFallback = { _$fallback == nil }
        type.accepts = accepts
        type.isProjection = isEmbedded
        return type
    }

    /// Whether a stored scalar stands for a value.
    @Sendable
    private static func accepts(_ value: Value) -> Bool {
        PersistedType._$make(_Untyped(value)).flatMap(_$projection) != nil
    }

    // MARK: - Properties

    public static func _$get(_ object: ObjectBase, _ column: Int) -> Self {
        guard let stored = PersistedType._$getStored(object, column) else { return missingValue(of: object, column) }
        if let value = _$projection(stored) { return value }
        guard let graph = object._graph else { return missingValue(of: object, column) }
        graph.reportUnreadable(object._id, column, "\(stored)", Self.self)
        return declaredDefault(of: object, column) ?? missingValue(of: object, column)
    }

    /// What is shown where there is nothing to read: inlining this would not help anybody.
    @inline(never)
    private static func missingValue(of object: ObjectBase, _ column: Int) -> Self {
        if let value = _$fallback { return value }
        // The property has a default then, or no store had taken its model.
        guard let value = declaredDefault(of: object, column) else {
            fatalError("\(Self.self) cannot read the default of a property: give the type an `unreadableValue`")
        }
        return value
    }

    /// The default that a property declares; nil where it declares none.
    private static func declaredDefault(of object: ObjectBase, _ column: Int) -> Self? {
        guard type(of: object)._$model.properties[column].hasDefault else { return nil }
        return PersistedType._$getStored(type(of: object).init(), column).flatMap(_$projection)
    }

    public static func _$set(_ object: ObjectBase, _ column: Int, _ value: Self) {
        if isEmbedded, let present = PersistedType._$getStored(object, column), _$projection(present) == value {
            return
        }
        PersistedType._$setStored(object, column, value.persistableValue)
    }

    public static func _$getOptional(_ object: ObjectBase, _ column: Int) -> Self? {
        PersistedType._$getOptional(object, column).flatMap(_$projection)
    }

    public static func _$setOptional(_ object: ObjectBase, _ column: Int, _ value: Self?) {
        if isEmbedded, let value, _$getOptional(object, column) == value { return }
        PersistedType._$setOptional(object, column, value?.persistableValue)
    }

    // MARK: - Elements

    public static var _$mayBeUnreadable: Bool { true }

    public static func _$element(_ cell: Cell, _ graph: Graph) -> Self {
        let stored = PersistedType._$element(cell, graph)
        if let value = _$projection(stored) { return value }
        graph.reportUnreadable("\(stored)", Self.self)
        guard let value = _$fallback else {
            // No store takes a model with such a collection.
            fatalError("\(Self.self) cannot read an element: give the type an `unreadableValue`")
        }
        return value
    }

    public static func _$scalar(_ cell: Cell) -> Self? {
        PersistedType._$scalar(cell).flatMap { _$projection($0) ?? _$fallback }
    }

    public func _$cell(in graph: Graph) -> Cell? { persistableValue._$cell(in: graph) }

    public func _$withLookupCell<R>(in graph: Graph, _ body: (Cell?) -> R) -> R {
        persistableValue._$withLookupCell(in: graph, body)
    }

    public func _$withScalarCell<R>(_ body: (Cell?) -> R) -> R { persistableValue._$withScalarCell(body) }

    public static func _$optionalElement(_ cell: Cell, _ graph: Graph) -> Self? {
        PersistedType._$optionalElement(cell, graph).flatMap(_$projection)
    }

    public static func _$optionalScalar(_ cell: Cell) -> Self? {
        PersistedType._$optionalScalar(cell).flatMap(_$projection)
    }

    public static func _$withOptionalScalarCell<R>(_ value: Self?, _ body: (Cell?) -> R) -> R {
        PersistedType._$withOptionalScalarCell(value?.persistableValue, body)
    }

    public static func _$optionalCell(_ value: Self?, in graph: Graph) -> Cell? {
        PersistedType._$optionalCell(value?.persistableValue, in: graph)
    }

    public static func _$withOptionalLookupCell<R>(_ value: Self?, in graph: Graph, _ body: (Cell?) -> R) -> R {
        PersistedType._$withOptionalLookupCell(value?.persistableValue, in: graph, body)
    }
}

extension CollectionValue {
    /// Whether elements are values that are stored as objects: those are compared by what they are to their users.
    static var isProjectedObject: Bool { _$elementType.isProjection }
}
