import BanyanCore
import Foundation
import Testing

@Suite("Decimal128 conversions")
struct Decimal128ConversionTests {
    @Test("Integers of every width cross over exactly")
    func integers() {
        func both<T: FixedWidthInteger>(_ type: T.Type) {
            for value in [T.min, T.min / 2, 0, 1, 99, T.max / 2, T.max] {
                let decimal = Decimal128(value)
                #expect(decimal.description == value.description, "\(type)")
                #expect(Decimal128(value: value) == decimal && Decimal128(exactly: value) == decimal)
                #expect(T(exactly: decimal) == value && T(truncating: decimal) == value)
            }
            #expect(T(exactly: Decimal128(T.max) + 1) == nil && T(exactly: Decimal128(T.min) - 1) == nil)
        }
        both(Int8.self)
        both(Int16.self)
        both(Int32.self)
        both(Int64.self)
        both(Int.self)
        both(UInt8.self)
        both(UInt16.self)
        both(UInt32.self)
        both(UInt64.self)
        both(UInt.self)
    }

    @Test("Integers of more than 34 digits are rounded, or refused where exactness is asked for")
    func wideIntegers() {
        #expect(Decimal128(UInt128.max).description == "3.402823669209384634633746074317682E+38")
        #expect(Decimal128(Int128.min).description == "-1.701411834604692317316873037158841E+38")
        #expect(Decimal128(exactly: UInt128.max) == nil)
        #expect(Decimal128(exactly: Int128(1) << 112)?.description == (Int128(1) << 112).description)
        #expect(UInt128(exactly: Decimal128("1E+38")) == 100_000_000_000_000_000_000_000_000_000_000_000_000)
        #expect(UInt128(exactly: Decimal128("1E+39")) == nil && Int128(exactly: Decimal128("-17E+37")) != nil)
    }

    @Test("Fractions are cut off, or refused where exactness is asked for")
    func fractions() {
        #expect(Int(exactly: Decimal128("2.00")) == 2 && Int(exactly: Decimal128("2.5")) == nil)
        #expect(Int(truncating: Decimal128("2.99")) == 2 && Int(truncating: Decimal128("-2.99")) == -2)
        #expect(Int(truncating: Decimal128.nan) == nil && Int(exactly: Decimal128.nan) == nil)
        #expect(Int(truncating: -Decimal128.infinity) == nil)
        #expect(UInt(truncating: "-0.9") == 0 && UInt(truncating: -1) == nil && UInt(exactly: "-0") == 0)
        #expect(Int(exactly: "1E+6144") == nil && Int(exactly: "0E+6111") == 0 && Int(truncating: "1E-6176") == 0)
    }

    @Test("A Double becomes the decimal it prints as")
    func doubles() {
        #expect(Decimal128(0.1).description == "0.1" && Decimal128(5.0).description == "5")
        #expect(Decimal128(-0.0).description == "-0" && Decimal128(1e300).description == "1E+300")
        #expect(Decimal128(5e-324) == "5E-324" && Decimal128(Double.nan).isNaN)
        #expect(Decimal128(-Double.infinity) == -.infinity && Decimal128(value: 2.25).description == "2.25")
        #expect(Decimal128(Float(0.1)).description == "0.1" && Decimal128(value: Float(16_777_216)) == 16_777_216)
        #expect(Decimal128(exactly: 0.1) == nil && Decimal128(exactly: 0.375)?.description == "0.375")
        #expect(Decimal128(exactly: Double.infinity) == .infinity && Decimal128(exactly: -0.0)?.isNegative == true)
    }

    @Test("The nearest Double and Float are found at the edges too")
    func toBinary() {
        #expect(Decimal128("0.1").doubleValue == 0.1 && Decimal128("-2.50").doubleValue == -2.5)
        #expect(Decimal128.max.doubleValue == .infinity && Decimal128("1E-6000").doubleValue == 0)
        #expect(Decimal128("-0.0").doubleValue.sign == .minus && Decimal128.signalingNaN.doubleValue.isNaN)
        #expect((-Decimal128.infinity).doubleValue == -.infinity)
        #expect(Decimal128("9007199254740993").doubleValue == 9_007_199_254_740_992)
        #expect(Decimal128("9007199254740993.000000000000000001").doubleValue == 9_007_199_254_740_994)
        #expect(Decimal128("0.1").floatValue == 0.1 && Decimal128("16777217").floatValue == 16_777_216)
        #expect(Decimal128("16777217.0000000000000000001").floatValue == 16_777_218)
    }

    @Test(
        "Foundation's decimals cross over in both directions",
        arguments: ["0", "1", "-1", "12.5", "-0.001", "123456789012345678.123456789", "1E+20", "7E-30"])
    func foundation(text: String) throws {
        let decimal = try #require(Decimal(string: text))
        let value = try Decimal128(string: text)
        #expect(Decimal128(decimal) == value && Decimal128(value: decimal) == value)
        #expect(value.decimalValue == decimal)
    }

