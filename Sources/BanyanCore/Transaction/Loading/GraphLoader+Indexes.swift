// Indexes of a whole table at once.

extension GraphLoader {
    /// Builds the primary key's index. O(objects).
    ///
    /// - Throws: `damaged` when two objects have the same key.
    package func buildKeyIndex(_ table: Int, _ memory: TransactionMemory) throws(BanyanError) {
        guard let column = layout.tables[table].keyColumn else { return }
        let hasher = view.keyHasher(table)
        func key(_ slot: UInt32) -> Cell {
            hasher.place.load(hasher.kind, pages[table][Int(slot) >> Page.slotBits], Int(slot) & Page.slotMask)
        }
        let trie = HashTrie(width: 4)
        var root: HashTrie.Root = nil
        let keys = hashedKeys(table, hasher)
        trie.reserve(&root, count: keys.count, in: memory)
        try keys.forEachGroup { group throws(BanyanError) in
            for i in group.indices {
                for j in (i + 1)..<max(group.endIndex, i + 1)
                where CellOrder.equal(key(group[i].slot), key(group[j].slot), hasher.kind) {
                    throw BanyanError(
                        .damaged, "two objects have one primary key",
                        at: layout.tables[table].location(column, object: "\(id(table, Int(group[j].slot)))"))
                }
                trie.insert(&root, hash: group[i].hash, payload: UInt64(group[i].slot), in: memory) {
                    hasher.hash(slot: $0)
                }
            }
        }
        header(table).storeBytes(of: root, toByteOffset: TableHeader.keyIndex, as: UnsafeRawPointer?.self)
    }

    /// Builds the secondary index at this place among the type's indexes. O(objects), O(objects log objects) at worst where it
    /// is ordered.
    ///
    /// - Throws: `damaged` when two objects have a value that must be unique.
    package func buildIndex(_ table: Int, at place: Int, _ memory: TransactionMemory) throws(BanyanError) {
        let index = layout.tables[table].indexes[place]
        let objects = LoadedTable(loader: self, table: table, index: index)
        let root = view.index(table, place).build(objects, memory)
        header(table).storeBytes(
            of: root, toByteOffset: TableHeader.indexes + place * 8, as: UnsafeRawPointer?.self)
        guard index.isUnique else { return }
        try forEachObject(table) { _, _, slot throws(BanyanError) in
            let ref = ObjectRef(table: table, slot: slot)
            guard let other = view.others(with: ref, inIndex: place, atMost: 1).first else { return }
            throw view.notUnique(ref, [other], place, .damaged)
        }
    }

    fileprivate func objectCount(_ table: Int) -> Int { present[table].reduce(0) { $0 + $1.nonzeroBitCount } }

    /// The hashes of the primary keys with their slots.
    private func hashedKeys(_ table: Int, _ hasher: IndexHasher) -> HashedSlots {
        var slots = HashedSlots(capacity: objectCount(table))
        forEachObject(table) { page, slot, index in
            slots.append(hash: hasher.hash(hasher.place.load(hasher.kind, page, slot)), slot: index)
        }
        slots.sort()
        return slots
    }
}

/// The objects of one table that is being loaded, in the order of one of its indexes.
private struct LoadedTable: IndexSource {
    let loader: GraphLoader
    let table: Int
    let index: IndexLayout

    var count: Int { loader.objectCount(table) }

    func forEach(_ body: (UnsafeRawPointer, Int, Int) -> Void) {
        loader.forEachObject(table) { page, slot, index in body(page, slot, index) }
    }

    @inline(__always)
    func page(_ slot: Int) -> UnsafeRawPointer { UnsafeRawPointer(loader.pages[table][slot >> Page.slotBits]) }

    /// The order is the one that queries sort by.
    func slotsInOrder() -> [UInt32] {
        let order = SortOrder(columns: index.columns, on: loader.layout.tables[table])
        var sorter = Sorter(order, loader.view, limit: nil)
        defer { sorter.free() }
        for (i, page) in loader.pages[table].enumerated() {
            sorter.append(page, loader.present[table][i], base: i << Page.slotBits)
        }
        return sorter.finish()
    }
}
