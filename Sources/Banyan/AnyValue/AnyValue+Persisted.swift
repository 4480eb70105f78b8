public import BanyanCore

extension AnyValue: _PersistedProperty {
    public static var _$propertyType: _PropertyType { _PropertyType(kind: .any) }

    public static func _$get(_ object: ObjectBase, _ column: Int) -> AnyValue {
        let page = object._$readablePage(column)
        guard let owner = object._owner else { return AnyValueBox.value(object._columns[column].word(page, 0)) }
        let context = owner.takeUnretainedValue()
        return AnyValue(object._columns[column].load(.any, page, object._slot), context.graph)
    }

    public static func _$set(_ object: ObjectBase, _ column: Int, _ value: AnyValue) {
        guard let graph = object._graph else {
            let place = object._columns[column]
            let old = place.word(object._page, 0)
            place.setWord(object._page, 0, value.isNone ? 0 : _ObjectModel.retain(AnyValueBox(value)))
            _ObjectModel.release(old)
            return
        }
        let transaction = graph.requireTransaction(object._id, column)
        // What it holds already is nothing new, and not to be copied.
        if let nested = value.nested(in: graph), transaction.contains(object._id),
            let link = AnyCell.link(transaction.view.cell(object._id.ref, column)), link.target == nested
        {
            return
        }
        if let cell = value.cell(in: graph, column, of: object._id) { transaction.set(object._id, column, cell) }
    }
}

extension AnyValue: CollectionValue {
    public static var _$elementType: _PropertyType { _PropertyType(kind: .any) }
    public static func _$element(_ cell: Cell, _ graph: Graph) -> AnyValue { AnyValue(cell, graph) }
    public var _$object: ObjectBase? { if case .object(let object) = self { object } else { nil } }

    public func _$cell(in graph: Graph) -> Cell? { cell(in: graph, BanyanError.Location(), level: 1) }

    public var _$untyped: _Untyped {
        switch self {
        case .object(let object): _Untyped(object)
        case .list, .dictionary: _Untyped(nested: self)
        default: _Untyped(stored)
        }
    }

    public static func _$make(_ untyped: _Untyped) -> AnyValue? {
        switch untyped.content {
        case .object(let object): _$project(object)
        case .nested(let value): value
        case .value(let value): AnyValue(value)
        }
    }

    public static func _$project(_ object: ObjectBase) -> AnyValue? { (object as? Object).map { .object($0) } }

    public static func _$scalar(_ cell: Cell) -> AnyValue? { AnyValue(BanyanCore.Value(cell, .any)) }

    /// The cell of a link tells objects and collections apart, and says nothing of where they stand.
    public func _$withScalarCell<R>(_ body: (Cell?) -> R) -> R {
        switch self {
        case .object(let object): body(AnyCell.link(.object, to: LocalIdentity.of(object)))
        case .list(let list): body(AnyCell.link(.list, to: LocalIdentity.of(list)))
        case .dictionary(let map): body(AnyCell.link(.dictionary, to: LocalIdentity.of(map)))
        default: stored.withAnyCell { kind, value in AnyCell.withCell(kind, value, body) }
        }
    }

    public func _$withLookupCell<R>(in graph: Graph, _ body: (Cell?) -> R) -> R {
        switch self {
        case .object(let object):
            return object._$withLookupCell(in: graph) { cell in
                body(cell.flatMap { ObjectRef(word: $0.low) }.map { AnyCell.link(.object, to: $0) })
            }
        case .list: return body(nested(in: graph).map { AnyCell.link(.list, to: $0) })
        case .dictionary: return body(nested(in: graph).map { AnyCell.link(.dictionary, to: $0) })
        default: return _$withScalarCell(body)
        }
    }
}

// MARK: - Cells

extension AnyValue {
    /// What a cell of a graph holds. An object that is gone is nothing.
    init(_ cell: Cell, _ graph: Graph) {
        let (kind, value) = AnyCell.open(cell)
        if kind.valueKind?.isLink ?? false {
            self = ObjectRef(word: value.low).map { AnyValue(kind, $0, graph.workspace.view, graph) } ?? .none
        } else {
            self = kind.valueKind.map { AnyValue(BanyanCore.Value(value, $0)) } ?? .none
        }
    }

    /// A link, as `view` has it, to what is there still.
    init(_ kind: AnyKind, _ ref: ObjectRef, _ view: GraphView, _ graph: Graph) {
        guard view.contains(ref) else {
            self = .none
            return
        }
        let id = view.id(ref)
        switch kind {
        case .list: self = .list(List(CollectionHandle(graph, id, NestedValues.listColumn)))
        case .dictionary: self = .dictionary(Map(CollectionHandle(graph, id, NestedValues.dictionaryColumn)))
        default:
            guard let type = graph.binder(ref.table).model.type as? Object.Type, graph.workspace.locate(id) != nil
            else {
                self = .none
                return
            }
            self = .object(graph.instance(type, ref))
        }
    }

    /// The object behind a list or dictionary that this graph manages.
    func nested(in graph: Graph) -> ObjectRef? {
        let handle: CollectionHandle? =
            switch self {
            case .list(let list): list.handle
            case .dictionary(let map): map.handle
            default: nil
            }
        guard let handle, handle.standing == graph.workspace.standing, !handle.isInvalidated,
            Int(handle.owner.table) == graph.workspace.view.layout.nestedTable
        else { return nil }
        return handle.owner.ref
    }

    /// The cell for a property of an object, which is to own what the cell does; nil when the transaction has failed. Objects
    /// are added; a list or a dictionary, wherever it is from, is copied.
    func cell(in graph: Graph, _ column: Int, of id: ObjectID) -> Cell? {
        cell(in: graph, graph.binder(Int(id.table)).layout.location(column, object: "\(id)"), level: 1)
    }

    func cell(in graph: Graph, _ place: @autoclosure () -> BanyanError.Location, level: Int) -> Cell? {
        guard let transaction = graph.workspace.transaction else { return nil }
        switch self {
        case .object(let object):
            return graph.linkCell(object).flatMap { ObjectRef(word: $0.low) }.map { AnyCell.link(.object, to: $0) }
        case .list(let list):
            guard let nested = transaction.createNested(place(), level: level) else { return nil }
            var cells: [Cell] = []
            cells.reserveCapacity(list.count)
            for element in list {
                guard let cell = element.cell(in: graph, place(), level: level + 1) else { return nil }
                cells.append(cell)
            }
            transaction.listInsert(nested, NestedValues.listColumn, at: 0, cells)
            return AnyCell.link(.list, to: nested.ref)
        case .dictionary(let map):
            guard let nested = transaction.createNested(place(), level: level) else { return nil }
            var entries: [(key: Cell, value: Cell)] = []
            for (key, element) in map {
                guard let cell = element.cell(in: graph, place(), level: level + 1), let key = key._$cell(in: graph)
                else { return nil }
                entries.append((key, cell))
            }
            transaction.mapFill(nested, NestedValues.dictionaryColumn, entries)
            return AnyCell.link(.dictionary, to: nested.ref)
        default: return transaction.makeAny(stored, place())
        }
    }
}
