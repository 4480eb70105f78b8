// The standard's scientific string, in which no two representations print alike: digits as they are while the decimal
// point falls among them or at most six zeros before them, else with an exponent. Reading it back gives the same bits.

extension Decimal128: CustomStringConvertible, CustomDebugStringConvertible {
    /// The number with all its decimal places, such as `-12.50`, `1E+3`, `1E-7`, `Infinity`, `NaN`.
    public var description: String { String(decoding: printed, as: UTF8.self) }

    public var debugDescription: String { description }

    /// The same as `description`.
    public var stringValue: String { description }

    private var printed: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(44)
        if isNegative { text.append(UInt8(ascii: "-")) }
        if isNaN {
            text += (isSignalingNaN ? "sNaN" : "NaN").utf8
            if payload != 0 { text += Self.digits(of: payload) }
        } else if isInfinite {
            text += "Infinity".utf8
        } else {
            appendNumber(to: &text)
        }
        return text
    }

    private func appendNumber(to text: inout [UInt8]) {
        let digits = Self.digits(of: coefficient)
        let adjusted = exponent + digits.count - 1
        if exponent <= 0 && adjusted >= -6 {
            // How many digits stand before the point.
            let whole = digits.count + exponent
            if whole > 0 {
                text += digits[..<whole]
            } else {
                text.append(UInt8(ascii: "0"))
            }
            if exponent < 0 {
                text.append(UInt8(ascii: "."))
                if whole < 0 { text += repeatElement(UInt8(ascii: "0"), count: -whole) }
                text += digits[Swift.max(whole, 0)...]
            }
        } else {
            text.append(digits[0])
            if digits.count > 1 {
                text.append(UInt8(ascii: "."))
                text += digits[1...]
            }
            text += (adjusted < 0 ? "E-" : "E+").utf8
            text += Self.digits(of: UInt128(adjusted.magnitude))
        }
    }

    private static func digits(of value: UInt128) -> [UInt8] {
        let count = Swift.max(PowersOfTen.digits(value), 1)
        var digits = [UInt8](repeating: UInt8(ascii: "0"), count: count)
        var (upper, lower) = value.quotientAndRemainder(dividingBy: PowersOfTen[17])
        var end = count
        while true {
            // One half at a time, each of which fits a machine word.
            var half = UInt64(truncatingIfNeeded: lower)
            var index = end
            while half != 0 {
                index -= 1
                digits[index] += UInt8(truncatingIfNeeded: half % 10)
                half /= 10
            }
            if upper == 0 { return digits }
            (lower, upper) = (upper, 0)
            end -= 17
        }
    }
}
