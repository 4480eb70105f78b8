// Indexes of a whole table at once. Entries are sorted by hash first, so that the trie is filled bucket by bucket instead of
// all over memory, and equal keys stand side by side.

extension GraphLoader {
    /// Builds the primary key's index. O(objects).
    ///
    /// - Throws: `damaged` when two objects have the same key.
    package func buildKeyIndex(_ table: Int, _ memory: TransactionMemory) throws(BanyanError) {
        guard let column = layout.tables[table].keyColumn else { return }
        let hasher = view.hasher(table, column)
        let trie = HashTrie(width: 4)
        var root: HashTrie.Root = nil
        let entries = sortedEntries(table, column)
        trie.reserve(&root, count: entries.count, in: memory)
        try forEachGroup(entries) { group throws(BanyanError) in
            for i in group.indices {
                for j in (i + 1)..<max(group.endIndex, i + 1) where isSame(table, column, group[i], group[j]) {
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
        if layout.tables[table].indexes[place].form == .ordered {
            buildOrderedIndex(table, at: place, memory)
        } else {
            buildHashIndex(table, at: place, memory)
        }
        guard layout.tables[table].indexes[place].isUnique else { return }
        try forEachObject(table) { _, _, slot throws(BanyanError) in
            let ref = ObjectRef(table: table, slot: slot)
            guard let other = view.others(with: ref, inUniqueIndex: place, atMost: 1).first else { return }
            throw view.notUnique(ref, [other], place, .damaged)
        }
    }

    /// The order is the one that queries sort by.
    private func buildOrderedIndex(_ table: Int, at place: Int, _ memory: TransactionMemory) {
        let index = layout.tables[table].indexes[place]
        var sorter = Sorter(SortOrder(columns: index.columns, on: layout.tables[table]), view, limit: nil)
        defer { sorter.free() }
        for (i, page) in pages[table].enumerated() { sorter.append(page, present[table][i], base: i << Page.slotBits) }
        let root = view.orderedIndex(table, place).build(sorter.finish(), memory)
        header(table).storeBytes(
            of: root, toByteOffset: TableHeader.indexes + place * 8, as: UnsafeRawPointer?.self)
    }

    private func buildHashIndex(_ table: Int, at place: Int, _ memory: TransactionMemory) {
        let column = layout.tables[table].indexedColumns[place]
        guard column != layout.tables[table].keyColumn else { return }
        let hasher = view.hasher(table, column)
        let trie = HashTrie(width: 8)
        var root: HashTrie.Root = nil
        forEachGroup(sortedEntries(table, column)) { group in
            // One value in all but freak cases: equal hashes of different values.
            var rest = Array(group)
            while let first = rest.first {
                let same = rest.filter { isSame(table, column, first, $0) }
                if same.count == rest.count { rest = [] } else { rest.removeAll { isSame(table, column, first, $0) } }
                let counts = same.map(\.slot).withUnsafeBufferPointer { SlotCounts(sorted: $0, memory) }
                trie.insert(&root, hash: first.hash, payload: counts.word, in: memory) { hasher.hash(posting: $0) }
            }
        }
        header(table).storeBytes(
            of: root, toByteOffset: TableHeader.indexes + place * 8, as: UnsafeRawPointer?.self)
    }

    private struct Entry {
        var hash: UInt64
        var slot: UInt32
    }

    private func value(_ table: Int, _ column: Int, _ slot: UInt32) -> Cell {
        let layout = layout.tables[table]
        let page = pages[table][Int(slot) >> Page.slotBits]
        return layout.page.columns[column].load(layout.columns[column].kind, page, Int(slot) & Page.slotMask)
    }

    private func isSame(_ table: Int, _ column: Int, _ a: Entry, _ b: Entry) -> Bool {
        CellOrder.equal(
            value(table, column, a.slot), value(table, column, b.slot), layout.tables[table].columns[column].kind)
    }

    /// Calls `body` with each run of equal hashes.
    private func forEachGroup<E: Error>(_ entries: [Entry], _ body: (ArraySlice<Entry>) throws(E) -> Void) throws(E) {
        var start = 0
        while start < entries.count {
            var end = start + 1
            while end < entries.count, entries[end].hash == entries[start].hash { end += 1 }
            try body(entries[start..<end])
            start = end
        }
    }

    /// The hashes of a column's values with their slots, by hash and then by slot.
    private func sortedEntries(_ table: Int, _ column: Int) -> [Entry] {
        let layout = layout.tables[table]
        let (kind, place, seed) = (layout.columns[column].kind, layout.page.columns[column], self.layout.seed)
        var entries: [Entry] = []
        entries.reserveCapacity(present[table].reduce(0) { $0 + $1.nonzeroBitCount })
        forEachObject(table) { page, slot, index in
            let hash = CellOrder.hash(place.load(kind, page, slot), kind, seed: seed)
            entries.append(Entry(hash: hash, slot: UInt32(truncatingIfNeeded: index)))
        }
        return Self.sorted(entries)
    }

    /// Stable, by hash: a byte at a time from the top bytes' least, until runs are short, then by insertion.
    private static func sorted(_ entries: [Entry]) -> [Entry] {
        var a = entries
        var b = entries
        var bits = 0
        while entries.count >> bits > 8 { bits += 8 }
        for shift in stride(from: UInt64(64 - bits), to: 64, by: 8) {
            var starts = [Int](repeating: 0, count: 257)
            for entry in a { starts[Int(entry.hash >> shift & 0xFF) + 1] += 1 }
            for i in 1...256 { starts[i] += starts[i - 1] }
            for entry in a {
                let digit = Int(entry.hash >> shift & 0xFF)
                b[starts[digit]] = entry
                starts[digit] += 1
            }
            swap(&a, &b)
        }
        for i in a.indices.dropFirst() where a[i].hash < a[i - 1].hash {
            let entry = a[i]
            var j = i
            while j > 0, a[j - 1].hash > entry.hash {
                a[j] = a[j - 1]
                j -= 1
            }
            a[j] = entry
        }
        return a
    }
}
