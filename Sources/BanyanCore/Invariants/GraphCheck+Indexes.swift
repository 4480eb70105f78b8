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

    func checkIndex(_ type: TableLayout, at place: Int) {
        checkUnique(type, at: place)
        let (view, table) = (view, type.table)
        let name = type.indexName(place)
        view.index(table, place).check(
            view.indexRoot(table, place),
            IndexReport(
                name: name, count: view.count(table),
                isObject: { view.contains(ObjectRef(table: table, slot: $0)) },
                claim: { self.claim($0, name) }, fail: { self.fail($0) }, isSound: { self.problems.isEmpty }))
    }

    /// No value that must be unique is there twice. Not asked inside a transaction, where values may be on their way.
    private func checkUnique(_ table: TableLayout, at place: Int) {
        guard !isInTransaction, table.indexes[place].isUnique else { return }
        view.forEachObject(table.table) { _, _, slot in
            let others = view.others(with: ObjectRef(table: table.table, slot: slot), inIndex: place, atMost: 1)
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
