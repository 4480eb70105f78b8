/// Seeded 64-bit hashes of keys, for the hash indexes.
///
/// The one operation is the *fold*: multiply two words to 128 bits and xor the halves, so that every bit of either word
/// reaches the middle of the product and from there both halves. One fold of the key with seeded words, and one of
/// the outcome with a constant, make every output bit depend on every input bit: pages may be addressed by the top bits
/// and slots by the low ones. Long keys go through two independent lanes of 16 bytes each.
///
/// Hashes depend on nothing but key and seed, on any machine, and may be written to files. With a seed that is random
/// and kept secret, keys that collide cannot be chosen from outside; this is no cryptographic hash, though.
@usableFromInline
package enum KeyHash {
    /// The hash of an integer.
    /// - Complexity: O(1), two multiplications.
    @inlinable
    @inline(__always)
    package static func hash(_ value: UInt64, seed: UInt64) -> UInt64 {
        finish(fold(value ^ seed ^ first, second), seed: seed)
    }

    /// The hash of 16 bytes given as two words.
    /// - Complexity: O(1), two multiplications.
    @inlinable
    @inline(__always)
    package static func hash(_ low: UInt64, _ high: UInt64, seed: UInt64) -> UInt64 {
        finish(fold(low ^ seed ^ first, high ^ rotated(seed) ^ second), seed: seed)
    }

    /// The hash of a run of bytes, at any address. Prefixes of a key hash unlike the key, an empty one included.
    /// - Complexity: O(count), one multiplication for 16 bytes.
    @inlinable
    package static func hash(bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        let count = bytes.count
        let left = seed ^ first
        let right = rotated(seed) ^ second ^ UInt64(truncatingIfNeeded: count) &* third
        guard let base = bytes.baseAddress, count > 0 else { return finish(fold(left, right), seed: seed) }
        if count <= 16 {
            let (low, high) = words(of: base, count: count)
            return finish(fold(low ^ left, high ^ right), seed: seed)
        }
        return hash(long: base, count: count, left, right, seed: seed)
    }

    /// More than 16 bytes: 32 at a time, then the last 32 or 16, which may overlap what is done already.
    @inlinable
    static func hash(
        long base: UnsafeRawPointer, count: Int, _ left: UInt64, _ right: UInt64, seed: UInt64
    ) -> UInt64 {
        var one = right
        var two = rotated(right)
        var offset = 0
        while count &- offset > 32 {
            one = fold(word(base, offset) ^ left, word(base, offset &+ 8) ^ one)
            two = fold(word(base, offset &+ 16) ^ left, word(base, offset &+ 24) ^ two)
            offset &+= 32
        }
        if count &- offset > 16 { one = fold(word(base, offset) ^ left, word(base, offset &+ 8) ^ one) }
        two = fold(word(base, count &- 16) ^ left, word(base, count &- 8) ^ two)
        return finish(fold(one ^ third, two ^ left), seed: seed)
    }

    /// 1 to 16 bytes as two words that, with the count, determine every byte.
    @inlinable
    @inline(__always)
    static func words(of base: UnsafeRawPointer, count: Int) -> (UInt64, UInt64) {
        if count >= 8 { return (word(base, 0), word(base, count &- 8)) }
        if count >= 4 { return (half(base, 0), half(base, count &- 4)) }
        let ends = base.load(as: UInt8.self)
        let middle = base.load(fromByteOffset: count >> 1, as: UInt8.self)
        let last = base.load(fromByteOffset: count &- 1, as: UInt8.self)
        return (UInt64(ends) | UInt64(middle) << 32, UInt64(last))
    }

    @inlinable
    @inline(__always)
    static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }

    @inlinable
    @inline(__always)
    static func finish(_ folded: UInt64, seed: UInt64) -> UInt64 { fold(folded ^ rotated(seed), third) }

    @inlinable
    @inline(__always)
    static func rotated(_ seed: UInt64) -> UInt64 { seed << 32 | seed >> 32 }

    @inlinable
    @inline(__always)
    static func word(_ base: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inlinable
    @inline(__always)
    static func half(_ base: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        UInt64(UInt32(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }

    // Odd, with 32 bits set and no long runs: the fractions of √2, √3 and √5, brought to that.
    @inlinable static var first: UInt64 { 0x6a09_e668_2085_f7df }
    @inlinable static var second: UInt64 { 0xbb67_ae85_84ca_a741 }
    @inlinable static var third: UInt64 { 0x3c6e_f373_0410_43df }
}
