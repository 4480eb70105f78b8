// Literals. An integer literal keeps all its digits. A floating-point literal reaches a type only as a binary number,
// so `0.1` is 0.1, but more than 17 digits, or trailing zeros, survive in a string literal alone.

extension Decimal128: ExpressibleByIntegerLiteral {
    /// The value of an integer literal of up to 127 bits, rounded half to even when that has more than 34 digits.
    @inlinable
    public init(integerLiteral value: StaticBigInt) {
        if value.bitWidth <= 64 {
            self.init(small: Int64(truncatingIfNeeded: value[0]))
        } else {
            self.init(literal: value)
        }
    }

    @usableFromInline
    init(literal value: StaticBigInt) {
        // Not a precondition, whose words a release build leaves out.
        guard value.bitWidth <= 128 else {
            fatalError(
                "an integer literal of a Decimal128 must be below 2^127; write greater ones as a string, \"1E+40\"")
        }
        let perWord = 128 / UInt.bitWidth
        let bits = (0..<perWord).reduce(UInt128(0)) { $0 | UInt128(value[$1]) << UInt128($1 * UInt.bitWidth) }
        self.init(Int128(truncatingIfNeeded: bits))
    }
}

extension Decimal128: ExpressibleByFloatLiteral {
    /// The shortest decimal that denotes the same Double as the literal.
    public init(floatLiteral value: Double) { self.init(value) }
}

extension Decimal128: ExpressibleByStringLiteral {
    /// The number the literal says. A literal that says none, or that has more than 34 digits, traps.
    public init(stringLiteral value: String) {
        do {
            try self.init(string: value)
        } catch {
            fatalError("\(error)")
        }
    }
}
