/// An ordered index of one table as a view shows it: where its properties stand, and how entries are compared.
///
/// A tree knows keys and slots; this knows which values they are made of, and asks the objects for them where keys do not
/// suffice. Values that are changed at the moment are given in place of those that still stand in their page.
struct OrderedIndex {
    let header: UnsafeRawPointer
    let parts: [IndexPart]
    /// Whether keys take 16 bytes.
    let isWide: Bool

    init(header: UnsafeRawPointer, _ layout: IndexLayout) {
        self.header = header
        parts = layout.parts
        isWide = layout.isWide
    }

    static let narrow = OrderedTree<UInt64>()
    static let wide = OrderedTree<UInt128>()

    /// An object to be entered or removed.
    struct Entry {
        let slot: Int
        /// The part whose value is not the one in the page, and that value.
        let part: Int
        let cell: Cell

        /// All values as they stand in the page.
        init(slot: Int) { self.init(slot: slot, part: -1, cell: Cell()) }

        init(slot: Int, part: Int, cell: Cell) {
            self.slot = slot
            self.part = part
            self.cell = cell
        }
    }

    // MARK: - Values

    @inline(__always)
    func cell(_ slot: Int, _ part: Int) -> Cell {
        guard let page = TableHeader.page(header, slot: slot) else { return .null }
        let part = parts[part]
        return part.place.load(part.kind, page, slot & Page.slotMask)
    }

    @inline(__always)
    private func cell(_ entry: Entry, _ part: Int) -> Cell {
        part == entry.part ? entry.cell : cell(entry.slot, part)
    }

    /// Whether one of an entry's values is nil.
    func hasNil(_ entry: Entry) -> Bool {
        parts.indices.contains { cell(entry, $0).isNull }
    }

    // MARK: - Keys

    /// The key of an index of one property that is not wide.
    @inline(__always)
    private func narrowKey(_ entry: Entry) -> (key: UInt64, isWhole: Bool) {
        let key = OrderedKey.narrow(cell(entry, 0), parts[0].kind)
        return (key, key != 0 || !parts[0].isOptional)
    }

    private func wideKey(_ entry: Entry) -> (key: UInt128, isWhole: Bool) {
        if parts.count == 1 {
            let key = OrderedKey.wide(cell(entry, 0), parts[0].kind)
            return (key, OrderedKey.isWhole(key, parts[0].kind, isOptional: parts[0].isOptional))
        }
        var bytes = KeyBytes()
        for part in parts.indices where !bytes.isCut { bytes.append(cell(entry, part), parts[part]) }
        return (bytes.value, !bytes.isCut)
    }

    /// The order of an object that is in the index, by its values and then its slot, against an entry.
    private func isBefore(_ slot: UInt32, _ entry: Entry) -> Bool {
        for part in parts.indices {
            let order = CellOrder.compare(cell(Int(slot), part), cell(entry, part), parts[part].kind)
            if order != 0 { return order < 0 }
        }
        return Int(slot) < entry.slot
    }

    // MARK: - Entries

    /// O(log n).
    func insert(_ root: inout UnsafeRawPointer?, _ entry: Entry, _ memory: TransactionMemory) {
        let slot = UInt32(truncatingIfNeeded: entry.slot)
        if isWide {
            let (key, isWhole) = wideKey(entry)
            Self.wide.insert(&root, key, slot: slot, in: memory) { isWhole ? $0 < slot : isBefore($0, entry) }
        } else {
            let (key, isWhole) = narrowKey(entry)
            Self.narrow.insert(&root, key, slot: slot, in: memory) { isWhole ? $0 < slot : isBefore($0, entry) }
        }
    }

    /// Removes an entry with the values under which it was entered. O(log n).
    func remove(_ root: inout UnsafeRawPointer?, _ entry: Entry, _ memory: TransactionMemory) {
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
        _ tree: OrderedTree<Key>, _ root: inout UnsafeRawPointer?, _ key: Key, _ slot: UInt32,
        _ memory: TransactionMemory, _ isBefore: (UInt32) -> Bool
    ) {
        guard tree.contains(root, key, slot: slot, isBefore) else {
            return assertionFailure("an object without its index entry")
        }
        tree.remove(&root, key, slot: slot, in: memory, isBefore)
    }

    /// A tree of objects that are given in order. O(n).
    func build(_ slots: [UInt32], _ memory: TransactionMemory) -> UnsafeRawPointer? {
        isWide
            ? Self.wide.build(count: slots.count, in: memory) { (wideKey(Entry(slot: Int(slots[$0]))).key, slots[$0]) }
            : Self.narrow.build(count: slots.count, in: memory) {
                (narrowKey(Entry(slot: Int(slots[$0]))).key, slots[$0])
            }
    }

    /// Whether an object of the index has the values of one that is about to be entered. That one must not be there yet: its
    /// page has the old values still, so it would be looked for in one place and stand in another. O(log n).
    func hasEqual(_ root: UnsafeRawPointer?, _ entry: Entry) -> Bool {
        let cells = parts.indices.map { cell(entry, $0) }
        return rank(root, IndexBound(cells: cells, isAfter: true))
            > rank(root, IndexBound(cells: cells, isAfter: false))
    }

    // MARK: - Checking

    /// What is wrong with a tree, nil if all is well.
    func _invariantCheck(_ root: UnsafeRawPointer?) -> String? {
        var problem: String?
        func check<Key>(_ tree: OrderedTree<Key>, _ key: (Entry) -> Key) -> String? {
            if let problem = tree._invariantCheck(root, isOrdered: { isBefore($0, Entry(slot: Int($1))) }) {
                return problem
            }
            tree.forEachRun(root, 0..<tree.count(root)) { run in
                for i in 0..<run.count where key(Entry(slot: Int(run.slots[i]))) != run.keys[i] {
                    problem = "slot \(run.slots[i]) is entered under another key than its value's"
                    return false
                }
                return true
            }
            return problem
        }
        return isWide ? check(Self.wide) { wideKey($0).key } : check(Self.narrow) { narrowKey($0).key }
    }

    func _forEachNode(_ root: UnsafeRawPointer?, _ body: (UnsafeRawPointer, Int) -> Void) {
        if isWide { Self.wide._forEachNode(root, body) } else { Self.narrow._forEachNode(root, body) }
    }
}
