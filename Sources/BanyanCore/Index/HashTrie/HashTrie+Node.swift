extension HashTrie {
    /// One node in memory.
    ///
    /// Both kinds: birth (8 bytes), entries of a bucket (4), then at 12 the kind (1), the depth (1: of a bucket, in its
    /// directory; of a directory, the bits it consumes), the capacity of a bucket (1, coded). A directory's pointers follow at
    /// 16; a bucket's tags (2 bytes each) and, after the capacity, its payloads.
    @usableFromInline
    struct Node: Equatable {
        @usableFromInline let raw: UnsafeMutableRawPointer

        @inlinable @inline(__always)
        init(_ raw: UnsafeMutableRawPointer) { self.raw = raw }

        /// Through the pointer only what is owned may be changed.
        @inlinable @inline(__always)
        init(_ raw: UnsafeRawPointer) { self.raw = UnsafeMutableRawPointer(mutating: raw) }

        @usableFromInline static var header: Int { @inline(__always) get { 16 } }

        @usableFromInline var isDirectory: Bool {
            @inline(__always) get { raw.load(fromByteOffset: 12, as: UInt8.self) != 0 }
        }

        @usableFromInline var depth: Int {
            @inline(__always) get { Int(raw.load(fromByteOffset: 13, as: UInt8.self)) }
            nonmutating set { raw.storeBytes(of: UInt8(newValue), toByteOffset: 13, as: UInt8.self) }
        }

        // MARK: Directory

        @usableFromInline var children: UnsafeMutablePointer<UnsafeMutableRawPointer> {
            @inline(__always) get { (raw + Self.header).assumingMemoryBound(to: UnsafeMutableRawPointer.self) }
        }

        @inlinable @inline(__always)
        func child(_ index: Int) -> Node { Node(children[index]) }

        /// Which child has the hashes whose bits, from where this directory starts, are those of `window`.
        @inlinable @inline(__always)
        func childIndex(_ window: UInt64) -> Int {
            Int(truncatingIfNeeded: window &>> UInt64(truncatingIfNeeded: 64 &- depth))
        }

        /// All places that point to the bucket which `index` points to.
        func span(of bucket: Node, at index: Int) -> Range<Int> {
            let width = 1 << (depth - bucket.depth)
            let start = index & ~(width - 1)
            return start..<(start + width)
        }

        func point(_ range: Range<Int>, to node: Node) {
            for i in range { children[i] = node.raw }
        }

        // MARK: Bucket

        @usableFromInline var count: Int {
            @inline(__always) get { Int(raw.load(fromByteOffset: 8, as: UInt32.self)) }
            nonmutating set { raw.storeBytes(of: UInt32(newValue), toByteOffset: 8, as: UInt32.self) }
        }

        /// Entries there is room for: a multiple of 4 up to 64, and above that a power of two.
        @usableFromInline var slots: Int {
            @inline(__always) get {
                let code = Int(raw.load(fromByteOffset: 14, as: UInt8.self))
                return code <= 16 ? code &* 4 : 64 &<< (code &- 16)
            }
        }

        @usableFromInline var tags: UnsafeMutablePointer<UInt16> {
            @inline(__always) get { (raw + Self.header).assumingMemoryBound(to: UInt16.self) }
        }
    }

    @inlinable @inline(__always)
    func payload(_ bucket: Node, _ index: Int) -> UInt64 {
        let payloads = bucket.raw + (Node.header &+ 2 &* bucket.slots)
        return width == 4
            ? UInt64(payloads.load(fromByteOffset: index &* 4, as: UInt32.self))
            : payloads.load(fromByteOffset: index &* 8, as: UInt64.self)
    }

    func setPayload(_ bucket: Node, _ index: Int, _ payload: UInt64) {
        let payloads = bucket.raw + (Node.header &+ 2 &* bucket.slots)
        if width == 4 {
            payloads.storeBytes(of: UInt32(truncatingIfNeeded: payload), toByteOffset: index &* 4, as: UInt32.self)
        } else {
            payloads.storeBytes(of: payload, toByteOffset: index &* 8, as: UInt64.self)
        }
    }

    /// Adds an entry to an owned bucket that has room.
    func add(_ bucket: Node, tag: UInt16, _ payload: UInt64) {
        let count = bucket.count
        bucket.tags[count] = tag
        setPayload(bucket, count, payload)
        bucket.count = count &+ 1
    }

    // MARK: Making, copying, dropping nodes

    func size(of node: Node) -> Int {
        Node.header + (node.isDirectory ? 8 << node.depth : node.slots * (2 + width))
    }

    func discard(_ node: Node, in memory: TransactionMemory) {
        memory.discard(node.raw, size: size(of: node))
    }

    /// A directory of `bits`, its pointers yet to be set.
    func makeDirectory(bits: Int, in memory: TransactionMemory) -> Node {
        let raw = memory.allocate(Node.header + 8 << bits)
        raw.storeBytes(of: 0, toByteOffset: 8, as: UInt64.self)
        raw.storeBytes(of: 1, toByteOffset: 12, as: UInt8.self)
        raw.storeBytes(of: UInt8(bits), toByteOffset: 13, as: UInt8.self)
        return Node(raw)
    }

    /// An empty bucket with room for at least `slots` entries.
    func makeBucket(depth: Int, slots: Int, in memory: TransactionMemory) -> Node {
        var code = (slots + 3) / 4
        if code > 2 { code = (code + 1) & ~1 }
        if code > 16 {
            code = 17
            while 64 << (code - 16) < slots { code += 1 }
        }
        let slots = code <= 16 ? max(code, 1) * 4 : 64 << (code - 16)
        let raw = memory.allocate(Node.header + slots * (2 + width))
        raw.storeBytes(of: 0, toByteOffset: 8, as: UInt64.self)
        raw.storeBytes(of: UInt8(depth), toByteOffset: 13, as: UInt8.self)
        raw.storeBytes(of: UInt8(max(code, 1)), toByteOffset: 14, as: UInt8.self)
        return Node(raw)
    }

    func copyEntries(of source: Node, to target: Node) {
        let count = source.count
        let at = target.count
        (target.tags + at).update(from: source.tags, count: count)
        (target.raw + (Node.header + 2 * target.slots + at * width)).copyMemory(
            from: source.raw + (Node.header + 2 * source.slots), byteCount: count * width)
        target.count = at + count
    }

    /// A bucket with the same entries and room for at least `slots`, in place of `old`.
    func resized(_ old: Node, slots: Int, in memory: TransactionMemory) -> Node {
        let new = makeBucket(depth: old.depth, slots: slots, in: memory)
        copyEntries(of: old, to: new)
        discard(old, in: memory)
        return new
    }

    func writable(_ node: Node, in memory: TransactionMemory) -> Node {
        memory.isOwned(node.raw) ? node : Node(memory.writable(node.raw, size: size(of: node)))
    }

    func discardSubtree(_ node: Node, in memory: TransactionMemory) {
        forEachNode(node) { discard($0, in: memory) }
    }

    /// Visits children before their directory, which may therefore be given up in the visit.
    func forEachNode(_ node: Node, _ body: (Node) -> Void) {
        if node.isDirectory {
            var index = 0
            while index < 1 << node.depth {
                let child = node.child(index)
                let next = index + (child.isDirectory ? 1 : 1 << (node.depth - child.depth))
                forEachNode(child, body)
                index = next
            }
        }
        body(node)
    }
}