    @Test("Foundation's decimals round at 34 digits one way and at their range the other")
    func foundationLimits() throws {
        let long = try #require(Decimal(string: "12345678901234567890123456789012345678"))
        #expect(Decimal128(long).description == "1.234567890123456789012345678901235E+37")
        #expect(Decimal128(-long) == -Decimal128(long))
        #expect(Decimal128(Decimal.nan).isNaN && Decimal128.nan.decimalValue.isNaN)
        #expect(Decimal128(Decimal.greatestFiniteMagnitude) == "3.402823669209384634633746074317682E+165")
        #expect(Decimal128.infinity.decimalValue.isNaN && Decimal128.max.decimalValue.isNaN)
        #expect(Decimal128("1E-200").decimalValue == 0)
        #expect(Decimal128("15E-129").decimalValue == Decimal(sign: .plus, exponent: -128, significand: 2))
        #expect(Decimal128("1E+130").decimalValue == Decimal(sign: .plus, exponent: 127, significand: 1000))
        #expect(Decimal128("1E+165").decimalValue.isNaN || Decimal128(Decimal128("1E+165").decimalValue) == "1E+165")
        let full = Decimal128("9999999999999999999999999999999999")
        #expect(Decimal128(full.decimalValue) == full)
    }

    @Test("Literals of each kind mean what they say")
    func literals() {
        #expect((42 as Decimal128).description == "42" && (-7 as Decimal128).description == "-7")
        #expect((1234567890123456789012345678901234 as Decimal128).description == "1234567890123456789012345678901234")
        #expect((-1234567890123456789012345678901234 as Decimal128) == "-1234567890123456789012345678901234")
        #expect((18_446_744_073_709_551_615 as Decimal128).description == "18446744073709551615")
        #expect((9_223_372_036_854_775_808 as Decimal128).description == "9223372036854775808")
        #expect((-9_223_372_036_854_775_808 as Decimal128).description == "-9223372036854775808")
        #expect((1.25 as Decimal128).description == "1.25" && ("1.250" as Decimal128).description == "1.250")
        #expect((0.1 as Decimal128) + 0.2 == 0.3)
    }

    @Test("A malformed string literal stops the program with a message")
    func malformedLiteral() async {
        await #expect(processExitsWith: .failure) { _ = Decimal128("12,50") }
    }

    @Test(
        "Text that is no number is refused with an error that quotes it",
        arguments: [
            "", " ", "1 ", " 1", "+", "-", ".", "e5", "1e", "1e+", "1e5.0", "--1", "1..2", "1,5", "0x10", "١٢", "1_000",
            "infin", "infinityx", "na", "nan-1", "snan1.5", "s1", "nan1000000000000000000000000000000000", "1\u{0}",
        ])
    func malformed(text: String) {
        #expect(Decimal128(text) == nil)
        let readers: [(String) throws -> Decimal128] = [Decimal128.init(string:), Decimal128.init(rounding:)]
        for read in readers {
            #expect {
                _ = try read(text)
            } throws: { error in
                guard let error = error as? BanyanError else { return false }
                return error.code == .invalidValue && error.message.contains("\"\(text)\"") && error.remedy != nil
            }
        }
    }

    @Test("An endless text is read in one pass and quoted in short")
    func endless() throws {
        let digits = String(repeating: "7", count: 100_000)
        #expect(try Decimal128(rounding: "0." + digits).description == "0." + String(repeating: "7", count: 33) + "8")
        #expect {
            _ = try Decimal128(string: digits)
        } throws: { error in
            (error as? BanyanError)?.message.count ?? .max < 200
        }
    }

    @Test("It is coded as a string, and decoded from numbers as well")
    func codable() throws {
        let values: [Decimal128] = ["1.00", "-0", .max, .nan, .infinity, "1E-6176"]
        let data = try JSONEncoder().encode(values)
        #expect(String(decoding: data, as: UTF8.self).hasPrefix(#"["1.00","-0","9.99"#))
        let decoded = try JSONDecoder().decode([Decimal128].self, from: data)
        #expect(decoded.map(\.bitPattern) == values.map(\.bitPattern))

        let numbers = Data(
            "[1, -2.5, 18446744073709551615, 1e300, 9223372036854775807, 0.1, 0.12345678901234567890123]".utf8)
        #expect(
            try JSONDecoder().decode([Decimal128].self, from: numbers)
                == [1, -2.5, "18446744073709551615", "1E+300", "9223372036854775807", 0.1, "0.12345678901234567890123"])
        for bad in [#"["x"]"#, "[true]", "[null]", "[[]]", #"["12345678901234567890123456789012345"]"#] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([Decimal128].self, from: Data(bad.utf8))
            }
        }
    }
}
