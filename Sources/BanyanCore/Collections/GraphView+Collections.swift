// Reading collections and inverse links.

extension GraphView {
    package func elementLayout(_ c: CollectionRef) -> ElementLayout {
        layout.tables[c.owner.table].columns[c.column].element.unsafelyUnwrapped
    }

    package func root(_ c: CollectionRef) -> UnsafeRawPointer? {
        UnsafeRawPointer(bitPattern: UInt(word(c.owner, c.column)))
    }

    /// O(1).
    package func elementCount(_ c: CollectionRef) -> Int {
        RankTree(stride: elementLayout(c).stride).count(root(c))
    }

    /// The cells of the element at a rank; the key is nil unless it is a map. O(log n).
    package func elementCell(_ c: CollectionRef, at rank: Int) -> (key: Cell, value: Cell) {
        let layout = elementLayout(c)
        let element = RankTree(stride: layout.stride).element(root(c), at: rank)
        return (layout.key == nil ? .null : layout.loadKey(element), layout.load(element))
    }

    package func element(_ c: CollectionRef, at rank: Int) -> (key: Value, value: Value) {
        let layout = elementLayout(c)
        let (key, value) = elementCell(c, at: rank)
        return (layout.key.map { Value(key, $0) } ?? .null, Value(value, layout.kind))
    }

    /// Calls `body` with the elements in order: a list's by position, a set's and a map's by value and key.
    package func forEachElement(
        _ c: CollectionRef, _ range: Range<Int>? = nil, _ body: (_ key: Cell, _ value: Cell) throws -> Bool
    ) rethrows {
        let layout = elementLayout(c)
        let tree = RankTree(stride: layout.stride)
        let root = root(c)
        var cursor = tree.cursor(root, in: range ?? 0..<tree.count(root))
        while let element = cursor.next() {
            guard try body(layout.key == nil ? .null : layout.loadKey(element), layout.load(element)) else { return }
        }
    }

    /// Where a value stands in a set, or a key in a map: its rank, or nil. O(log n).
    package func rank(of cell: Cell, in c: CollectionRef) -> Int? {
        let layout = elementLayout(c)
        let place = RankTree(stride: layout.stride).find(root(c)) { element in
            if let key = layout.key { return CellOrder.compare(layout.loadKey(element), cell, key) }
            return CellOrder.compare(layout.load(element), cell, layout.kind)
        }
        return place.isMatch ? place.rank : nil
    }

    // MARK: - Inverse links

    package func sources(_ target: ObjectRef, backlinkColumn: Int) -> SlotCounts {
        SlotCounts(word: word(target, backlinkColumn))
    }

    /// Links to an object through one property, duplicates counted.
    package func sourceCount(_ target: ObjectRef, backlinkColumn: Int) -> Int {
        sources(target, backlinkColumn: backlinkColumn).total
    }

    /// Calls `body` with each object that links here through one property, in slot order, and how often it does.
    package func forEachSource(
        _ target: ObjectRef, backlinkColumn: Int, _ body: (_ source: ObjectRef, _ times: Int) throws -> Bool
    ) rethrows {
        let table = layout.tables[target.table].columns[backlinkColumn].otherTable
        try sources(target, backlinkColumn: backlinkColumn).forEach { slot, times in
            try body(ObjectRef(table: table, slot: slot), times)
        }
    }
}
