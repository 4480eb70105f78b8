// Finding what lies between two places.

extension OrderedIndex {
    func count(_ root: Root) -> Int {
        isWide ? Self.wide.count(root) : Self.narrow.count(root)
    }

    /// How many entries come before a place. O(log n).
    func rank(_ root: Root, _ bound: IndexBound) -> Int {
        guard !bound.cells.isEmpty else { return bound.isAfter ? count(root) : 0 }
        let isAfter = bound.isAfter
        func isBefore(_ slot: UInt32) -> Bool {
            let order = order(Int(slot), bound)
            return order < 0 || order == 0 && isAfter
        }
        if isWide {
            let (key, mask, isWhole) = wideKey(bound)
            return Self.wide.rank(root, key, mask: mask) { isWhole ? isAfter : isBefore($0) }
        }
        let key = OrderedKey.narrow(bound.cells[0], parts[0].kind)
        let isWhole = key != 0 || !parts[0].isOptional
        return Self.narrow.rank(root, key) { isWhole ? isAfter : isBefore($0) }
    }

    /// O(log n).
    func range(_ root: Root, from lower: IndexBound, to upper: IndexBound, isOneValue: Bool) -> IndexSlice? {
        slice(root, from: lower, to: upper, isOneValue: isOneValue)
    }

    /// O(log n).
    func find(_ root: Root, _ cell: Cell) -> IndexedSlots {
        // There is no place for nil where there is none.
        !cell.isNull || parts[0].isOptional ? find(root, [cell]) : .none
    }

    /// O(log n).
    func find(_ root: Root, valuesOf slot: Int) -> IndexedSlots {
        let cells = parts.indices.map { cell(slot, $0) }
        return cells.contains(where: \.isNull) ? .none : find(root, cells)
    }

    private func find(_ root: Root, _ cells: [Cell]) -> IndexedSlots {
        .slice(
            slice(
                root, from: IndexBound(cells: cells, isAfter: false), to: IndexBound(cells: cells, isAfter: true),
                isOneValue: true))
    }

    private func slice(
        _ root: Root, from lower: IndexBound, to upper: IndexBound, isOneValue: Bool
    ) -> IndexSlice {
        let start = rank(root, lower)
        let range = start..<max(start, rank(root, upper))
        return IndexSlice(root: root, isWide: isWide, range: range, isAscending: isOneValue)
    }

    private func wideKey(_ bound: IndexBound) -> (key: UInt128, mask: UInt128, isWhole: Bool) {
        if parts.count == 1 {
            let cell = bound.cells[0]
            if bound.isPrefix { return Text.withBytes(cell) { OrderedKey.prefix($0) } }
            let key = OrderedKey.wide(cell, parts[0].kind)
            return (key, ~0, OrderedKey.isWhole(key, parts[0].kind, isOptional: parts[0].isOptional))
        }
        var bytes = KeyBytes()
        for (i, cell) in bound.cells.enumerated() where !bytes.isCut {
            if bound.isPrefix, i == bound.cells.count - 1 {
                if parts[i].isOptional { bytes.append(1, bytes: 1) }
                bytes.append(text: cell)
            } else {
                bytes.append(cell, parts[i])
            }
        }
        return (bytes.value, bytes.mask, !bytes.isCut)
    }

    /// The order of an object in the index against the values of a bound.
    private func order(_ slot: Int, _ bound: IndexBound) -> Int {
        for (part, wanted) in bound.cells.enumerated() {
            let cell = cell(slot, part)
            let order =
                bound.isPrefix && part == bound.cells.count - 1
                ? Self.prefixOrder(cell, wanted) : CellOrder.compare(cell, wanted, parts[part].kind)
            if order != 0 { return order }
        }
        return 0
    }

    /// Zero for a text that begins with another.
    private static func prefixOrder(_ cell: Cell, _ prefix: Cell) -> Int {
        if cell.isNull { return -1 }
        return Text.withBytes(cell) { text in
            Text.withBytes(prefix) { prefix in
                Text.compare(UnsafeRawBufferPointer(rebasing: text.prefix(prefix.count)), prefix)
            }
        }
    }
}
