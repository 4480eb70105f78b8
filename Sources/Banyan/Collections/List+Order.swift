import BanyanCore

// Changing the order. Everything here traps outside a write when the list is managed.

extension List {
    /// Moves the element at `source` so that it ends up at `target`. O(log n).
    public func move(from source: Int, to target: Int) {
        guard let handle else {
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
        guard handle != nil else { return elements.swapAt(i, j) }
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
            reorder(order, transaction)
        } else {
            handle?.permute(order, transaction)
        }
    }

    /// The same by moves alone: for embedded objects and what AnyValues own, which may not be in two places at any time. O(n log n).
    private func reorder(_ order: [Int], _ transaction: Transaction) {
        guard let handle else { return }
        var placed = PrefixCounts(order.count)
        for (target, original) in order.enumerated() {
            // Those placed stand in front; behind them the others still stand in their old order.
            let source = target + original - placed.count(below: original)
            if source != target {
                transaction.listMove(handle.owner, handle.column, from: source, to: target)
            }
            placed.insert(original)
        }
    }

    /// Makes a list of embedded objects hold `values`, of which some may be in it already.
    func replaceEmbedded(_ values: [Element], _ transaction: Transaction) {
        guard let handle else { return }
        let cells = self.handle?.values(0..<count) ?? []
        let present = Dictionary(cells.enumerated().map { ($1.low, $0) }, uniquingKeysWith: { first, _ in first })
        let places = values.map { value in
            value._$withLookupCell(in: handle.graph) { cell in cell.flatMap { present[$0.low] } }
        }
        let kept = places.compactMap { $0 }
        let stays = Set(kept)
        guard stays.count == kept.count else {
            return handle.fail(
                .secondOwner, "the same embedded object was given twice",
                remedy: "Store an unmanaged copy of it in the second place")
        }
        let remaining = (0..<present.count).filter { stays.contains($0) }
        for place in (0..<present.count).reversed() where !stays.contains(place) {
            transaction.listRemove(handle.owner, handle.column, place..<(place + 1))
        }
        let ranks = Dictionary(uniqueKeysWithValues: remaining.enumerated().map { ($1, $0) })
        reorder(kept.compactMap { ranks[$0] }, transaction)
        var index = 0
        while index < values.count {
            let run = values[index...].indices.prefix { places[$0] == nil }
            guard !run.isEmpty else {
                index += 1
                continue
            }
            guard let cells = handle.cells(Array(values[run])) else { return }
            transaction.listInsert(handle.owner, handle.column, at: index, cells)
            index = run.upperBound
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

/// How many of the numbers 0 to n − 1 that are in a set lie below a bound, in O(log n).
private struct PrefixCounts {
    private var sums: [Int]

    init(_ n: Int) { sums = Array(repeating: 0, count: n + 1) }

    mutating func insert(_ number: Int) {
        var i = number + 1
        while i < sums.count {
            sums[i] += 1
            i += i & -i
        }
    }

    func count(below bound: Int) -> Int {
        var i = bound
        var sum = 0
        while i > 0 {
            sum += sums[i]
            i -= i & -i
        }
        return sum
    }
}
