public import BanyanCore

/// Makes the operators of `Decimal128` known that no protocol of the standard library asks for: an import of single names, as in Exports.swift,
/// brings the type's members, but no operators.
public protocol _DivisibleNumber {
    static func / (lhs: Self, rhs: Self) -> Self
    static func /= (lhs: inout Self, rhs: Self)
    static func % (lhs: Self, rhs: Self) -> Self
    static func %= (lhs: inout Self, rhs: Self)
}

extension Decimal128: _DivisibleNumber {}
