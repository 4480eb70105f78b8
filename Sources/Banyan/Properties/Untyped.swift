import BanyanCore

/// A property's value, or an element's, without its Swift type: what conversions, copies and decoding trade in.
public struct _Untyped {
    enum Content {
        case value(Value)
        case object(ObjectBase)
        /// A list or a dictionary in an AnyValue.
        case nested(AnyValue)
    }
    let content: Content

    init(_ value: Value) { content = .value(value) }
    init(nested value: AnyValue) { content = .nested(value) }
    init(_ object: ObjectBase?) { content = object.map { .object($0) } ?? .value(.null) }

    var isNull: Bool { if case .value(.null) = content { true } else { false } }
    /// As a key of a dictionary.
    var text: String {
        switch content {
        case .value(let value): value.text
        case .object(let object): "\(object)"
        case .nested(let value): "\(value)"
        }
    }

    var object: ObjectBase? { if case .object(let object) = content { object } else { nil } }
}

/// What a property holds, without its Swift type.
enum UntypedContents {
    case single(_Untyped)
    /// Of a list or a set.
    case list([_Untyped])
    case map([(key: _Untyped, value: _Untyped)])
}

extension UntypedContents {
    /// The elements of a list or a set, as these have them; or the index of the first that does not fit.
    func elements<Element: CollectionValue>(_: Element.Type) -> (fitting: [Element], misfit: Int?) {
        guard case .list(let values) = self else { return ([], 0) }
        var made: [Element] = []
        made.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            guard let element = Element._$make(value) else { return (made, index) }
            made.append(element)
        }
        return (made, nil)
    }
}

extension CollectionValue {
    public var _$storedObject: ObjectBase? { _$object }

    public var _$untyped: _Untyped {
        if Self._$elementType.kind.isLink { return _Untyped(_$storedObject) }
        return _$withScalarCell { cell in _Untyped(Value(cell ?? .null, Self._$elementType.kind)) }
    }

    public static func _$make(_ untyped: _Untyped) -> Self? {
        let kind = _$elementType.kind
        switch untyped.content {
        case .object(let object): return kind.isLink ? _$project(object) : nil
        case .nested: return nil
        case .value(.null): return _$elementType.isOptional ? _$scalar(.null) : nil
        case .value(let value): return kind.isLink ? nil : value.withCell(as: kind) { $0.flatMap { _$scalar($0) } }
        }
    }

    public static func _$project(_ object: ObjectBase) -> Self? { object as? Self }
}

extension _OptionalWrapped {
    public static func _$projectWrapped(_ object: ObjectBase) -> Self? { object as? Self }
    public static func _$storedObject(ofWrapped value: Self) -> ObjectBase? { value as? ObjectBase }
}

extension Optional where Wrapped: _OptionalWrapped {
    public static func _$project(_ object: ObjectBase) -> Wrapped?? {
        Wrapped._$projectWrapped(object).map { .some($0) }
    }
    public var _$storedObject: ObjectBase? { flatMap { Wrapped._$storedObject(ofWrapped: $0) } }
}

extension _CustomPersistable {
    public var _$storedObject: ObjectBase? { persistableValue as? ObjectBase }
    public static func _$project(_ object: ObjectBase) -> Self? { _$projectWrapped(object) }
    public static func _$projectWrapped(_ object: ObjectBase) -> Self? {
        (object as? PersistedType).flatMap(_$projection)
    }
    public static func _$storedObject(ofWrapped value: Self) -> ObjectBase? { value._$storedObject }
}

extension ObjectBase {
    /// What a property holds. Not for inverses.
    final func untyped(_ column: Int) -> UntypedContents {
        let property = Self._$model.properties[column]
        if property.type.shape != .single {
            return property.type.collection.map { $0(self, column)._$contents } ?? .list([])
        }
        if property.type.kind == .any { return .single(AnyValue._$get(self, column)._$untyped) }
        let page = _$readablePage(column)
        let cell = _columns[column].load(property.type.kind, page, _slot)
        guard property.type.kind.isLink else { return .single(_Untyped(Value(cell, property.type.kind))) }
        guard !cell.isNull, cell.low != 0 else { return .single(_Untyped(nil as ObjectBase?)) }
        guard let graph = _graph else { return .single(_Untyped(_ObjectModel.object(cell.low))) }
        guard let ref = ObjectRef(word: cell.low) else { return .single(_Untyped(nil as ObjectBase?)) }
        return .single(_Untyped(graph.instance(graph.binder(ref.table).model.type, ref)))
    }
}
