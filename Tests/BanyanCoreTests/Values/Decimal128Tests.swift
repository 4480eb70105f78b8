import BanyanCore
import Foundation
import Testing

@Suite("Decimal128")
struct Decimal128Tests {
    @Test(
        "Well-known constants have their well-known bits",
        arguments: [
            (Decimal128.zero, "30400000000000000000000000000000"),
            (.one, "30400000000000000000000000000001"),
            (Decimal128("-1"), "b0400000000000000000000000000001"),
            (Decimal128("0.1"), "303e0000000000000000000000000001"),
            (.infinity, "78000000000000000000000000000000"),
            (-.infinity, "f8000000000000000000000000000000"),
            (.nan, "7c000000000000000000000000000000"),
            (.signalingNaN, "7e000000000000000000000000000000"),
            (.max, "5fffed09bead87c0378d8e63ffffffff"),
            (.min, "dfffed09bead87c0378d8e63ffffffff"),
            (.leastNormalMagnitude, "00420000000000000000000000000001"),
            (.leastNonzeroMagnitude, "00000000000000000000000000000001"),
        ])
    func constants(value: Decimal128, bits: String) throws {
        #expect(value.bitPattern == (try #require(UInt128(bits, radix: 16))))
        #expect(value.isCanonical)
    }

    @Test("The constants are the values they claim to be")
    func claims() {
        #expect(Decimal128.max.description == "9.999999999999999999999999999999999E+6144")
        #expect(Decimal128.leastNormalMagnitude.description == "1E-6143")
        #expect(Decimal128.leastNormalMagnitude.isNormal && Decimal128.leastNormalMagnitude.nextDown.isSubnormal)
        #expect(Decimal128.leastNonzeroMagnitude.nextDown.isZero)
        #expect(Decimal128() == 0 && Decimal128().description == "0")
    }

    @Test("It takes 16 bytes, aligned to a word, and needs no reference counting")
    func layout() {
        #expect(MemoryLayout<Decimal128>.size == 16)
        #expect(MemoryLayout<Decimal128>.alignment == 8)
        func isTrivial<T: BitwiseCopyable>(_: T.Type) -> Bool { true }
        #expect(isTrivial(Decimal128.self))
        let bytes = withUnsafeBytes(of: Decimal128("-1.5")) { Array($0) }
        #expect(bytes == [15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3e, 0xb0])
    }

    @Test("Decimal places are kept but do not count in comparison")
    func cohorts() {
        let places: [Decimal128] = ["1", "1.0", "1.00", "1.000000000000000000000000000000000"]
        #expect(places.map(\.description) == ["1", "1.0", "1.00", "1.000000000000000000000000000000000"])
        #expect(Set(places).count == 1)
        #expect(places.allSatisfy { $0 == 1 && !($0 < 1) && $0.orderKey == places[0].orderKey })
        #expect(places.map(\.exponent) == [0, -1, -2, -33])
        #expect(places.map(\.coefficient).prefix(3) == [1, 10, 100])
        #expect((Decimal128("1.20") + Decimal128("1.3")).description == "2.50")
    }

    @Test("Equality, order and hash agree over every pair of a sorted list")
    func order() {
        let groups: [[Decimal128]] = [
            [.nan, -.nan, .signalingNaN, "NaN7", "-sNaN9"],
            [-.infinity], [.min], ["-1E+100", "-10E+99"], ["-3"], ["-1.5", "-1.50"], ["-1"], ["-0.99"],
            [-.leastNormalMagnitude], ["-1E-6176"],
            [0, "-0", "0.00", "0E+6111", "0E-6176", "-0E-20", Decimal128(bitPattern: 0)],
            [.leastNonzeroMagnitude], ["10E-6176", "1E-6175"], [.leastNormalMagnitude],
            ["0.99"], [1, "1.0", "1.000000000000000000000000000000000"], ["1.000000000000000000000000000000001"],
            ["9999999999999999999999999999999998"], ["9999999999999999999999999999999999"],
            ["1E+34", "10E+33", "1000000000000000000000000000000000E+1"], [.max], [.infinity],
        ]
        for (i, left) in groups.enumerated() {
            for (j, right) in groups.enumerated() {
                for a in left {
                    for b in right {
                        #expect((a == b) == (i == j), "\(a) \(b)")
                        #expect((a < b) == (i < j), "\(a) \(b)")
                        #expect((a <= b) == (i <= j), "\(a) \(b)")
                        #expect((a.hashValue == b.hashValue) == (i == j), "\(a) \(b)")
                        #expect((a.orderKey < b.orderKey) == (i < j), "\(a) \(b)")
                    }
                }
            }
        }
    }

    @Test("A NaN can be a key")
    func nanKeys() {
        var counts: [Decimal128: Int] = [:]
        counts[.nan, default: 0] += 1
        counts[.signalingNaN, default: 0] += 1
        counts[.zero / .zero, default: 0] += 1
        #expect(counts == [.nan: 3])
        #expect(([1, .nan, "-Infinity"] as [Decimal128]).sorted().map(\.description) == ["NaN", "-Infinity", "1"])
    }

    @Test("Encodings that are not canonical read as the standard says and can be mended")
    func nonCanonical() {
        let tooManyDigits = Decimal128(bitPattern: Decimal128.max.bitPattern + 1)
        let otherForm = Decimal128(bitPattern: 0x6c10_0000_0000_0000_0000_0000_0000_0005)
        for value in [tooManyDigits, otherForm] {
            #expect(value.isZero && value == 0 && value.hashValue == Decimal128.zero.hashValue)
            #expect(value + 1 == 1 && value * 5 == 0 && !value.isCanonical && value.canonical.isCanonical)
            #expect(!(value < 0) && !(value > 0) && value.isInteger)
        }
        #expect(tooManyDigits.description == "0E+6111" && tooManyDigits.canonical.description == "0E+6111")
        #expect(otherForm.exponent == otherForm.canonical.exponent)
        let longPayload = Decimal128(bitPattern: Decimal128.nan.bitPattern | (1 << 110 - 1))
        #expect(longPayload.isNaN && longPayload.payload == 0 && longPayload.description == "NaN")
        #expect((longPayload + 1).isCanonical && longPayload == .nan)
    }

