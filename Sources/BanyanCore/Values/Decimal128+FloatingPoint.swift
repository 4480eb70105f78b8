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

    /// The nearest Double.
    public var doubleValue: Double { Double(self) }

    /// The nearest Float.
    public var floatValue: Float { Float(self) }
}

extension Double {
    /// The nearest Double: infinite or zero where `value` is beyond its range.
    public init(_ value: Decimal128) {
        // Integers and powers of ten that a Double holds exactly leave one rounding, the last, to the hardware.
        if value.isFinite, value.coefficient <= 1 << 53, (-22...22).contains(value.exponent) {
            let digits = Double(UInt64(truncatingIfNeeded: value.coefficient))
            let scale = Double(Decimal128.PowersOfTen[Int(value.exponent.magnitude)])
            let magnitude = value.exponent < 0 ? digits / scale : digits * scale
            self = value.isNegative ? -magnitude : magnitude
        } else {
            self = .nearest(to: value)
        }
    }
}

extension Float {
    /// The nearest Float: infinite or zero where `value` is beyond its range.
    public init(_ value: Decimal128) { self = .nearest(to: value) }
}

extension BinaryFloatingPoint where Self: LosslessStringConvertible {
    fileprivate static func nearest(to value: Decimal128) -> Self {
        if value.isFinite, let parsed = Self(value.description) { return parsed }
        let magnitude: Self = value.isNaN ? .nan : .infinity
        return value.isNegative ? -magnitude : magnitude
    }
}
