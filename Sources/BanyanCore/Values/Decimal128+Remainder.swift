// Remainders are exact whatever the operands: when the dividend's exponent is the larger one, its missing digits are
// brought down 38 at a time, as in long division, keeping only the remainder and whether the quotient is odd.

extension Decimal128 {
    /// The remainder of dividing by `other` with the quotient rounded toward zero. Exact; its sign is this value's.
    ///
    /// NaN when this value is infinite or `other` is zero.
    /// - Complexity: O(1); proportional to the difference of the exponents, a few microseconds at most.
    public func truncatingRemainder(dividingBy other: Decimal128) -> Decimal128 {
        remainder(dividingBy: other, toNearest: false)
    }

    /// The remainder of dividing by `other` with the quotient rounded to the nearest integer, or to the even one of
    /// two: IEEE's remainder. Exact; at most half of `other` in magnitude.
    ///
    /// NaN when this value is infinite or `other` is zero.
    /// - Complexity: O(1); proportional to the difference of the exponents, a few microseconds at most.
    public func remainder(dividingBy other: Decimal128) -> Decimal128 {
        remainder(dividingBy: other, toNearest: true)
    }

    /// The remainder of dividing by `rhs` with the quotient rounded toward zero.
    public static func % (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
        lhs.truncatingRemainder(dividingBy: rhs)
    }

    public static func %= (lhs: inout Decimal128, rhs: Decimal128) { lhs = lhs % rhs }

    private func remainder(dividingBy other: Decimal128, toNearest: Bool) -> Decimal128 {
        if isNaN || other.isNaN { return Self.propagatingNaN(self, other) }
        if isInfinite || other.isZero { return .nan }
        if other.isInfinite { return canonical }

        var distance = exponent - other.exponent
        var divisor = other.coefficient
        if distance < 0 {
            // The divisor at the dividend's exponent; beyond 36 digits it is more than twice any dividend.
            guard PowersOfTen.digits(divisor) - distance <= 36 else { return canonical }
            divisor *= PowersOfTen[-distance]
            distance = 0
        }
        var (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: divisor)
        while distance > 0 && remainder != 0 {
            let step = Swift.min(distance, 38)
            (quotient, remainder) = Wide.product(remainder, PowersOfTen[step])
                .quotientAndRemainder(dividingBy: divisor)
            distance -= step
        }

        var isNegative = self.isNegative
        if toNearest && remainder != 0 {
            let rest = divisor - remainder
            if rest < remainder || (rest == remainder && quotient & 1 == 1) {
                remainder = rest
                isNegative.toggle()
            }
        }
        return Decimal128(
            packing: remainder, exponent: Swift.min(exponent, other.exponent), isNegative: isNegative)
    }
}
