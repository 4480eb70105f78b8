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
/// - Entries stand in groups of eight: eight tags, then their payloads. So a payload is next to its tag, and a lookup reads a
///   bucket from front to back without waiting for memory twice.
/// - A lone bucket grows by eight entries up to 64; below a directory every bucket has room for 64, so that looking through one
///   takes the same steps for all. A full one is split in two. Entries that agree in all 64 bits cannot be parted;
///   their bucket grows on instead.
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
    @usableFromInline static var bucketLimit: Int { @inline(__always) get { 64 } }

    /// Bytes of eight entries: their tags, then their payloads.
    @usableFromInline var groupSize: Int { @inline(__always) get { 16 &+ 8 &* width } }

    @inlinable @inline(__always)
    static func tag(_ window: UInt64) -> UInt16 { UInt16(truncatingIfNeeded: window >> 48) }

    /// The payload under `hash` for which `matches` holds, nil if there is none.
    ///
    /// O(1): `matches` is called for payloads whose tag agrees, most often for one.
    @inlinable
    package func find(_ root: Root, hash: UInt64, where matches: (UInt64) -> Bool) -> UInt64? {
        guard let root else { return nil }
        var node = Node(root)
        var window = hash
        if node.isDirectory {
            while true {
                node = node.child(node.childIndex(window))
                guard node.isDirectory else { break }
                window <<= UInt64(Self.levelBits)
            }
        }
        let tag = Self.tag(window)
        // The likeliest entry, found without a branch that depends on the contents: a processor that guesses no branch wrong
        // goes on to the object, and to the next lookup, while the bucket is still on its way from memory.
        if node.slots == Self.bucketLimit {
            let index = likelyIndex(in: node, tag: tag)
            let found = payload(node, index & (Self.bucketLimit &- 1))
            if index < node.count, matches(found) { return found }
        }
        guard let index = index(in: node, tag: tag, where: matches) else { return nil }
        return payload(node, index)
    }

    /// The last entry of a full-sized bucket with this tag, or a number beyond its entries.
    @inlinable @inline(__always)
    func likelyIndex(in bucket: Node, tag: UInt16) -> Int {
        let pattern = UInt64(tag) &* 0x0001_0001_0001_0001
        let low: UInt64 = 0x7FFF_7FFF_7FFF_7FFF
        let step = groupSize
        let count = bucket.count
        var group = bucket.raw + Node.header
        var result = Self.bucketLimit
        var first = 0
        while first < Self.bucketLimit {
            let a = group.load(as: UInt64.self) ^ pattern
            let b = group.load(fromByteOffset: 8, as: UInt64.self) ^ pattern
            let hits = ~(((a & low) &+ low) | a | low) | ~(((b & low) &+ low) | b | low) &>> 1
            let bit = hits.trailingZeroBitCount
            let index = first &+ (bit & 63) &>> 4 &+ (~bit & 1) &<< 2
            // Compiled to a conditional move.
            result = hits != 0 && index < count ? index : result
            group += step
            first &+= 8
        }
        return result
    }

    /// Where in a bucket the payload is for which `matches` holds.
    @inlinable @inline(__always)
    func index(in bucket: Node, tag: UInt16, where matches: (UInt64) -> Bool) -> Int? {
        let count = bucket.count
        let pattern = UInt64(tag) &* 0x0001_0001_0001_0001
        let low: UInt64 = 0x7FFF_7FFF_7FFF_7FFF
        let step = groupSize
        var group = bucket.raw + Node.header
        var first = 0
        while first < count {
            let a = group.load(as: UInt64.self) ^ pattern
            let b = group.load(fromByteOffset: 8, as: UInt64.self) ^ pattern
            // The top bit of every 16 that are all zero; those of the second word one lower, to have both in one.
            var hits = ~(((a & low) &+ low) | a | low) | ~(((b & low) &+ low) | b | low) &>> 1
            while hits != 0 {
                let bit = hits.trailingZeroBitCount
                let index = first &+ bit >> 4 &+ (bit & 1 == 0 ? 4 : 0)
                if index < count, matches(payload(bucket, index)) { return index }
                hits &= hits &- 1
            }
            group += step
            first &+= 8
        }
        return nil
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
        for i in 0..<bucket.count { try body(payload(bucket, i)) }
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
