/// The graph as one root shows it: every read there is, untyped. Valid as long as whoever handed it out (a version, a
/// running transaction) holds the root.
package struct GraphView: @unchecked Sendable {
    // Sound: the nodes behind a version's root never change, and a transaction's own view stays on its thread.
    package let root: UnsafeRawPointer
    // Held by whoever holds the root.
    unowned(unsafe) package let layout: StoreLayout

    package init(root: UnsafeRawPointer, layout: StoreLayout) {
        self.root = root
        self.layout = layout
    }

    package func header(_ table: Int) -> UnsafeRawPointer { TableHeader.of(root, table) }

    /// Objects of a table. O(1).
    package func count(_ table: Int) -> Int { TableHeader.liveCount(header(table)) }

    /// The page of an object's slot; nil beyond the table's end.
    package func page(_ table: Int, slot: Int) -> UnsafeRawPointer? {
        TableHeader.page(header(table), slot: slot)
    }

    /// Whether the object is there.
    package func contains(_ id: ObjectID) -> Bool {
        guard Int(id.table) < layout.tables.count, let page = page(Int(id.table), slot: Int(id.slot)) else {
            return false
        }
        let slot = Int(id.slot) & Page.slotMask
        return Page.present(page) >> UInt64(slot) & 1 != 0 && Page.generation(page, slot) == id.generation
    }

    /// The full identity of a linked object.
    package func id(_ ref: ObjectRef) -> ObjectID {
        let generation = page(ref.table, slot: ref.slot).map { Page.generation($0, ref.slot & Page.slotMask) }
        return ObjectID(table: ref.table, slot: ref.slot, generation: generation ?? 0)
    }

    /// Calls `body` with each object of a table, in slot order: page, slot in the page, slot in the table. Return false to stop.
    package func forEachObject(
        _ table: Int, from first: Int = 0, _ body: (UnsafeRawPointer, Int, Int) throws -> Bool
    ) rethrows {
        let header = header(table)
        try Directory.forEach(
            TableHeader.directory(header), depth: TableHeader.depth(header), count: TableHeader.pageCount(header),
            from: first >> Page.slotBits
        ) { index, page in
            var live = Page.present(page)
            if index == first >> Page.slotBits { live &= ~0 << UInt64(first & Page.slotMask) }
            while live != 0 {
                let slot = live.trailingZeroBitCount
                live &= live - 1
                if try !body(page, slot, index << Page.slotBits | slot) { return false }
            }
            return true
        }
    }

    /// The value of a single-value property. The object must be there.
    package func cell(_ ref: ObjectRef, _ column: Int) -> Cell {
        guard let page = page(ref.table, slot: ref.slot) else { return .null }
        let table = layout.tables[ref.table]
        return table.page.columns[column].load(table.columns[column].kind, page, ref.slot & Page.slotMask)
    }

    package func value(_ ref: ObjectRef, _ column: Int) -> Value {
        Value(cell(ref, column), layout.tables[ref.table].columns[column].kind)
    }

    /// The root of a collection, or the word of an inverse-link cell.
    package func word(_ ref: ObjectRef, _ column: Int) -> UInt64 {
        guard let page = page(ref.table, slot: ref.slot) else { return 0 }
        return layout.tables[ref.table].page.columns[column].root(page, ref.slot & Page.slotMask)
    }
}

extension GraphView {
    /// Whether there is an object in the slot a link names.
    package func isPresent(_ ref: ObjectRef) -> Bool {
        guard let page = page(ref.table, slot: ref.slot) else { return false }
        return Page.present(page) >> UInt64(ref.slot & Page.slotMask) & 1 != 0
    }
}
