// What journal replay and snapshot loading need of Core besides the ordinary operations.

extension Transaction {
    /// From here on the journal names every object that goes: nothing is deleted because its owner lets go of it.
    package func beginReplay() { isReplaying = true }

    /// The value of a key in a map; nil when the key is not there. O(log n).
    package func mapValue(_ id: ObjectID, _ column: Int, key: Cell) -> Cell? {
        let c = CollectionRef(id.ref, column)
        return view.rank(of: key, in: c).map { view.elementCell(c, at: $0).value }
    }

    /// Gives a restored object a value other than zero or nil, for the first time: there is nothing to compare with and
    /// nothing to let go of. A text must be a cell of this transaction.
    package func initialize(_ id: ObjectID, _ column: Int, _ cell: Cell) {
        let table = layout.tables[Int(id.table)]
        let info = table.columns[column]
        if info.kind.isLink {
            setLink(id, column, old: nil, new: ObjectRef(word: cell.isNull ? 0 : cell.low))
            return
        }
        if info.kind == .any {
            if info.isIndexed { indexNew(id.ref, column, .null) }
            return setAny(id, column, cell)
        }
        let page = writablePage(Int(id.table), slot: Int(id.slot))
        table.page.columns[column].store(cell, info.kind, page, Int(id.slot) & Page.slotMask)
        if info.isIndexed { indexNew(id.ref, column, cell) }
    }

    /// Enters a restored object's zero or nil in the property's index. The key is in its indexes already.
    package func initializeIndex(_ id: ObjectID, _ column: Int) {
        let info = layout.tables[Int(id.table)].columns[column]
        if info.isIndexed, !info.isKey {
            indexNew(id.ref, column, info.isOptional || info.kind.isZeroNil ? .null : Cell())
        }
    }

    /// Enters a new object, all of whose values are zero or nil, in its type's indexes. The key is in its own already.
    package func initializeIndexes(_ id: ObjectID) {
        for column in layout.tables[Int(id.table)].indexedColumns { initializeIndex(id, column) }
        enterCompoundIndexes(id.ref)
    }

    /// Gives up a cell that `makeText` made and nothing holds.
    package func dropText(_ cell: Cell, _ kind: ValueKind) {
        if kind.isText { discardText(cell) }
    }
}

extension GraphView {
    /// Whether the link leads to an object.
    package func contains(_ ref: ObjectRef) -> Bool {
        guard ref.table < layout.tables.count, let page = page(ref.table, slot: ref.slot) else { return false }
        return Page.present(page) >> UInt64(ref.slot & Page.slotMask) & 1 != 0
    }

    /// Pages of a table, those without objects included.
    package func pageCount(_ table: Int) -> Int { TableHeader.pageCount(header(table)) }

    /// Links to a slot through all properties, duplicates counted; also of a slot without an object.
    package func linkCount(to ref: ObjectRef) -> Int {
        layout.tables[ref.table].inverseColumns.reduce(0) { $0 + sourceCount(ref, backlinkColumn: $1) }
    }
}
