extension OrderedTree {
    /// One node in memory.
    ///
    /// Both kinds: birth (8 bytes), entries below (4), then at 12 the entries of a leaf or the children of an inner node (2),
    /// height (1, 0 for a leaf), room in a leaf (1). Arrays follow, each as long as there is room: the keys; in an inner node
    /// the children (8 bytes each); the slots (4 bytes each); in an inner node how many entries each child has (4 bytes each).
    struct Node: Equatable {
        let raw: UnsafeMutableRawPointer

        @inline(__always)
        init(_ raw: UnsafeMutableRawPointer) { self.raw = raw }

        /// Through the pointer only what is owned may be changed.
        @inline(__always)
        init(_ raw: UnsafeRawPointer) { self.raw = UnsafeMutableRawPointer(mutating: raw) }

        @inline(__always) static var header: Int { 16 }

        /// Entries in this subtree.
        var total: Int {
            @inline(__always) get { Int(raw.load(fromByteOffset: 8, as: UInt32.self)) }
            @inline(__always)
            nonmutating set {
                raw.storeBytes(of: UInt32(truncatingIfNeeded: newValue), toByteOffset: 8, as: UInt32.self)
            }
        }

        /// Entries of a leaf, children of an inner node.
        var count: Int {
            @inline(__always) get { Int(raw.load(fromByteOffset: 12, as: UInt16.self)) }
            @inline(__always)
            nonmutating set {
                raw.storeBytes(of: UInt16(truncatingIfNeeded: newValue), toByteOffset: 12, as: UInt16.self)
            }
        }

        var height: Int { @inline(__always) get { Int(raw.load(fromByteOffset: 14, as: UInt8.self)) } }
        var isLeaf: Bool { @inline(__always) get { height == 0 } }
        var leafRoom: Int { @inline(__always) get { Int(raw.load(fromByteOffset: 15, as: UInt8.self)) } }
        /// How many of each there is room for.
        var room: Int { @inline(__always) get { isLeaf ? leafRoom : maximumFanOut } }

        /// Of the entries, or of the first entries of the children.
        var keys: UnsafeMutablePointer<Key> {
            @inline(__always) get { (raw + Self.header).assumingMemoryBound(to: Key.self) }
        }

        var slots: UnsafeMutablePointer<UInt32> {
            @inline(__always)
            get {
                let offset = isLeaf ? leafRoom &* keySize : maximumFanOut &* (keySize &+ 8)
                return (raw + (Self.header &+ offset)).assumingMemoryBound(to: UInt32.self)
            }
        }

        var children: UnsafeMutablePointer<UnsafeMutableRawPointer> {
            @inline(__always)
            get {
                (raw + (Self.header &+ maximumFanOut &* keySize)).assumingMemoryBound(to: UnsafeMutableRawPointer.self)
            }
        }

        var totals: UnsafeMutablePointer<UInt32> {
            @inline(__always)
            get {
                (raw + (Self.header &+ maximumFanOut &* (keySize &+ 12))).assumingMemoryBound(to: UInt32.self)
            }
        }

        @inline(__always)
        func child(_ index: Int) -> Node { Node(children[index]) }

        /// Writes down what a child is and has.
        @inline(__always)
        func note(_ child: Node, at index: Int) {
            keys[index] = child.keys[0]
            slots[index] = child.slots[0]
            totals[index] = UInt32(truncatingIfNeeded: child.total)
            children[index] = child.raw
        }

        /// Moves `count` entries from `index` on to another place in this or another node of the same height.
        @inline(__always)
        func move(_ index: Int, _ count: Int, to target: Node, _ place: Int) {
            (target.keys + place).update(from: keys + index, count: count)
            (target.slots + place).update(from: slots + index, count: count)
            guard !isLeaf else { return }
            (target.children + place).update(from: children + index, count: count)
            (target.totals + place).update(from: totals + index, count: count)
        }

        /// Counts again how many entries there are below.
        func sumTotals() {
            if isLeaf {
                total = count
            } else {
                var sum = 0
                for i in 0..<count { sum += Int(totals[i]) }
                total = sum
            }
        }
    }

    // MARK: Making, copying, dropping nodes

    @inline(__always)
    func size(of node: Node) -> Int { node.isLeaf ? Self.leafSize(node.leafRoom) : Self.innerSize }

    @inline(__always) static func leafSize(_ room: Int) -> Int { Node.header + room * (keySize + 4) }
    @inline(__always) static var innerSize: Int { Node.header + maximumFanOut * (keySize + 16) }

    /// An empty leaf with room for at least `room` entries, and for as many as fit the allocation.
    func makeLeaf(room: Int, in memory: TransactionMemory) -> Node {
        let size = TransactionMemory.goodSize(Self.leafSize(room))
        let room = min(Self.leafCapacity, (size - Node.header) / (Self.keySize + 4))
        return make(size: Self.leafSize(room), height: 0, room: room, in: memory)
    }

    /// An inner node without children.
    func makeInner(height: Int, in memory: TransactionMemory) -> Node {
        make(size: Self.innerSize, height: height, room: 0, in: memory)
    }

    private func make(size: Int, height: Int, room: Int, in memory: TransactionMemory) -> Node {
        let raw = memory.allocate(size)
        raw.storeBytes(of: 0, toByteOffset: 8, as: UInt64.self)
        raw.storeBytes(of: UInt8(height), toByteOffset: 14, as: UInt8.self)
        raw.storeBytes(of: UInt8(room), toByteOffset: 15, as: UInt8.self)
        return Node(raw)
    }

    /// A node like this one without entries.
    func makeSibling(of node: Node, in memory: TransactionMemory) -> Node {
        node.isLeaf ? makeLeaf(room: Self.leafCapacity, in: memory) : makeInner(height: node.height, in: memory)
    }

    @inline(__always)
    func writable(_ node: Node, in memory: TransactionMemory) -> Node {
        memory.isOwned(node.raw) ? node : Node(memory.writable(node.raw, size: size(of: node)))
    }

    func discard(_ node: Node, in memory: TransactionMemory) { memory.discard(node.raw, size: size(of: node)) }
}
