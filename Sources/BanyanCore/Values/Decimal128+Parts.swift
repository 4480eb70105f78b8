// A finite value is `(-1)^sign × coefficient × 10^exponent`. Arithmetic takes values apart with `exponent` and
// `coefficient`, works on integers, and puts the result together with `init(packing:exponent:isNegative:)`, which
// expects the parts in range, or with `rounding` (Decimal128+Rounding.swift), which makes them so.

extension Decimal128 {
    /// How many digits a coefficient has at most.
    static let precision = 34
    /// The exponents of a coefficient's last digit.
    static let exponents = -6176...6111
    /// The least exponent of a normal value's first digit.
    static let minimumAdjustedExponent = -6143

    /// The power of ten that the last digit of `coefficient` counts: -2 for `1.00`. Meaningless unless finite.
    @inlinable
    public var exponent: Int {
        let isSmallForm = high & 0x6000_0000_0000_0000 != 0x6000_0000_0000_0000
        return Int(truncatingIfNeeded: (isSmallForm ? high >> 49 : high >> 47) & 0x3fff) - 6176
    }

    /// The digits as an integer, 0 ‥ 10³⁴ - 1: 100 for `1.00`. Meaningless unless finite.
    @inlinable
    public var coefficient: UInt128 {
        // The form whose exponent bits begin with 11 implies a coefficient beyond 34 digits: always a zero.
        guard high & 0x6000_0000_0000_0000 != 0x6000_0000_0000_0000 else { return 0 }
        let upper = high & 0x0001_ffff_ffff_ffff
        if upper >= 0x0001_ed09_bead_87c0 {
            guard upper == 0x0001_ed09_bead_87c0, low <= 0x378d_8e63_ffff_ffff else { return 0 }
        }
        return UInt128(upper) << 64 | UInt128(low)
    }

    /// The exponent of the first digit: 2 for `123.4`. Meaningless unless finite and not zero.
    package var adjustedExponent: Int { exponent + PowersOfTen.digits(coefficient) - 1 }

    /// What a NaN carries besides being one, 0 ‥ 10³³ - 1. Meaningless for others.
    public var payload: UInt128 {
        let bits = bitPattern & (UInt128(1) << 110 - 1)
        return bits < PowersOfTen[33] ? bits : 0
    }

    /// A finite value. The caller answers for the ranges.
    init(packing coefficient: UInt128, exponent: Int, isNegative: Bool) {
        assert(coefficient < PowersOfTen[34] && Self.exponents.contains(exponent))
        let upper = UInt64(truncatingIfNeeded: coefficient >> 64) | UInt64(truncatingIfNeeded: exponent + 6176) << 49
        self.init(
            high: isNegative ? upper | Self.signBit : upper, low: UInt64(truncatingIfNeeded: coefficient))
    }

    /// A NaN. The caller answers for the payload.
    init(nanWithPayload payload: UInt128, isSignaling: Bool, isNegative: Bool) {
        assert(payload < PowersOfTen[33])
        var upper = Self.nan.high | UInt64(truncatingIfNeeded: payload >> 64)
        if isSignaling { upper |= Self.signalingNaN.high }
        if isNegative { upper |= Self.signBit }
        self.init(high: upper, low: UInt64(truncatingIfNeeded: payload))
    }

    /// The value `±significand × 10^exponent`, rounded half to even when that has more than 34 digits or is out of
    /// range.
    public init(sign: FloatingPointSign, exponent: Int, significand: UInt128) {
        self = .rounding(significand, exponent: exponent, isNegative: sign == .minus).value
    }
}
