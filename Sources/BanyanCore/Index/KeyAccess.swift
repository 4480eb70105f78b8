/// What looking up by primary key takes, in one plain value: no class is touched on the way, so nothing is retained.
package struct KeyAccess: BitwiseCopyable, Sendable {
    package let table: Int
    package let kind: ValueKind
    /// The short way, where there is one.
    package let words: WordKeyAccess
    private let place: Column
    private let seed: UInt64

    init(table: Int, kind: ValueKind, place: Column, seed: UInt64) {
        self.table = table
        self.kind = kind
        self.place = place
        self.seed = seed
        words =
            kind == .int && place.presenceOffset == 0
            ? WordKeyAccess(offset: Int(place.valueOffset), seed: seed) : WordKeyAccess()
    }

    /// The object with this key: its page and its slot in the table. O(1) expected.
    package func find(_ root: UnsafeRawPointer, _ key: Cell) -> (page: UnsafeRawPointer, slot: Int)? {
        let header = TableHeader.of(root, table)
        if words.offset != 0, !key.isNull {
            let (page, slot) = words.find(header, key.low)
            return UnsafeRawPointer(bitPattern: page).map { ($0, slot) }
        }
        guard let index = header.load(fromByteOffset: TableHeader.keyIndex, as: UnsafeRawPointer?.self),
            let directory = TableHeader.directory(header)
        else { return nil }
        let depth = TableHeader.depth(header)
        var page = directory
        let slot = HashTrie(width: 4).find(index, hash: hash(key)) { slot in
            page = Directory.page(directory, depth: depth, Int(slot) &>> Page.slotBits)
            return CellOrder.equal(place.load(kind, page, Int(slot) & Page.slotMask), key, kind)
        }
        return slot.map { (page, Int($0)) }
    }

    /// Announces that an object with this key will be looked for, and entered or removed.
    package func willChange(_ root: UnsafeRawPointer, _ key: Cell) {
        let header = TableHeader.of(root, table)
        HashTrie(width: 4).willChange(
            header.load(fromByteOffset: TableHeader.keyIndex, as: UnsafeRawPointer?.self), hash: hash(key))
    }

    /// The same of the object in a slot of a page.
    func willChange(_ root: UnsafeRawPointer, _ page: UnsafeRawPointer, _ slot: Int) {
        willChange(root, place.load(kind, page, slot))
    }

    /// Stores a new object's key in its page.
    @inline(__always)
    func store(_ key: Cell, _ page: UnsafeMutableRawPointer, _ slot: Int) { place.store(key, kind, page, slot) }

    /// Enters an object whose page holds the key already. `header` is the table's.
    func insert(
        _ root: inout HashTrie.Root, _ key: Cell, slot: Int, _ header: UnsafeRawPointer, _ memory: TransactionMemory
    ) {
        HashTrie(width: 4).insert(&root, hash: hash(key), payload: UInt64(slot), in: memory) { other in
            guard let page = TableHeader.page(header, slot: Int(other)) else { return 0 }
            return hash(place.load(kind, page, Int(other) & Page.slotMask))
        }
    }

    /// Takes out an object whose page holds the key still; false if it was not there.
    func remove(
        _ root: inout HashTrie.Root, _ page: UnsafeRawPointer, slot: Int, _ memory: TransactionMemory
    ) -> Bool {
        let key = place.load(kind, page, slot & Page.slotMask)
        return HashTrie(width: 4).remove(&root, hash: hash(key), in: memory, where: { $0 == UInt64(slot) })
    }

    @inline(__always)
    private func hash(_ key: Cell) -> UInt64 {
        kind == .int && !key.isNull ? KeyHash.hash(key.low, seed: seed) : CellOrder.hash(key, kind, seed: seed)
    }
}
