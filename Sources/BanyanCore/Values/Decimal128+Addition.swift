// Sums and differences. The operand with the larger exponent is multiplied up until both count the same power of ten;
// then integers are added. An operand too far below the other to change any of its 34 digits is left out, so that 256
// bits are always enough. An exact result keeps the smaller exponent of the two: 1.20 + 1.3 is 2.50.

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
        if a == 0 {
            let isNegative = lower.isNegative && (b != 0 || upper.isNegative)
            return Decimal128(packing: b, exponent: lower.exponent, isNegative: isNegative)
        }
        let digits = PowersOfTen.digits(a)
        // Less than a hundredth of the last of 34 digits: below half of it, even where the sum loses its first digit.
        if b == 0 || lower.adjustedExponent < upper.exponent - (precision + 2 - digits) {
            let shift = Swift.min(distance, precision - digits)
            return Decimal128(
                packing: a * PowersOfTen[shift], exponent: upper.exponent - shift, isNegative: upper.isNegative)
        }
        if digits + distance <= 38 {
            return sum(
                a * PowersOfTen[distance], upper.isNegative, b, lower.isNegative, exponent: lower.exponent)
        }
        let (wideA, wideB) = (Wide.scaling(a, byPowerOfTen: distance), Wide(b))
        let exponent = lower.exponent
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

    /// The NaN that an operation with a NaN operand yields: the first signaling one, else the first, made quiet.
    static func propagatingNaN(_ a: Decimal128, _ b: Decimal128) -> Decimal128 {
        let source = a.isSignalingNaN || (!b.isSignalingNaN && a.isNaN) ? a : b
        return Decimal128(nanWithPayload: source.payload, isSignaling: false, isNegative: source.isNegative)
    }
}
