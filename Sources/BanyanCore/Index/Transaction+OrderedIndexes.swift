// The ordered indexes: those of one property and those of several.

extension Transaction {
    /// Enters a new object, whose values are in its page, in the indexes of several properties.
    package func enterCompoundIndexes(_ ref: ObjectRef) {
        for place in layout.tables[ref.table].compoundIndexes { enter(ref, place, -1, .null) }
    }

    /// Enters an object with the values in its page, but for one part of the index that is about to have another. O(log n).
    func enter(_ ref: ObjectRef, _ place: Int, _ part: Int, _ cell: Cell) {
        let entry = OrderedIndex.Entry(slot: ref.slot, part: part, cell: cell)
        let isUnique = layout.tables[ref.table].indexes[place].isUnique
        changeOrdered(ref.table, place) { index, root in
            if isUnique, !index.hasNil(entry), index.hasEqual(root, entry) { doubtful.append((ref, place)) }
            index.insert(&root, entry, memory)
        }
    }

    /// Takes an object out. It must still have the values under which it was entered. O(log n).
    func leave(_ ref: ObjectRef, _ place: Int) {
        changeOrdered(ref.table, place) { index, root in
            index.remove(&root, OrderedIndex.Entry(slot: ref.slot), memory)
        }
    }

    private func changeOrdered(
        _ table: Int, _ place: Int, _ change: (OrderedIndex, inout UnsafeRawPointer?) -> Void
    ) {
        let header = writableHeader(table)
        let offset = TableHeader.indexes + place * 8
        var root = header.load(fromByteOffset: offset, as: UnsafeRawPointer?.self)
        change(OrderedIndex(header: UnsafeRawPointer(header), layout.tables[table].indexes[place]), &root)
        header.storeBytes(of: root, toByteOffset: offset, as: UnsafeRawPointer?.self)
    }
}
