/// Finding places, counting what lies between them, and walking.
extension OrderedTree {
    /// How many entries of a node (of an inner one: first entries of children) come before the place. O(log count).
    @inline(__always)
    func lowerBound(_ node: Node, _ key: Key, mask: Key, _ isBefore: (UInt32) -> Bool) -> Int {
        let keys = node.keys
        let count = node.count
        var low = 0
        var length = count
        // Without branches that depend on the keys: they could not be foreseen.
        while length > 1 {
            let half = length &>> 1
            low = keys[low &+ half &- 1] & mask < key ? low &+ half : low
            length &-= half
        }
        low &+= length == 1 && keys[low] & mask < key ? 1 : 0
        guard low < count, keys[low] & mask == key else { return low }
        return tieBound(node, key, mask: mask, from: low, isBefore)
    }

    /// The same among entries from `low` on, where those begin whose key decides nothing.
    private func tieBound(_ node: Node, _ key: Key, mask: Key, from low: Int, _ isBefore: (UInt32) -> Bool) -> Int {
        let keys = node.keys
        let slots = node.slots
        var low = low
        var high = node.count
        while low < high {
            let middle = (low &+ high) &>> 1
            if keys[middle] & mask == key, isBefore(slots[middle]) { low = middle &+ 1 } else { high = middle }
        }
        return low
    }

    /// How many entries come before the place. O(log n).
    package func rank(_ root: Root, _ key: Key, mask: Key = ~0, _ isBefore: (UInt32) -> Bool) -> Int {
        guard let root else { return 0 }
        var node = Node(root)
        var rank = 0
        while !node.isLeaf {
            // Of the children that begin before the place only the last may have entries behind it.
            let index = max(lowerBound(node, key, mask: mask, isBefore) &- 1, 0)
            let totals = node.totals
            for i in 0..<index { rank &+= Int(totals[i]) }
            node = node.child(index)
        }
        return rank &+ lowerBound(node, key, mask: mask, isBefore)
    }

    /// The slot at a rank. O(log n).
    package func slot(_ root: Root, at rank: Int) -> UInt32 {
        var node = Node(root.unsafelyUnwrapped)
        precondition(rank >= 0 && rank < node.total, "rank out of range")
        var rest = rank
        while !node.isLeaf {
            var index = 0
            while rest >= Int(node.totals[index]) {
                rest &-= Int(node.totals[index])
                index &+= 1
            }
            node = node.child(index)
        }
        return node.slots[rest]
    }

    // MARK: - Walking

    /// Entries that stand side by side in one leaf.
    package struct Run {
        package let keys: UnsafePointer<Key>
        package let slots: UnsafePointer<UInt32>
        package let count: Int
        /// Of the first of them.
        package let rank: Int
    }

    /// Calls `body` with the entries whose ranks are in `range`, run after run. Return false to stop. O(log n + entries).
    package func forEachRun<E: Error>(
        _ root: Root, _ range: Range<Int>, _ body: (Run) throws(E) -> Bool
    ) throws(E) {
        guard let root, !range.isEmpty else { return }
        _ = try forward(Node(root), 0, range, body)
    }

    private func forward<E: Error>(
        _ node: Node, _ first: Int, _ range: Range<Int>, _ body: (Run) throws(E) -> Bool
    ) throws(E) -> Bool {
        if node.isLeaf { return try visit(node, first, range, body) }
        var start = first
        for i in 0..<node.count {
            let end = start &+ Int(node.totals[i])
            if end > range.lowerBound {
                if start >= range.upperBound { return true }
                if try !forward(node.child(i), start, range, body) { return false }
            }
            start = end
        }
        return true
    }

    /// The same from the last run to the first; within a run the entries ascend.
    package func forEachRunBackwards<E: Error>(
        _ root: Root, _ range: Range<Int>, _ body: (Run) throws(E) -> Bool
    ) throws(E) {
        guard let root, !range.isEmpty else { return }
        _ = try backward(Node(root), 0, range, body)
    }

    private func backward<E: Error>(
        _ node: Node, _ first: Int, _ range: Range<Int>, _ body: (Run) throws(E) -> Bool
    ) throws(E) -> Bool {
        if node.isLeaf { return try visit(node, first, range, body) }
        var end = first &+ node.total
        for i in (0..<node.count).reversed() {
            let start = end &- Int(node.totals[i])
            if start < range.upperBound {
                if end <= range.lowerBound { return true }
                if try !backward(node.child(i), start, range, body) { return false }
            }
            end = start
        }
        return true
    }

    @inline(__always)
    private func visit<E: Error>(
        _ leaf: Node, _ first: Int, _ range: Range<Int>, _ body: (Run) throws(E) -> Bool
    ) throws(E) -> Bool {
        let low = max(range.lowerBound &- first, 0)
        let high = min(range.upperBound &- first, leaf.count)
        return try body(
            Run(
                keys: UnsafePointer(leaf.keys + low), slots: UnsafePointer(leaf.slots + low), count: high &- low,
                rank: first &+ low))
    }
}
