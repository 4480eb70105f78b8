// Sums and differences. The operand with the larger exponent is multiplied up until both count the same power of
// ten; then integers are added. Where the other operand lies so far below that it can only decide a rounding, a single
// digit just below the ones that matter stands in for it, so that 256 bits are always enough. An exact result keeps
// the smaller exponent of the two: 1.20 + 1.3 is 2.50.

extension Decimal128 {
    /// The sum, rounded half to even to 34 digits.
    public static func + (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
        guard lhs.isFinite && rhs.isFinite else { return sumOfSpecials(lhs, rhs) }
        return lhs.exponent >= rhs.exponent ? sum(upper: lhs, lower: rhs) : sum(upper: rhs, lower: lhs)
    }

    /// The difference, rounded half to even to 34 digits.
    public static func - (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
        // A NaN operand is passed on with its own sign.
        rhs.isNaN ? lhs + rhs : lhs + -rhs
    }

    public static func += (lhs: inout Decimal128, rhs: Decimal128) { lhs = lhs + rhs }
    public static func -= (lhs: inout Decimal128, rhs: Decimal128) { lhs = lhs - rhs }

    private static func sumOfSpecials(_ a: Decimal128, _ b: Decimal128) -> Decimal128 {
        if a.isNaN || b.isNaN { return propagatingNaN(a, b) }
        if a.isInfinite && b.isInfinite && a.isNegative != b.isNegative { return nan }
        return (a.isInfinite ? a : b).canonical
    }

    private static func sum(upper: Decimal128, lower: Decimal128) -> Decimal128 {
        let (a, b) = (upper.coefficient, lower.coefficient)
        let distance = upper.exponent - lower.exponent
        if a == 0 || b == 0 { return sumWithZero(upper: upper, lower: lower) }

        let digits = PowersOfTen.digits(a)
        if digits + distance <= 38 {
            return sum(
                a * PowersOfTen[distance], upper.isNegative, b, lower.isNegative, exponent: lower.exponent)
        }
        // Two digits beyond the 34 kept, and whatever is below them only says whether the tail is zero.
        let floor = upper.exponent - (precision + 2 - digits)
        let isNegligible = lower.adjustedExponent < floor
        let exponent = isNegligible ? floor : lower.exponent
        let wideA = Wide.scaling(a, byPowerOfTen: upper.exponent - exponent)
        let wideB = Wide(isNegligible ? 1 : b)
        if upper.isNegative == lower.isNegative {
            return rounding(wideA + wideB, exponent: exponent, isNegative: upper.isNegative).value
        }
        if wideA == wideB { return Decimal128(packing: 0, exponent: exponent, isNegative: false) }
        return wideA < wideB
            ? rounding(wideB - wideA, exponent: exponent, isNegative: lower.isNegative).value
            : rounding(wideA - wideB, exponent: exponent, isNegative: upper.isNegative).value
    }

    /// Both coefficients at the same exponent and of at most 38 digits.
    private static func sum(
        _ a: UInt128, _ aIsNegative: Bool, _ b: UInt128, _ bIsNegative: Bool, exponent: Int
    ) -> Decimal128 {
        if aIsNegative == bIsNegative { return rounding(a + b, exponent: exponent, isNegative: aIsNegative).value }
        if a == b { return Decimal128(packing: 0, exponent: exponent, isNegative: false) }
        return a > b
            ? rounding(a - b, exponent: exponent, isNegative: aIsNegative).value
            : rounding(b - a, exponent: exponent, isNegative: bIsNegative).value
    }

    /// The operand that is not zero, with decimal places down to the other's as far as there is room for them.
    private static func sumWithZero(upper: Decimal128, lower: Decimal128) -> Decimal128 {
        let a = upper.coefficient
        if a == 0 {
            let isNegative =
                lower.coefficient == 0 ? upper.isNegative && lower.isNegative : lower.isNegative
            return Decimal128(packing: lower.coefficient, exponent: lower.exponent, isNegative: isNegative)
        }
        let shift = Swift.min(upper.exponent - lower.exponent, precision - PowersOfTen.digits(a))
        return Decimal128(
            packing: a * PowersOfTen[shift], exponent: upper.exponent - shift, isNegative: upper.isNegative)
    }

    /// The NaN that an operation with a NaN operand yields: the first signaling one, else the first, made quiet.
    static func propagatingNaN(_ a: Decimal128, _ b: Decimal128) -> Decimal128 {
        let source = a.isSignalingNaN || (!b.isSignalingNaN && a.isNaN) ? a : b
        return Decimal128(nanWithPayload: source.payload, isSignaling: false, isNegative: source.isNegative)
    }
}
