import BanyanCore

/// A number as a ratio of whole numbers, taken from the bits of its kind alone: the oracle of how numbers compare.
/// Nothing here rounds, and nothing of what is tested is called.
enum ExactNumber: Equatable {
    case nan
    case infinity(isNegative: Bool)
    /// ± digits · 2^twos · 5^fives
    case finite(isNegative: Bool, digits: Natural, twos: Int, fives: Int)

    /// Nil for what is no number.
    init?(_ value: Value) {
        switch value {
        case .int(let v): self = .finite(isNegative: v < 0, digits: Natural(UInt128(v.magnitude)), twos: 0, fives: 0)
        case .float(let v): self.init(binary: Double(v))
        case .double(let v): self.init(binary: v)
        case .decimal128(let v): self.init(decimal: v.bitPattern)
        default: return nil
        }
    }

    /// A finite number in digits, perhaps with a point and an exponent.
    init?(printed text: String) {
        let parts = text.lowercased().split(separator: "e")
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let point = parts[0].firstIndex(of: ".").map { parts[0].distance(from: $0, to: parts[0].endIndex) - 1 } ?? 0
        guard let digits = UInt128(parts[0].filter(\.isNumber)) else { return nil }
        let tens = exponent - point
        self = .finite(isNegative: text.hasPrefix("-"), digits: Natural(digits), twos: tens, fives: tens)
    }

    private init(binary value: Double) {
        let bits = value.bitPattern
        let (exponent, fraction) = (Int(bits >> 52 & 0x7FF), bits & 0xF_FFFF_FFFF_FFFF)
        let isNegative = bits >> 63 == 1
        if exponent == 0x7FF {
            self = fraction == 0 ? .infinity(isNegative: isNegative) : .nan
        } else {
            let digits = UInt128(fraction | (exponent == 0 ? 0 : 1 << 52))
            self = .finite(isNegative: isNegative, digits: Natural(digits), twos: max(exponent, 1) - 1075, fives: 0)
        }
    }

    /// IEEE 754, binary integer significand.
    private init(decimal bits: UInt128) {
        let isNegative = bits >> 127 == 1
        switch bits >> 122 & 0x1F {
        case 0x1F: self = .nan
        case 0x1E: self = .infinity(isNegative: isNegative)
        case let top:
            // The two forms of the exponent; the digits of the second one are beyond 34 and stand for 0.
            let isLarge = top >> 3 == 3
            let exponent = Int(bits >> (isLarge ? 111 : 113) & 0x3FFF) - 6176
            var digits = isLarge ? 0 : bits & (1 << 113 - 1)
            if digits > 9_999_999_999_999_999_999_999_999_999_999_999 { digits = 0 }
            self = .finite(isNegative: isNegative, digits: Natural(digits), twos: exponent, fives: exponent)
        }
    }

    /// Negative, zero or positive as in sorting: NaN comes first, and equals NaN.
    static func compare(_ a: ExactNumber, _ b: ExactNumber) -> Int {
        if a == .nan || b == .nan { return a == b ? 0 : a == .nan ? -1 : 1 }
        let (x, y) = (a.sign, b.sign)
        if x != y { return x < y ? -1 : 1 }
        return x == 0 ? 0 : x * compareMagnitudes(a, b)
    }

    private var sign: Int {
        switch self {
        case .nan: 0
        case .infinity(let isNegative): isNegative ? -1 : 1
        case .finite(let isNegative, let digits, _, _): digits.isZero ? 0 : isNegative ? -1 : 1
        }
    }

    private static func compareMagnitudes(_ a: ExactNumber, _ b: ExactNumber) -> Int {
        switch (a, b) {
        case (.finite(_, var x, let twos, let fives), .finite(_, var y, let otherTwos, let otherFives)):
            x.multiply(by: 2, times: max(0, twos - otherTwos))
            y.multiply(by: 2, times: max(0, otherTwos - twos))
            x.multiply(by: 5, times: max(0, fives - otherFives))
            y.multiply(by: 5, times: max(0, otherFives - fives))
            return Natural.compare(x, y)
        case (.finite, _): return -1
        case (_, .finite): return 1
        default: return 0
        }
    }

