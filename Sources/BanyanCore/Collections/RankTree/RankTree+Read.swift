/// Reading by rank: single elements, contiguous runs, and a cursor for going through all of them.
extension RankTree {
    /// Contiguous elements of one leaf.
    @usableFromInline
    package struct Run {
        @usableFromInline package let start: UnsafeRawPointer
        @usableFromInline package let count: Int
        @inlinable
        init(start: UnsafeRawPointer, count: Int) {
            self.start = start
            self.count = count
        }
    }

    /// The element of a rank and those that follow it in the same leaf. O(log n). Traps when there is no such rank.
    @inlinable
    package func run(_ root: Root, at rank: Int) -> Run {
        guard let root else { preconditionFailure("rank \(rank) in an empty collection") }
        var node = Node(root)
        precondition(rank >= 0 && rank < node.count, "rank out of range")
        var rank = rank
        while !node.isLeaf {
            let index = node.childIndex(holding: rank)
            rank &-= node.start(index)
            node = node.child(index)
        }
        return Run(start: UnsafeRawPointer(node.element(rank, stride)), count: node.count &- rank)
    }

    /// The element of a rank; valid while the version of the root is. O(log n). Traps when there is no such rank.
    @inlinable
    package func element(_ root: Root, at rank: Int) -> UnsafeRawPointer {
        run(root, at: rank).start
    }

    /// Calls `body` with the contiguous runs that make up a range, in order. O(log n) per run of about a kilobyte.
    @inlinable
    package func forEachRun<E: Error>(
        _ root: Root, in range: Range<Int>, _ body: (UnsafeRawPointer, Int) throws(E) -> Void
    ) throws(E) {
        var rank = range.lowerBound
        while rank < range.upperBound {
            let run = run(root, at: rank)
            let count = min(run.count, range.upperBound - rank)
            try body(run.start, count)
            rank += count
        }
    }

    /// As above, over the whole tree.
    @inlinable
    package func forEachRun<E: Error>(
        _ root: Root, _ body: (UnsafeRawPointer, Int) throws(E) -> Void
    ) throws(E) {
        try forEachRun(root, in: 0..<count(root), body)
    }

    /// Goes through a range of ranks, an element at a time.
    ///
    /// It holds plain pointers: the version that the root belongs to must be kept alive, and the tree not be changed in place,
    /// while the cursor is used.
    @usableFromInline
    package struct Cursor {
        @usableFromInline let tree: RankTree
        @usableFromInline let root: Root
        @usableFromInline var pointer: UnsafeRawPointer
        @usableFromInline var limit: UnsafeRawPointer
        /// First rank that is not in the run at hand.
        @usableFromInline var rank: Int
        @usableFromInline let end: Int

        @inlinable
        init(tree: RankTree, root: Root, range: Range<Int>) {
            self.tree = tree
            self.root = root
            pointer = root ?? UnsafeRawPointer(bitPattern: 16)!
            limit = pointer
            rank = range.lowerBound
            end = range.upperBound
        }

        /// The next element. O(1), amortised.
        @inlinable @inline(__always)
        package mutating func next() -> UnsafeRawPointer? {
            if pointer == limit, !refill() { return nil }
            let element = pointer
            pointer += tree.stride
            return element
        }

        /// The next element, which is a `T` whose stride is the tree's.
        @inlinable @inline(__always)
        package mutating func next<T: BitwiseCopyable>(as: T.Type) -> T? {
            if pointer == limit, !refill() { return nil }
            let element = pointer.load(as: T.self)
            pointer += MemoryLayout<T>.stride
            return element
        }

        @usableFromInline
        mutating func refill() -> Bool {
            guard rank < end else { return false }
            let run = tree.run(root, at: rank)
            let count = min(run.count, end - rank)
            pointer = run.start
            limit = run.start + count * tree.stride
            rank += count
            return true
        }
    }

    /// A cursor over a range of ranks.
    @inlinable
    package func cursor(_ root: Root, in range: Range<Int>) -> Cursor {
        precondition(range.lowerBound >= 0 && range.upperBound <= count(root), "range out of bounds")
        return Cursor(tree: self, root: root, range: range)
    }

    /// A cursor over all elements.
    @inlinable
    package func cursor(_ root: Root) -> Cursor {
        Cursor(tree: self, root: root, range: 0..<count(root))
    }
}
