// The primary key's index and the secondary indexes. Entries of hash indexes hold slots, never values: an object is asked for
// its own.

extension Transaction {
    // MARK: - Primary key

    func insertKey(_ table: Int, _ key: Cell, slot: Int) {
        guard let access = layout.storage[table].key else { return }
        let header = writableHeader(table)
        var root = header.load(fromByteOffset: TableHeader.keyIndex, as: UnsafeRawPointer?.self)
        access.insert(&root, key, slot: slot, UnsafeRawPointer(header), memory)
        header.storeBytes(of: root, toByteOffset: TableHeader.keyIndex, as: UnsafeRawPointer?.self)
        let place = layout.storage[table].orderedKeyIndex
        if place >= 0 { enter(ObjectRef(table: table, slot: slot), place, 0, key) }
    }

    private func removeKey(_ table: Int, _ access: KeyAccess, _ page: UnsafeRawPointer, slot: Int) {
        withIndex(table, TableHeader.keyIndex) { root in
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
        let table = layout.tables[ref.table]
        guard let place = table.indexedColumns.firstIndex(of: column) else { return }
        guard table.indexes[place].form == .hash else { return enter(ref, place, 0, cell) }
        if post(ref, column, cell, TableHeader.indexes + place * 8), table.indexes[place].isUnique, !cell.isNull {
            doubtful.append((ref, place))
        }
    }

    /// Enters a value in a hash index and says whether it was there already.
    private func post(_ ref: ObjectRef, _ column: Int, _ cell: Cell, _ offset: Int) -> Bool {
        var isShared = false
        let hasher = view.hasher(ref.table, column)
        let trie = HashTrie(width: 8)
        withIndex(ref.table, offset) { root in
            let hash = hasher.hash(cell)
            if let word = trie.find(root, hash: hash, where: { hasher.matches(posting: $0, cell) }) {
                isShared = true
                var posting = SlotCounts(word: word)
                posting.add(ref.slot, memory)
                if posting.word != word {
                    _ = trie.replace(&root, hash: hash, with: posting.word, in: memory, where: { $0 == word })
                }
            } else {
                var posting = SlotCounts(word: 0)
                posting.add(ref.slot, memory)
                trie.insert(&root, hash: hash, payload: posting.word, in: memory) { hasher.hash(posting: $0) }
            }
        }
        return isShared
    }

    /// Takes an object's value out. The object must still have it.
    private func unindex(_ ref: ObjectRef, _ column: Int, _ cell: Cell) {
        let table = layout.tables[ref.table]
        guard let place = table.indexedColumns.firstIndex(of: column) else { return }
        guard table.indexes[place].form == .hash else { return leave(ref, place) }
        let offset = TableHeader.indexes + place * 8
        let hasher = view.hasher(ref.table, column)
        let trie = HashTrie(width: 8)
        withIndex(ref.table, offset) { root in
            let hash = hasher.hash(cell)
            guard let word = trie.find(root, hash: hash, where: { hasher.matches(posting: $0, cell) }) else {
                return assertionFailure("an object without its index entry")
            }
            var posting = SlotCounts(word: word)
            posting.remove(ref.slot, memory)
            if posting.isEmpty {
                _ = trie.remove(&root, hash: hash, in: memory, where: { $0 == word })
            } else if posting.word != word {
                _ = trie.replace(&root, hash: hash, with: posting.word, in: memory, where: { $0 == word })
            }
        }
    }

    /// Called before a property's value is replaced.
    func moveIndexEntry(_ ref: ObjectRef, _ column: Int, from old: Cell, to new: Cell) {
        unindex(ref, column, old)
        indexNew(ref, column, new)
        let table = layout.tables[ref.table]
        for place in table.compoundIndexes {
            guard let part = table.indexes[place].columns.firstIndex(of: column) else { continue }
            leave(ref, place)
            enter(ref, place, part, new)
        }
    }

    /// Called before an object's values go.
    func removeFromIndexes(_ ref: ObjectRef, _ page: UnsafeMutableRawPointer) {
        if let access = layout.storage[ref.table].key { removeKey(ref.table, access, page, slot: ref.slot) }
        guard layout.storage[ref.table].hasIndexes else { return }
        let table = layout.tables[ref.table]
        let slot = ref.slot & Page.slotMask
        for column in table.indexedColumns where column != table.keyColumn {
            unindex(ref, column, table.page.columns[column].load(table.columns[column].kind, page, slot))
        }
        if let place = table.orderedKeyIndex { leave(ref, place) }
        for place in table.compoundIndexes { leave(ref, place) }
    }

    private func withIndex(_ table: Int, _ offset: Int, _ change: (inout HashTrie.Root) -> Void) {
        let header = writableHeader(table)
        var root = header.load(fromByteOffset: offset, as: UnsafeRawPointer?.self)
        change(&root)
        header.storeBytes(of: root, toByteOffset: offset, as: UnsafeRawPointer?.self)
    }
}
