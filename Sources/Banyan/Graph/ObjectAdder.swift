import BanyanCore

/// Makes unmanaged objects managed, with everything they reach.
///
/// An object is *bound* first: it gets its slot and its plain values, and the same instance turns into a handle. Its links and
/// collections follow from a list of what is pending, so cycles end and a chain of a million objects needs no stack.
final class ObjectAdder {
    private let graph: Graph
    private let transaction: Transaction
    private let policy: UpdatePolicy
    private var pending: [Bound] = []
    private var isRunning = false

    private struct Bound {
        var object: ObjectBase
        /// What the object was while it was unmanaged: its links and collections are still there.
        var page: UnsafeMutableRawPointer
        var isUpdate: Bool
    }

    init(_ graph: Graph, _ policy: UpdatePolicy) throws(BanyanError) {
        guard let transaction = graph.workspace.transaction else {
            throw BanyanError(.notInWrite, "a graph can be changed inside a write only")
        }
        self.graph = graph
        self.transaction = transaction
        self.policy = policy
    }

    func add(_ object: ObjectBase) throws(BanyanError) {
        _ = try link(object)
    }

    /// The object's reference; an unmanaged object is added.
    func link(_ object: ObjectBase) throws(BanyanError) -> ObjectRef {
        if let other = object._graph {
            let place = BanyanError.Location(type: type(of: object)._$model.name, object: "\(object._id)")
            guard other === graph else {
                throw BanyanError(
                    .foreignObject, "the object is managed by another graph",
                    remedy: "Look it up in this graph by its objectID, or add an unmanaged copy", at: place)
            }
            guard transaction.contains(object._id) else {
                throw BanyanError(.invalidatedObject, "a deleted object cannot be added or linked to", at: place)
            }
            return object._id.ref
        }
        if let running = graph.adder, running !== self { return try running.link(object) }
        let ref = try bind(object)
        guard !isRunning else { return ref }
        isRunning = true
        graph.adder = self
        defer {
            isRunning = false
            graph.adder = nil
        }
        do throws(BanyanError) {
            while let next = pending.popLast() { try finish(next) }
        } catch {
            // What was added so far cannot be told apart any more: the transaction must not go on as if nothing happened.
            for rest in pending { type(of: rest.object)._$model.destroyUnmanagedPage(rest.page) }
            pending = []
            transaction.fail(error)
            throw error
        }
        return ref
    }

    // MARK: - Binding

    private func bind(_ object: ObjectBase) throws(BanyanError) -> ObjectRef {
        let binder = try graph.binder(type(of: object))
        let layout = binder.layout
        let unmanaged = binder.model.unmanagedLayout
        let old = object._page

        var key: Cell?
        if let column = layout.keyColumn {
            let kind = layout.columns[column].kind
            let cell = unmanaged.columns[column].load(kind, old, 0)
            if let slot = transaction.view.find(binder.table, key: cell) {
                let id = transaction.view.id(ObjectRef(table: binder.table, slot: slot))
                guard policy != .error else {
                    throw BanyanError(
                        .duplicateKey,
                        "an object with the primary key \(Value(cell, kind).description) is already there",
                        remedy: "Use another key, or add(_:update: .modified)", at: layout.location(column))
                }
                return update(object, id, binder)
            }
            key = try stored(cell, kind, layout, column)
        }

        let id = transaction.create(binder.table, key: key)
        let page = transaction.writablePage(binder.table, slot: Int(id.slot))
        let slot = Int(id.slot) & Page.slotMask
        for (i, column) in layout.columns.enumerated() where column.isStored && i != layout.keyColumn {
            guard !column.isCollection, !column.kind.isLink else { continue }
            let cell = try stored(unmanaged.columns[i].load(column.kind, old, 0), column.kind, layout, i)
            layout.page.columns[i].store(cell, column.kind, page, slot)
            if column.isIndexed { transaction.indexNew(id.ref, i, cell) }
        }
        become(object, id, binder)
        pending.append(Bound(object: object, page: old, isUpdate: false))
        return id.ref
    }

