/// Removing entries, and the merging that keeps nodes from running empty.
extension OrderedTree {
    /// Removes an entry, which must be in the tree. O(log n).
    ///
    /// - Parameter isBefore: whether the entry of a slot with the same key comes before this one.
    package func remove(
        _ root: inout Root, _ key: Key, slot: UInt32, in memory: TransactionMemory, _ isBefore: (UInt32) -> Bool
    ) {
        guard let old = root, var top = remove(from: Node(old), key, slot, in: memory, isBefore) else {
            root = nil
            return
        }
        while !top.isLeaf, top.count == 1 {
            let child = top.child(0)
            discard(top, in: memory)
            top = child
        }
        root = UnsafeRawPointer(top.raw)
    }

    /// Whether the entry is there. O(log n).
    package func contains(_ root: Root, _ key: Key, slot: UInt32, _ isBefore: (UInt32) -> Bool) -> Bool {
        guard let root else { return false }
        var node = Node(root)
        while true {
            let place = lowerBound(node, key, mask: ~0, isBefore)
            if place < node.count, node.slots[place] == slot { return true }
            if node.isLeaf || place == 0 { return false }
            node = node.child(place &- 1)
        }
    }

    /// - Returns: what stands for the node from now on; nil if nothing is left of it.
    private func remove(
        from old: Node, _ key: Key, _ slot: UInt32, in memory: TransactionMemory, _ isBefore: (UInt32) -> Bool
    ) -> Node? {
        var place = lowerBound(old, key, mask: ~0, isBefore)
        if !old.isLeaf {
            // The child that begins with the entry, or else the one that begins before it.
            if place == old.count || old.slots[place] != slot { place -= 1 }
            precondition(place >= 0, "an entry that is not in its index")
            let node = writable(old, in: memory)
            node.total -= 1
            if let child = remove(from: node.child(place), key, slot, in: memory, isBefore) {
                node.note(child, at: place)
                if child.count < minimum(of: child), node.count > 1 { mend(node, at: place, in: memory) }
            } else {
                close(node, at: place)
            }
            guard node.count == 0 else { return node }
            discard(node, in: memory)
            return nil
        }
        precondition(place < old.count && old.slots[place] == slot, "an entry that is not in its index")
        guard old.count > 1 else {
            discard(old, in: memory)
            return nil
        }
        let leaf = writable(old, in: memory)
        close(leaf, at: place)
        leaf.total = leaf.count
        return leaf
    }

    private func minimum(of node: Node) -> Int { node.isLeaf ? Self.minimumLeafCount : Self.minimumFanOut }

    /// A child has too little: it becomes one with a neighbour, or shares with it.
    private func mend(_ node: Node, at place: Int, in memory: TransactionMemory) {
        let index = place > 0 ? place - 1 : 0
        let left = writable(node.child(index), in: memory)
        let right = node.child(index + 1)
        let sum = left.count + right.count
        if sum <= left.room, sum <= (left.isLeaf ? Self.leafCapacity : Self.maximumFanOut) * 3 / 4 {
            right.move(0, right.count, to: left, left.count)
            left.count = sum
            discard(right, in: memory)
            close(node, at: index + 1)
        } else {
            let right = writable(right, in: memory)
            share(left, right, kept: sum / 2)
            right.sumTotals()
            node.note(right, at: index + 1)
        }
        left.sumTotals()
        node.note(left, at: index)
    }

    /// Moves entries between neighbours until the left one has `kept`.
    private func share(_ left: Node, _ right: Node, kept: Int) {
        let moved = left.count - kept
        if moved > 0 {
            right.move(0, right.count, to: right, moved)
            left.move(kept, moved, to: right, 0)
        } else {
            right.move(0, -moved, to: left, left.count)
            right.move(-moved, right.count + moved, to: right, 0)
        }
        left.count = kept
        right.count += moved
    }

    @inline(__always)
    private func close(_ node: Node, at place: Int) {
        node.move(place &+ 1, node.count &- place &- 1, to: node, place)
        node.count -= 1
    }
}
