#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation's Decimal holds 38 digits but only exponents from -128 to 127, and neither infinities nor negative zero.
// What lies in both ranges crosses exactly.

extension Decimal128 {
    /// The value of a Foundation decimal, rounded half to even when that has more than 34 digits.
    public init(_ value: Decimal) {
        guard !value.isNaN else {
            self = .nan
            return
        }
        let digits = Decimal(sign: .plus, exponent: 0, significand: value.significand)
        guard let significand = UInt128(digits.description) else {
            preconditionFailure("a decimal's significand printed something else than an integer: \(digits)")
        }
        self = Self.rounding(significand, exponent: value.exponent, isNegative: value.sign == .minus).value
    }

    /// The value of a Foundation decimal, rounded half to even when that has more than 34 digits.
    public init(value: Decimal) { self.init(value) }

    /// The same number as a Foundation decimal, rounded to 128 decimal places; NaN when out of its range, infinite or
    /// NaN.
    public var decimalValue: Decimal {
        guard isFinite else { return .nan }
        let value = exponent < -128 ? rounded(toPlaces: 128, .toNearestOrEven) : self
        let (upper, lower) = value.coefficient.quotientAndRemainder(dividingBy: PowersOfTen[17])
        let digits =
            Decimal(sign: .plus, exponent: 17, significand: Decimal(UInt64(upper))) + Decimal(UInt64(lower))
        return Decimal(sign: value.sign, exponent: value.exponent, significand: digits)
    }
}
