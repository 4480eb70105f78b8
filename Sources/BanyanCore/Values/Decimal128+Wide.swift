extension Decimal128 {
    /// An unsigned integer of 256 bits: room for the 68 digits of a product, or for an operand of a sum moved up to
    /// where the other one is. Values stay below 10⁷⁶. It can do what the arithmetic of this type asks of it and no
    /// more.
    struct Wide: Equatable {
        var high: UInt128
        var low: UInt128

        init(high: UInt128, low: UInt128) {
            self.high = high
            self.low = low
        }

        init(_ value: UInt128) { self.init(high: 0, low: value) }

        static func product(_ a: UInt128, _ b: UInt128) -> Wide {
            let (high, low) = a.multipliedFullWidth(by: b)
            return Wide(high: high, low: low)
        }

        /// `value × 10^power`, for a result of at most 76 digits.
        static func scaling(_ value: UInt128, byPowerOfTen power: Int) -> Wide {
            let first = Swift.min(power, 38 - PowersOfTen.digits(value))
            return product(value * PowersOfTen[first], PowersOfTen[power - first])
        }

        var digits: Int {
            guard high != 0 else { return PowersOfTen.digits(low) }
            let estimate = ((256 - high.leadingZeroBitCount) &* 1233) >> 12
            // Here estimate is at least 38, and it may be one short (see `PowersOfTen.digits`) but not two.
            return self >= .product(PowersOfTen[38], PowersOfTen[estimate - 38]) ? estimate + 1 : estimate
        }

        /// Traps when the quotient has more than 128 bits.
        func quotientAndRemainder(dividingBy divisor: UInt128) -> (quotient: UInt128, remainder: UInt128) {
            high == 0
                ? low.quotientAndRemainder(dividingBy: divisor)
                : divisor.dividingFullWidth((high, low))
        }

        static func + (a: Wide, b: Wide) -> Wide {
            let (low, carry) = a.low.addingReportingOverflow(b.low)
            return Wide(high: a.high + b.high + (carry ? 1 : 0), low: low)
        }

        static func - (a: Wide, b: Wide) -> Wide {
            let (low, borrow) = a.low.subtractingReportingOverflow(b.low)
            return Wide(high: a.high - b.high - (borrow ? 1 : 0), low: low)
        }

        static func < (a: Wide, b: Wide) -> Bool { a.high != b.high ? a.high < b.high : a.low < b.low }
        static func >= (a: Wide, b: Wide) -> Bool { !(a < b) }
    }
}
