/// Making room for new elements.
///
/// The structural work (finding the leaf, copying the path, splitting) is done here once for every caller, by opening a gap;
/// the generic front fills it. A gap is at most one leaf long and touches at most two leaves.
extension RankTree {
    /// Owned, uninitialised room in one leaf or two.
    @usableFromInline
    struct Gap {
        @usableFromInline var first: UnsafeMutableRawPointer
        @usableFromInline var firstCount: Int
        @usableFromInline var second: UnsafeMutableRawPointer?
        @usableFromInline var secondCount: Int
    }

    /// Inserts `n` elements before the one of rank `rank`.
    ///
    /// `initialize` is called for one contiguous run after the other, in order, and must write all of it; it must not touch
    /// the tree. O(log n) in place or copying the path, O(n) amortised over many. Traps when the rank is above `count` or the
    /// tree would exceed `maximumCount`.
    @inlinable
    package func insert(
        _ root: inout Root, at rank: Int, count n: Int, in memory: TransactionMemory,
        initialize: (UnsafeMutableRawPointer, Int) -> Void
    ) {
        var rank = rank
        var rest = n
        while rest > 0 {
            let count = min(rest, leafCapacity)
            let gap = openGap(&root, at: rank, count: count, in: memory)
            initialize(gap.first, gap.firstCount)
            if let second = gap.second { initialize(second, gap.secondCount) }
            rank += count
            rest -= count
        }
    }

    /// Inserts room for one element and returns it, to be written at once.
    @inlinable
    package func insertOne(_ root: inout Root, at rank: Int, in memory: TransactionMemory) -> UnsafeMutableRawPointer {
        openGap(&root, at: rank, count: 1, in: memory).first
    }

    /// Adds `n` elements at the end, as `insert`. Leaves full nodes behind: the way to build a tree, in O(n).
    @inlinable
    package func append(
        _ root: inout Root, count n: Int, in memory: TransactionMemory,
        initialize: (UnsafeMutableRawPointer, Int) -> Void
    ) {
        insert(&root, at: count(root), count: n, in: memory, initialize: initialize)
    }

    @usableFromInline
    func openGap(_ root: inout Root, at rank: Int, count n: Int, in memory: TransactionMemory) -> Gap {
        guard let old = root else {
            precondition(rank == 0, "rank out of range")
            let leaf = makeLeaf(slots: n, in: memory)
            leaf.count = n
            root = UnsafeRawPointer(leaf.raw)
            return Gap(first: leaf.element(0, stride), firstCount: n, second: nil, secondCount: 0)
        }
        let total = Node(old).count
        precondition(rank >= 0 && rank <= total, "rank out of range")
        precondition(total + n <= Self.maximumCount, "a collection holds at most 2^32 - 1 elements")
        let top = writable(Node(old), in: memory)
        root = UnsafeRawPointer(top.raw)
        return withPath { path in
            var node = top
            var local = rank
            var depth = 0
            while !node.isLeaf {
                let index = local == node.count ? node.fanOut &- 1 : node.childIndex(holding: local)
                path[depth] = Step(node: node, index: index)
                depth &+= 1
                local &-= node.start(index)
                node = writableChild(index, of: node, in: memory)
            }
            let count = node.count
            if count &+ n <= leafCapacity {
                if count &+ n > node.leafSlots {
                    node = leaf(node, roomFor: count &+ n, in: memory)
                    replace(path, depth, by: node, &root)
                }
                let gap = node.element(local, stride)
                if local < count {
                    (gap + n &* stride).copyMemory(from: gap, byteCount: (count &- local) &* stride)
                }
                node.count = count &+ n
                for i in 0..<depth {
                    let step = path[i]
                    step.node.addToEnds(from: step.index, n)
                    step.node.count &+= n
                }
                return Gap(first: gap, firstCount: n, second: nil, secondCount: 0)
            }
            return split(node, at: local, count: n, isEnd: rank == total, path, depth, &root, in: memory)
        }
    }

    /// Puts `node` where the last step of the path leads.
    @inline(__always)
    private func replace(_ path: UnsafeMutablePointer<Step>, _ depth: Int, by node: Node, _ root: inout Root) {
        if depth == 0 {
            root = UnsafeRawPointer(node.raw)
        } else {
            path[depth - 1].node.children[path[depth - 1].index] = node.raw
        }
    }

