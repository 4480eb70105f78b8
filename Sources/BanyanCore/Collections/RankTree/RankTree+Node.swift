extension RankTree {
    /// One node in memory.
    ///
    /// Both kinds: birth (8 bytes), elements below (4), then at 12 the capacity of a leaf or the fan-out of an inner node (2),
    /// height (1, 0 for a leaf), capacity of an inner node (1). A leaf's elements follow at 16; in an inner node the ends of
    /// the children's rank intervals (4 bytes each) and, after the capacity, the children (8 bytes each).
    @usableFromInline
    struct Node: Equatable {
        @usableFromInline let raw: UnsafeMutableRawPointer

        @inlinable @inline(__always)
        init(_ raw: UnsafeMutableRawPointer) { self.raw = raw }

        /// Through the pointer only what is owned may be changed.
        @inlinable @inline(__always)
        init(_ raw: UnsafeRawPointer) { self.raw = UnsafeMutableRawPointer(mutating: raw) }

        @usableFromInline static var header: Int { @inline(__always) get { 16 } }

        /// Elements in this subtree.
        @usableFromInline var count: Int {
            @inline(__always) get { Int(raw.load(fromByteOffset: 8, as: UInt32.self)) }
            @inline(__always)
            nonmutating set {
                raw.storeBytes(of: UInt32(truncatingIfNeeded: newValue), toByteOffset: 8, as: UInt32.self)
            }
        }

        @usableFromInline var height: Int {
            @inline(__always) get { Int(raw.load(fromByteOffset: 14, as: UInt8.self)) }
        }

        @usableFromInline var isLeaf: Bool { @inline(__always) get { height == 0 } }

        // MARK: Leaf

        @usableFromInline var leafSlots: Int {
            @inline(__always) get { Int(raw.load(fromByteOffset: 12, as: UInt16.self)) }
        }

        @inlinable @inline(__always)
        func element(_ index: Int, _ stride: Int) -> UnsafeMutableRawPointer {
            raw + (Self.header &+ index &* stride)
        }

        // MARK: Inner node

        @usableFromInline var fanOut: Int {
            @inline(__always) get { Int(raw.load(fromByteOffset: 12, as: UInt16.self)) }
            @inline(__always)
            nonmutating set {
                raw.storeBytes(of: UInt16(truncatingIfNeeded: newValue), toByteOffset: 12, as: UInt16.self)
            }
        }

        @usableFromInline var childSlots: Int {
            @inline(__always) get { Int(raw.load(fromByteOffset: 15, as: UInt8.self)) }
        }

        @usableFromInline var ends: UnsafeMutablePointer<UInt32> {
            @inline(__always) get { (raw + Self.header).assumingMemoryBound(to: UInt32.self) }
        }

        @usableFromInline var children: UnsafeMutablePointer<UnsafeMutableRawPointer> {
            @inline(__always) get {
                (raw + (Self.header &+ 4 &* childSlots)).assumingMemoryBound(to: UnsafeMutableRawPointer.self)
            }
        }

        @inlinable @inline(__always)
        func child(_ index: Int) -> Node { Node(children[index]) }

        /// Rank, within this subtree, of the first element of a child.
        @inlinable @inline(__always)
        func start(_ index: Int) -> Int { index == 0 ? 0 : Int(ends[index &- 1]) }

        @inlinable @inline(__always)
        func end(_ index: Int) -> Int { Int(ends[index]) }

        /// The child that holds `rank`, which is below `count`.
        ///
        /// Children are filled alike, more or less: the guess by proportion is off by a few at most. (Bisection is a chain of
        /// loads or of mispredicted branches, and took three times as long.)
        @inlinable @inline(__always)
        func childIndex(holding rank: Int) -> Int {
            let ends = ends
            let fanOut = fanOut
            let total = UInt64(ends[fanOut &- 1])
            let rank = UInt32(truncatingIfNeeded: rank)
            var index = Int(truncatingIfNeeded: UInt64(rank) &* UInt64(truncatingIfNeeded: fanOut) / total)
            while ends[index] <= rank { index &+= 1 }
            while index > 0, ends[index &- 1] > rank { index &-= 1 }
            return index
        }

        @inlinable
        func addToEnds(from index: Int, _ delta: Int) {
            let ends = ends
            let delta = UInt32(truncatingIfNeeded: delta)
            for i in index..<fanOut { ends[i] &+= delta }
        }

        @inlinable
        var firstLeaf: Node {
            var node = self
            while !node.isLeaf { node = node.child(0) }
            return node
        }
    }

    // MARK: Making, copying, dropping nodes

    @inlinable @inline(__always)
    func size(of node: Node) -> Int {
        node.isLeaf ? Node.header + node.leafSlots * stride : Self.innerSize(node.childSlots)
    }

    @inlinable @inline(__always)
    static func innerSize(_ slots: Int) -> Int { Node.header + slots * 12 }

    /// An empty leaf with room for at least `slots`, and for as many as fit the allocation.
    func makeLeaf(slots: Int, in memory: TransactionMemory) -> Node {
        let size = TransactionMemory.goodSize(Node.header + slots * stride)
        let slots = min(leafCapacity, (size - Node.header) / stride)
        let raw = memory.allocate(Node.header + slots * stride)
        raw.storeBytes(of: 0, toByteOffset: 8, as: UInt32.self)
        raw.storeBytes(of: UInt16(slots), toByteOffset: 12, as: UInt16.self)
        raw.storeBytes(of: 0, toByteOffset: 14, as: UInt16.self)
        return Node(raw)
    }

    /// An inner node without children; `slots` is 8, 16, 32 or 64.
    func makeInner(height: Int, slots: Int, in memory: TransactionMemory) -> Node {
        precondition(height < Self.maximumHeight)
        let raw = memory.allocate(Self.innerSize(slots))
        raw.storeBytes(of: 0, toByteOffset: 8, as: UInt32.self)
        raw.storeBytes(of: 0, toByteOffset: 12, as: UInt16.self)
        raw.storeBytes(of: UInt8(height), toByteOffset: 14, as: UInt8.self)
        raw.storeBytes(of: UInt8(slots), toByteOffset: 15, as: UInt8.self)
        return Node(raw)
    }

    @inlinable @inline(__always)
    func writable(_ node: Node, in memory: TransactionMemory) -> Node {
        memory.isOwned(node.raw) ? node : Node(memory.writable(node.raw, size: size(of: node)))
    }

    /// The child as an owned node, in place in its owned parent.
    @inlinable @inline(__always)
    func writableChild(_ index: Int, of parent: Node, in memory: TransactionMemory) -> Node {
        let child = parent.child(index)
        if memory.isOwned(child.raw) { return child }
        let copy = Node(memory.writable(child.raw, size: size(of: child)))
        parent.children[index] = copy.raw
        return copy
    }

    /// The owned leaf, moved if it must have room for `count` elements; the caller stores the result in the parent.
    func leaf(_ node: Node, roomFor count: Int, in memory: TransactionMemory) -> Node {
        guard count > node.leafSlots else { return node }
        let grown = makeLeaf(slots: min(leafCapacity, max(count, node.leafSlots * 2)), in: memory)
        grown.count = node.count
        (grown.raw + Node.header).copyMemory(from: node.raw + Node.header, byteCount: node.count * stride)
        memory.discard(node.raw, size: size(of: node))
        return grown
    }

    /// The owned inner node, moved if it must have room for `fanOut` children; the caller stores the result in the parent.
    func inner(_ node: Node, roomFor fanOut: Int, in memory: TransactionMemory) -> Node {
        guard fanOut > node.childSlots else { return node }
        var slots = node.childSlots
        while slots < fanOut { slots *= 2 }
        let grown = makeInner(height: node.height, slots: slots, in: memory)
        grown.count = node.count
        grown.fanOut = node.fanOut
        grown.ends.update(from: node.ends, count: node.fanOut)
        grown.children.update(from: node.children, count: node.fanOut)
        memory.discard(node.raw, size: size(of: node))
        return grown
    }

    /// Gives up every node of a subtree. O(nodes).
    func discardSubtree(_ node: Node, in memory: TransactionMemory) {
        if !node.isLeaf {
            for i in 0..<node.fanOut { discardSubtree(node.child(i), in: memory) }
        }
        memory.discard(node.raw, size: size(of: node))
    }
}
