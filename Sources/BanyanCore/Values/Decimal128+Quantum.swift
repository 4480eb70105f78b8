// Rounding to a given number of decimal places, and the places themselves. Unlike arithmetic, these choose the exponent
// of the result and let the digits follow.

extension Decimal128 {
    /// This value rounded to a whole number.
    ///
    /// Values without decimal places, infinities and NaNs come back as they are.
    public func rounded(_ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero) -> Decimal128 {
        guard isFinite else { return settled }
        return exponent >= 0 ? canonical : quantized(toExponent: 0, rule)
    }

    public mutating func round(_ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero) { self = rounded(rule) }

    /// This value with `places` decimal places: `2.5` becomes `2.50` for 2 and `3` for 0.
    ///
    /// Where 34 digits have no room for that many places, it gets as many as there is room for. Negative `places` round
    /// to tens, hundreds and so on. Infinities and NaNs come back as they are.
    public func rounded(
        toPlaces places: Int, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
    ) -> Decimal128 {
        guard isFinite else { return settled }
        let places = Swift.min(Swift.max(places, -Self.exponents.upperBound), -Self.exponents.lowerBound)
        if exponent < -places { return quantized(toExponent: -places, rule) }
        let digits = PowersOfTen.digits(coefficient)
        let shift = Swift.min(exponent + places, digits == 0 ? Int.max : Self.precision - digits)
        return quantized(toExponent: exponent - shift, rule)
    }

    /// This value with the exponent of `other`: the standard's *quantize*.
    ///
    /// NaN when that takes more than 34 digits, or when one of the two is infinite and the other is not.
    public func quantized(
        to other: Decimal128, _ rule: FloatingPointRoundingRule = .toNearestOrEven
    ) -> Decimal128 {
        if isNaN || other.isNaN { return Self.propagatingNaN(self, other) }
        guard isFinite && other.isFinite else { return isFinite == other.isFinite ? canonical : .nan }
        return quantized(toExponent: other.exponent, rule)
    }

    /// Whether both have the same exponent, or are both infinite, or both NaN: the standard's *sameQuantum*.
    public func hasSameQuantum(as other: Decimal128) -> Bool {
        guard isFinite && other.isFinite else { return isNaN == other.isNaN && isInfinite == other.isInfinite }
        return exponent == other.exponent
    }

    /// The same number with the fewest digits: `1.00` becomes `1` and `100` becomes `1E+2`.
    public var reduced: Decimal128 {
        guard isFinite else { return settled }
        if coefficient == 0 { return Decimal128(packing: 0, exponent: 0, isNegative: isNegative) }
        let stripped = PowersOfTen.strippingZeros(coefficient, limit: Self.exponents.upperBound - exponent)
        return Decimal128(packing: stripped.value, exponent: exponent + stripped.count, isNegative: isNegative)
    }

    /// The whole part, and whether that is all.
    var truncated: Rounded {
        if exponent >= 0 { return Rounded(value: self, isExact: true) }
        let (quotient, tail) = Self.cutting(Wide(coefficient), byPowerOfTen: -exponent)
        let value = Decimal128(packing: quotient, exponent: 0, isNegative: isNegative)
        return Rounded(value: value, isExact: tail == .zero)
    }

    private func quantized(toExponent target: Int, _ rule: FloatingPointRoundingRule) -> Decimal128 {
        if coefficient == 0 { return Decimal128(packing: 0, exponent: target, isNegative: isNegative) }
        let shift = exponent - target
        if shift >= 0 {
            guard PowersOfTen.digits(coefficient) + shift <= Self.precision else { return .nan }
            return Decimal128(
                packing: coefficient * PowersOfTen[shift], exponent: target, isNegative: isNegative)
        }
        var (digits, tail) = Self.cutting(Wide(coefficient), byPowerOfTen: -shift)
        if Self.increments(digits, tail: tail, isNegative: isNegative, rule: rule) { digits += 1 }
        return Decimal128(packing: digits, exponent: target, isNegative: isNegative)
    }

    /// An infinity or NaN as an operation returns it.
    private var settled: Decimal128 { isNaN ? Self.propagatingNaN(self, self) : canonical }
}

// MARK: - Neighbours

extension Decimal128 {
    /// The least value greater than this one.
    public var nextUp: Decimal128 {
        if isNaN { return settled }
        if isInfinite { return isNegative ? .min : self }
        if coefficient == 0 { return .leastNonzeroMagnitude }
        let digits = PowersOfTen.digits(coefficient)
        let lift = Swift.min(Self.precision - digits, exponent - Self.exponents.lowerBound)
        var (digitsAtEnd, scale) = (coefficient * PowersOfTen[lift], exponent - lift)
        if isNegative {
            // Just below a power of ten the digits are ten times as fine.
            if digitsAtEnd == PowersOfTen[Self.precision - 1] && scale > Self.exponents.lowerBound {
                (digitsAtEnd, scale) = (PowersOfTen[Self.precision], scale - 1)
            }
            return Decimal128(packing: digitsAtEnd - 1, exponent: scale, isNegative: true)
        }
        return Self.rounding(digitsAtEnd + 1, exponent: scale, isNegative: false).value
    }

    /// The greatest value less than this one.
    public var nextDown: Decimal128 { isNaN ? settled : -(-self).nextUp }
}
