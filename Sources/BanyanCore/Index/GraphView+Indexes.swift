// Looking up by key and by indexed value.

extension GraphView {
    /// The slot of the object with this primary key. O(1) expected.
    package func find(_ table: Int, key: Cell) -> Int? {
        layout.tables[table].keyAccess?.find(root, key)?.slot
    }

    /// The object with this primary key; nil also for a value of another kind.
    package func find(_ table: Int, key: Value) -> ObjectID? {
        guard let column = layout.tables[table].keyColumn else { return nil }
        let slot = key.withCell(as: layout.tables[table].columns[column].kind) { cell in
            cell.flatMap { find(table, key: $0) }
        }
        return slot.map { id(ObjectRef(table: table, slot: $0)) }
    }

    /// Which objects have a value in an indexed property; nil when the property has no index. O(1) expected, O(log n) where the
    /// index is ordered.
    package func indexed(_ table: Int, _ column: Int, _ cell: Cell) -> IndexedSlots? {
        let layout = layout.tables[table]
        if column == layout.keyColumn {
            return .counts(find(table, key: cell).map { SlotCounts(single: $0) } ?? SlotCounts(word: 0))
        }
        guard let place = layout.indexedColumns.firstIndex(of: column) else { return nil }
        return index(table, place).find(indexRoot(table, place), cell)
    }

    /// The objects between two places of an index; nil for an index that has no ranges. O(log n).
    ///
    /// - Parameter isOneValue: Whether all objects between them have the same values.
    func indexSlice(
        _ table: Int, _ place: Int, from lower: IndexBound, to upper: IndexBound, isOneValue: Bool
    ) -> IndexSlice? {
        index(table, place).range(indexRoot(table, place), from: lower, to: upper, isOneValue: isOneValue)
    }

    /// The slots of other objects with the values of this one in an index; none where one of the values is nil.
    func others(with ref: ObjectRef, inIndex place: Int, atMost most: Int) -> [Int] {
        var others: [Int] = []
        index(ref.table, place).find(indexRoot(ref.table, place), valuesOf: ref.slot).forEach { slot in
            if slot != ref.slot { others.append(slot) }
            return others.count < most
        }
        return others
    }

    func indexRoot(_ table: Int, _ place: Int) -> UnsafeRawPointer? {
        header(table).load(fromByteOffset: TableHeader.indexes + place * 8, as: UnsafeRawPointer?.self)
    }

    /// The index at this place among those of a table.
    @inline(__always)
    func index(_ table: Int, _ place: Int) -> TableIndex {
        TableIndex(layout.tables[table].indexes[place], header: header(table), seed: layout.seed)
    }

    func keyHasher(_ table: Int) -> IndexHasher {
        let type = layout.tables[table]
        let column = type.keyColumn.unsafelyUnwrapped
        return IndexHasher(
            header: header(table), kind: type.columns[column].kind, place: type.page.columns[column], seed: layout.seed)
    }
}
