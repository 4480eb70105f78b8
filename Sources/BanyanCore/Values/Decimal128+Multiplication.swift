// Products and quotients. A product is exact in 256 bits and then rounded. For a quotient the dividend is multiplied
// by the power of ten that makes the integer quotient at least 35 digits long; if the division then leaves a
// remainder, a last digit other than 0 and 5 records that there is more. An exact result gets the exponent that
// operands without rounding would give: the sum of theirs for products, the difference for quotients, or the nearest
// to it.

extension Decimal128 {
    /// The product, rounded half to even to 34 digits.
    public static func * (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
        let isNegative = lhs.isNegative != rhs.isNegative
        guard lhs.isFinite && rhs.isFinite else {
            if lhs.isNaN || rhs.isNaN { return propagatingNaN(lhs, rhs) }
            if lhs.isZero || rhs.isZero { return nan }
            return isNegative ? -infinity : infinity
        }
        let (a, b) = (lhs.coefficient, rhs.coefficient)
        let exponent = lhs.exponent + rhs.exponent
        if a.leadingZeroBitCount + b.leadingZeroBitCount >= 128 {
            return rounding(a &* b, exponent: exponent, isNegative: isNegative).value
        }
        return rounding(Wide.product(a, b), exponent: exponent, isNegative: isNegative).value
    }

    /// The quotient, rounded half to even to 34 digits. Dividing by zero yields an infinity, and a NaN for `0 / 0`.
    public static func / (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
        let isNegative = lhs.isNegative != rhs.isNegative
        if lhs.isNaN || rhs.isNaN { return propagatingNaN(lhs, rhs) }
        if lhs.isInfinite { return rhs.isInfinite ? nan : isNegative ? -infinity : infinity }
        if rhs.isInfinite { return Decimal128(packing: 0, exponent: exponents.lowerBound, isNegative: isNegative) }
        let (a, b) = (lhs.coefficient, rhs.coefficient)
        if b == 0 { return a == 0 ? nan : isNegative ? -infinity : infinity }
        let ideal = lhs.exponent - rhs.exponent
        if a == 0 { return rounding(a, exponent: ideal, isNegative: isNegative).value }

        let shift = precision + 1 + PowersOfTen.digits(b) - PowersOfTen.digits(a)
        var (quotient, remainder) = Wide.scaling(a, byPowerOfTen: shift).quotientAndRemainder(dividingBy: b)
        var exponent = ideal - shift
        if remainder == 0 {
            let stripped = PowersOfTen.strippingZeros(quotient, limit: shift)
            quotient = stripped.value
            exponent += stripped.count
        } else if quotient % 5 == 0 {
            quotient += 1
        }
        return rounding(quotient, exponent: exponent, isNegative: isNegative).value
    }

    public static func *= (lhs: inout Decimal128, rhs: Decimal128) { lhs = lhs * rhs }
    public static func /= (lhs: inout Decimal128, rhs: Decimal128) { lhs = lhs / rhs }
}
