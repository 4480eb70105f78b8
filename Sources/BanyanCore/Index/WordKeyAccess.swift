/// What looking up by a key of one word takes, an `Int` that is never nil: so little that it is inlined where users ask.
///
/// The fewer instructions a lookup has, the more of the next one a processor can begin while this one waits for memory.
@frozen
@usableFromInline
package struct WordKeyAccess: BitwiseCopyable, Sendable {
    /// Where the keys stand in a page of the table; 0 where its key is another, or none.
    @usableFromInline package let offset: Int
    @usableFromInline let seed: UInt64

    init(offset: Int, seed: UInt64) {
        self.offset = offset
        self.seed = seed
    }

    /// For a table without such a key.
    package init() { self.init(offset: 0, seed: 0) }

    /// The object with this key: the address of its page, 0 if there is none, and its slot in the table. O(1) expected.
    ///
    /// An address, not an optional: the compiler would follow every way that an optional can come about to its end, and make
    /// the object at the end of each, where it no longer sees that one place on the stack will do.
    ///
    /// - Parameter header: The table's.
    @inlinable
    @inline(__always)
    package func find(_ header: UnsafeRawPointer, _ key: UInt64) -> (page: UInt, slot: Int) {
        guard let directory = TableHeader.directory(header) else { return (0, 0) }
        let index = header.load(fromByteOffset: TableHeader.keyIndex, as: UnsafeRawPointer?.self)
        let depth = TableHeader.depth(header)
        var page = directory
        let slot = HashTrie(width: 4).find(index, hash: KeyHash.hash(key, seed: seed)) { slot in
            page = Directory.page(directory, depth: depth, Int(truncatingIfNeeded: slot) &>> Page.slotBits)
            let place = offset &+ (Int(truncatingIfNeeded: slot) & Page.slotMask) &* 8
            return page.load(fromByteOffset: place, as: UInt64.self) == key
        }
        guard let slot else { return (0, 0) }
        return (UInt(bitPattern: page), Int(truncatingIfNeeded: slot))
    }
}
