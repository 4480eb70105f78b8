extension HashTrie {
    /// One node in memory.
    ///
    /// Both kinds: birth (8 bytes), then of a dense bucket how many entries it has (4), or of one with homes that (1) and, from
    /// there, how many entries each group has sent away (3 bits each); at 14 the depth (1: of a bucket, in its directory; of a
    /// directory, the bits it consumes), and at 15 the capacity of a bucket (1, coded; 0 in a directory). A directory's
    /// links follow at 16, or a bucket's groups: the tags of eight entries (2 bytes each), then their payloads.
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
            @inline(__always) get { raw.load(fromByteOffset: 15, as: UInt8.self) == 0 }
        }

        @usableFromInline var depth: Int {
            @inline(__always) get { Int(raw.load(fromByteOffset: 14, as: UInt8.self)) }
            nonmutating set { raw.storeBytes(of: UInt8(newValue), toByteOffset: 14, as: UInt8.self) }
        }

        // MARK: Directory

        /// What leads to the nodes below: their addresses, and in the bits that are zero in each address what is there.
        @usableFromInline var links: UnsafeMutablePointer<UInt> {
            @inline(__always) get { (raw + Self.header).assumingMemoryBound(to: UInt.self) }
        }

        @inlinable @inline(__always)
        func link(_ index: Int) -> UInt { links[index] }

        @inlinable @inline(__always)
        func child(_ index: Int) -> Node { Node(link: link(index)) }

        /// What a directory keeps of this node.
        var link: UInt { UInt(bitPattern: raw) | (isDirectory ? Self.directoryMark : isHomed ? Self.homedMark : 0) }

        @inlinable @inline(__always)
        init(link: UInt) {
            raw = UnsafeMutableRawPointer(bitPattern: link & ~(Self.directoryMark | Self.homedMark)).unsafelyUnwrapped
        }

        @inlinable @inline(__always)
        static func isDirectory(_ link: UInt) -> Bool { link & directoryMark != 0 }
        @inlinable @inline(__always)
        static func isHomed(_ link: UInt) -> Bool { link & homedMark != 0 }
        @usableFromInline static var directoryMark: UInt { @inline(__always) get { 1 } }
        @usableFromInline static var homedMark: UInt { @inline(__always) get { 2 } }

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
            let link = node.link
            for i in range { links[i] = link }
        }

        // MARK: Bucket

        @usableFromInline var count: Int {
            @inline(__always) get {
                isHomed
                    ? Int(raw.load(fromByteOffset: 8, as: UInt8.self))
                    : Int(raw.load(fromByteOffset: 8, as: UInt32.self))
            }
            nonmutating set {
                if isHomed {
                    raw.storeBytes(of: UInt8(newValue), toByteOffset: 8, as: UInt8.self)
                } else {
                    raw.storeBytes(of: UInt32(newValue), toByteOffset: 8, as: UInt32.self)
                }
            }
        }

        /// Entries there is room for: a multiple of 8 up to 88, and above that a power of two.
        var slots: Int {
            let code = Int(raw.load(fromByteOffset: 15, as: UInt8.self))
            return code <= Self.homedCode ? code &* 8 : 128 &<< (code &- Self.homedCode &- 1)
        }

        /// Whether entries stand in their homes, with free places between them; else they are dense.
        @usableFromInline var isHomed: Bool {
            @inline(__always) get { raw.load(fromByteOffset: 15, as: UInt8.self) == Self.homedCode }
        }
        @usableFromInline static var homedCode: Int { @inline(__always) get { HashTrie.homedSlots / 8 } }

        /// Behind the last place that may be taken.
        @usableFromInline var end: Int { @inline(__always) get { isHomed ? HashTrie.homedSlots : count } }

        /// Count, overflow, depth and capacity.
        @usableFromInline var head: UInt64 {
            @inline(__always) get { raw.load(fromByteOffset: 8, as: UInt64.self) }
            nonmutating set { raw.storeBytes(of: newValue, toByteOffset: 8, as: UInt64.self) }
        }

        @inlinable @inline(__always)
        static func overflowShift(_ group: Int) -> UInt64 { UInt64(truncatingIfNeeded: 8 &+ 3 &* group) }

        /// How many entries whose home is this group stand in others; 7 is that many or more, and is never taken back.
        @inlinable @inline(__always)
        func overflow(of group: Int) -> UInt64 { head &>> Self.overflowShift(group) & 7 }

        func changeOverflow(of group: Int, _ isMore: Bool) {
            guard overflow(of: group) != 7 else { return }
            let one: UInt64 = 1 &<< Self.overflowShift(group)
            head = isMore ? head &+ one : head &- one
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
    func payload(_ bucket: Node, _ index: Int) -> UInt64 { payload(in: group(bucket, index), index & 7) }

    @inlinable @inline(__always)
    func payload(in group: UnsafeMutableRawPointer, _ place: Int) -> UInt64 {
        width == 4
            ? UInt64(group.load(fromByteOffset: 16 &+ place &* 4, as: UInt32.self))
            : group.load(fromByteOffset: 16 &+ place &* 8, as: UInt64.self)
    }

    /// Whether nothing stands at an index below `end`.
    @inlinable @inline(__always)
    func isFree(_ bucket: Node, _ index: Int) -> Bool { bucket.isHomed && payload(bucket, index) == free }

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
        let index = bucket.isHomed ? freePlace(in: bucket, for: tag) : bucket.count
        setTag(bucket, index, tag)
        setPayload(bucket, index, payload)
        bucket.count &+= 1
    }

    /// The free place next to home. There must be one.
    private func freePlace(in bucket: Node, for tag: UInt16) -> Int {
        let home = Self.home(tag)
        var group = home
        while true {
            let places = self.group(bucket, group &* 8)
            var hits = Self.places(of: Self.freeTag, in: places)
            while hits != 0 {
                let place = Self.place(hits)
                if payload(in: places, place) == free {
                    if group != home { bucket.changeOverflow(of: home, true) }
                    return group &* 8 &+ place
                }
                hits &= hits &- 1
            }
            group = group &+ 1 == Self.homedSlots / 8 ? 0 : group &+ 1
        }
    }

    /// Takes an entry out of an owned bucket.
    func removeEntry(_ bucket: Node, _ index: Int) {
        let last = bucket.count &- 1
        bucket.count = last
        guard bucket.isHomed else {
            setTag(bucket, index, tag(bucket, last))
            setPayload(bucket, index, payload(bucket, last))
            return
        }
        let home = Self.home(tag(bucket, index))
        setTag(bucket, index, Self.freeTag)
        setPayload(bucket, index, free)
        if home != index &>> 3 { bucket.changeOverflow(of: home, false) }
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
        raw.storeBytes(of: UInt64(bits) << 48, toByteOffset: 8, as: UInt64.self)
        return Node(raw)
    }

    /// An empty bucket with room for at least `slots` entries; with homes if that is `homedSlots`.
    func makeBucket(depth: Int, slots: Int, in memory: TransactionMemory) -> Node {
        var code = max((slots + 7) / 8, 1)
        if code > Node.homedCode {
            code = Node.homedCode + 1
            while 128 << (code - Node.homedCode - 1) < slots { code += 1 }
        }
        let slots = code <= Node.homedCode ? code * 8 : 128 << (code - Node.homedCode - 1)
        let raw = memory.allocate(Node.header + entriesSize(slots))
        raw.storeBytes(of: UInt64(depth) << 48 | UInt64(code) << 56, toByteOffset: 8, as: UInt64.self)
        if code == Node.homedCode {
            (raw + Node.header).initializeMemory(as: UInt8.self, repeating: 0xFF, count: entriesSize(slots))
        }
        return Node(raw)
    }

    func copyEntries(of source: Node, to target: Node) {
        if target.count == 0, source.isHomed == target.isHomed {
            (target.raw + Node.header).copyMemory(
                from: source.raw + Node.header, byteCount: entriesSize(source.end))
            // All but depth and capacity.
            target.head = target.head & (0xFFFF &<< 48) | source.head & ~(0xFFFF &<< 48)
            return
        }
        for i in 0..<source.end where !isFree(source, i) { add(target, tag: tag(source, i), payload(source, i)) }
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
