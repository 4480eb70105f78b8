// Numbers as text: `[sign] digits [. digits] [E [sign] digits]`, `[sign] inf[inity]`, `[sign] [s]nan[payload]`,
// letters of either case, ASCII only and nothing around it. The decimal places written are the ones kept. More digits
// than fit are counted and remembered as one sticky digit, so that rounding is right for text of any length.

extension Decimal128 {
    /// The number that `string` says, exactly.
    ///
    /// - Throws: `BanyanError.Code.invalidValue` when it says no number, or one that needs more than 34 digits or is
    ///   out of range. `init(rounding:)` accepts the latter two.
    /// - Complexity: O(length of `string`).
    public init(string: String) throws {
        let parsed = try Self.parsing(string)
        guard parsed.isExact else {
            throw BanyanError(
                .invalidValue, "\(Self.quoted(string)) has more digits or a larger exponent than a Decimal128 holds",
                remedy: "Use Decimal128(rounding:) if the nearest value will do")
        }
        self = parsed.value
    }

    /// The number nearest to the one that `string` says: rounded half to even, and infinite or zero when out of range.
    ///
    /// - Throws: `BanyanError.Code.invalidValue` when it says no number.
    /// - Complexity: O(length of `string`).
    public init(rounding string: String) throws {
        self = try Self.parsing(string).value
    }

    private static func parsing(_ string: String) throws -> Rounded {
        guard let parsed = TextParser.parse(string) else {
            throw BanyanError(
                .invalidValue, "\(quoted(string)) is not a decimal number",
                remedy: "Write digits with an optional sign, decimal point and exponent, such as -12.50 or 3E+8")
        }
        return parsed
    }

    /// Enough of a string to recognise it in an error.
    private static func quoted(_ string: String) -> String {
        let start = string.prefix(50)
        return start.endIndex == string.endIndex ? "\"\(string)\"" : "\"\(start)…\""
    }
}

extension Decimal128: LosslessStringConvertible {
    /// The number that `description` says, exactly; nil where `init(string:)` throws.
    public init?(_ description: String) {
        guard let parsed = TextParser.parse(description), parsed.isExact else { return nil }
        self = parsed.value
    }
}

extension Decimal128 {
    /// Reads a text that is to be one number, from left to right.
    struct TextParser {
        private let text: [UInt8]
        private var position = 0
        private var coefficient: UInt128 = 0
        private var exponent = 0
        private var hasDigits = false
        private var droppedNonzero = false

        /// Nil when the text is not a number.
        static func parse(_ text: String) -> Rounded? {
            var parser = TextParser(text: Array(text.utf8))
            return parser.takeNumber()
        }

        private init(text: [UInt8]) { self.text = text }

        private mutating func takeNumber() -> Rounded? {
            let isNegative = take("-")
            if !isNegative { _ = take("+") }
            if take("inf") {
                _ = take("inity")
                return isAtEnd ? Rounded(value: isNegative ? -infinity : infinity, isExact: true) : nil
            }
            let isSignaling = take("s")
            if take("nan") { return takePayload(isSignaling: isSignaling, isNegative: isNegative) }
            if isSignaling { return nil }

            while let digit = takeDigit() { append(digit) }
            if take(".") {
                while let digit = takeDigit() {
                    append(digit)
                    exponent -= 1
                }
            }
            guard hasDigits, takeExponent(), isAtEnd else { return nil }
            // Neither 0 nor 5 as last digit: nothing that follows can look like an exact value or a tie.
            if droppedNonzero && coefficient % 5 == 0 { coefficient += 1 }
            return rounding(coefficient, exponent: exponent, isNegative: isNegative)
        }

        private mutating func append(_ digit: UInt8) {
            hasDigits = true
            if coefficient < PowersOfTen[36] {
                coefficient = coefficient * 10 + UInt128(digit)
            } else {
                exponent += 1
                if digit != 0 { droppedNonzero = true }
            }
        }

        private mutating func takeExponent() -> Bool {
            guard take("e") else { return true }
            let isNegative = take("-")
            if !isNegative { _ = take("+") }
            guard var value = takeDigit().map(Int.init) else { return false }
            while let digit = takeDigit() {
                // Far out of range already, and it must not overflow.
                if value < 1_000_000_000_000 { value = value * 10 + Int(digit) }
            }
            exponent += isNegative ? -value : value
            return true
        }

        private mutating func takePayload(isSignaling: Bool, isNegative: Bool) -> Rounded? {
            while let digit = takeDigit() { append(digit) }
            guard isAtEnd, exponent == 0, coefficient < PowersOfTen[33] else { return nil }
            let value = Decimal128(nanWithPayload: coefficient, isSignaling: isSignaling, isNegative: isNegative)
            return Rounded(value: value, isExact: true)
        }

        private var isAtEnd: Bool { position == text.count }

        /// Takes `word`, given in lower case, if it comes next in either case.
        private mutating func take(_ word: StaticString) -> Bool {
            let count = word.utf8CodeUnitCount
            guard text.count - position >= count else { return false }
            let matches = word.withUTF8Buffer { word in
                (0..<count).allSatisfy { index in
                    let (byte, letter) = (text[position + index], word[index])
                    return byte == letter || (letter >= 0x61 && byte | 0x20 == letter)
                }
            }
            if matches { position += count }
            return matches
        }

        private mutating func takeDigit() -> UInt8? {
            guard position < text.count, text[position] &- 0x30 < 10 else { return nil }
            defer { position += 1 }
            return text[position] - 0x30
        }
    }
}
