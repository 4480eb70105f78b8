extension Decimal128: SignedNumeric {}

extension Decimal128: Strideable {
    public func distance(to other: Decimal128) -> Decimal128 { other - self }
    public func advanced(by distance: Decimal128) -> Decimal128 { self + distance }
}
