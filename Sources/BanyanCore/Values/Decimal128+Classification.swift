// What kind of value the bits hold. The five bits after the sign decide: 11110 is infinity, 11111 a NaN, anything
// else finite. These are asked before every operation and therefore work on the high word alone where they can.

extension Decimal128 {
    /// Whether this is a NaN, quiet or signaling.
    @inlinable
    public var isNaN: Bool { high & 0x7c00_0000_0000_0000 == 0x7c00_0000_0000_0000 }

    /// Whether this is a signaling NaN, which every arithmetic operation turns into a quiet one.
    @inlinable
    public var isSignalingNaN: Bool { high & 0x7e00_0000_0000_0000 == 0x7e00_0000_0000_0000 }

    /// Whether this is a signaling NaN.
    @inlinable
    public var isSignaling: Bool { isSignalingNaN }

    @inlinable
    public var isInfinite: Bool { high & 0x7c00_0000_0000_0000 == 0x7800_0000_0000_0000 }

    @inlinable
    public var isFinite: Bool { high & 0x7800_0000_0000_0000 != 0x7800_0000_0000_0000 }

    /// Whether this is a zero of either sign and any number of decimal places.
    @inlinable
    public var isZero: Bool { isFinite && coefficient == 0 }

    /// Whether this is finite, not zero, and at least `leastNormalMagnitude` in magnitude.
    public var isNormal: Bool { isFinite && coefficient != 0 && adjustedExponent >= Self.minimumAdjustedExponent }

    /// Whether this is finite, not zero, and below `leastNormalMagnitude` in magnitude.
    public var isSubnormal: Bool { isFinite && coefficient != 0 && adjustedExponent < Self.minimumAdjustedExponent }

    /// Whether this is finite and has no fractional part, however many decimal places it is written with.
    public var isInteger: Bool { isFinite && truncated.isExact }

    public var floatingPointClass: FloatingPointClassification {
        if isNaN { return isSignalingNaN ? .signalingNaN : .quietNaN }
        if isInfinite { return isNegative ? .negativeInfinity : .positiveInfinity }
        if coefficient == 0 { return isNegative ? .negativeZero : .positiveZero }
        if adjustedExponent < Self.minimumAdjustedExponent {
            return isNegative ? .negativeSubnormal : .positiveSubnormal
        }
        return isNegative ? .negativeNormal : .positiveNormal
    }

    /// Whether the bits are the ones this type itself would write for the value.
    public var isCanonical: Bool { canonical.bitPattern == bitPattern }

    /// The same value in the bits this type itself would write.
    public var canonical: Decimal128 {
        if isFinite {
            return Decimal128(packing: coefficient, exponent: exponent, isNegative: isNegative)
        }
        let sign = high & Self.signBit
        if isInfinite { return Decimal128(high: sign | Self.infinity.high, low: 0) }
        return Decimal128(nanWithPayload: payload, isSignaling: isSignalingNaN, isNegative: isNegative)
    }
}
