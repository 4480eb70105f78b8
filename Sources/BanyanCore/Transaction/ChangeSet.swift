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
        var byTable: [Int: [PageChange]] = [:]
        for fresh in pages.pages {
            let page = fresh.page
            guard page.load(fromByteOffset: Page.touched, as: UInt64.self) != 0 else { continue }
            byTable[fresh.table, default: []].append(
                PageChange(
                    index: Int(page.load(fromByteOffset: Page.index, as: UInt32.self)),
                    old: page.load(fromByteOffset: Page.origin, as: UnsafeRawPointer?.self), new: page))
        }
        tables = byTable.keys.sorted().map { table in
            TableChanges(table: table, pages: byTable[table, default: []].sorted { $0.index < $1.index })
        }
    }
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
            let mask = page.new.load(fromByteOffset: Page.touchedColumns, as: UInt64.self)
            var touched = page.new.load(fromByteOffset: Page.touched, as: UInt64.self)
            let isPresent = Page.present(page.new)
            let wasPresent = page.old.map { Page.present($0) } ?? 0
            while touched != 0 {
                let slot = touched.trailingZeroBitCount
                touched &= touched - 1
                let bit: UInt64 = 1 << UInt64(slot)
                let was = wasPresent & bit != 0
                let now = isPresent & bit != 0
                let newGeneration = Page.generation(page.new, slot)
                let oldGeneration = page.old.map { Page.generation($0, slot) } ?? 0
                let index = page.index << Page.slotBits | slot
                func id(_ generation: UInt32) -> ObjectID {
                    ObjectID(table: changes.table, slot: index, generation: generation)
                }
                if was, now, newGeneration == oldGeneration {
                    guard let old = page.old else { continue }
                    let columns = Self.differing(layout, mask, old, page.new, slot)
                    if !columns.isEmpty {
                        try body(ObjectChange(kind: .modified, id: id(newGeneration), columns: columns))
                    }
                } else {
                    if was { try body(ObjectChange(kind: .deleted, id: id(oldGeneration), columns: [])) }
                    if now { try body(ObjectChange(kind: .created, id: id(newGeneration), columns: [])) }
                }
            }
        }
    }

    /// The columns whose value in `slot` is not the same in both pages.
    private static func differing(
        _ layout: TableLayout, _ mask: UInt64, _ old: UnsafeRawPointer, _ new: UnsafeRawPointer, _ slot: Int
    ) -> [Int] {
        var result: [Int] = []
        for (i, column) in layout.columns.enumerated() where mask >> UInt64(min(i, 63)) & 1 != 0 {
            let place = layout.page.columns[i]
            let same: Bool
            if column.role == .inverseProperty {
                continue
            } else if column.role == .backlink || column.isCollection {
                same = place.word(old, slot) == place.word(new, slot)
            } else if column.kind.isText {
                let (a, b) = (place.load(column.kind, old, slot), place.load(column.kind, new, slot))
                same = a.isNull || b.isNull ? a.isNull == b.isNull : Text.equal(a, b)
            } else {
                same = CellOrder.identical(place.load(column.kind, old, slot), place.load(column.kind, new, slot))
            }
            if !same { result.append(i) }
        }
        return result
    }
}
