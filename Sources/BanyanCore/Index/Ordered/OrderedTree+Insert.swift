/// Adding entries, and the splitting that makes room for them.
extension OrderedTree {
    /// Adds an entry, which must not be in the tree yet. O(log n).
    ///
    /// - Parameter isBefore: whether the entry of a slot with the same key comes before the new one.
    package func insert(
        _ root: inout Root, _ key: Key, slot: UInt32, in memory: TransactionMemory, _ isBefore: (UInt32) -> Bool
    ) {
        guard let old = root else {
            let leaf = makeLeaf(room: 2, in: memory)
            put(key, slot, in: leaf, at: 0)
            root = UnsafeRawPointer(leaf.raw)
            return
        }
        let (node, sibling) = insert(into: Node(old), key, slot, isLast: true, in: memory, isBefore)
        guard let sibling else {
            root = UnsafeRawPointer(node.raw)
            return
        }
        let top = makeInner(height: node.height + 1, in: memory)
        top.note(node, at: 0)
        top.note(sibling, at: 1)
        top.count = 2
        top.sumTotals()
        root = UnsafeRawPointer(top.raw)
    }

    /// - Parameter isLast: whether the node is on the right edge.
    /// - Returns: what stands for the node from now on, and what follows it if it had to be split.
    private func insert(
        into old: Node, _ key: Key, _ slot: UInt32, isLast: Bool, in memory: TransactionMemory,
        _ isBefore: (UInt32) -> Bool
    ) -> (Node, Node?) {
        let place = lowerBound(old, key, mask: ~0, isBefore)
        if old.isLeaf { return insert(intoLeaf: old, at: place, key, slot, isLast: isLast, in: memory) }
        let node = writable(old, in: memory)
        let index = max(place - 1, 0)
        let (child, sibling) = insert(
            into: node.child(index), key, slot, isLast: isLast && index == node.count - 1, in: memory, isBefore)
        node.note(child, at: index)
        node.total += 1
        guard let sibling else { return (node, nil) }
        return enter(sibling, at: index + 1, in: node, isLast: isLast, in: memory)
    }

    private func insert(
        intoLeaf old: Node, at place: Int, _ key: Key, _ slot: UInt32, isLast: Bool, in memory: TransactionMemory
    ) -> (Node, Node?) {
        if old.count < old.leafRoom {
            let leaf = writable(old, in: memory)
            put(key, slot, in: leaf, at: place)
            return (leaf, nil)
        }
        if old.leafRoom < Self.leafCapacity {
            let leaf = makeLeaf(room: min(Self.leafCapacity, old.leafRoom * 2), in: memory)
            old.move(0, old.count, to: leaf, 0)
            leaf.count = old.count
            put(key, slot, in: leaf, at: place)
            discard(old, in: memory)
            return (leaf, nil)
        }
        let right = makeLeaf(room: Self.leafCapacity, in: memory)
        if isLast, place == old.count {
            // Ascending values: what is full stays so.
            put(key, slot, in: right, at: 0)
            return (old, right)
        }
        let left = split(old, right, in: memory)
        if place <= left.count {
            put(key, slot, in: left, at: place)
        } else {
            put(key, slot, in: right, at: place - left.count)
        }
        return (left, right)
    }

    /// Enters a child into an owned node, whose total counts it already.
    private func enter(
        _ child: Node, at place: Int, in node: Node, isLast: Bool, in memory: TransactionMemory
    ) -> (Node, Node?) {
        if node.count < Self.maximumFanOut {
            put(child, in: node, at: place)
            return (node, nil)
        }
        let right = makeInner(height: node.height, in: memory)
        if isLast, place == node.count {
            put(child, in: right, at: 0)
        } else {
            _ = split(node, right, in: memory)
            if place <= node.count {
                put(child, in: node, at: place)
            } else {
                put(child, in: right, at: place - node.count)
            }
        }
        node.sumTotals()
        right.sumTotals()
        return (node, right)
    }

    /// Moves the second half of a full node's entries to an empty one.
    private func split(_ old: Node, _ right: Node, in memory: TransactionMemory) -> Node {
        let left = writable(old, in: memory)
        let kept = left.count / 2
        left.move(kept, left.count - kept, to: right, 0)
        right.count = left.count - kept
        left.count = kept
        left.sumTotals()
        right.sumTotals()
        return left
    }

    @inline(__always)
    private func put(_ key: Key, _ slot: UInt32, in leaf: Node, at place: Int) {
        let count = leaf.count
        leaf.move(place, count &- place, to: leaf, place &+ 1)
        leaf.keys[place] = key
        leaf.slots[place] = slot
        leaf.count = count &+ 1
        leaf.total = count &+ 1
    }

    private func put(_ child: Node, in node: Node, at place: Int) {
        node.move(place, node.count - place, to: node, place + 1)
        node.note(child, at: place)
        node.count += 1
    }
}
