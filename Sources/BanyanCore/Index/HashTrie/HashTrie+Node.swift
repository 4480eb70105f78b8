extension HashTrie {
    /// One node in memory.
    ///
    /// Both kinds: birth (8 bytes), entries of a bucket (4), then at 12 the kind (1), the depth (1: of a bucket, in its
    /// directory; of a directory, the bits it consumes), the capacity of a bucket (1, coded). A directory's pointers follow at
    /// 16, or a bucket's groups: the tags of eight entries (2 bytes each), then their payloads.
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

        /// Entries there is room for: a multiple of 8 up to 64, and above that a power of two.
        @usableFromInline var slots: Int {
            @inline(__always) get {
                let code = Int(raw.load(fromByteOffset: 14, as: UInt8.self))
                return code <= 16 ? code &* 4 : 64 &<< (code &- 16)
            }
        }
    }

    @inlinable @inline(__always)
    func group(_ bucket: Node, _ index: Int) -> UnsafeMutableRawPointer {
        bucket.raw + (Node.header &+ (index &>> 3) &* groupSize)
    }

    @inlinable @inline(__always)
    func tag(_ bucket: Node, _ index: Int) -> UInt16 {
        group(bucket, index).load(fromByteOffset: (index & 7) &* 2, as: UInt16.self)
    }

    func setTag(_ bucket: Node, _ index: Int, _ tag: UInt16) {
        group(bucket, index).storeBytes(of: tag, toByteOffset: (index & 7) &* 2, as: UInt16.self)
    }

    @inlinable @inline(__always)
    func payload(_ bucket: Node, _ index: Int) -> UInt64 {
        let group = group(bucket, index)
        return width == 4
            ? UInt64(group.load(fromByteOffset: 16 &+ (index & 7) &* 4, as: UInt32.self))
            : group.load(fromByteOffset: 16 &+ (index & 7) &* 8, as: UInt64.self)
    }

    func setPayload(_ bucket: Node, _ index: Int, _ payload: UInt64) {
        let group = group(bucket, index)
        if width == 4 {
            group.storeBytes(
                of: UInt32(truncatingIfNeeded: payload), toByteOffset: 16 &+ (index & 7) &* 4, as: UInt32.self)
        } else {
            group.storeBytes(of: payload, toByteOffset: 16 &+ (index & 7) &* 8, as: UInt64.self)
        }
    }

    /// Bytes that `slots` entries take.
    func entriesSize(_ slots: Int) -> Int { ((slots &+ 7) &>> 3) &* groupSize }

    /// Adds an entry to an owned bucket that has room.
    func add(_ bucket: Node, tag: UInt16, _ payload: UInt64) {
        let count = bucket.count
        setTag(bucket, count, tag)
        setPayload(bucket, count, payload)
        bucket.count = count &+ 1
    }

    // MARK: Making, copying, dropping nodes

    func size(of node: Node) -> Int {
        Node.header + (node.isDirectory ? 8 << node.depth : entriesSize(node.slots))
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
        var code = max((slots + 7) / 8 * 2, 2)
        if code > 16 {
            code = 17
            while 64 << (code - 16) < slots { code += 1 }
        }
        let slots = code <= 16 ? code * 4 : 64 << (code - 16)
        let raw = memory.allocate(Node.header + entriesSize(slots))
        raw.storeBytes(of: 0, toByteOffset: 8, as: UInt64.self)
        raw.storeBytes(of: UInt8(depth), toByteOffset: 13, as: UInt8.self)
        raw.storeBytes(of: UInt8(code), toByteOffset: 14, as: UInt8.self)
        return Node(raw)
    }

    func copyEntries(of source: Node, to target: Node) {
        let count = source.count
        guard target.count > 0 else {
            (target.raw + Node.header).copyMemory(from: source.raw + Node.header, byteCount: entriesSize(count))
            target.count = count
            return
        }
        for i in 0..<count { add(target, tag: tag(source, i), payload(source, i)) }
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
