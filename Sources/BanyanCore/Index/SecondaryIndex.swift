/// What a kind of secondary index does.
///
/// An index is a root pointer in the header of its table, nil where it is empty, and a value of a type of this protocol. That
/// value knows where the indexed properties stand in pages, and how to find, enter and remove objects. Entries hold slots and
/// never values: values are read from the pages.
///
/// A new kind is one type of this protocol, one case of `IndexKind` and one of `TableIndex`. All other code asks the kind for
/// its `capabilities`, or calls `TableIndex`.
protocol SecondaryIndex {
    /// Nil for an empty index.
    typealias Root = UnsafeRawPointer?

    static var kind: IndexKind { get }

    init(_ layout: IndexLayout, header: UnsafeRawPointer, seed: UInt64)

    /// Enters an object.
    ///
    /// - Parameter isUnique: Whether to look for other objects with the same values.
    /// - Returns: Whether there are some. False where one of the values is nil.
    func insert(_ root: inout Root, _ entry: IndexEntry, isUnique: Bool, _ memory: TransactionMemory) -> Bool

    /// Removes an object, which must have the values under which it was entered.
    func remove(_ root: inout Root, _ entry: IndexEntry, _ memory: TransactionMemory)

    /// The objects with one value in an index of one property.
    func find(_ root: Root, _ cell: Cell) -> IndexedSlots

    /// The objects with the values of the one in a slot, which is among them; none where one of the values is nil.
    func find(_ root: Root, valuesOf slot: Int) -> IndexedSlots

    /// The objects between two places. A prefix is a range between two places too: see `IndexBound`.
    ///
    /// - Parameter isOneValue: Whether all objects between the places have the same values in all properties of the index.
    /// - Returns: Nil for an index that has no ranges.
    func range(_ root: Root, from lower: IndexBound, to upper: IndexBound, isOneValue: Bool) -> IndexSlice?

    /// Calls `body` with slots that stand side by side: ascending or descending by value, those of equal values ascending.
    /// Return false to stop.
    func walk(_ slice: IndexSlice, isAscending: Bool, _ body: (UnsafePointer<UInt32>, Int) -> Bool)

    /// Makes the index of all objects of a table. O(objects), and what sorting them takes.
    func build(_ objects: some IndexSource, _ memory: TransactionMemory) -> Root

    /// Compares the index with the objects of its table. O(objects log objects).
    func check(_ root: Root, _ report: IndexReport)

    /// Calls `body` with each node and its size.
    func _forEachNode(_ root: Root, _ body: (UnsafeRawPointer, Int) -> Void)
}

/// An index without order has no ranges.
extension SecondaryIndex {
    func range(_ root: Root, from lower: IndexBound, to upper: IndexBound, isOneValue: Bool) -> IndexSlice? { nil }
    func walk(_ slice: IndexSlice, isAscending: Bool, _ body: (UnsafePointer<UInt32>, Int) -> Bool) {}
}

/// An object to be entered in an index or removed from it.
struct IndexEntry {
    let slot: Int
    /// The part of the index whose value is given here, in place of the one in the page; -1 for none.
    let part: Int
    let cell: Cell

    /// All values are those in the page.
    init(slot: Int) { self.init(slot: slot, part: -1, cell: Cell()) }

    init(slot: Int, part: Int, cell: Cell) {
        self.slot = slot
        self.part = part
        self.cell = cell
    }
}

/// A place between the entries of an ordered index: before or after all that have these values in the leading properties.
struct IndexBound {
    /// Of the leading properties; none for the ends of the index.
    var cells: [Cell]
    /// Whether the last cell is a text with which those of the entries begin.
    var isPrefix = false
    /// Whether the place is after the entries with these values.
    var isAfter: Bool
}

/// The objects of a table that an index is made of.
protocol IndexSource {
    var count: Int { get }

    /// Calls `body` with each object, by its page, its slot there and its slot in the table.
    func forEach(_ body: (UnsafeRawPointer, Int, Int) -> Void)

    /// The page of a slot.
    func page(_ slot: Int) -> UnsafeRawPointer

    /// The slots of all objects, ascending by the properties of the index and then by slot.
    func slotsInOrder() -> [UInt32]
}

/// What an index is checked against, and who hears what is wrong with it.
struct IndexReport {
    /// What messages call the index.
    let name: String
    /// How many objects the table has.
    let count: Int
    /// Whether there is an object in a slot.
    let isObject: (Int) -> Bool
    /// Notes a node, which must belong to this index alone.
    let claim: (UnsafeRawPointer) -> Void
    let fail: (String) -> Void
    /// Whether nothing is known to be wrong.
    let isSound: () -> Bool
}
