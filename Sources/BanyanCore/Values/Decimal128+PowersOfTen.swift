extension Decimal128 {
    /// The powers of ten that fit 128 bits, and the decimal lengths that follow from them.
    enum PowersOfTen {
        /// 10ⁿ for n in 0 ‥ 38.
        @inline(__always)
        static subscript(n: Int) -> UInt128 { table[n] }

        /// How many decimal digits `value` has; none for zero.
        @inline(__always)
        static func digits(_ value: UInt128) -> Int {
            // 1233 / 4096 is close enough to log₁₀ 2 that the estimate is right or one short up to 128 bits.
            let estimate = ((128 - value.leadingZeroBitCount) &* 1233) >> 12
            return value >= table[estimate] ? estimate + 1 : estimate
        }

        /// Splits off the trailing zeros of `value`, `limit` at most.
        static func strippingZeros(_ value: UInt128, limit: Int) -> (value: UInt128, count: Int) {
            guard value != 0, limit > 0 else { return (value, 0) }
            var value = value
            var count = 0
            var step = 32
            while step > 0 {
                // A multiple of 10ⁿ is one of 2ⁿ, which costs no division to find out.
                if count + step <= limit, value.trailingZeroBitCount >= step {
                    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: table[step])
                    if remainder == 0 {
                        value = quotient
                        count += step
                    }
                }
                step >>= 1
            }
            return (value, count)
        }

        private static let table: [UInt128] = [
            1,
            10,
            100,
            1_000,
            10_000,
            100_000,
            1_000_000,
            10_000_000,
            100_000_000,
            1_000_000_000,
            10_000_000_000,
            100_000_000_000,
            1_000_000_000_000,
            10_000_000_000_000,
            100_000_000_000_000,
            1_000_000_000_000_000,
            10_000_000_000_000_000,
            100_000_000_000_000_000,
            1_000_000_000_000_000_000,
            10_000_000_000_000_000_000,
            100_000_000_000_000_000_000,
            1_000_000_000_000_000_000_000,
            10_000_000_000_000_000_000_000,
            100_000_000_000_000_000_000_000,
            1_000_000_000_000_000_000_000_000,
            10_000_000_000_000_000_000_000_000,
            100_000_000_000_000_000_000_000_000,
            1_000_000_000_000_000_000_000_000_000,
            10_000_000_000_000_000_000_000_000_000,
            100_000_000_000_000_000_000_000_000_000,
            1_000_000_000_000_000_000_000_000_000_000,
            10_000_000_000_000_000_000_000_000_000_000,
            100_000_000_000_000_000_000_000_000_000_000,
            1_000_000_000_000_000_000_000_000_000_000_000,
            10_000_000_000_000_000_000_000_000_000_000_000,
            100_000_000_000_000_000_000_000_000_000_000_000,
            1_000_000_000_000_000_000_000_000_000_000_000_000,
            10_000_000_000_000_000_000_000_000_000_000_000_000,
            100_000_000_000_000_000_000_000_000_000_000_000_000,
        ]
    }
}
