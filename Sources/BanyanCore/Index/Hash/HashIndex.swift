/// A hash index of one property as a view shows it: under the hash of each value the slots of the objects that have it.
struct HashIndex: SecondaryIndex {
    static var kind: IndexKind { .hash }
    @inline(__always) static var trie: HashTrie { HashTrie(width: 8) }

    let values: IndexHasher

    @inline(__always)
    init(_ layout: IndexLayout, header: UnsafeRawPointer, seed: UInt64) {
        let part = layout.parts[0]
        values = IndexHasher(header: header, kind: part.kind, place: part.place, seed: seed)
    }

    @inline(__always)
    private func cell(_ entry: IndexEntry) -> Cell {
        entry.part == 0 ? entry.cell : values.cell(UInt64(entry.slot))
    }

    /// O(1) expected.
    func insert(_ root: inout Root, _ entry: IndexEntry, isUnique: Bool, _ memory: TransactionMemory) -> Bool {
        let trie = Self.trie
        let cell = cell(entry)
        let hash = values.hash(cell)
        guard let word = trie.find(root, hash: hash, where: { values.matches(posting: $0, cell) }) else {
            var posting = SlotCounts(word: 0)
            posting.add(entry.slot, memory)
            trie.insert(&root, hash: hash, payload: posting.word, in: memory) { values.hash(posting: $0) }
            return false
        }
        var posting = SlotCounts(word: word)
        posting.add(entry.slot, memory)
        if posting.word != word {
            _ = trie.replace(&root, hash: hash, with: posting.word, in: memory, where: { $0 == word })
        }
        return isUnique && !cell.isNull
    }

    /// O(1) expected.
    func remove(_ root: inout Root, _ entry: IndexEntry, _ memory: TransactionMemory) {
        let trie = Self.trie
        let cell = cell(entry)
        let hash = values.hash(cell)
        guard let word = trie.find(root, hash: hash, where: { values.matches(posting: $0, cell) }) else {
            return assertionFailure("an object without its index entry")
        }
        var posting = SlotCounts(word: word)
        posting.remove(entry.slot, memory)
        if posting.isEmpty {
            _ = trie.remove(&root, hash: hash, in: memory, where: { $0 == word })
        } else if posting.word != word {
            _ = trie.replace(&root, hash: hash, with: posting.word, in: memory, where: { $0 == word })
        }
    }

    /// O(1) expected.
    @inline(__always)
    func find(_ root: Root, _ cell: Cell) -> IndexedSlots {
        let word = Self.trie.find(root, hash: values.hash(cell)) { values.matches(posting: $0, cell) }
        return .counts(SlotCounts(word: word ?? 0))
    }

    /// O(1) expected.
    func find(_ root: Root, valuesOf slot: Int) -> IndexedSlots {
        let cell = values.cell(UInt64(slot))
        return cell.isNull ? .none : find(root, cell)
    }

    func _forEachNode(_ root: Root, _ body: (UnsafeRawPointer, Int) -> Void) {
        Self.trie._forEachNode(root, body)
        Self.trie.forEach(root) { SlotCounts(word: $0)._forEachNode(body) }
    }
}
