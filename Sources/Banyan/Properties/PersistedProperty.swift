public import BanyanCore

/// A type that a `@Persisted` property can have.
public protocol _PersistedProperty: SendableMetatype {
    static func _$get(_ object: ObjectBase, _ column: Int) -> Self
    static func _$set(_ object: ObjectBase, _ column: Int, _ value: Self)
    static var _$propertyType: _PropertyType { get }
}

/// A type that the elements of a collection can have.
public protocol CollectionValue: Hashable, SendableMetatype {
    static var _$elementType: _PropertyType { get }
    /// What its cells are.
    static var _$valueKind: ValueKind { get }
    /// The element a cell of a managed collection holds.
    static func _$element(_ cell: Cell, _ graph: Graph) -> Self
    /// The scalar a cell holds; nil for what links to an object.
    static func _$scalar(_ cell: Cell) -> Self?
    /// Whether a cell may hold what is no value of the type: reading it then fails the transaction.
    static var _$mayBeUnreadable: Bool { get }
    /// The cell for a managed collection; nil when the transaction has failed. Objects are added to the graph; the cell of an
    /// embedded object is that of a new one, which the collection is to own.
    func _$cell(in graph: Graph) -> Cell?
    /// The cell for a managed collection, where it is at hand; nil where it must be made, and for what belongs elsewhere. A
    /// graph is known by where it stands.
    func _$readyCell(_ standing: UnsafeRawPointer) -> Cell?
    /// The next element of a managed collection.
    static func _$next(_ cursor: inout _ElementCursor) -> Self?
    /// The object that an element is or holds; nil for a scalar.
    var _$object: ObjectBase? { get }
    /// The object that an element is, holds or is stored as; nil for a scalar.
    var _$storedObject: ObjectBase? { get }
    /// The element without its type.
    var _$untyped: _Untyped { get }
    /// The element that an untyped value is; nil if it is none.
    static func _$make(_ untyped: _Untyped) -> Self?
    /// The element that an object is, or is stored as.
    static func _$project(_ object: ObjectBase) -> Self?
    /// The same for looking a value up, when nothing must be added or allocated: `body` gets nil for what cannot be there.
    func _$withLookupCell<R>(in graph: Graph, _ body: (Cell?) -> R) -> R
    /// Calls `body` with the cell of a scalar, which is valid only inside it and needs no graph; with nil for a link.
    func _$withScalarCell<R>(_ body: (Cell?) -> R) -> R
}

/// A type whose Optional can be a property or an element.
public protocol _OptionalWrapped: Hashable, SendableMetatype {
    static func _$getOptional(_ object: ObjectBase, _ column: Int) -> Self?
    static func _$setOptional(_ object: ObjectBase, _ column: Int, _ value: Self?)
    static var _$optionalType: _PropertyType { get }
    static func _$optionalElement(_ cell: Cell, _ graph: Graph) -> Self?
    static func _$optionalScalar(_ cell: Cell) -> Self?
    static func _$optionalCell(_ value: Self?, in graph: Graph) -> Cell?
    static func _$withOptionalLookupCell<R>(_ value: Self?, in graph: Graph, _ body: (Cell?) -> R) -> R
    static func _$withOptionalScalarCell<R>(_ value: Self?, _ body: (Cell?) -> R) -> R
    static func _$projectWrapped(_ object: ObjectBase) -> Self?
    static func _$storedObject(ofWrapped value: Self) -> ObjectBase?
}

extension Optional: _PersistedProperty where Wrapped: _OptionalWrapped {
    @inlinable
    @inline(__always)
    public static func _$get(_ object: ObjectBase, _ column: Int) -> Wrapped? { Wrapped._$getOptional(object, column) }

    @inlinable
    @inline(__always)
    public static func _$set(_ object: ObjectBase, _ column: Int, _ value: Wrapped?) {
        Wrapped._$setOptional(object, column, value)
    }

    public static var _$propertyType: _PropertyType { Wrapped._$optionalType }
}

extension CollectionValue {
    public var _$object: ObjectBase? { nil }
    public static var _$valueKind: ValueKind { _$elementType.kind }

    public static func _$scalar(_ cell: Cell) -> Self? { nil }
    public func _$withScalarCell<R>(_ body: (Cell?) -> R) -> R { body(nil) }

    public func _$readyCell(_ standing: UnsafeRawPointer) -> Cell? { nil }

    public static var _$mayBeUnreadable: Bool { false }

    public static func _$next(_ cursor: inout _ElementCursor) -> Self? {
        cursor.next().map { cursor.graph.element($0, of: cursor.owner, cursor.column) }
    }
}

extension _OptionalWrapped {
    public static func _$optionalScalar(_ cell: Cell) -> Self? { nil }
    public static func _$withOptionalScalarCell<R>(_ value: Self?, _ body: (Cell?) -> R) -> R {
        body(value == nil ? .null : nil)
    }
}

extension Optional: CollectionValue where Wrapped: _OptionalWrapped {
    public static var _$elementType: _PropertyType { Wrapped._$optionalType }
    public static func _$element(_ cell: Cell, _ graph: Graph) -> Wrapped? { Wrapped._$optionalElement(cell, graph) }
    public func _$cell(in graph: Graph) -> Cell? { Wrapped._$optionalCell(self, in: graph) }
    public var _$object: ObjectBase? { flatMap { $0 as? ObjectBase } }
    public func _$withLookupCell<R>(in graph: Graph, _ body: (Cell?) -> R) -> R {
        Wrapped._$withOptionalLookupCell(self, in: graph, body)
    }
    public static func _$scalar(_ cell: Cell) -> Wrapped?? { .some(Wrapped._$optionalScalar(cell)) }
    public func _$withScalarCell<R>(_ body: (Cell?) -> R) -> R { Wrapped._$withOptionalScalarCell(self, body) }
}
