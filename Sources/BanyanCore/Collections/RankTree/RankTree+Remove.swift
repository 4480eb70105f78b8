/// Removing ranges.
///
/// A range is cut out on the way down; on the way up, the nodes at its two edges that have become too empty are joined with a
/// neighbour or filled from it. A node that was an only child could not be mended by its parent; once the parent itself has
/// been joined, it is looked at again.
extension RankTree {
    /// Removes the elements of a range. O(log n + elements removed / leaf). Traps when the range is out of bounds.
    @usableFromInline
    package func remove(_ root: inout Root, _ range: Range<Int>, in memory: TransactionMemory) {
        let total = count(root)
        precondition(range.lowerBound >= 0 && range.upperBound <= total, "range out of bounds")
        guard !range.isEmpty, let old = root else { return }
        if range.count == total {
            discardSubtree(Node(old), in: memory)
            root = nil
            return
        }
        let top = writable(Node(old), in: memory)
        root = UnsafeRawPointer(top.raw)
        if range.count == 1, removeOne(top, range.lowerBound, in: memory) { return }
        cut(top, range, in: memory)
        trimRoot(&root, in: memory)
    }

    /// Gives up all nodes and empties the root, after calling `visit` with the runs of elements. O(n).
    @inlinable
    package func discardAll(
        _ root: inout Root, in memory: TransactionMemory, visit: (UnsafeRawPointer, Int) -> Void
    ) {
        forEachRun(root, visit)
        discardAll(&root, in: memory)
    }

    /// Gives up all nodes and empties the root. O(n / leaf).
    @usableFromInline
    package func discardAll(_ root: inout Root, in memory: TransactionMemory) {
        guard let old = root else { return }
        discardSubtree(Node(old), in: memory)
        root = nil
    }

    /// Removes one element if its leaf stays full enough, else leaves everything as it was but for ownership.
    private func removeOne(_ top: Node, _ rank: Int, in memory: TransactionMemory) -> Bool {
        guard !top.isLeaf else { return false }
        return withPath { path in
            var node = top
            var local = rank
            var depth = 0
            while !node.isLeaf {
                let index = node.childIndex(holding: local)
                path[depth] = Step(node: node, index: index)
                depth &+= 1
                local &-= node.start(index)
                node = writableChild(index, of: node, in: memory)
            }
            let count = node.count
            // The second condition leaves it to `cut` to notice that the tree fits a leaf.
            guard count > minimumLeafCount, top.count > leafCapacity else { return false }
            close(node, local..<(local &+ 1))
            for i in 0..<depth {
                let step = path[i]
                step.node.addToEnds(from: step.index, -1)
                step.node.count &-= 1
            }
            return true
        }
    }

    private func close(_ leaf: Node, _ range: Range<Int>) {
        let tail = leaf.count - range.upperBound
        if tail > 0 {
            leaf.element(range.lowerBound, stride).copyMemory(
                from: leaf.element(range.upperBound, stride), byteCount: tail * stride)
        }
        leaf.count -= range.count
    }

    /// Removes a range that is not all of an owned node.
    private func cut(_ node: Node, _ range: Range<Int>, in memory: TransactionMemory) {
        if node.isLeaf {
            close(node, range)
            return
        }
        let first = node.childIndex(holding: range.lowerBound)
        let last = node.childIndex(holding: range.upperBound - 1)
        let firstStart = node.start(first)
        let lastStart = node.start(last)
        let lastEnd = node.end(last)
        let keepsFirst = range.lowerBound > firstStart || (first == last && range.upperBound < lastEnd)
        let keepsLast = first != last && range.upperBound < lastEnd
        if keepsFirst {
            let child = writableChild(first, of: node, in: memory)
            let upper = min(range.upperBound, node.end(first))
            cut(child, (range.lowerBound - firstStart)..<(upper - firstStart), in: memory)
        }
        if keepsLast {
            let child = writableChild(last, of: node, in: memory)
            cut(child, 0..<(range.upperBound - lastStart), in: memory)
        }
        let from = keepsFirst ? first + 1 : first
        let to = keepsLast ? last : last + 1
        for i in from..<max(from, to) { discardSubtree(node.child(i), in: memory) }

        // Children from `to` on move to `from`; what was removed comes off every end after it.
        let fanOut = node.fanOut
        let ends = node.ends
        if keepsFirst { ends[first] = UInt32(first == last ? lastEnd - range.count : range.lowerBound) }
        for i in to..<max(to, fanOut) {
            ends[from + i - to] = ends[i] - UInt32(range.count)
            node.children[from + i - to] = node.children[i]
        }
        node.fanOut = fanOut - (to - from)
        node.count -= range.count

        if keepsLast { mend(node, from, in: memory) }
        if keepsFirst { mend(node, first, in: memory) }
    }

    private func isTooEmpty(_ node: Node) -> Bool {
        node.isLeaf ? node.count < minimumLeafCount : node.fanOut < Self.minimumFanOut
    }

