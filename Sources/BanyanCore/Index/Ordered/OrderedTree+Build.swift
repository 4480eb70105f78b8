extension OrderedTree {
    /// A tree of entries that come in order: nodes are filled once, and left with a little room. O(n).
    package func build(
        count: Int, in memory: TransactionMemory, _ entry: (Int) -> (key: Key, slot: UInt32)
    ) -> Root {
        guard count > 0 else { return nil }
        var next = 0
        var level: [Node] = []
        for size in Self.sizes(count, room: Self.leafCapacity) {
            let leaf = makeLeaf(room: count <= Self.leafCapacity ? size : Self.leafCapacity, in: memory)
            for i in 0..<size { (leaf.keys[i], leaf.slots[i]) = entry(next + i) }
            leaf.count = size
            leaf.total = size
            next += size
            level.append(leaf)
        }
        while level.count > 1 {
            var above: [Node] = []
            next = 0
            for size in Self.sizes(level.count, room: Self.maximumFanOut) {
                let node = makeInner(height: level[0].height + 1, in: memory)
                for i in 0..<size { node.note(level[next + i], at: i) }
                node.count = size
                node.sumTotals()
                next += size
                above.append(node)
            }
            level = above
        }
        return UnsafeRawPointer(level[0].raw)
    }

    /// `count` cut into even parts, none above seven eighths of `room` unless all fit into one.
    private static func sizes(_ count: Int, room: Int) -> [Int] {
        guard count > room else { return [count] }
        let parts = (count + room * 7 / 8 - 1) / (room * 7 / 8)
        return (0..<parts).map { count * ($0 + 1) / parts - count * $0 / parts }
    }
}
