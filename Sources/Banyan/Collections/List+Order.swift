import BanyanCore

// Changing the order. Everything here traps outside a write when the list is managed.

extension List {
    /// Moves the element at `source` so that it ends up at `target`. O(log n).
    public func move(from source: Int, to target: Int) {
        guard let handle else {
            requireElement(at: source)
            requireElement(at: target)
            elements.insert(elements.remove(at: source), at: target)
            return
        }
        handle.transaction.listMove(handle.owner, handle.column, from: source, to: target)
    }

    /// Moves the elements at these indices together, in order, before the element that is at `destination` now.
    public func move<S: Sequence>(fromOffsets offsets: S, toOffset destination: Int) where S.Element == Int {
        let offsets = Set(offsets).sorted()
        let before = offsets.prefix { $0 < destination }
        for (i, offset) in before.reversed().enumerated() { move(from: offset, to: destination - 1 - i) }
        for (i, offset) in offsets.dropFirst(before.count).enumerated() { move(from: offset, to: destination + i) }
    }

    /// Exchanges two elements.
    public func swapAt(_ i: Int, _ j: Int) {
        guard handle != nil else {
            requireElement(at: i)
            requireElement(at: j)
            return elements.swapAt(i, j)
        }
        let (low, high) = (Swift.min(i, j), Swift.max(i, j))
        guard low != high else { return }
        move(from: high, to: low)
        if high - low > 1 { move(from: low + 1, to: high) }
    }

    public func reverse() { permute(indices.reversed()) }

    /// Sorts the list; equal elements keep their order.
    public func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
        let values = Array(self)
        permute(try values.indices.sorted { try areInIncreasingOrder(values[$0], values[$1]) })
    }

    /// Sorts the list; equal elements keep their order.
    public func sort() where Element: Comparable { sort(by: <) }

    public func shuffle<G: RandomNumberGenerator>(using generator: inout G) {
        permute(indices.shuffled(using: &generator))
    }

    public func shuffle() { permute(indices.shuffled()) }

    /// Puts at each index the element that is at `order` of that index now.
    private func permute(_ order: [Int]) {
        guard handle != nil else {
            elements = order.map { elements[$0] }
            return
        }
        guard let transaction = handle?.transaction else { return }
        if Element._$elementType.kind == .embedded || Element._$elementType.kind == .any {
            handle.map { transaction.listReorder($0.owner, $0.column, order) }
        } else {
            handle?.permute(order, transaction)
        }
    }

    /// Puts embedded objects in the place of those in a range, of which they may be some.
    func replaceEmbedded(_ bounds: Range<Int>, with values: [Element], _ transaction: Transaction) {
        guard let handle else { return }
        let count = count
        guard bounds.lowerBound >= 0, bounds.upperBound <= count else {
            return reportOutOfBounds(bounds.lowerBound < 0 ? bounds.lowerBound : bounds.upperBound)
        }
        let cells = self.handle?.values(bounds) ?? []
        let present = Dictionary(
            cells.enumerated().map { ($1.low, bounds.lowerBound + $0) }, uniquingKeysWith: { first, _ in first })
        let replacing = values.map { value in
            value._$withLookupCell(in: handle.graph) { cell in cell.flatMap { present[$0.low] } }
        }
        let kept = replacing.compactMap { $0 }
        guard !kept.isEmpty else {
            if let cells = handle.cells(values) { self.handle?.replace(bounds, with: cells, transaction) }
            return
        }
        guard Set(kept).count == kept.count else {
            return handle.fail(
                .secondOwner, "the same embedded object was given twice",
                remedy: "Store an unmanaged copy of it in the second place")
        }
        let places = (0..<bounds.lowerBound).map { $0 as Int? } + replacing + (bounds.upperBound..<count).map { $0 }
        transaction.listRearrange(handle.owner, handle.column, keeping: places) { run in
            let new = values[run.lowerBound - bounds.lowerBound..<run.upperBound - bounds.lowerBound]
            guard let cells = handle.cells(Array(new)) else { return false }
            transaction.listInsert(handle.owner, handle.column, at: run.lowerBound, cells)
            return true
        }
    }
}

extension CollectionHandle {
    /// Puts at each index the value that is at `order` of that index now.
    mutating func permute(_ order: [Int], _ transaction: Transaction) {
        let old = values(0..<count())
        guard old.count == order.count else { return }
        var new: [Cell] = []
        new.reserveCapacity(old.count)
        for (target, source) in order.enumerated() {
            // A text that stands elsewhere needs a block of its own: the old one goes when its old place is set.
            if elements.kind.isText, target != source, !old[source].isNull, Text.isBlock(old[source]) {
                let copy = Text.withBytes(old[source]) { transaction.makeText($0, BanyanError.Location()) }
                guard let copy else { return }
                new.append(copy)
            } else {
                new.append(old[source])
            }
        }
        for (index, cell) in new.enumerated() where order[index] != index {
            transaction.listSet(owner, column, at: index, cell)
        }
    }
}
