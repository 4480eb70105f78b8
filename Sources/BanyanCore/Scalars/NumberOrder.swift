/// The number that a value of one of several kinds is.
package enum Number: Sendable {
    case integer(Int64)
    case binary(Double)
    case decimal(Decimal128)

    var isNaN: Bool {
        switch self {
        case .integer: false
        case .binary(let v): v.isNaN
        case .decimal(let v): v.isNaN
        }
    }

    /// Equal numbers have the same one.
    package var nearestDouble: Double {
        switch self {
        case .integer(let v): Double(v)
        case .binary(let v): v
        case .decimal(let v): v.doubleValue
        }
    }
}

/// Numbers of different kinds, compared by value and exactly: no operand is rounded to the other's kind.
enum NumberOrder {
    /// Negative, zero or positive as `a` is below, equal to or above `b`; nil when only one of them is NaN. Two NaNs
    /// are equal. Nil also where one of them is no number.
    static func compare(_ a: Cell, _ x: ValueKind, _ b: Cell, _ y: ValueKind) -> Int? {
        guard let a = x.number(a), let b = y.number(b) else { return nil }
        return compare(a, b)
    }

    static func compare(_ a: Number, _ b: Number) -> Int? {
        switch (a, b) {
        case (.integer(let a), .integer(let b)): order(a, b)
        case (.binary(let a), .binary(let b)): compare(a, b)
        case (.decimal(let a), .decimal(let b)): compare(a, b)
        case (.integer(let a), .binary(let b)): compare(b, a).map { -$0 }
        case (.binary(let a), .integer(let b)): compare(a, b)
        case (.integer(let a), .decimal(let b)): compare(Decimal128(a), b)
        case (.decimal(let a), .integer(let b)): compare(a, Decimal128(b))
        case (.binary(let a), .decimal(let b)): compare(b, a).map { -$0 }
        case (.decimal(let a), .binary(let b)): compare(a, b)
        }
    }

    @inline(__always)
    static func order<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a == b ? 0 : 1 }

    static func compare(_ a: Double, _ b: Double) -> Int? {
        if a.isNaN || b.isNaN { return a.isNaN && b.isNaN ? 0 : nil }
        return order(a, b)
    }

    static func compare(_ a: Decimal128, _ b: Decimal128) -> Int? {
        if a.isNaN || b.isNaN { return a.isNaN && b.isNaN ? 0 : nil }
        return order(a, b)
    }

    static func compare(_ a: Double, _ b: Int64) -> Int? {
        if a.isNaN { return nil }
        // Beyond ±2⁶³ no integer follows; below, the whole part is one.
        if a >= 0x1p63 { return 1 }
        if a < -0x1p63 { return -1 }
        let floor = a.rounded(.down)
        let whole = Int64(floor)
        return whole == b ? (floor < a ? 1 : 0) : order(whole, b)
    }

    static func compare(_ a: Decimal128, _ b: Double) -> Int? {
        if a.isNaN || b.isNaN { return a.isNaN && b.isNaN ? 0 : nil }
        if let exact = Decimal128(exactly: b) { return order(a, exact) }
        if a.isZero || a.isInfinite || a.isNegative != (b < 0) { return order(a, b < 0 ? -Decimal128.one : .one) }
        let magnitudes = exactOrder(a, b)
        return a.isNegative ? -magnitudes : magnitudes
    }

    /// The decimal nearest to the binary value, to 34 digits; not the one it prints as.
    static func nearestDecimal(_ value: Double) -> Decimal128 {
        if let exact = Decimal128(exactly: value) { return exact }
        let (significand, twos) = parts(value)
        var digits = BigNatural(UInt128(significand))
        // 2⁻¹ is 5 · 10⁻¹.
        digits.multiply(by: twos < 0 ? 5 : 2, times: Int(twos.magnitude))
        let text = (value < 0 ? "-" : "") + digits.description + "E\(min(twos, 0))"
        do {
            return try Decimal128(rounding: text)
        } catch {
            preconditionFailure("digits that are no number: \(text)")
        }
    }

    /// A finite number's magnitude: `significand · 2^twos`.
    private static func parts(_ value: Double) -> (significand: UInt64, twos: Int) {
        let isNormal = value.exponentBitPattern != 0
        return (
            value.significandBitPattern | (isNormal ? 1 << 52 : 0),
            (isNormal ? Int(value.exponentBitPattern) : 1) - 1075
        )
    }

    /// Compares all the digits of two magnitudes: k · 10^q against m · 2^e, over a common denominator.
    private static func exactOrder(_ a: Decimal128, _ b: Double) -> Int {
        let (significand, twos) = parts(b)
        // So far apart that the digits need not be looked at; what is left takes few steps.
        let (above, below) = (a.adjustedExponent > 310, a.adjustedExponent < -330)
        if above || below { return above ? 1 : -1 }
        var left = BigNatural(a.coefficient)
        var right = BigNatural(UInt128(significand))
        if a.exponent > 0 {
            left.multiply(by: 10, times: a.exponent)
        } else {
            right.multiply(by: 10, times: -a.exponent)
        }
        if twos > 0 { right.multiply(by: 2, times: twos) } else { left.multiply(by: 2, times: -twos) }
        return left.compare(right)
    }

    /// Just enough arithmetic for that.
    private struct BigNatural {
        /// The least significant first, the last one not 0.
        private var digits: [UInt32]

        init(_ value: UInt128) {
            digits = (0..<4).map { UInt32(truncatingIfNeeded: value >> ($0 * 32)) }
            trim()
        }

        mutating func multiply(by factor: UInt64, times: Int) {
            for _ in 0..<times {
                var carry: UInt64 = 0
                for i in digits.indices {
                    let product = UInt64(digits[i]) * factor + carry
                    digits[i] = UInt32(truncatingIfNeeded: product)
                    carry = product >> 32
                }
                if carry > 0 { digits.append(UInt32(carry)) }
            }
        }

        var description: String {
            var rest = digits
            var groups: [UInt32] = []
            while !rest.isEmpty {
                var remainder: UInt64 = 0
                for i in rest.indices.reversed() {
                    let value = remainder << 32 | UInt64(rest[i])
                    rest[i] = UInt32(value / 1_000_000_000)
                    remainder = value % 1_000_000_000
                }
                while rest.last == 0 { rest.removeLast() }
                groups.append(UInt32(remainder))
            }
            guard let first = groups.last else { return "0" }
            return groups.dropLast().reversed().reduce(String(first)) { text, group in
                let digits = String(group)
                return text + String(repeating: "0", count: 9 - digits.count) + digits
            }
        }

        private mutating func trim() {
            while digits.last == 0 { digits.removeLast() }
        }

        func compare(_ other: BigNatural) -> Int {
            if digits.count != other.digits.count { return digits.count < other.digits.count ? -1 : 1 }
            for (a, b) in zip(digits, other.digits).reversed() where a != b { return a < b ? -1 : 1 }
            return 0
        }
    }
}
