extension RankTree {
    /// Looks at every node and returns what is wrong with the first bad one, nil if all is well. O(n).
    ///
    /// - Parameter isOrdered: for a sorted tree, whether its first argument may come directly before its second.
    package func _invariantCheck(
        _ root: Root, isOrdered: ((UnsafeRawPointer, UnsafeRawPointer) -> Bool)? = nil
    ) -> String? {
        guard let root else { return nil }
        let top = Node(root)
        if top.count == 0 { return "an empty tree has a root" }
        if !top.isLeaf, top.fanOut < 2 { return "the root has a single child" }
        if let problem = check(top, height: top.height, isRoot: true, isLast: true) { return problem }
        guard let isOrdered else { return nil }
        var cursor = cursor(root)
        var previous = cursor.next()!
        while let element = cursor.next() {
            if !isOrdered(previous, element) { return "elements out of order" }
            previous = element
        }
        return nil
    }

    private func check(_ node: Node, height: Int, isRoot: Bool, isLast: Bool) -> String? {
        if node.height != height { return "a node of height \(node.height) where \(height) was due" }
        if node.isLeaf {
            if node.count == 0 { return "an empty leaf" }
            if node.leafSlots > leafCapacity { return "a leaf larger than a leaf" }
            if node.count > node.leafSlots { return "a leaf of \(node.leafSlots) with \(node.count) elements" }
            if !isRoot, !isLast, node.count < minimumLeafCount { return "a leaf with \(node.count) elements only" }
            return nil
        }
        if ![8, 16, 32, 64].contains(node.childSlots) { return "an inner node of \(node.childSlots) slots" }
        if node.fanOut == 0 || node.fanOut > node.childSlots { return "\(node.fanOut) of \(node.childSlots) children" }
        if !isRoot, !isLast, node.fanOut < Self.minimumFanOut { return "an inner node of \(node.fanOut) children" }
        var sum = 0
        for i in 0..<node.fanOut {
            sum += node.child(i).count
            if node.end(i) != sum { return "a child ends at \(sum), its parent says \(node.end(i))" }
            let isLastChild = isLast && i == node.fanOut - 1
            if let problem = check(node.child(i), height: height - 1, isRoot: false, isLast: isLastChild) {
                return problem
            }
        }
        return sum == node.count ? nil : "\(sum) elements below a node that says \(node.count)"
    }

    /// Every node reachable from a root and its size in bytes, for accounting. O(n / leaf).
    package func _forEachNode(_ root: Root, _ body: (UnsafeRawPointer, Int) -> Void) {
        func visit(_ node: Node) {
            body(UnsafeRawPointer(node.raw), size(of: node))
            guard !node.isLeaf else { return }
            for i in 0..<node.fanOut { visit(node.child(i)) }
        }
        if let root { visit(Node(root)) }
    }
}
