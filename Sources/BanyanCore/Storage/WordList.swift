/// A growing list of words in plain memory: what a transaction takes down of its nodes, at the price of a store and an
/// increment each.
///
/// It is a handle, not a value: copies share the words, and `free` is called once. An arena keeps freed lists for the next
/// transaction, chained through their first word.
@usableFromInline
package struct WordList: @unchecked Sendable {
    // Sound: whoever has a list hands it on, to the version and from there to the arena, and changes it no more.

    // The words of the block: the next block of a chain, how many words there are, how many there is room for, how many of them
    // belong to the tail; then the words.
    private var block: UnsafeMutablePointer<UInt64>
    private static let header = 4

    package init(capacity: Int = 60) {
        block = .allocate(capacity: Self.header + capacity)
        block[0] = 0
        block[1] = 0
        block[2] = UInt64(capacity)
        block[3] = 0
    }

    /// All the words, the tail included.
    package var count: Int {
        @inline(__always) get { Int(truncatingIfNeeded: block[1]) }
        nonmutating set { block[1] = UInt64(newValue) }
    }

    package var capacity: Int { Int(truncatingIfNeeded: block[2]) }

    /// How many of the last words are not of the same kind as the rest.
    package var tailCount: Int {
        get { Int(truncatingIfNeeded: block[3]) }
        nonmutating set { block[3] = UInt64(newValue) }
    }

    package subscript(index: Int) -> UInt64 {
        @inline(__always) get { block[Self.header &+ index] }
        nonmutating set { block[Self.header &+ index] = newValue }
    }

    /// Drops the last words. The list has no tail.
    func truncate(to count: Int) { block[1] = UInt64(count) }

    @inline(__always)
    package mutating func append(_ word: UInt64) {
        let count = block[1]
        if count == block[2] { grow(to: Int(count) &* 2) }
        block[Self.header &+ Int(truncatingIfNeeded: count)] = word
        block[1] = count &+ 1
    }

    /// Adds the words of another list as the tail.
    package mutating func append(tail other: WordList) {
        let count = count
        let more = other.count
        if count &+ more > capacity { grow(to: max(count &+ more, capacity &* 2)) }
        (block + (Self.header + count)).update(from: other.block + Self.header, count: more)
        block[1] = UInt64(count &+ more)
        block[3] = UInt64(more)
    }

    package func removeAll() {
        block[1] = 0
        block[3] = 0
    }

    @inline(never)
    private mutating func grow(to capacity: Int) {
        let larger = WordList(capacity: capacity)
        (larger.block + Self.header).update(from: block + Self.header, count: count)
        larger.block[0] = block[0]
        larger.block[1] = block[1]
        larger.block[3] = block[3]
        block.deallocate()
        block = larger.block
    }

    package func free() { block.deallocate() }

    // MARK: - Chains

    /// The address, for a chain of lists; 0 stands for none.
    package var address: UInt { UInt(bitPattern: block) }

    package init?(address: UInt) {
        guard let block = UnsafeMutablePointer<UInt64>(bitPattern: address) else { return nil }
        self.block = block
    }

    package var next: UInt {
        get { UInt(block[0]) }
        nonmutating set { block[0] = UInt64(newValue) }
    }
}
