/// A 12-byte identifier that any process can make without asking another: unique for all practical purposes, and in
/// order of creation to the second.
///
/// ```
///  bytes 0 ‥ 3   seconds since 1970, big-endian
///  bytes 4 ‥ 8   random, chosen once per process
///  bytes 9 ‥ 11  a counter that starts at a random number, big-endian
/// ```
/// Ids are compared byte by byte, so those of one process sort by creation until the counter wraps around
/// within a second. They print as 24 lower-case hexadecimal digits. It is not a secret: who knows one id can
/// guess the next.
///
/// In memory an id is its 12 bytes, in order, with the alignment of a 32-bit word.
@frozen
public struct ObjectId: Sendable, BitwiseCopyable {
    // Each word holds four of the bytes as they lie in memory, whatever the machine's byte order.
    @usableFromInline let first: UInt32
    @usableFromInline let second: UInt32
    @usableFromInline let third: UInt32

    /// The words of the id read as big-endian numbers.
    @inlinable
    package init(words: (UInt32, UInt32, UInt32)) {
        first = words.0.bigEndian
        second = words.1.bigEndian
        third = words.2.bigEndian
    }

    /// The id of twelve zero bytes.
    @inlinable
    public init() { self.init(words: (0, 0, 0)) }

    /// The id as three big-endian numbers.
    @inlinable
    package var words: (UInt32, UInt32, UInt32) {
        (UInt32(bigEndian: first), UInt32(bigEndian: second), UInt32(bigEndian: third))
    }
}

// MARK: - Order, equality, hash

extension ObjectId: Comparable, Hashable {
    @inlinable
    public static func == (lhs: ObjectId, rhs: ObjectId) -> Bool {
        lhs.first == rhs.first && lhs.second == rhs.second && lhs.third == rhs.third
    }

    /// Whether the left id comes first, byte by byte.
    @inlinable
    public static func < (lhs: ObjectId, rhs: ObjectId) -> Bool { lhs.words < rhs.words }

    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(UInt64(first) << 32 | UInt64(second))
        hasher.combine(third)
    }
}

// MARK: - Bytes

extension ObjectId {
    /// The id with these bytes.
    ///
    /// - Throws: `BanyanError.Code.invalidValue` unless there are exactly 12.
    public init(bytes: some Collection<UInt8>) throws {
        guard bytes.count == 12 else {
            throw BanyanError(
                .invalidValue, "An ObjectId has 12 bytes, not \(bytes.count)",
                remedy: "Pass the bytes of one id, or use ObjectId(string:) for its hexadecimal digits")
        }
        var words: [UInt32] = [0, 0, 0]
        for (position, byte) in bytes.enumerated() {
            words[position / 4] = words[position / 4] << 8 | UInt32(byte)
        }
        self.init(words: (words[0], words[1], words[2]))
    }

    /// The 12 bytes, first to last.
    public var bytes: [UInt8] {
        let words = self.words
        return [words.0, words.1, words.2].flatMap { word in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }
}