    /// Opens a gap in a leaf that cannot hold it, with the help of a new leaf to its right.
    private func split(
        _ full: Node, at local: Int, count n: Int, isEnd: Bool, _ path: UnsafeMutablePointer<Step>, _ depth: Int,
        _ root: inout Root, in memory: TransactionMemory
    ) -> Gap {
        let count = full.count
        let total = count + n
        // Where the growth is at one side, most of the room is left on that side.
        let wanted =
            isEnd ? leafCapacity : local == count ? total - total / 4 : local == 0 ? total / 4 : total / 2
        let kept = max(total - leafCapacity, min(leafCapacity, wanted))
        let left = leaf(full, roomFor: kept, in: memory)
        replace(path, depth, by: left, &root)
        let right = makeLeaf(slots: isEnd || depth > 0 ? leafCapacity : total - kept, in: memory)

        let gap: Gap
        if kept <= local {
            copy(left, kept..<local, to: right, at: 0)
            copy(left, local..<count, to: right, at: local - kept + n)
            gap = Gap(first: right.element(local - kept, stride), firstCount: n, second: nil, secondCount: 0)
        } else if kept >= local + n {
            copy(left, (kept - n)..<count, to: right, at: 0)
            copy(left, local..<(kept - n), to: left, at: local + n)
            gap = Gap(first: left.element(local, stride), firstCount: n, second: nil, secondCount: 0)
        } else {
            let inRight = local + n - kept
            copy(left, local..<count, to: right, at: inRight)
            gap = Gap(
                first: left.element(local, stride), firstCount: kept - local,
                second: right.element(0, stride), secondCount: inRight)
        }
        left.count = kept
        right.count = total - kept
        carryUp(right, added: n, isEnd: isEnd, path, depth, &root, in: memory)
        return gap
    }

    private func copy(_ source: Node, _ range: Range<Int>, to target: Node, at index: Int) {
        guard !range.isEmpty else { return }
        target.element(index, stride).copyMemory(
            from: source.element(range.lowerBound, stride), byteCount: range.count * stride)
    }

    /// Accounts for `n` new elements along the path and enters `sibling` beside the node the path leads to.
    private func carryUp(
        _ sibling: Node, added n: Int, isEnd: Bool, _ path: UnsafeMutablePointer<Step>, _ depth: Int,
        _ root: inout Root, in memory: TransactionMemory
    ) {
        var carried: Node? = sibling
        for level in Swift.stride(from: depth - 1, through: 0, by: -1) {
            var node = path[level].node
            let index = path[level].index
            node.addToEnds(from: index, n)
            node.count += n
            guard let sibling = carried else { continue }
            node.ends[index] -= UInt32(sibling.count)
            if node.fanOut < Self.maximumFanOut {
                node = inner(node, roomFor: node.fanOut + 1, in: memory)
                replace(path, level, by: node, &root)
                enter(sibling, at: index + 1, in: node)
                carried = nil
            } else {
                // Mind that `node` already counts the sibling, which is not in it yet.
                let isLast = index + 1 == node.fanOut
                let kept = isEnd && isLast ? 64 : isLast ? 48 : index == 0 ? 16 : 32
                node.count -= sibling.count
                for i in (index + 1)..<max(index + 1, node.fanOut) { node.ends[i] -= UInt32(sibling.count) }
                let right = divide(node, keeping: kept, in: memory)
                let target = index + 1 <= kept && !(isEnd && isLast) ? node : right
                let at = target == node ? index + 1 : index + 1 - kept
                target.count += sibling.count
                target.addToEnds(from: at, sibling.count)
                enter(sibling, at: at, in: target)
                carried = right
            }
        }
        if let sibling = carried {
            let old = Node(root!)
            let top = makeInner(height: old.height + 1, slots: 8, in: memory)
            top.fanOut = 2
            top.children[0] = old.raw
            top.children[1] = sibling.raw
            top.ends[0] = UInt32(old.count)
            top.ends[1] = UInt32(old.count + sibling.count)
            top.count = old.count + sibling.count
            root = UnsafeRawPointer(top.raw)
        }
    }

    /// Enters a child before `index`; the ends from there on count it already.
    private func enter(_ child: Node, at index: Int, in node: Node) {
        let fanOut = node.fanOut
        let ends = node.ends
        let children = node.children
        let start = node.start(index)
        (ends + index + 1).update(from: ends + index, count: fanOut - index)
        (children + index + 1).update(from: children + index, count: fanOut - index)
        ends[index] = UInt32(start + child.count)
        children[index] = child.raw
        node.fanOut = fanOut + 1
    }

    /// Moves the children from `kept` on to a new node, which is returned.
    private func divide(_ node: Node, keeping kept: Int, in memory: TransactionMemory) -> Node {
        let right = makeInner(height: node.height, slots: Self.maximumFanOut, in: memory)
        let moved = node.fanOut - kept
        let base = node.end(kept - 1)
        for i in 0..<moved {
            right.ends[i] = node.ends[kept + i] - UInt32(base)
            right.children[i] = node.children[kept + i]
        }
        right.fanOut = moved
        right.count = node.count - base
        node.fanOut = kept
        node.count = base
        return right
    }
}
