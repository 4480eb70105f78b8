// To and from the integers. Every integer of up to 34 digits is exact.

extension Decimal128 {
    /// The value of an integer, rounded half to even when that has more than 34 digits.
    @inlinable
    public init(_ value: some BinaryInteger) {
        if let small = Int64(exactly: value) { self.init(small: small) } else { self.init(large: value) }
    }

    /// The value of an integer, rounded half to even when that has more than 34 digits.
    @inlinable
    public init(value: some BinaryInteger) { self.init(value) }

    /// The value of an integer; nil when that needs more than 34 digits.
    public init?(exactly source: some BinaryInteger) {
        guard let magnitude = UInt128(exactly: source.magnitude) else {
            self.init(String(source))
            return
        }
        let rounded = Self.rounding(magnitude, exponent: 0, isNegative: source < 0)
        guard rounded.isExact else { return nil }
        self = rounded.value
    }

    @inlinable
    init(small value: Int64) {
        self.init(
            high: 0x3040_0000_0000_0000 | UInt64(bitPattern: value) & Self.signBit, low: value.magnitude)
    }

    @usableFromInline
    init(large value: some BinaryInteger) {
        if let magnitude = UInt128(exactly: value.magnitude) {
            self = Self.rounding(magnitude, exponent: 0, isNegative: value < 0).value
        } else if let parsed = TextParser.parse(String(value)) {
            self = parsed.value
        } else {
            preconditionFailure("an integer printed something else than digits: \(value)")
        }
    }
}

extension FixedWidthInteger {
    /// The same number; nil when `source` has a fraction, is out of range, infinite or NaN.
    public init?(exactly source: Decimal128) {
        guard source.isFinite else { return nil }
        let whole = source.truncated
        guard whole.isExact else { return nil }
        self.init(whole: whole.value)
    }

    /// The number without its fraction; nil when that is out of range, or `source` infinite or NaN.
    public init?(truncating source: Decimal128) {
        guard source.isFinite else { return nil }
        self.init(whole: source.truncated.value)
    }

    private init?(whole value: Decimal128) {
        let digits = Int128(value.coefficient)
        guard var result = Self(exactly: value.isNegative ? -digits : digits) else { return nil }
        if result != 0 {
            for _ in 0..<value.exponent {
                let (product, overflow) = result.multipliedReportingOverflow(by: 10)
                if overflow { return nil }
                result = product
            }
        }
        self = result
    }
}
