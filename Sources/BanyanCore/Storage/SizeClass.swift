/// Allocation sizes are rounded to classes so that a freed piece fits the next request of its class.
///
/// Multiples of 16 bytes up to 1 KiB, then 32 steps a doubling up to 1 MiB: a page is as large as its columns want it, and what
/// rounding adds (a 32nd at most, half of that on average) is paid for every 64 objects. Texts, which are many and short, have
/// the odd multiples of 8 bytes up to 120 besides; those classes come last. Larger pieces come straight from the system and
/// carry class 0.
@usableFromInline
package struct SizeClass: RawRepresentable, Hashable, Sendable {
    @usableFromInline package let rawValue: UInt16
    @inlinable package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Pieces too large for a class.
    @inlinable package static var large: SizeClass { SizeClass(rawValue: 0) }
    package static let count = firstOdd + 7
    package static let maximumSize = 1 << 20

    /// The class of 24 bytes; those of 40, 56, … 120 follow.
    @inlinable static var firstOdd: Int { 64 + 32 * 10 + 1 }

    /// The smallest class for a node of `size` bytes.
    @inlinable
    package init(size: Int) {
        if size <= 1024 {
            self.init(rawValue: UInt16(truncatingIfNeeded: (max(size, 1) + 15) >> 4))
        } else if size <= 1 << 20 {
            // 2^e < size <= 2^(e+1), e from 10 to 19; 32 steps of 2^(e-5) above 2^e.
            let e = Int.bitWidth - 1 - (size - 1).leadingZeroBitCount
            let step = (size - (1 << e) + (1 << (e - 5)) - 1) >> (e - 5)
            self.init(rawValue: UInt16(truncatingIfNeeded: 64 + (e - 10) * 32 + step))
        } else {
            self.init(rawValue: 0)
        }
    }

    /// The smallest class for a text of `count` bytes, which needs no more than to be aligned to 8.
    @inlinable
    package init(text count: Int) {
        let words = (count &+ 7) &>> 3
        if words & 1 != 0, words >= 3, words <= 15 {
            self.init(rawValue: UInt16(truncatingIfNeeded: Self.firstOdd &+ (words &- 3) &>> 1))
        } else {
            self.init(size: count)
        }
    }

    /// Whether the size is an odd multiple of 8 bytes: then pieces are not aligned to 16.
    @inlinable package var isOdd: Bool { Int(rawValue) >= Self.firstOdd }

    /// Bytes in a piece of this class; 0 for `large`.
    @inlinable
    package var size: Int {
        let c = Int(rawValue)
        if c <= 64 { return c << 4 }
        if isOdd { return 24 + (c - Self.firstOdd) << 4 }
        let e = ((c - 65) >> 5) + 10
        let step = ((c - 65) & 31) + 1
        return (1 << e) + (step << (e - 5))
    }
}
