public import BanyanCore

// A to-one link: `var dog: Dog?`, `var address: Address?`.
extension ObjectBase: _OptionalWrapped {
    public static var _$optionalType: _PropertyType {
        _PropertyType(kind: self is EmbeddedObject.Type ? .embedded : .object, isOptional: true, target: self)
    }

    @inlinable
    public static func _$getOptional(_ object: ObjectBase, _ column: Int) -> Self? { object._$target(self, column) }

    public static func _$setOptional(_ object: ObjectBase, _ column: Int, _ value: ObjectBase?) {
        guard let graph = object._graph else {
            let place = object._columns[column]
            let old = place.word(object._page, 0)
            place.setWord(object._page, 0, _ObjectModel.retain(value))
            _ObjectModel.release(old)
            return
        }
        let transaction = graph.requireTransaction(object._id, column)
        guard let value else {
            transaction.set(object._id, column, .null)
            return
        }
        // The same embedded object again is nothing, not a second owner.
        if value._graph === graph, transaction.view.word(object._id.ref, column) == value._id.ref.word,
            !value.isInvalidated
        {
            return
        }
        if let cell = graph.linkCell(value) { transaction.set(object._id, column, cell) }
    }

    public static func _$optionalElement(_ cell: Cell, _ graph: Graph) -> Self? {
        ObjectRef(word: cell.isNull ? 0 : cell.low).map { graph.instance(Self.self, $0) }
    }

    public static func _$optionalCell(_ value: ObjectBase?, in graph: Graph) -> Cell? {
        guard let value else { return .null }
        return graph.linkCell(value)
    }

    public static func _$withOptionalLookupCell<R>(
        _ value: ObjectBase?, in graph: Graph, _ body: (Cell?) -> R
    ) -> R {
        guard let value else { return body(.null) }
        return value._$withLookupCell(in: graph, body)
    }
}

// Objects as elements of collections.
extension ObjectBase: CollectionValue {
    public static var _$elementType: _PropertyType {
        _PropertyType(kind: self is EmbeddedObject.Type ? .embedded : .object, target: self)
    }

    public static func _$element(_ cell: Cell, _ graph: Graph) -> Self {
        guard let ref = ObjectRef(word: cell.low) else { return graph.missing(Self.self) }
        return graph.instance(Self.self, ref)
    }

    public func _$cell(in graph: Graph) -> Cell? { graph.linkCell(self) }
    public var _$object: ObjectBase? { self }

    public func _$readyCell(_ place: UnsafeRawPointer) -> Cell? {
        guard UnsafeRawPointer(_standing) == place,
            _stamp == _standing.pointee.stamp || Standing.locate(_standing, _id) != nil
        else { return nil }
        return _id.ref.cell
    }

    @inlinable
    @inline(__always)
    public static func _$next(_ cursor: inout _ElementCursor) -> Self? {
        guard let (page, id) = cursor.nextLink() else { return slowNext(&cursor) }
        if let object = cursor.last.take() {
            object._page = UnsafeMutableRawPointer(mutating: page)
            object._stamp = cursor.stamp
            object._id = id
            return unsafeDowncast(object, to: Self.self)
        }
        let object = Self(_$binding: cursor.binding(id, page))
        cursor.last.keep(object)
        return object
    }

    @usableFromInline
    @inline(never)
    static func slowNext(_ cursor: inout _ElementCursor) -> Self? { cursor.next().map { _$element($0, cursor.graph) } }

    public func _$withLookupCell<R>(in graph: Graph, _ body: (Cell?) -> R) -> R {
        body(_graph?.lineage === graph.lineage && !isInvalidated ? _id.ref.cell : nil)
    }
}

extension ObjectBase {
    /// The object that a link leads to. Nothing is retained on the way.
    @inlinable
    @inline(__always)
    final func _$target<T: ObjectBase>(_ type: T.Type, _ column: Int) -> T? {
        // What is unmanaged, or to be looked up again, goes the other way.
        guard _standing.pointee.stamp == _stamp, let context = _owner else { return T._$slowTarget(self, column) }
        guard let ref = ObjectRef(word: _columns[column].word(_page, _slot)) else { return nil }
        return context._withUnsafeGuaranteedRef { unsafeDowncast($0.handle(ref), to: T.self) }
    }

    @usableFromInline
    @inline(never)
    @_effects(notEscapingobject.**)
    @_effects(releasenone)
    static func _$slowTarget(_ object: ObjectBase, _ column: Int) -> Self? {
        let page = object._$readablePage(column)
        let word = object._columns[column].word(page, object._slot)
        if word == 0 { return nil }
        if let linked = object._$follow(word) { return unsafeDowncast(linked, to: Self.self) }
        return _ObjectModel.reference(word).map { unsafeDowncast($0, to: Self.self) }
    }
}

extension _ElementCursor {
    @usableFromInline
    func binding(_ id: ObjectID, _ page: UnsafeRawPointer) -> _ObjectBinding {
        _ObjectBinding(
            owner: context, id: id, page: UnsafeMutableRawPointer(mutating: page), stamp: stamp, standing: standing,
            columns: context._withUnsafeGuaranteedRef { $0.binding.access[table].columns })
    }
}
