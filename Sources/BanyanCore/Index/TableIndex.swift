/// A secondary index of a table, of whichever kind. This is the one place where operations are chosen by kind.
///
/// An enumeration of concrete types keeps every operation a direct call.
enum TableIndex {
    case hash(HashIndex)
    case ordered(OrderedIndex)

    typealias Root = UnsafeRawPointer?

    /// - Parameter header: The table's.
    @inline(__always)
    init(_ layout: IndexLayout, header: UnsafeRawPointer, seed: UInt64) {
        switch layout.kind {
        case .hash: self = .hash(HashIndex(layout, header: header, seed: seed))
        case .ordered: self = .ordered(OrderedIndex(layout, header: header, seed: seed))
        }
    }

    @inline(__always)
    func insert(_ root: inout Root, _ entry: IndexEntry, isUnique: Bool, _ memory: TransactionMemory) -> Bool {
        switch self {
        case .hash(let index): index.insert(&root, entry, isUnique: isUnique, memory)
        case .ordered(let index): index.insert(&root, entry, isUnique: isUnique, memory)
        }
    }

    @inline(__always)
    func remove(_ root: inout Root, _ entry: IndexEntry, _ memory: TransactionMemory) {
        switch self {
        case .hash(let index): index.remove(&root, entry, memory)
        case .ordered(let index): index.remove(&root, entry, memory)
        }
    }

    @inline(__always)
    func find(_ root: Root, _ cell: Cell) -> IndexedSlots {
        switch self {
        case .hash(let index): index.find(root, cell)
        case .ordered(let index): index.find(root, cell)
        }
    }

    func find(_ root: Root, valuesOf slot: Int) -> IndexedSlots {
        switch self {
        case .hash(let index): index.find(root, valuesOf: slot)
        case .ordered(let index): index.find(root, valuesOf: slot)
        }
    }

    func range(_ root: Root, from lower: IndexBound, to upper: IndexBound, isOneValue: Bool) -> IndexSlice? {
        switch self {
        case .hash(let index): index.range(root, from: lower, to: upper, isOneValue: isOneValue)
        case .ordered(let index): index.range(root, from: lower, to: upper, isOneValue: isOneValue)
        }
    }

    func walk(_ slice: IndexSlice, isAscending: Bool, _ body: (UnsafePointer<UInt32>, Int) -> Bool) {
        switch self {
        case .hash(let index): index.walk(slice, isAscending: isAscending, body)
        case .ordered(let index): index.walk(slice, isAscending: isAscending, body)
        }
    }

    func build(_ objects: some IndexSource, _ memory: TransactionMemory) -> Root {
        switch self {
        case .hash(let index): index.build(objects, memory)
        case .ordered(let index): index.build(objects, memory)
        }
    }

    func check(_ root: Root, _ report: IndexReport) {
        switch self {
        case .hash(let index): index.check(root, report)
        case .ordered(let index): index.check(root, report)
        }
    }

    func _forEachNode(_ root: Root, _ body: (UnsafeRawPointer, Int) -> Void) {
        switch self {
        case .hash(let index): index._forEachNode(root, body)
        case .ordered(let index): index._forEachNode(root, body)
        }
    }
}
