/// Allocation sizes are rounded to classes so that a freed piece fits the next request of its class.
///
/// Multiples of 16 bytes up to 1 KiB, then eight steps a doubling up to 1 MiB (at most an eighth is wasted). Larger pieces
/// come straight from the system and carry class 0.
@usableFromInline
package struct SizeClass: RawRepresentable, Hashable, Sendable {
    @usableFromInline package let rawValue: UInt16
    @inlinable package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Pieces too large for a class.
    @inlinable package static var large: SizeClass { SizeClass(rawValue: 0) }
    package static let count = 64 + 8 * 10 + 1
    package static let maximumSize = 1 << 20

    /// The smallest class that holds `size` bytes.
    @inlinable
    package init(size: Int) {
        if size <= 1024 {
            self.init(rawValue: UInt16(truncatingIfNeeded: (max(size, 1) + 15) >> 4))
        } else if size <= 1 << 20 {
            // 2^e < size <= 2^(e+1), e from 10 to 19; eight steps of 2^(e-3) above 2^e.
            let e = Int.bitWidth - 1 - (size - 1).leadingZeroBitCount
            let step = (size - (1 << e) + (1 << (e - 3)) - 1) >> (e - 3)
            self.init(rawValue: UInt16(truncatingIfNeeded: 64 + (e - 10) * 8 + step))
        } else {
            self.init(rawValue: 0)
        }
    }

    /// Bytes in a piece of this class; 0 for `large`.
    @inlinable
    package var size: Int {
        let c = Int(rawValue)
        if c <= 64 { return c << 4 }
        let e = ((c - 65) >> 3) + 10
        let step = ((c - 65) & 7) + 1
        return (1 << e) + (step << (e - 3))
    }
}
