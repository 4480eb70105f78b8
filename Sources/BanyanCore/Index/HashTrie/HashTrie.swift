/// The shape of a hash index, and the operations on such indexes: extendible hashing, as a trie of small directories over
/// small buckets.
///
/// The index itself is a root pointer kept by the caller, nil when empty; so is the number of entries. An entry is a *payload*
/// of 4 or 8 bytes (a slot, a posting word) under a 64-bit hash that must be good in every bit. Keys are not stored: whoever
/// looks something up says by closure which payload it means.
///
/// - A directory consumes up to eight bits of the hash, from the top, and starts with one: it doubles when it must, up to 256
///   pointers, and only then does the trie grow a level: two levels lead to some millions of entries. A bucket of depth `d`
///   in a directory of `b` bits is pointed to from 2^(b-d) neighbouring places.
/// - A bucket keeps with each payload a *tag*: the 16 bits of the hash from where its directory starts. Up to eight of them
///   tell in which half an entry goes when the bucket is split, so that splitting looks at no object; the others (eight at
///   least) tell entries apart, four at a time in one machine word, so that a lookup looks at one object. Only a bucket that
///   becomes a directory of its own, once in eight splits, needs the whole hashes again, and asks the caller.
/// - Entries stand in groups of eight: eight tags, then their payloads, on one or two cache lines.
/// - A directory's pointers say what they lead to, so that a lookup need not read a node's head before its entries.
/// - Below a directory every bucket has eleven groups, and an entry stands in the one its tag names, its *home*, or, when that is
///   full, in the next with a free place; the bucket counts what each group has sent away. So a lookup waits for memory
///   once, on a line whose address it knows from the hash. A bucket of 80 entries is split in two.
/// - A lone bucket is dense and grows by eight entries up to 80. Entries that agree in all 64 bits cannot be parted; their
///   bucket, dense again, grows on instead.
///
/// Nodes follow the one rule of ownership: what this transaction made is changed in place, all else is copied first.
@usableFromInline
package struct HashTrie: Sendable {
    /// An index is its root. Nil is the empty one.
    @usableFromInline package typealias Root = UnsafeRawPointer?

    /// Bytes of a payload, 4 or 8.
    @usableFromInline package let width: Int

    @inlinable
    package init(width: Int) {
        assert(width == 4 || width == 8)
        self.width = width
    }

    /// Bits of the hash that one directory consumes at most.
    @usableFromInline static var levelBits: Int { @inline(__always) get { 8 } }
    /// Entries of a full bucket; more only if they cannot be parted.
    @usableFromInline static var bucketLimit: Int { @inline(__always) get { 80 } }

    /// Entries there is room for in a bucket below a directory.
    @usableFromInline static var homedSlots: Int { @inline(__always) get { 88 } }

    /// Bytes of eight entries: their tags, then their payloads.
    @usableFromInline var groupSize: Int { @inline(__always) get { 16 &+ 8 &* width } }

    @inlinable @inline(__always)
    static func tag(_ window: UInt64) -> UInt16 { UInt16(truncatingIfNeeded: window >> 48) }

    /// The group where an entry with this tag belongs. Made of the bits that splitting uses last.
    @inlinable @inline(__always)
    static func home(_ tag: UInt16) -> Int { ((Int(tag) & 0xFF) &* (homedSlots / 8)) &>> 8 }

    /// What stands for no payload: all ones. No slot and no posting word is that.
    @usableFromInline var free: UInt64 { @inline(__always) get { width == 4 ? 0xFFFF_FFFF : .max } }
    @usableFromInline static var freeTag: UInt16 { @inline(__always) get { 0xFFFF } }

    /// The payload under `hash` for which `matches` holds, nil if there is none.
    ///
    /// O(1): `matches` is called for payloads whose tag agrees, most often for one.
    @inlinable
    @inline(__always)
    package func find(_ root: Root, hash: UInt64, where matches: (UInt64) -> Bool) -> UInt64? {
        guard let root else { return nil }
        let (bucket, isHomed, tag) = descend(from: Node(root), hash)
        guard let index = index(in: bucket, isHomed: isHomed, tag: tag, where: matches) else { return nil }
        return payload(bucket, index)
    }

    /// The bucket of a hash, and the tag an entry has there. Of the bucket itself nothing is read.
    @inlinable
    @inline(__always)
    func descend(from root: Node, _ hash: UInt64) -> (bucket: Node, isHomed: Bool, tag: UInt16) {
        guard root.isDirectory else { return (root, root.isHomed, Self.tag(hash)) }
        var window = hash
        var link = root.link(root.childIndex(window))
        while Node.isDirectory(link) {
            let directory = Node(link: link)
            window <<= UInt64(Self.levelBits)
            link = directory.link(directory.childIndex(window))
        }
        return (Node(link: link), Node.isHomed(link), Self.tag(window))
    }

    /// Announces that an entry under this hash will be looked for, and entered or removed.
    func willChange(_ root: Root, hash: UInt64) {
        guard let root else { return }
        let (bucket, isHomed, tag) = descend(from: Node(root), hash)
        prefetch(bucket.raw)
        if isHomed { prefetch(group(bucket, Self.home(tag) &* 8)) }
    }

    /// Where in a bucket the payload is for which `matches` holds.
    @inlinable
    @inline(__always)
    func index(in bucket: Node, isHomed: Bool, tag: UInt16, where matches: (UInt64) -> Bool) -> Int? {
        if isHomed {
            let home = Self.home(tag)
            let group = group(bucket, home &* 8)
            var hits = Self.places(of: tag, in: group)
            while hits != 0 {
                let place = Self.place(hits)
                let found = payload(in: group, place)
                if found != free, matches(found) { return home &* 8 &+ place }
                hits &= hits &- 1
            }
            if bucket.overflow(of: home) == 0 { return nil }
        }
        return searchAll(bucket, tag: tag, where: matches)
    }

    /// Looks at every group.
    @inlinable
    @inline(never)
    func searchAll(_ bucket: Node, tag: UInt16, where matches: (UInt64) -> Bool) -> Int? {
        let end = bucket.end
        var first = 0
        while first < end {
            let group = group(bucket, first)
            var hits = Self.places(of: tag, in: group)
            while hits != 0 {
                let place = Self.place(hits)
                let found = payload(in: group, place)
                if first &+ place < end, found != free, matches(found) { return first &+ place }
                hits &= hits &- 1
            }
            first &+= 8
        }
        return nil
    }

    /// The places of a group that have this tag, as bits for `place`.
    @inlinable @inline(__always)
    static func places(of tag: UInt16, in group: UnsafeMutableRawPointer) -> UInt64 {
        let pattern = UInt64(tag) &* 0x0001_0001_0001_0001
        let low: UInt64 = 0x7FFF_7FFF_7FFF_7FFF
        let a = group.load(as: UInt64.self) ^ pattern
        let b = group.load(fromByteOffset: 8, as: UInt64.self) ^ pattern
        // The top bit of every 16 that are all zero; those of the second word one lower, to have both in one.
        return ~(((a & low) &+ low) | a | low) | ~(((b & low) &+ low) | b | low) &>> 1
    }

    /// The first of some places, 0 to 7.
    @inlinable @inline(__always)
    static func place(_ bits: UInt64) -> Int {
        let bit = bits.trailingZeroBitCount
        return (bit & 63) &>> 4 &+ (~bit & 1) &<< 2
    }

    /// Calls `body` with every payload, in an order that means nothing. O(n).
    @inlinable
    package func forEach<E: Error>(_ root: Root, _ body: (UInt64) throws(E) -> Void) throws(E) {
        guard let root else { return }
        let top = Node(root)
        guard top.isDirectory else { return try forEach(in: top, body) }
        try forEach(under: top, body)
    }

    @inlinable
    func forEach<E: Error>(in bucket: Node, _ body: (UInt64) throws(E) -> Void) throws(E) {
        for i in 0..<bucket.end where !isFree(bucket, i) { try body(payload(bucket, i)) }
    }

    @inlinable
    func forEach<E: Error>(under directory: Node, _ body: (UInt64) throws(E) -> Void) throws(E) {
        var index = 0
        while index < 1 << directory.depth {
            let child = directory.child(index)
            if child.isDirectory {
                try forEach(under: child, body)
                index += 1
            } else {
                try forEach(in: child, body)
                index += 1 << (directory.depth - child.depth)
            }
        }
    }
}
