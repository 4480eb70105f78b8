/// Changing elements where they are.
extension RankTree {
    /// The element of a rank, to be changed in place, the path to it being copied if it is shared. O(log n).
    @inlinable
    package func mutableElement(
        _ root: inout Root, at rank: Int, in memory: TransactionMemory
    ) -> UnsafeMutableRawPointer {
        mutableRun(&root, at: rank, in: memory).0
    }

    /// The element of a rank and the number of elements from there to the end of its leaf, all to be changed in place.
    @usableFromInline
    package func mutableRun(
        _ root: inout Root, at rank: Int, in memory: TransactionMemory
    ) -> (UnsafeMutableRawPointer, Int) {
        precondition(rank >= 0 && rank < count(root), "rank out of range")
        var node = writable(Node(root!), in: memory)
        root = UnsafeRawPointer(node.raw)
        var rank = rank
        while !node.isLeaf {
            let index = node.childIndex(holding: rank)
            rank &-= node.start(index)
            node = writableChild(index, of: node, in: memory)
        }
        return (node.element(rank, stride), node.count &- rank)
    }

    /// Calls `body` with the contiguous runs of a range, to be changed in place. O(log n) per run.
    @inlinable
    package func forEachMutableRun(
        _ root: inout Root, in range: Range<Int>, in memory: TransactionMemory,
        _ body: (UnsafeMutableRawPointer, Int) -> Void
    ) {
        var rank = range.lowerBound
        while rank < range.upperBound {
            let (start, available) = mutableRun(&root, at: rank, in: memory)
            let count = min(available, range.upperBound - rank)
            body(start, count)
            rank += count
        }
    }

    /// Replaces the elements of a range by `n` new ones, overwriting as many as it can. `initialize` as in `insert`.
    @inlinable
    package func replace(
        _ root: inout Root, _ range: Range<Int>, withCount n: Int, in memory: TransactionMemory,
        initialize: (UnsafeMutableRawPointer, Int) -> Void
    ) {
        let common = min(range.count, n)
        let middle = range.lowerBound + common
        forEachMutableRun(&root, in: range.lowerBound..<middle, in: memory, initialize)
        if common < n {
            insert(&root, at: middle, count: n - common, in: memory, initialize: initialize)
        } else {
            remove(&root, middle..<range.upperBound, in: memory)
        }
    }

    /// Moves the element of rank `source` so that it ends at rank `target`. O(log n).
    package func move(_ root: inout Root, from source: Int, to target: Int, in memory: TransactionMemory) {
        guard source != target else { return }
        withUnsafeTemporaryAllocation(byteCount: stride, alignment: 16) { element in
            let element = element.baseAddress!
            element.copyMemory(from: self.element(root, at: source), byteCount: stride)
            remove(&root, source..<(source + 1), in: memory)
            insertOne(&root, at: target, in: memory).copyMemory(from: element, byteCount: stride)
        }
    }
}