    @Test("Signs and magnitudes work on zeros and NaNs as well")
    func signs() {
        #expect((-Decimal128("0.0")).description == "-0.0")
        #expect((-Decimal128.nan).description == "-NaN")
        #expect(Decimal128("-0").magnitude.description == "0" && Decimal128("-Infinity").magnitude == .infinity)
        #expect(Decimal128("-3").sign == .minus && Decimal128("3").sign == .plus && Decimal128("-0").isNegative)
        var value: Decimal128 = 2.5
        value.negate()
        #expect(value == -2.5 && abs(value) == 2.5)
    }

    @Test("Values are classified")
    func classes() {
        let all: [(Decimal128, FloatingPointClassification)] = [
            (1, .positiveNormal), (-1, .negativeNormal), (0, .positiveZero), ("-0.0", .negativeZero),
            ("1E-6150", .positiveSubnormal), ("-1E-6176", .negativeSubnormal), (.infinity, .positiveInfinity),
            (-.infinity, .negativeInfinity), (.nan, .quietNaN), (.signalingNaN, .signalingNaN),
        ]
        for (value, kind) in all {
            #expect(value.floatingPointClass == kind)
            #expect(value.isNaN == (kind == .quietNaN || kind == .signalingNaN))
            #expect(value.isSignalingNaN == (kind == .signalingNaN) && value.isSignaling == value.isSignalingNaN)
            #expect(value.isInfinite == (kind == .positiveInfinity || kind == .negativeInfinity))
            #expect(value.isFinite == !(value.isNaN || value.isInfinite))
            #expect(value.isZero == (kind == .positiveZero || kind == .negativeZero))
            #expect(value.isNormal == (kind == .positiveNormal || kind == .negativeNormal))
            #expect(value.isSubnormal == (kind == .positiveSubnormal || kind == .negativeSubnormal))
        }
        #expect(Decimal128("1.00").isInteger && Decimal128("1E+9").isInteger && !Decimal128("1.01").isInteger)
        #expect(!Decimal128.infinity.isInteger && !Decimal128.nan.isInteger && Decimal128("0.00").isInteger)
    }

    @Test("Places are set where there is room for them")
    func places() {
        #expect(Decimal128("2.5").rounded(toPlaces: 2).description == "2.50")
        #expect(Decimal128("2.345").rounded(toPlaces: 2).description == "2.35")
        #expect(Decimal128("2.345").rounded(toPlaces: 2, .toNearestOrEven).description == "2.34")
        #expect(Decimal128("1250").rounded(toPlaces: -2).description == "1.3E+3")
        #expect(Decimal128("0").rounded(toPlaces: 2).description == "0.00")
        #expect(Decimal128("0.004").rounded(toPlaces: 2).description == "0.00")
        #expect(Decimal128("-0.005").rounded(toPlaces: 2).description == "-0.01")
        #expect(Decimal128.max.rounded(toPlaces: 3) == .max && Decimal128.infinity.rounded(toPlaces: 1) == .infinity)
        #expect(Decimal128("1E+33").rounded(toPlaces: 2).description == "1000000000000000000000000000000000")
        #expect(Decimal128("1.5").rounded(toPlaces: .max).description == "1.500000000000000000000000000000000")
        #expect(Decimal128("1.5").rounded(toPlaces: .min).isZero)
        #expect(Decimal128.signalingNaN.rounded().description == "NaN")
        #expect(Decimal128("1.00").hasSameQuantum(as: "7.25") && !Decimal128("1").hasSameQuantum(as: "7.25"))
        #expect(Decimal128.nan.hasSameQuantum(as: .signalingNaN) && !Decimal128.nan.hasSameQuantum(as: .infinity))
    }

    @Test("Generic number code works with it")
    func numeric() {
        func total<T: Numeric>(_ values: [T]) -> T { values.reduce(.zero, +) }
        #expect(total([0.1, 0.2, 0.3] as [Decimal128]) == 0.6)
        #expect(Array(stride(from: 0 as Decimal128, to: 1, by: 0.25)) == [0, 0.25, 0.5, 0.75])
        #expect((1 as Decimal128).distance(to: 3.5) == 2.5 && (1 as Decimal128).advanced(by: 0.5) == 1.5)
        var value: Decimal128 = 10
        value += 5
        value -= 1
        value *= 3
        value /= 4
        value %= 4
        #expect(value == 2.5)
        let range: ClosedRange<Decimal128> = 0.5...1.5
        #expect(range.contains("1.50") && !range.contains("1.51"))
    }

    @Test("A sum too large and a sum of opposite infinities do not trap")
    func limits() {
        #expect(Decimal128.max + .max == .infinity && Decimal128.max + 1 == .max)
        #expect((Decimal128.infinity - .infinity).isNaN && (Decimal128.infinity * 0).isNaN)
        #expect(1 / Decimal128.zero == .infinity && -1 / Decimal128.zero == -.infinity)
        #expect((Decimal128.zero / .zero).isNaN && (Decimal128(5) % 0).isNaN)
        #expect(Decimal128.leastNonzeroMagnitude / 2 == 0)
        #expect(Decimal128.leastNonzeroMagnitude * "1.5" == "2E-6176")
    }
}
