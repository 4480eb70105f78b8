// One key carries order, equality and hash. Among the representations of a number take the one with the longest
// coefficient: exponent and coefficient, side by side, then compare like the numbers they stand for. So every value
// maps to an unsigned integer, below the middle for negative ones, such that keys order, equal and hash as the values
// do; getting there costs one multiplication and no division.

extension Decimal128: Comparable, Hashable {
    /// Whether both are the same number: `1.0 == 1.00`, `-0 == 0`, and NaN equals NaN.
    @inlinable
    public static func == (lhs: Decimal128, rhs: Decimal128) -> Bool {
        if lhs.high == rhs.high && lhs.low == rhs.low { return true }
        if lhs.sharesScale(with: rhs) { return false }
        return lhs.orderKey == rhs.orderKey
    }

    /// Whether the left number is the lesser; NaN is less than everything but NaN.
    @inlinable
    public static func < (lhs: Decimal128, rhs: Decimal128) -> Bool {
        if lhs.sharesScale(with: rhs) {
            return lhs.isNegative ? lhs.bitPattern > rhs.bitPattern : lhs.bitPattern < rhs.bitPattern
        }
        return lhs.orderKey < rhs.orderKey
    }

    @inlinable
    public static func > (lhs: Decimal128, rhs: Decimal128) -> Bool { rhs < lhs }
    @inlinable
    public static func <= (lhs: Decimal128, rhs: Decimal128) -> Bool { !(rhs < lhs) }
    @inlinable
    public static func >= (lhs: Decimal128, rhs: Decimal128) -> Bool { !(lhs < rhs) }

    @inlinable
    public func hash(into hasher: inout Hasher) {
        let key = orderKey
        hasher.combine(UInt64(truncatingIfNeeded: key >> 64))
        hasher.combine(UInt64(truncatingIfNeeded: key))
    }

    /// Whether the bits themselves can be compared: same sign and exponent, finite, and surely canonical.
    @inlinable
    func sharesScale(with other: Decimal128) -> Bool {
        (high ^ other.high) >> 49 == 0
            && high & 0x6000_0000_0000_0000 != 0x6000_0000_0000_0000
            && high & 0x0001_ffff_ffff_ffff < 0x0001_ed09_bead_87c0
            && other.high & 0x0001_ffff_ffff_ffff < 0x0001_ed09_bead_87c0
    }

    /// An integer that orders, equals and hashes as this value does.
    ///
    /// Stable across processes and versions; index pages and files may hold it. 0 is NaN, 1 is `-infinity`,
    /// 2¹²⁷ is zero, 2¹²⁸ - 1 is `infinity`.
    /// - Complexity: O(1), about one multiplication.
    @usableFromInline
    package var orderKey: UInt128 {
        let middle = UInt128(1) << 127
        guard isFinite else { return isNaN ? 0 : isNegative ? 1 : .max }
        return isNegative ? middle - magnitudeKey : middle + magnitudeKey
    }

    /// The order of finite values without their sign: 0 for zeros.
    private var magnitudeKey: UInt128 {
        let digits = coefficient
        if digits == 0 { return 0 }
        let lift = Swift.min(Self.precision - PowersOfTen.digits(digits), exponent - Self.exponents.lowerBound)
        let scale = exponent - lift - Self.exponents.lowerBound
        return UInt128(truncatingIfNeeded: scale) << 113 | digits * PowersOfTen[lift]
    }
}

// MARK: - The standard's total order

extension Decimal128 {
    /// Whether this value is at or before `other` in the standard's total order of representations, in which
    /// `-nan < -signalingNaN < -infinity < -1 < -0 < 0 < 1.00 < 1.0 < 1 < infinity < signalingNaN < nan`.
    public func isTotallyOrdered(belowOrEqualTo other: Decimal128) -> Bool {
        if isNegative != other.isNegative { return isNegative }
        let (a, b) = (representationKey, other.representationKey)
        return isNegative ? b <= a : a <= b
    }

    private var representationKey: (kind: Int, magnitude: UInt128, detail: Int) {
        if isFinite { return (0, magnitudeKey, exponent) }
        if isInfinite { return (1, 0, 0) }
        return (isSignalingNaN ? 2 : 3, payload, 0)
    }
}
