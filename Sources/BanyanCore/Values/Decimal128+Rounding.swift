// Every operation computes its result exactly, or with enough digits and a marker for "and a little more", and ends
// here: digits beyond the 34th, or below the least exponent, are cut off; how the part cut off compares to half a unit
// decides whether one is added; exponents beyond the greatest are brought back by appending zeros (the standard's
// *clamping*) or end in infinity.

extension Decimal128 {
    /// What was cut off, measured in units of the last digit kept.
    enum Tail {
        case zero, belowHalf, half, aboveHalf

        /// The tail when `self` was cut off first, and then `remainder` of a division by 10^power.
        func cutting(_ remainder: UInt128, ofPowerOfTen power: Int) -> Tail {
            guard power > 0 else { return self }
            let half = 5 * PowersOfTen[power - 1]
            if remainder > half { return .aboveHalf }
            if remainder == half { return self == .zero ? .half : .aboveHalf }
            return remainder == 0 && self == .zero ? .zero : .belowHalf
        }
    }

    /// A value and whether it is exactly the one that was asked for.
    struct Rounded {
        var value: Decimal128
        var isExact: Bool
    }

    /// `value / 10^power` without its fraction, and what the fraction was. The quotient must have at most 38 digits.
    static func cutting(_ value: Wide, byPowerOfTen power: Int) -> (quotient: UInt128, tail: Tail) {
        if power == 0 { return (value.low, .zero) }
        if power <= 38 {
            let (quotient, remainder) = value.quotientAndRemainder(dividingBy: PowersOfTen[power])
            return (quotient, Tail.zero.cutting(remainder, ofPowerOfTen: power))
        }
        if power > 76 { return (0, value == Wide(0) ? .zero : .belowHalf) }
        // In two steps, of which the first is as large as possible: the digits that remain then fit 128 bits.
        let (upper, lower) = value.quotientAndRemainder(dividingBy: PowersOfTen[38])
        let tail = Tail.zero.cutting(lower, ofPowerOfTen: 38)
        let (quotient, remainder) = upper.quotientAndRemainder(dividingBy: PowersOfTen[power - 38])
        return (quotient, tail.cutting(remainder, ofPowerOfTen: power - 38))
    }

    /// Whether the digits kept go up by one.
    static func increments(
        _ quotient: UInt128, tail: Tail, isNegative: Bool, rule: FloatingPointRoundingRule
    ) -> Bool {
        if tail == .zero { return false }
        switch rule {
        case .toNearestOrEven: return tail == .aboveHalf || (tail == .half && quotient & 1 == 1)
        case .toNearestOrAwayFromZero: return tail != .belowHalf
        case .up: return !isNegative
        case .down: return isNegative
        case .towardZero: return false
        case .awayFromZero: return true
        @unknown default: return tail == .aboveHalf || (tail == .half && quotient & 1 == 1)
        }
    }

    /// `±coefficient × 10^exponent` as the standard delivers it: rounded half to even to 34 digits or to what the least
    /// exponent leaves of them, clamped, or infinite.
    static func rounding(_ coefficient: Wide, exponent: Int, isNegative: Bool) -> Rounded {
        if coefficient.high == 0 {
            return rounding(coefficient.low, exponent: exponent, isNegative: isNegative)
        }
        let cut = Swift.max(coefficient.digits - precision, exponents.lowerBound - exponent)
        let (quotient, tail) = cutting(coefficient, byPowerOfTen: cut)
        return rounding(quotient, tail, exponent: exponent + cut, isNegative: isNegative)
    }

    static func rounding(_ coefficient: UInt128, exponent: Int, isNegative: Bool) -> Rounded {
        let cut = Swift.max(PowersOfTen.digits(coefficient) - precision, exponents.lowerBound - exponent)
        if cut <= 0 { return rounding(coefficient, .zero, exponent: exponent, isNegative: isNegative) }
        let (quotient, tail) = cutting(Wide(coefficient), byPowerOfTen: cut)
        return rounding(quotient, tail, exponent: exponent + cut, isNegative: isNegative)
    }

    /// The last step: at most 34 digits, an exponent not too small, and what was cut off.
    private static func rounding(
        _ quotient: UInt128, _ tail: Tail, exponent: Int, isNegative: Bool
    ) -> Rounded {
        var coefficient = quotient
        var exponent = exponent
        if increments(quotient, tail: tail, isNegative: isNegative, rule: .toNearestOrEven) {
            coefficient += 1
            if coefficient == PowersOfTen[precision] {
                coefficient = PowersOfTen[precision - 1]
                exponent += 1
            }
        }
        if exponent > exponents.upperBound {
            let excess = exponent - exponents.upperBound
            if coefficient != 0 {
                guard PowersOfTen.digits(coefficient) + excess <= precision else {
                    return Rounded(value: isNegative ? -infinity : infinity, isExact: false)
                }
                coefficient *= PowersOfTen[excess]
            }
            exponent = exponents.upperBound
        }
        let value = Decimal128(packing: coefficient, exponent: exponent, isNegative: isNegative)
        return Rounded(value: value, isExact: tail == .zero)
    }
}
