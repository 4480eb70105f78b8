/// An ordered index of one table as a view shows it: where its properties stand, and how entries are compared.
///
/// A tree knows keys and slots; this knows which values they are made of, and asks the objects for them where keys do not
/// suffice. Values that are changed at the moment are given in place of those that still stand in their page.
struct OrderedIndex: SecondaryIndex {
    static var kind: IndexKind { .ordered }

    let header: UnsafeRawPointer
    let parts: [IndexPart]
    /// Whether keys take 16 bytes.
    let isWide: Bool

    init(_ layout: IndexLayout, header: UnsafeRawPointer, seed: UInt64) {
        self.header = header
        parts = layout.parts
        isWide = parts.count > 1 || OrderedKey.isWide(parts[0].kind)
    }

    static let narrow = OrderedTree<UInt64>()
    static let wide = OrderedTree<UInt128>()

    // MARK: - Values

    @inline(__always)
    func cell(_ slot: Int, _ part: Int) -> Cell {
        guard let page = TableHeader.page(header, slot: slot) else { return .null }
        let part = parts[part]
        return part.place.load(part.kind, page, slot & Page.slotMask)
    }

    @inline(__always)
    private func cell(_ entry: IndexEntry, _ part: Int) -> Cell {
        part == entry.part ? entry.cell : cell(entry.slot, part)
    }

    /// Whether one of an entry's values is nil.
    private func hasNil(_ entry: IndexEntry) -> Bool {
        parts.indices.contains { cell(entry, $0).isNull }
    }

    // MARK: - Keys

    /// The key of an index of one property that is not wide.
    @inline(__always)
    func narrowKey(_ entry: IndexEntry) -> (key: UInt64, isWhole: Bool) {
        let key = OrderedKey.narrow(cell(entry, 0), parts[0].kind)
        return (key, key != 0 || !parts[0].isOptional)
    }

    func wideKey(_ entry: IndexEntry) -> (key: UInt128, isWhole: Bool) {
        if parts.count == 1 {
            let key = OrderedKey.wide(cell(entry, 0), parts[0].kind)
            return (key, OrderedKey.isWhole(key, parts[0].kind, isOptional: parts[0].isOptional))
        }
        var bytes = KeyBytes()
        for part in parts.indices where !bytes.isCut { bytes.append(cell(entry, part), parts[part]) }
        return (bytes.value, !bytes.isCut)
    }

    /// The order of an object that is in the index, by its values and then its slot, against an entry.
    func isBefore(_ slot: UInt32, _ entry: IndexEntry) -> Bool {
        for part in parts.indices {
            let order = CellOrder.compare(cell(Int(slot), part), cell(entry, part), parts[part].kind)
            if order != 0 { return order < 0 }
        }
        return Int(slot) < entry.slot
    }

    // MARK: - Entries

    /// O(log n).
    func insert(_ root: inout Root, _ entry: IndexEntry, isUnique: Bool, _ memory: TransactionMemory) -> Bool {
        let isShared = isUnique && !hasNil(entry) && hasEqual(root, entry)
        let slot = UInt32(truncatingIfNeeded: entry.slot)
        if isWide {
            let (key, isWhole) = wideKey(entry)
            Self.wide.insert(&root, key, slot: slot, in: memory) { isWhole ? $0 < slot : isBefore($0, entry) }
        } else {
            let (key, isWhole) = narrowKey(entry)
            Self.narrow.insert(&root, key, slot: slot, in: memory) { isWhole ? $0 < slot : isBefore($0, entry) }
        }
        return isShared
    }

    /// Removes an entry with the values under which it was entered. O(log n).
    func remove(_ root: inout Root, _ entry: IndexEntry, _ memory: TransactionMemory) {
        let slot = UInt32(truncatingIfNeeded: entry.slot)
        if isWide {
            let (key, isWhole) = wideKey(entry)
            remove(Self.wide, &root, key, slot, memory) { isWhole ? $0 < slot : isBefore($0, entry) }
        } else {
            let (key, isWhole) = narrowKey(entry)
            remove(Self.narrow, &root, key, slot, memory) { isWhole ? $0 < slot : isBefore($0, entry) }
        }
    }

    @inline(__always)
    private func remove<Key>(
        _ tree: OrderedTree<Key>, _ root: inout Root, _ key: Key, _ slot: UInt32,
        _ memory: TransactionMemory, _ isBefore: (UInt32) -> Bool
    ) {
        guard tree.contains(root, key, slot: slot, isBefore) else {
            return assertionFailure("an object without its index entry")
        }
        tree.remove(&root, key, slot: slot, in: memory, isBefore)
    }

    func build(_ objects: some IndexSource, _ memory: TransactionMemory) -> Root {
        let slots = objects.slotsInOrder()
        return isWide
            ? Self.wide.build(count: slots.count, in: memory) {
                (wideKey(IndexEntry(slot: Int(slots[$0]))).key, slots[$0])
            }
            : Self.narrow.build(count: slots.count, in: memory) {
                (narrowKey(IndexEntry(slot: Int(slots[$0]))).key, slots[$0])
            }
    }

    /// Whether an object of the index has the values of one that is about to be entered. That one must not be there yet: its
    /// page has the old values still, so it would be looked for in one place and stand in another. O(log n).
    private func hasEqual(_ root: Root, _ entry: IndexEntry) -> Bool {
        let cells = parts.indices.map { cell(entry, $0) }
        return rank(root, IndexBound(cells: cells, isAfter: true))
            > rank(root, IndexBound(cells: cells, isAfter: false))
    }
}
