public import BanyanCore

// Adding, finding and deleting objects.

/// What adding an object does when its primary key is taken.
public enum UpdatePolicy: Sendable {
    /// Throws `duplicateKey`.
    case error
    /// Updates the object that has the key, which may be of a class that inherits from that of the one that is added, writing
    /// (and telling of) only what differs.
    case modified
    /// Updates the object that has the key with every value.
    case all
}

extension Graph {
    /// Makes an unmanaged object managed: the same instance, with everything reachable from it. An object that is already
    /// managed here is left as it is.
    ///
    /// - Throws: `duplicateKey`, `unknownType`, `foreignObject`, `invalidatedObject`, `secondOwner`, `notInWrite`.
    public func add(_ object: Object, update: UpdatePolicy = .error) throws(BanyanError) {
        try context.add(object, update)
    }

    /// Adds every object of a sequence.
    public func add<S: Sequence>(_ objects: S, update: UpdatePolicy = .error) throws(BanyanError)
    where S.Element: Object {
        try requireWrite()
        for object in objects { try context.add(object, update) }
    }

    /// The object with this primary key, or nil; it may be of a class that inherits from `type`. An integer may be given in any
    /// width. O(1) expected, for each class.
    ///
    /// A key of another type, a class without a primary key and a class that is not in the store's schema find nothing; inside a
    /// write they fail the transaction. `lookUp(_:primaryKey:)` throws for them anywhere.
    @inlinable
    public func object<T: Object, Key: PrimaryKeyValue>(ofType type: T.Type, forPrimaryKey key: Key) -> T? {
        let found = key._$withLookupCell(in: self) { cell in
            cell.flatMap { find(T._$model, $0, Key._$valueKind) }
        }
        if found == nil { reportMisfit(T._$model, Key._$valueKind) }
        if T._$isFinal { return found.map { T(_$binding: $0) } }
        return found.map { T._$handle($0, context) }
    }

    /// The same for a key of type `Int`. O(1) expected, for each class. Fastest for a class that is `final`.
    // Where it is called, so that an object that is only looked at there is made on the stack.
    @inlinable
    @inline(__always)
    public func object<T: Object>(ofType type: T.Type, forPrimaryKey key: Int) -> T? {
        let (page, table, slot) = context.find(T._$model, key)
        if T._$isFinal {
            if page == 0 {
                reportMisfit(T._$model, .int)
                return nil
            }
            return T(_$binding: _ObjectBinding(context, table, slot, page))
        }
        if page != 0 { return T(_$binding: _ObjectBinding(context, table, slot, page)) }
        return objectOfSubclass(type, key)
    }

    /// An object of a class that inherits from `type`.
    @usableFromInline
    @inline(never)
    func objectOfSubclass<T: Object>(_ type: T.Type, _ key: Int) -> T? {
        guard
            let found = context.findInSubtypes(
                binding.table(T._$model), Cell(low: UInt64(bitPattern: Int64(key))), .int)
        else {
            reportMisfit(T._$model, .int)
            return nil
        }
        return T._$handle(found, context)
    }

    /// Where the handle of an object starts, found by its key.
    @usableFromInline
    func find(_ model: _ObjectModel, _ cell: Cell, _ given: ValueKind) -> _ObjectBinding? {
        let table = binding.table(model)
        return context.find(table, cell, given) ?? context.findInSubtypes(table, cell, given)
    }

    /// The object with this identity, or nil when it is not there or neither of this type nor of one that inherits from it. O(1).
    public func object<T: ObjectBase>(_ type: T.Type, _ id: ObjectID) -> T? {
        let table = binding.table(type._$model)
        guard table >= 0, workspace.layout.hierarchy.isSubtype(Int(id.table), of: table) else { return nil }
        return workspace.locate(id).map { instance(type, id, $0) }
    }

    /// All objects of a type and of those that inherit from it, live. Unspecified order, stable between commits.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - includingSubclasses: Whether objects of classes that inherit from it are among them.
    public func objects<T: Object>(_ type: T.Type, includingSubclasses: Bool = true) -> Results<T> {
        Results(self, includingSubclasses: includingSubclasses)
    }

    /// Deletes an object. Links to it are cleared, embedded objects and what its cascading links lead to go with it. Deleting
    /// an unmanaged object, one that is gone, or one that a link with the delete rule `.deny` leads to fails the transaction.
    public func delete(_ object: ObjectBase) {
        guard let transaction = workspace.transaction else {
            fatalError("an object was deleted outside a write: put the deletion into `graph.write { }`")
        }
        guard isDeletable(object) else { return }
        guard transaction.contains(object._id) else { return reportInvalidated(object._id, nil) }
        transaction.delete(object._id)
    }

    /// Deletes every object of a sequence that is still there. Links between them deny nothing.
    public func delete<S: Sequence>(_ objects: S) where S.Element: ObjectBase {
        guard let transaction = workspace.transaction else {
            fatalError("objects were deleted outside a write: put the deletion into `graph.write { }`")
        }
        var ids: [ObjectID] = []
        for object in objects where !object.isInvalidated {
            guard isDeletable(object) else { return }
            ids.append(object._id)
        }
        transaction.delete(ids)
    }

    /// Whether the object is one of this graph; if not, the transaction has failed.
    private func isDeletable(_ object: ObjectBase) -> Bool {
        if object._isManaged, object._standing == workspace.standing { return true }
        fail(
            BanyanError(
                .foreignObject, "an object that is not managed by this graph cannot be deleted from it",
                at: .init(type: type(of: object)._$model.name, object: object.objectID.map { "\($0)" })))
        return false
    }

    /// Deletes every object of every type. O(objects).
    public func deleteAll() {
        guard let transaction = workspace.transaction else {
            fatalError("objects were deleted outside a write: put the deletion into `graph.write { }`")
        }
        var ids: [ObjectID] = []
        for binder in binding.binders {
            transaction.view.forEachObject(binder.table) { page, slot, index in
                ids.append(ObjectID(table: binder.table, slot: index, generation: Page.generation(page, slot)))
                return true
            }
        }
        transaction.delete(ids)
    }

    func requireWrite() throws(BanyanError) {
        guard workspace.transaction != nil else {
            throw BanyanError(
                .notInWrite, "a graph can be changed inside a write only",
                remedy: "Put the change into `graph.write { }`")
        }
    }

    /// The cell of a link to `object`, which is added when it is unmanaged; nil when the transaction has failed.
    func linkCell(_ object: ObjectBase) -> Cell? {
        do throws(BanyanError) {
            return try context.add(object, .error).cell
        } catch {
            fail(error)
            return nil
        }
    }
}

extension Graph {
    /// Whether there are no objects at all. O(types).
    public var isEmpty: Bool {
        binding.binders.allSatisfy { workspace.view.count($0.table) == 0 }
    }
}
