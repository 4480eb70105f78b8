// The primary key's index and the secondary indexes.

extension Transaction {
    // MARK: - Primary key

    func insertKey(_ table: Int, _ key: Cell, slot: Int) {
        guard let access = layout.storage[table].key else { return }
        let header = writableHeader(table)
        var root = header.load(fromByteOffset: TableHeader.keyIndex, as: UnsafeRawPointer?.self)
        access.insert(&root, key, slot: slot, UnsafeRawPointer(header), memory)
        header.storeBytes(of: root, toByteOffset: TableHeader.keyIndex, as: UnsafeRawPointer?.self)
        let place = layout.storage[table].secondaryKeyIndex
        if place >= 0 { enter(ObjectRef(table: table, slot: slot), place, 0, key) }
    }

    private func removeKey(_ table: Int, _ access: KeyAccess, _ page: UnsafeRawPointer, slot: Int) {
        withIndex(table, TableHeader.keyIndex) { root, _ in
            let found = access.remove(&root, page, slot: slot, memory)
            assert(found, "an object without its key")
        }
    }

    /// Gives a restored object its primary key: a cell of this transaction.
    package func restoreKey(_ id: ObjectID, _ cell: Cell) throws(BanyanError) {
        let table = layout.tables[Int(id.table)]
        guard let column = table.keyColumn else { return }
        let kind = table.columns[column].kind
        guard view.find(Int(id.table), key: cell) == nil else {
            throw BanyanError(
                .damaged, "two objects have the primary key \(Value(cell, kind))",
                at: table.location(column, object: "\(id)"))
        }
        let page = writablePage(Int(id.table), slot: Int(id.slot))
        table.page.columns[column].store(cell, kind, page, Int(id.slot) & Page.slotMask)
        insertKey(Int(id.table), cell, slot: Int(id.slot))
    }

    /// A new object with this primary key.
    ///
    /// - Throws: `duplicateKey`, `invalidValue`.
    package func create(_ table: Int, key: Value) throws(BanyanError) -> ObjectID {
        let layout = layout.tables[table]
        guard let column = layout.keyColumn else { return create(table) }
        let info = layout.columns[column]
        if view.findInFamily(table, key: key) != nil {
            throw BanyanError(
                .duplicateKey, "an object with the primary key \(key) is already there", at: layout.location(column))
        }
        let probe = ObjectID(table: table, slot: 0, generation: 0)
        guard let cell = makeCell(key, info.kind, optional: info.isOptional, probe, column) else {
            throw fault ?? BanyanError(.invalidValue, "\(key) cannot be a key here", at: layout.location(column))
        }
        return create(table, key: cell)
    }

    // MARK: - Secondary indexes

    /// Enters a new object's value in the index of one property.
    package func indexNew(_ ref: ObjectRef, _ column: Int, _ cell: Cell) {
        guard let place = layout.tables[ref.table].indexedColumns.firstIndex(of: column) else { return }
        enter(ref, place, 0, cell)
    }

    /// Enters a new object, whose values are in its page, in the indexes of several properties.
    package func enterCompoundIndexes(_ ref: ObjectRef) {
        for place in layout.tables[ref.table].compoundIndexes { enter(ref, place, -1, .null) }
    }

    /// Called before a property's value is replaced.
    func moveIndexEntry(_ ref: ObjectRef, _ column: Int, from old: Cell, to new: Cell) {
        let table = layout.tables[ref.table]
        if let place = table.indexedColumns.firstIndex(of: column) {
            leave(ref, place, 0, old)
            enter(ref, place, 0, new)
        }
        for place in table.compoundIndexes {
            guard let part = table.indexes[place].columns.firstIndex(of: column) else { continue }
            leave(ref, place, -1, .null)
            enter(ref, place, part, new)
        }
    }

    /// Called before an object's values go.
    func removeFromIndexes(_ ref: ObjectRef, _ page: UnsafeMutableRawPointer) {
        if let access = layout.storage[ref.table].key { removeKey(ref.table, access, page, slot: ref.slot) }
        guard layout.storage[ref.table].hasIndexes else { return }
        let table = layout.tables[ref.table]
        let slot = ref.slot & Page.slotMask
        for (place, column) in table.indexedColumns.enumerated() {
            leave(ref, place, 0, table.page.columns[column].load(table.columns[column].kind, page, slot))
        }
        for place in table.compoundIndexes { leave(ref, place, -1, .null) }
    }

    /// Enters an object with the values in its page, but for one part of the index that is about to have another.
    private func enter(_ ref: ObjectRef, _ place: Int, _ part: Int, _ cell: Cell) {
        let entry = IndexEntry(slot: ref.slot, part: part, cell: cell)
        let index = layout.tables[ref.table].indexes[place]
        withIndex(ref.table, TableHeader.indexes + place * 8) { root, header in
            let isShared = TableIndex(index, header: header, seed: layout.seed)
                .insert(&root, entry, isUnique: index.isUnique, memory)
            if isShared { doubtful.append((ref, place)) }
        }
    }

    /// Takes an object out. It must still have the values under which it was entered.
    private func leave(_ ref: ObjectRef, _ place: Int, _ part: Int, _ cell: Cell) {
        let entry = IndexEntry(slot: ref.slot, part: part, cell: cell)
        let index = layout.tables[ref.table].indexes[place]
        withIndex(ref.table, TableHeader.indexes + place * 8) { root, header in
            TableIndex(index, header: header, seed: layout.seed).remove(&root, entry, memory)
        }
    }

    @inline(__always)
    private func withIndex(
        _ table: Int, _ offset: Int, _ change: (inout UnsafeRawPointer?, _ header: UnsafeRawPointer) -> Void
    ) {
        let header = writableHeader(table)
        var root = header.load(fromByteOffset: offset, as: UnsafeRawPointer?.self)
        change(&root, UnsafeRawPointer(header))
        header.storeBytes(of: root, toByteOffset: offset, as: UnsafeRawPointer?.self)
    }
}