    /// A whole number of any size.
    struct Natural: Equatable {
        /// The least significant first, the last one not 0.
        private var words: [UInt32] = []

        init(_ value: UInt128) {
            var rest = value
            while rest > 0 {
                words.append(UInt32(truncatingIfNeeded: rest))
                rest >>= 32
            }
        }

        var isZero: Bool { words.isEmpty }

        mutating func multiply(by factor: UInt64, times: Int) {
            // As many factors at once as fit into a word.
            var left = times
            let most = factor == 2 ? 31 : 13
            while left > 0 {
                let step = min(left, most)
                let product = (0..<step).reduce(UInt64(1)) { result, _ in result * factor }
                var carry: UInt64 = 0
                for i in words.indices {
                    let next = UInt64(words[i]) * product + carry
                    words[i] = UInt32(truncatingIfNeeded: next)
                    carry = next >> 32
                }
                if carry > 0 { words.append(UInt32(carry)) }
                left -= step
            }
        }

        static func compare(_ a: Natural, _ b: Natural) -> Int {
            if a.words.count != b.words.count { return a.words.count < b.words.count ? -1 : 1 }
            for (x, y) in zip(a.words, b.words).reversed() where x != y { return x < y ? -1 : 1 }
            return 0
        }
    }
}

/// Numbers that stand close to each other in one kind and apart in another, and those at the ends of each kind.
enum NastyNumbers {
    static let all: [Value] = integers + doubles + floats + decimals

    private static let integers: [Value] = [
        0, 1, -1, 2, 3, 10, 1 << 24, 1 << 24 + 1, 1 << 53 - 1, 1 << 53, 1 << 53 + 1, -(1 << 53) - 1, 1 << 62,
        .max, .max - 1, .max - 511, .max - 512, .min, .min + 1,
    ].map { Value.int($0) }

    private static let doubles: [Value] = [
        0, -0.0, 1, -1, 0.1, 0.1.nextUp, 0.1.nextDown, -0.1, 0.25, 2.5, 1e22, 1e23, 0x1p24, 0x1p53, 0x1p53 + 2, 0x1p62,
        0x1p63, 0x1p63.nextDown, 0x1p63.nextUp, -0x1p63, (-0x1p63).nextDown, (-0x1p63).nextUp,
        .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
        .infinity, -.infinity, .nan, -.nan,
    ].map { Value.double($0) }

    private static let floats: [Value] = [
        0, -0.0, 1, 0.1, -0.1, 0.25, 0x1p24, 0x1p53, 0x1p63, -0x1p63, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
        .infinity, -.infinity, .nan,
    ].map { Value.float($0) }

    private static let decimals: [Value] = [
        "0", "0E+6000", "1", "1.00", "-1", "0.1", "0.10", "-0.1", "0.25", "2.50", "10", "1E+1",
        "0.1000000000000000055511151231257827", "0.1000000000000000055511151231257828",
        "0.1000000014901161193847656250000000", "1E+22", "1E+23", "16777217", "9007199254740991", "9007199254740992",
        "9007199254740993", "9223372036854775807", "9223372036854775808", "9223372036854775807.5",
        "-9223372036854775808", "-9223372036854775809", "-9223372036854775808.000000000000001",
        "4.940656458412465441765687928682213E-324", "4.940656458412465441765687928682214E-324", "1E-400", "-1E-400",
        "1E-6176", "1.797693134862315708145274237317043E+308", "1.797693134862315708145274237317044E+308", "1E+400",
        "9.999999999999999999999999999999999E+6144", "-1E+6000", "Infinity", "-Infinity", "NaN", "-NaN",
    ].map { (text: Decimal128) in Value.decimal128(text) }
}
