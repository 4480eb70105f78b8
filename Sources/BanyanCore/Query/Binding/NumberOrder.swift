/// Numbers of different kinds, compared by value and exactly: no operand is rounded to the other's kind.
enum NumberOrder {
    /// Negative, zero or positive as `a` is below, equal to or above `b`; nil when only one of them is NaN. Two NaNs are
    /// equal. Neither cell is nil, both kinds are numbers.
    static func compare(_ a: Cell, _ x: ValueKind, _ b: Cell, _ y: ValueKind) -> Int? {
        switch (Number(a, x), Number(b, y)) {
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

    private enum Number {
        case integer(Int64)
        case binary(Double)
        case decimal(Decimal128)

        init(_ cell: Cell, _ kind: ValueKind) {
            switch kind {
            case .float: self = .binary(Double(Float(bitPattern: UInt32(truncatingIfNeeded: cell.low))))
            case .double: self = .binary(Double(bitPattern: cell.low))
            case .decimal128: self = .decimal(Decimal128(cell: cell))
            default: self = .integer(Int64(bitPattern: cell.low))
            }
        }
    }

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
        // No decimal lies between b and its nearest one: only a tie with that needs all digits.
        let nearest = Decimal128(b)
        return a == nearest ? exactOrder(a, b) : order(a, nearest)
    }

    /// Compares all the digits of two finite numbers of one sign: k · 10^q against m · 2^e, over a common denominator.
    private static func exactOrder(_ a: Decimal128, _ b: Double) -> Int {
        if a.isZero || b == 0 { return order(a.isZero ? 0 : a.isNegative ? -1 : 1, b == 0 ? 0 : b < 0 ? -1 : 1) }
        let isNormal = b.exponentBitPattern != 0
        let significand = b.significandBitPattern | (isNormal ? 1 << 52 : 0)
        let twos = (isNormal ? Int(b.exponentBitPattern) : 1) - 1075
        var left = BigNatural(a.coefficient)
        var right = BigNatural(UInt128(significand))
        if a.exponent > 0 {
            left.multiply(by: 10, times: a.exponent)
        } else {
            right.multiply(by: 10, times: -a.exponent)
        }
        if twos > 0 { right.multiply(by: 2, times: twos) } else { left.multiply(by: 2, times: -twos) }
        let order = left.compare(right)
        return a.isNegative ? -order : order
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
