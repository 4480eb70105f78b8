// To and from the binary floating-point types. A Double becomes the decimal that it prints as, because 0.1 means 0.1 to
// whoever wrote it; its exact binary value is a separate question.

extension Decimal128 {
    /// The shortest decimal that denotes `value`: `0.1` gives 0.1, `5.0` gives 5.
    public init(_ value: Double) {
        self.init(shortest: value, printed: value.description)
    }

    /// The shortest decimal that denotes `value`: `0.1` gives 0.1, `5.0` gives 5.
    public init(_ value: Float) {
        self.init(shortest: value, printed: value.description)
    }

    /// The shortest decimal that denotes `value`: `0.1` gives 0.1, `5.0` gives 5.
    public init(value: Double) { self.init(value) }

    /// The shortest decimal that denotes `value`: `0.1` gives 0.1, `5.0` gives 5.
    public init(value: Float) { self.init(value) }

    private init<T: BinaryFloatingPoint>(shortest value: T, printed: String) {
        guard value.isFinite else {
            self = value.isNaN ? .nan : .infinity
            if value.sign == .minus { negate() }
            return
        }
        let digits = printed.hasSuffix(".0") ? String(printed.dropLast(2)) : printed
        guard let parsed = TextParser.parse(digits) else {
            preconditionFailure("a floating-point value printed something else than a number: \(printed)")
        }
        self = parsed.value
    }

    /// The binary value of `value`, digit for digit; nil when that takes more than 34 digits, as it does for `0.1`.
    public init?(exactly value: Double) {
        guard value.isFinite, value != 0 else {
            self.init(value)
            return
        }
        // |value| = digits × 2^twos
        let isNormal = value.exponentBitPattern != 0
        var digits = UInt128(value.significandBitPattern | (isNormal ? 1 << 52 : 0))
        var twos = (isNormal ? Int(value.exponentBitPattern) : 1) - 1075
        let zeroBits = digits.trailingZeroBitCount
        digits >>= UInt128(zeroBits)
        twos += zeroBits

        var exponent = 0
        while twos < 0 {
            // 2⁻¹ is 5 × 10⁻¹.
            guard digits < PowersOfTen[34] / 5 else { return nil }
            (digits, twos, exponent) = (digits * 5, twos + 1, exponent - 1)
        }
        while twos > 0 {
            if digits < PowersOfTen[34] / 2 {
                (digits, twos) = (digits * 2, twos - 1)
            } else {
                guard digits % 5 == 0 else { return nil }
                (digits, twos, exponent) = (digits / 5, twos - 1, exponent + 1)
            }
        }
        self.init(packing: digits, exponent: exponent, isNegative: value.sign == .minus)
    }

    /// The nearest Double: infinite or zero where this value is beyond its range.
    public var doubleValue: Double {
        guard isFinite, coefficient <= 1 << 53, (-22...22).contains(exponent) else { return nearest(Double.self) }
        // A Double holds these digits and this power of ten exactly, which leaves one rounding, the last.
        let digits = Double(UInt64(truncatingIfNeeded: coefficient))
        let scale = Self.binaryPowersOfTen[Int(exponent.magnitude)]
        let magnitude = exponent < 0 ? digits / scale : digits * scale
        return isNegative ? -magnitude : magnitude
    }

    /// The nearest Float: infinite or zero where this value is beyond its range.
    public var floatValue: Float { nearest(Float.self) }

    /// The powers of ten that a Double holds exactly.
    private static let binaryPowersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    private func nearest<T: BinaryFloatingPoint & LosslessStringConvertible>(_ type: T.Type) -> T {
        // Reading digits is correctly rounded whatever their number, and says no to nothing that is finite.
        if isFinite, let parsed = T(description) { return parsed }
        let magnitude: T = isNaN ? .nan : .infinity
        return isNegative ? -magnitude : magnitude
    }
}