    /// Joins a child that is too empty with its neighbour, or fills it from there.
    private func mend(_ parent: Node, _ index: Int, in memory: TransactionMemory) {
        guard parent.fanOut > 1, isTooEmpty(parent.child(index)) else { return }
        let l = index > 0 ? index - 1 : index
        let left = writableChild(l, of: parent, in: memory)
        let right = writableChild(l + 1, of: parent, in: memory)
        if left.isLeaf {
            joinLeaves(left, right, under: parent, l, in: memory)
        } else {
            joinInner(left, right, under: parent, l, in: memory)
        }
    }

    private func joinLeaves(_ left: Node, _ right: Node, under parent: Node, _ l: Int, in memory: TransactionMemory) {
        let sum = left.count + right.count
        let target = sum <= leafCapacity ? sum : sum / 2
        let left = leaf(left, roomFor: target, in: memory)
        parent.children[l] = left.raw
        if left.count < target {
            let moved = target - left.count
            left.element(left.count, stride).copyMemory(from: right.element(0, stride), byteCount: moved * stride)
            close(right, 0..<moved)
            left.count = target
        } else {
            let moved = left.count - target
            let right = leaf(right, roomFor: sum - target, in: memory)
            parent.children[l + 1] = right.raw
            right.element(moved, stride).copyMemory(from: right.element(0, stride), byteCount: right.count * stride)
            right.element(0, stride).copyMemory(from: left.element(target, stride), byteCount: moved * stride)
            right.count += moved
            left.count = target
        }
        afterJoin(parent, l, left, parent.child(l + 1), in: memory)
    }

    private func joinInner(_ left: Node, _ right: Node, under parent: Node, _ l: Int, in memory: TransactionMemory) {
        let sum = left.fanOut + right.fanOut
        let leftWasSingle = left.fanOut == 1
        let rightWasSingle = right.fanOut == 1
        let seam = left.fanOut
        let target = sum <= Self.maximumFanOut ? sum : sum / 2
        let left = inner(left, roomFor: target, in: memory)
        let right = inner(right, roomFor: sum - target, in: memory)
        parent.children[l] = left.raw
        parent.children[l + 1] = right.raw
        if seam < target {
            shiftLeft(target - seam, from: right, to: left)
        } else if seam > target {
            shiftRight(seam - target, from: left, to: right)
        }
        afterJoin(parent, l, left, right, in: memory)
        // An only child got neighbours at last.
        if rightWasSingle {
            let joined = target == sum
            mend(joined ? left : right, joined ? seam : right.fanOut - 1, in: memory)
        }
        if leftWasSingle { mend(left, 0, in: memory) }
    }

    /// Sets the ends, and drops the right node if nothing is left in it.
    private func afterJoin(_ parent: Node, _ l: Int, _ left: Node, _ right: Node, in memory: TransactionMemory) {
        parent.ends[l] = UInt32(parent.start(l) + left.count)
        guard right.count == 0 else { return }
        memory.discard(right.raw, size: size(of: right))
        let tail = parent.fanOut - l - 2
        (parent.ends + l + 1).update(from: parent.ends + l + 2, count: tail)
        (parent.children + l + 1).update(from: parent.children + l + 2, count: tail)
        parent.fanOut -= 1
    }

    private func shiftLeft(_ moved: Int, from right: Node, to left: Node) {
        let at = left.fanOut
        let elements = right.end(moved - 1)
        for i in 0..<moved {
            left.ends[at + i] = UInt32(left.count) + right.ends[i]
            left.children[at + i] = right.children[i]
        }
        for i in moved..<max(moved, right.fanOut) {
            right.ends[i - moved] = right.ends[i] - UInt32(elements)
            right.children[i - moved] = right.children[i]
        }
        left.fanOut += moved
        left.count += elements
        right.fanOut -= moved
        right.count -= elements
    }

    private func shiftRight(_ moved: Int, from left: Node, to right: Node) {
        let kept = left.fanOut - moved
        let base = left.start(kept)
        let elements = left.count - base
        for i in Swift.stride(from: right.fanOut - 1, through: 0, by: -1) {
            right.ends[i + moved] = right.ends[i] + UInt32(elements)
            right.children[i + moved] = right.children[i]
        }
        for i in 0..<moved {
            right.ends[i] = left.ends[kept + i] - UInt32(base)
            right.children[i] = left.children[kept + i]
        }
        right.fanOut += moved
        right.count += elements
        left.fanOut = kept
        left.count = base
    }

    /// Lowers the tree while its root has one child, and makes it flat again when it would fill half a leaf.
    private func trimRoot(_ root: inout Root, in memory: TransactionMemory) {
        var top = Node(root!)
        while !top.isLeaf, top.fanOut == 1 {
            memory.discard(top.raw, size: size(of: top))
            top = top.child(0)
        }
        root = UnsafeRawPointer(top.raw)
        let isRoomy = top.isLeaf ? top.count * 4 <= top.leafSlots : top.count * 2 <= leafCapacity
        guard isRoomy else { return }
        let flat = makeLeaf(slots: top.count, in: memory)
        guard !top.isLeaf || flat.leafSlots < top.leafSlots else {
            memory.discard(flat.raw, size: size(of: flat))
            return
        }
        forEachRun(root) { start, count in
            flat.element(flat.count, stride).copyMemory(from: start, byteCount: count * stride)
            flat.count += count
        }
        discardSubtree(top, in: memory)
        root = UnsafeRawPointer(flat.raw)
    }
}
