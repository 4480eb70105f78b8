extension OrderedTree {
    /// Looks at every node and returns what is wrong with the first bad one, nil if all is well. O(n).
    ///
    /// - Parameter isOrdered: whether its first argument, with a key that is the same, may come directly before its second.
    package func _invariantCheck(_ root: Root, isOrdered: (UInt32, UInt32) -> Bool) -> String? {
        guard let root else { return nil }
        let top = Node(root)
        if top.count == 0 { return "an empty tree has a root" }
        if !top.isLeaf, top.count < 2 { return "the root has a single child" }
        if let problem = check(top, height: top.height, isRoot: true, isLast: true) { return problem }
        var last: (key: Key, slot: UInt32)?
        var problem: String?
        forEachRun(root, 0..<top.total) { run in
            for i in 0..<run.count {
                let (key, slot) = (run.keys[i], run.slots[i])
                if let last, last.key > key || last.key == key && !isOrdered(last.slot, slot) {
                    problem = "the entries of slots \(last.slot) and \(slot) are out of order"
                    return false
                }
                last = (key, slot)
            }
            return true
        }
        return problem
    }

    private func check(_ node: Node, height: Int, isRoot: Bool, isLast: Bool) -> String? {
        if node.height != height { return "a node of height \(node.height) where \(height) was due" }
        if node.count == 0 { return "an empty node" }
        if node.count > node.room { return "a node of \(node.room) with \(node.count) entries" }
        if node.isLeaf {
            if node.total != node.count { return "a leaf of \(node.count) entries says \(node.total)" }
            if node.leafRoom > Self.leafCapacity { return "a leaf larger than a leaf" }
            if !isRoot, node.leafRoom < Self.leafCapacity {
                return "a leaf below others with room for \(node.leafRoom)"
            }
            if !isRoot, !isLast, node.count < Self.minimumLeafCount { return "a leaf with \(node.count) entries only" }
            return nil
        }
        if !isRoot, !isLast, node.count < Self.minimumFanOut { return "an inner node of \(node.count) children" }
        var sum = 0
        for i in 0..<node.count {
            let child = node.child(i)
            let isLastChild = isLast && i == node.count - 1
            if let problem = check(child, height: height - 1, isRoot: false, isLast: isLastChild) { return problem }
            if child.total != Int(node.totals[i]) {
                return "a child of \(child.total), its parent says \(node.totals[i])"
            }
            if child.keys[0] != node.keys[i] || child.slots[0] != node.slots[i] {
                return "a child begins with slot \(child.slots[0]), its parent says \(node.slots[i])"
            }
            sum += child.total
        }
        return sum == node.total ? nil : "\(sum) entries below a node that says \(node.total)"
    }

    /// Every node reachable from a root and its size in bytes, for accounting. O(nodes).
    package func _forEachNode(_ root: Root, _ body: (UnsafeRawPointer, Int) -> Void) {
        func visit(_ node: Node) {
            body(UnsafeRawPointer(node.raw), size(of: node))
            guard !node.isLeaf else { return }
            for i in 0..<node.count { visit(node.child(i)) }
        }
        if let root { visit(Node(root)) }
    }
}