    /// A cell that may be stored in the graph: long texts move into a block of its own.
    private func stored(
        _ cell: Cell, _ kind: ValueKind, _ layout: TableLayout, _ column: Int
    ) throws(BanyanError) -> Cell {
        guard kind.isText, !cell.isNull, Text.isBlock(cell) else { return cell }
        guard let copy = Text.withBytes(cell, { transaction.makeText($0, layout.location(column)) }) else {
            throw transaction.fault ?? BanyanError(.valueTooLong, "the value is too long", at: layout.location(column))
        }
        return copy
    }

    private func update(_ object: ObjectBase, _ id: ObjectID, _ binder: TableBinder) -> ObjectRef {
        let layout = binder.layout
        let old = object._page
        for (i, column) in layout.columns.enumerated() where column.isStored && i != layout.keyColumn {
            guard !column.isCollection, !column.kind.isLink else { continue }
            let cell = binder.model.unmanagedLayout.columns[i].load(column.kind, old, 0)
            if column.kind.isText {
                if cell.isNull {
                    transaction.setText(id, i, nil)
                } else {
                    Text.withBytes(cell) { transaction.setText(id, i, $0) }
                }
            } else {
                transaction.set(id, i, cell)
            }
            if policy == .all { transaction.touch(id, i) }
        }
        become(object, id, binder)
        pending.append(Bound(object: object, page: old, isUpdate: true))
        return id.ref
    }

    /// Turns the instance into a handle.
    private func become(_ object: ObjectBase, _ id: ObjectID, _ binder: TableBinder) {
        object._page = UnsafeMutableRawPointer(mutating: transaction.page(of: id))
        object._stamp = graph.workspace.stamps.pointee
        object._stamps = UnsafePointer(graph.workspace.stamps)
        object._columns = binder.columns
        object._slot = Int(id.slot) & Page.slotMask
        object._id = id
        object._graph = graph
    }

    // MARK: - Links and collections

    private func finish(_ bound: Bound) throws(BanyanError) {
        let object = bound.object
        let model = type(of: object)._$model
        defer { model.destroyUnmanagedPage(bound.page) }
        for (i, property) in model.properties.enumerated() where !property.type.isInverse {
            let word = { model.unmanagedLayout.columns[i].word(bound.page, 0) }
            if property.type.shape != .single {
                if let collection = _ObjectModel.reference(word()) as? any _OwnedCollection {
                    try collection._$adopt(graph, object._id, i, isUpdate: bound.isUpdate)
                } else if bound.isUpdate {
                    transaction.removeAll(object._id, i)
                }
            } else if property.type.kind.isLink {
                let target = _ObjectModel.reference(word()).map { unsafeDowncast($0, to: ObjectBase.self) }
                try setLink(object, i, target, property.type.kind, bound.isUpdate)
            }
        }
    }

    private func setLink(
        _ object: ObjectBase, _ column: Int, _ target: ObjectBase?, _ kind: ValueKind, _ isUpdate: Bool
    ) throws(BanyanError) {
        guard let target else {
            if isUpdate { transaction.set(object._id, column, .null) }
            return
        }
        if isUpdate, kind == .embedded, policy == .modified, target._graph == nil,
            let present = ObjectRef(word: transaction.view.word(object._id.ref, column))
        {
            // An embedded object that is there already is changed in place.
            _ = update(target, transaction.view.id(present), try graph.binder(type(of: target)))
            return
        }
        transaction.set(object._id, column, try link(target).cell)
    }
}

/// A collection that belongs to an unmanaged object and can become a managed one.
protocol _OwnedCollection: AnyObject {
    /// Moves the contents into the graph and shows them from there on.
    func _$adopt(_ graph: Graph, _ id: ObjectID, _ column: Int, isUpdate: Bool) throws(BanyanError)
}
