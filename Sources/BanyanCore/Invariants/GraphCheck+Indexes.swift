// The primary key's index and the secondary indexes against the values in the pages.

extension GraphCheck {
    func checkKeyIndex(_ table: TableLayout) {
        guard let column = table.keyColumn else { return }
        let what = "the key index of \(name(table.table))"
        let header = view.header(table.table)
        let root = header.load(fromByteOffset: TableHeader.keyIndex, as: UnsafeRawPointer?.self)
        let trie = HashTrie(width: 4)
        trie._forEachNode(root) { node, _ in claim(node, what) }
        let hasher = view.keyHasher(table.table)
        if let problem = trie._invariantCheck(root, count: view.count(table.table), hash: hasher.hash(slot:)) {
            return fail("\(what): \(problem)")
        }
        // As many entries as objects, and every object is found: then every entry is an object's own.
        view.forEachObject(table.table) { page, slotInPage, slot in
            let key = table.page.columns[column].load(table.columns[column].kind, page, slotInPage)
            let found = view.find(table.table, key: key)
            if found != slot {
                fail("\(what): the key of slot \(slot) finds \(found.map(String.init) ?? "nothing")")
            }
            return true
        }
    }

    func checkIndex(_ table: TableLayout, at place: Int) {
        checkUnique(table, at: place)
        guard table.indexes[place].form == .hash else { return checkOrderedIndex(table, at: place) }
        let column = table.indexedColumns[place]
        guard column != table.keyColumn else { return }
        let what = "the index of \(name(table.table, column))"
        let kind = table.columns[column].kind
        let header = view.header(table.table)
        let root = header.load(fromByteOffset: TableHeader.indexes + place * 8, as: UnsafeRawPointer?.self)
        let trie = HashTrie(width: 8)
        trie._forEachNode(root) { node, _ in claim(node, what) }
        var postings = 0
        var entries = 0
        var firsts: [Cell] = []
        trie.forEach(root) { word in
            let posting = SlotCounts(word: word)
            postings += 1
            guard checkSlotCounts(posting, what), !posting.isEmpty else { return fail("\(what) has an empty posting") }
            var first: Cell?
            posting.forEach { slot, times in
                entries += 1
                if times != 1 { fail("\(what) has slot \(slot) \(times) times") }
                guard view.contains(ObjectRef(table: table.table, slot: slot)) else {
                    fail("\(what) has slot \(slot), where there is no object")
                    return false
                }
                let cell = view.cell(ObjectRef(table: table.table, slot: slot), column)
                if let first, !CellOrder.equal(first, cell, kind) {
                    fail("\(what) has slot \(slot) under another value")
                }
                if first == nil {
                    first = cell
                    firsts.append(cell)
                }
                return true
            }
        }
        guard problems.isEmpty else { return }
        // Every entry is a live slot under a value it shares; as many as objects, no value twice: nothing is missing.
        if entries != view.count(table.table) {
            fail("\(what) has \(entries) entries for \(view.count(table.table)) objects")
        }
        firsts.sort { CellOrder.compare($0, $1, kind) < 0 }
        for (a, b) in zip(firsts, firsts.dropFirst()) where CellOrder.equal(a, b, kind) {
            fail("\(what) has a value twice")
        }
        let hasher = view.hasher(table.table, column)
        if let problem = trie._invariantCheck(root, count: postings, hash: hasher.hash(posting:)) {
            fail("\(what): \(problem)")
        }
        for cell in firsts where view.indexed(table.table, column, cell).map(\.isEmpty) ?? true {
            fail("\(what) does not find a value it has")
        }
    }

    private func checkOrderedIndex(_ table: TableLayout, at place: Int) {
        let what = table.indexName(place)
        let index = view.orderedIndex(table.table, place)
        let root = view.indexRoot(table.table, place)
        index._forEachNode(root) { node, _ in claim(node, what) }
        let slots = OrderedSlots(
            root: root, isWide: index.isWide, range: 0..<index.count(root), isAscending: false)
        var seen: Set<Int> = []
        slots.forEach { slot in
            if !seen.insert(slot).inserted { fail("\(what) has slot \(slot) twice") }
            if !view.isPresent(ObjectRef(table: table.table, slot: slot)) {
                fail("\(what) has slot \(slot), where there is no object")
            }
            return true
        }
        guard problems.isEmpty else { return }
        // Every entry is a live slot, none is there twice, and there are as many as objects: nothing is missing.
        if seen.count != view.count(table.table) {
            fail("\(what) has \(seen.count) entries for \(view.count(table.table)) objects")
        }
        if let problem = index._invariantCheck(root) { fail("\(what): \(problem)") }
    }

    /// No value that must be unique is there twice. Not asked inside a transaction, where values may be on their way.
    private func checkUnique(_ table: TableLayout, at place: Int) {
        guard !isInTransaction, table.indexes[place].isUnique else { return }
        view.forEachObject(table.table) { _, _, slot in
            let others = view.others(with: ObjectRef(table: table.table, slot: slot), inUniqueIndex: place, atMost: 1)
            if let other = others.first {
                fail("slots \(slot) and \(other) share a value in \(table.indexName(place)), which is unique")
            }
            return true
        }
    }

    /// Notes the nodes of a set of slots and says whether it can be read.
    func checkSlotCounts(_ counts: SlotCounts, _ what: String) -> Bool {
        counts._forEachNode { node, _ in claim(node, what) }
        if let problem = counts._invariantCheck() {
            fail("\(what): \(problem)")
            return false
        }
        return true
    }
}
