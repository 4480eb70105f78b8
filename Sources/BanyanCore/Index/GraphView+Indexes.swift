// Looking up by key and by indexed value.

extension GraphView {
    /// The slot of the object with this primary key. O(1) expected.
    package func find(_ table: Int, key: Cell) -> Int? {
        layout.tables[table].keyAccess?.find(root, key)?.slot
    }

    /// The object with this primary key; nil also for a value of another kind.
    package func find(_ table: Int, key: Value) -> ObjectID? {
        guard let column = layout.tables[table].keyColumn else { return nil }
        let slot: Int? =
            switch (key, layout.tables[table].columns[column].kind) {
            case (.string(var text), .string):
                text.withUTF8 { Text.withCell(UnsafeRawBufferPointer($0)) { find(table, key: $0) } }
            case (.string, _), (_, .string): key.isNull ? find(table, key: Cell.null) : nil
            default: key.cell(as: layout.tables[table].columns[column].kind).flatMap { find(table, key: $0) }
            }
        return slot.map { id(ObjectRef(table: table, slot: $0)) }
    }

    /// Which objects have a value in an indexed property; nil when the property has no index. O(1) expected, O(log n) where the
    /// index is ordered.
    package func indexed(_ table: Int, _ column: Int, _ cell: Cell) -> IndexedSlots? {
        let layout = layout.tables[table]
        if column == layout.keyColumn {
            var found = SlotCounts(word: 0)
            if let slot = find(table, key: cell) { found = SlotCounts(single: slot) }
            return .counts(found)
        }
        guard let place = layout.indexedColumns.firstIndex(of: column) else { return nil }
        guard layout.indexes[place].form == .hash else {
            // An ordered index has no place for nil where there is none.
            guard !cell.isNull || layout.columns[column].isOptional else { return .counts(SlotCounts(word: 0)) }
            let found = orderedSlots(
                table, place, from: IndexBound(cells: [cell], isAfter: false),
                to: IndexBound(cells: [cell], isAfter: true),
                isAscending: true)
            return .ordered(found)
        }
        let hasher = hasher(table, column)
        let word = HashTrie(width: 8).find(indexRoot(table, place), hash: hasher.hash(cell)) {
            hasher.matches(posting: $0, cell)
        }
        return .counts(SlotCounts(word: word ?? 0))
    }

    /// The objects between two places of an ordered index. O(log n).
    ///
    /// - Parameter isAscending: whether all objects between them have the same values.
    func orderedSlots(
        _ table: Int, _ place: Int, from lower: IndexBound, to upper: IndexBound, isAscending: Bool
    ) -> OrderedSlots {
        let index = orderedIndex(table, place)
        let root = indexRoot(table, place)
        return OrderedSlots(
            root: root, isWide: index.isWide, range: index.range(root, from: lower, to: upper), isAscending: isAscending
        )
    }

    /// The slots of other objects with the values of this one in a unique index; none where one of the values is nil.
    func others(with ref: ObjectRef, inUniqueIndex place: Int, atMost most: Int) -> [Int] {
        let index = layout.tables[ref.table].indexes[place]
        let cells = index.columns.map { cell(ref, $0) }
        guard !cells.contains(where: \.isNull) else { return [] }
        let found: IndexedSlots? =
            index.form == .hash
            ? indexed(ref.table, index.columns[0], cells[0])
            : .ordered(
                orderedSlots(
                    ref.table, place, from: IndexBound(cells: cells, isAfter: false),
                    to: IndexBound(cells: cells, isAfter: true), isAscending: true))
        var others: [Int] = []
        found?.forEach { slot in
            if slot != ref.slot { others.append(slot) }
            return others.count < most
        }
        return others
    }

    func indexRoot(_ table: Int, _ place: Int) -> UnsafeRawPointer? {
        header(table).load(fromByteOffset: TableHeader.indexes + place * 8, as: UnsafeRawPointer?.self)
    }

    func orderedIndex(_ table: Int, _ place: Int) -> OrderedIndex {
        OrderedIndex(header: header(table), layout.tables[table].indexes[place])
    }

    func keyHasher(_ table: Int) -> IndexHasher {
        hasher(table, layout.tables[table].keyColumn.unsafelyUnwrapped)
    }

    func hasher(_ table: Int, _ column: Int) -> IndexHasher {
        let layout = layout.tables[table]
        return IndexHasher(
            header: header(table), kind: layout.columns[column].kind, place: layout.page.columns[column],
            seed: self.layout.seed)
    }
}

/// Hashes and compares the values behind the slots of an index.
struct IndexHasher {
    let header: UnsafeRawPointer
    let kind: ValueKind
    let place: Column
    let seed: UInt64

    func hash(_ cell: Cell) -> UInt64 { CellOrder.hash(cell, kind, seed: seed) }
    func hash(slot: UInt64) -> UInt64 { hash(cell(slot)) }
    func hash(posting: UInt64) -> UInt64 { hash(cell(UInt64(SlotCounts(word: posting).slot(at: 0)))) }
    func matches(posting: UInt64, _ cell: Cell) -> Bool {
        CellOrder.equal(self.cell(UInt64(SlotCounts(word: posting).slot(at: 0))), cell, kind)
    }

    private func cell(_ slot: UInt64) -> Cell {
        guard let page = TableHeader.page(header, slot: Int(slot)) else { return .null }
        return place.load(kind, page, Int(slot) & Page.slotMask)
    }
}
