extension HashIndex {
    func build(_ objects: some IndexSource, _ memory: TransactionMemory) -> Root {
        let (kind, place) = (values.kind, values.place)
        var slots = HashedSlots(capacity: objects.count)
        objects.forEach { page, slot, index in
            slots.append(hash: values.hash(place.load(kind, page, slot)), slot: index)
        }
        slots.sort()
        func cell(_ slot: UInt32) -> Cell { place.load(kind, objects.page(Int(slot)), Int(slot) & Page.slotMask) }

        let trie = Self.trie
        var root: Root = nil
        slots.forEachGroup { group in
            // One value in all but freak cases: equal hashes of different values.
            var rest = Array(group)
            while let first = rest.first {
                func isSame(_ entry: HashedSlots.Entry) -> Bool {
                    CellOrder.equal(cell(first.slot), cell(entry.slot), kind)
                }
                let same = rest.filter(isSame)
                if same.count == rest.count { rest = [] } else { rest.removeAll(where: isSame) }
                let counts = same.map(\.slot).withUnsafeBufferPointer { SlotCounts(sorted: $0, memory) }
                trie.insert(&root, hash: first.hash, payload: counts.word, in: memory) { values.hash(posting: $0) }
            }
        }
        return root
    }
}
