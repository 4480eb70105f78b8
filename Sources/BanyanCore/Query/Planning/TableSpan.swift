/// The tables a query goes over: that of a type, then those of its subtypes.
///
/// An object of a query is known by one number, its *member*: the slot, where there is one table. Where there are several, their
/// pages take turns, so that members are dense, and those of one page lie side by side.
package struct TableSpan: Sendable, Hashable {
    /// The type the query is about comes first.
    package let tables: [Int]
    private let first: Int
    private let count: Int

    init(_ tables: [Int]) {
        self.tables = tables
        first = tables[0]
        count = tables.count
    }

    /// So many pages a table may have of which spans go over so many tables at most: as many as numbers of 32 bits can name, but
    /// for some that a transaction may have made when it fails for it.
    static func pageLimit(ofWidth width: Int) -> Int {
        (1 << (32 - Page.slotBits)) / max(width, 1) * 31 / 32
    }

    /// Whether members are slots.
    package var isSingle: Bool { @inline(__always) get { count == 1 } }

    @inline(__always)
    package func ref(_ member: UInt32) -> ObjectRef {
        if isSingle { return ObjectRef(table: first, slot: Int(member)) }
        let (index, place) = (Int(member) >> Page.slotBits).quotientAndRemainder(dividingBy: count)
        return ObjectRef(table: tables[place], slot: index << Page.slotBits | Int(member) & Page.slotMask)
    }

    /// Nil for an object of another type.
    package func member(_ ref: ObjectRef) -> UInt32? {
        if isSingle { return ref.table == first ? UInt32(truncatingIfNeeded: ref.slot) : nil }
        return tables.firstIndex(of: ref.table).map { member(slot: ref.slot, at: $0) }
    }

    /// The member in a slot of the table at a place.
    package func member(slot: Int, at place: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: base(slot & ~Page.slotMask, at: place) | slot & Page.slotMask)
    }

    /// The member in the first slot of a page of the table at a place.
    @inline(__always)
    func base(_ slot: Int, at place: Int) -> Int {
        isSingle ? slot : (slot >> Page.slotBits * count + place) << Page.slotBits
    }

    /// The page of a member; nil where there is none.
    @inline(__always)
    func page(_ member: UInt32, in view: GraphView) -> UnsafeRawPointer? {
        if isSingle { return view.page(first, slot: Int(member)) }
        let ref = ref(member)
        return view.page(ref.table, slot: ref.slot)
    }

    /// Members by place, each ascending, as one ascending array.
    package func merged(_ slots: [[UInt32]]) -> [UInt32] {
        if isSingle { return slots[0] }
        var members: [UInt32] = []
        members.reserveCapacity(slots.reduce(0) { $0 + $1.count })
        for (place, slots) in slots.enumerated() {
            for slot in slots { members.append(member(slot: Int(slot), at: place)) }
        }
        members.sort()
        return members
    }
}

extension StoreLayout {
    /// What a query on a type goes over.
    package func span(_ table: Int, includingSubtypes: Bool) -> TableSpan {
        TableSpan(includingSubtypes ? hierarchy.subtypes[table] : [table])
    }
}

extension TableLayout {
    var tooManyObjects: BanyanError {
        BanyanError(
            .limit,
            "the type has as many objects as can be numbered: 4,160 millions, divided by the number of types that inherit "
                + "from one another",
            remedy: "Delete objects, or spread them over several types", at: location())
    }
}
