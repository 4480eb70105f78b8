/// What one commit did: the pages it made beside the pages they replaced, and the edits of its lists.
///
/// It holds both versions, so old and new values are there to be read, and nothing is copied to make it. Made objects come
/// out in slot order within each table.
package struct ChangeSet: Sendable {
    package let before: Version
    package let after: Version
    /// By table: the pages that were made or replaced, in slot order.
    package let tables: [TableChanges]
    package let listEdits: [CollectionRef: EditScript]

    package struct TableChanges: Sendable {
        package let table: Int
        package let pages: [PageChange]
    }

    package struct PageChange: @unchecked Sendable {
        // Sound: both pages belong to versions the change set holds.
        package let index: Int
        package let old: UnsafeRawPointer?
        package let new: UnsafeRawPointer
    }

    package var isEmpty: Bool { tables.isEmpty }

    init(before: Version, after: Version, _ pages: FreshPages) {
        self.before = before
        self.after = after
        listEdits = pages.listEdits
        var changed = pages.pages.filter { $0.page.load(fromByteOffset: Page.touched, as: UInt64.self) != 0 }
        if changed.count > 1 {
            changed.sort {
                $0.table != $1.table
                    ? $0.table < $1.table
                    : $0.page.load(fromByteOffset: Page.index, as: UInt32.self)
                        < $1.page.load(fromByteOffset: Page.index, as: UInt32.self)
            }
        }
        var tables: [TableChanges] = []
        var first = 0
        while first < changed.count {
            let table = changed[first].table
            let end = changed[first...].firstIndex { $0.table != table } ?? changed.count
            tables.append(TableChanges(table: table, pages: changed[first..<end].map { PageChange($0.page) }))
            first = end
        }
        self.tables = tables
    }
}

extension ChangeSet.PageChange {
    fileprivate init(_ page: UnsafeRawPointer) {
        index = Int(page.load(fromByteOffset: Page.index, as: UInt32.self))
        old = page.load(fromByteOffset: Page.origin, as: UnsafeRawPointer?.self)
        new = page
    }

    /// The slots that were written to, a bit each, by what became of their objects. A slot that was freed and used again is
    /// among the deleted and the created; whether a kept object really differs, `forEachDifference` tells.
    package var slots: (deleted: UInt64, created: UInt64, kept: UInt64) {
        let touched = new.load(fromByteOffset: Page.touched, as: UInt64.self)
        let now = Page.present(new)
        guard let old else { return (0, touched & now, 0) }
        let was = Page.present(old)
        var reborn: UInt64 = 0
        var both = touched & was & now
        while both != 0 {
            let slot = both.trailingZeroBitCount
            both &= both &- 1
            if Page.generation(old, slot) != Page.generation(new, slot) { reborn |= 1 &<< UInt64(slot) }
        }
        return (touched & was & ~now | reborn, touched & now & ~was | reborn, touched & was & now & ~reborn)
    }

    /// The slots whose objects came and went within the commit. All that is left of them are their generations, which must not
    /// be given out again.
    package var spent: UInt64 {
        let touched = new.load(fromByteOffset: Page.touched, as: UInt64.self)
        return touched & ~Page.present(new) & ~(old.map { Page.present($0) } ?? 0)
    }

    /// Calls `body` with the columns in which a kept object differs from before, in order; hidden ones included.
    package func forEachDifference(_ layout: TableLayout, slot: Int, _ body: (Int) -> Void) {
        guard let old else { return }
        // The last bit stands for all columns from the 63rd on.
        var mask = new.load(fromByteOffset: Page.touchedColumns, as: UInt64.self)
        while mask != 0 {
            let first = mask.trailingZeroBitCount
            mask &= mask &- 1
            for column in first..<(first < 63 ? first &+ 1 : layout.columns.count)
            where Self.differs(layout, column, old, new, slot) { body(column) }
        }
    }

    private static func differs(
        _ layout: TableLayout, _ column: Int, _ old: UnsafeRawPointer, _ new: UnsafeRawPointer, _ slot: Int
    ) -> Bool {
        let info = layout.columns[column]
        let place = layout.page.columns[column]
        if info.role == .inverseProperty { return false }
        if info.role == .backlink || info.isCollection { return place.root(old, slot) != place.root(new, slot) }
        let (a, b) = (place.load(info.kind, old, slot), place.load(info.kind, new, slot))
        guard info.kind.isText else { return !CellOrder.identical(a, b) }
        return a.isNull || b.isNull ? a.isNull != b.isNull : !Text.equal(a, b)
    }
}

extension Version {
    /// The change set of a transaction that changed nothing.
    package var changeSet: ChangeSet { ChangeSet(before: self, after: self, FreshPages(pages: [], listEdits: [:])) }
}

/// What a change set is made of, when somebody asks.
package struct FreshPages: @unchecked Sendable {
    // Sound: the pages belong to the version that keeps this and to its successor, and change no more.
    let pages: [FreshPage]
    let listEdits: [CollectionRef: EditScript]
}

/// What happened to one object.
package struct ObjectChange {
    package enum Kind: Sendable { case created, modified, deleted }

    package let kind: Kind
    package let id: ObjectID
    /// For a modified object: the columns whose values differ, in order; hidden columns included.
    package let columns: [Int]
}

extension Transaction {
    /// The net changes, for the version that `commit` returned.
    package func changeSet(to version: Version) -> ChangeSet {
        base.changeSets(to: version).first
            ?? ChangeSet(before: base, after: version, FreshPages(pages: [], listEdits: [:]))
    }
}

extension ChangeSet {
    /// Calls `body` with every object that was created, changed or deleted. A slot that was freed and used again gives two
    /// changes, the deletion first. O(objects touched).
    package func forEachObject(_ body: (ObjectChange) throws -> Void) rethrows {
        for table in tables { try forEachObject(of: table, body) }
    }

    package func forEachObject(of changes: TableChanges, _ body: (ObjectChange) throws -> Void) rethrows {
        let layout = after.lineage.layout.tables[changes.table]
        for page in changes.pages {
            let (deleted, created, kept) = page.slots
            var touched = deleted | created | kept
            while touched != 0 {
                let slot = touched.trailingZeroBitCount
                touched &= touched - 1
                let bit: UInt64 = 1 << UInt64(slot)
                func id(_ page: UnsafeRawPointer, _ index: Int) -> ObjectID {
                    ObjectID(
                        table: changes.table, slot: index << Page.slotBits | slot,
                        generation: Page.generation(page, slot))
                }
                if kept & bit != 0 {
                    var columns: [Int] = []
                    page.forEachDifference(layout, slot: slot) { columns.append($0) }
                    if !columns.isEmpty {
                        try body(ObjectChange(kind: .modified, id: id(page.new, page.index), columns: columns))
                    }
                    continue
                }
                if deleted & bit != 0, let old = page.old {
                    try body(ObjectChange(kind: .deleted, id: id(old, page.index), columns: []))
                }
                if created & bit != 0 {
                    try body(ObjectChange(kind: .created, id: id(page.new, page.index), columns: []))
                }
            }
        }
    }
}
