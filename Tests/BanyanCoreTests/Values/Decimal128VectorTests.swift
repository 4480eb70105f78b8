import BanyanCore
import Foundation
import Testing

/// What decimal128_vectors.py wrote down as the answers of another implementation.
@Suite("Decimal128 against reference vectors")
struct Decimal128VectorTests {
    /// Operands and result of each line, by operation.
    static let vectors = Result<[String: [[String]]], any Error> {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "decimal128_vectors.txt")
        let lines = try String(contentsOf: file, encoding: .utf8)
            .split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        return Dictionary(grouping: lines) { $0[0] }.mapValues { $0.map { Array($0.dropFirst()) } }
    }

    static let rules: [(name: String, rule: FloatingPointRoundingRule)] = [
        ("even", .toNearestOrEven), ("away", .toNearestOrAwayFromZero), ("ceiling", .up), ("floor", .down),
        ("zero", .towardZero), ("up", .awayFromZero),
    ]

    /// Runs `check` on every line of an operation; it returns what was computed and what was expected.
    private func all(
        _ operation: String, atLeast count: Int = 20, check: ([String]) throws -> (String, String)
    ) throws {
        let lines = try #require(Self.vectors.get()[operation])
        #expect(lines.count >= count)
        for line in lines {
            let (computed, expected) = try check(line)
            #expect(computed == expected, "\(operation) \(line.joined(separator: " "))")
        }
    }

    @Test("Every value has the bits of the standard's encoding, prints and parses back")
    func bits() throws {
        try all("bits", atLeast: 250) { line in
            let value = try Decimal128(string: line[0])
            let bits = try #require(UInt128(line[1], radix: 16))
            #expect(Decimal128(bitPattern: bits).description == line[0])
            #expect(Decimal128(bitPattern: bits).isCanonical)
            return (String(value.bitPattern, radix: 16), String(bits, radix: 16))
        }
    }

    @Test("Text of any length is read with the right rounding, and what is not exact is refused")
    func parse() throws {
        try all("parse", atLeast: 150) { line in
            let isExact = line[2] == "exact"
            #expect((Decimal128(line[0]) != nil) == isExact, "\(line)")
            if isExact {
                #expect(try Decimal128(string: line[0]).description == line[1])
            } else {
                #expect(throws: BanyanError.self) { try Decimal128(string: line[0]) }
            }
            return (try Decimal128(rounding: line[0]).description, line[1])
        }
    }

    @Test("Arithmetic", arguments: ["add", "subtract", "multiply", "divide", "remainder", "remainder-near"])
    func arithmetic(operation: String) throws {
        try all(operation, atLeast: 300) { line in
            let (a, b) = (try Decimal128(string: line[0]), try Decimal128(string: line[1]))
            let result =
                switch operation {
                case "add": a + b
                case "subtract": a - b
                case "multiply": a * b
                case "divide": a / b
                case "remainder": a % b
                default: a.remainder(dividingBy: b)
                }
            #expect(result.isCanonical)
            return (result.description, line[2])
        }
    }

    @Test("Addition and multiplication do not mind the order of their operands")
    func commutes() throws {
        for operation in ["add", "multiply"] {
            try all(operation) { line in
                let (a, b) = (try Decimal128(string: line[0]), try Decimal128(string: line[1]))
                guard !a.isNaN || !b.isNaN else { return ("", "") }
                return (operation == "add" ? b + a : b * a).description == line[2] ? ("", "") : ("swapped", line[2])
            }
        }
    }

    @Test("Rounding to another value's places, by every rule", arguments: rules)
    func quantize(name: String, rule: FloatingPointRoundingRule) throws {
        try all("quantize-\(name)") { line in
            let (a, b) = (try Decimal128(string: line[0]), try Decimal128(string: line[1]))
            return (a.quantized(to: b, rule).description, line[2])
        }
    }

    @Test("Rounding to a whole number, by every rule", arguments: rules)
    func integral(name: String, rule: FloatingPointRoundingRule) throws {
        try all("integral-\(name)") { line in
            let value = try Decimal128(string: line[0])
            #expect(value.rounded(rule) == value.rounded(toPlaces: 0, rule))
            return (value.rounded(rule).description, line[1])
        }
    }

    @Test("Comparison of numbers")
    func compare() throws {
        try all("compare", atLeast: 200) { line in
            let (a, b) = (try Decimal128(string: line[0]), try Decimal128(string: line[1]))
            #expect((a == b) == (line[2] == "0"))
            #expect((a.hashValue == b.hashValue) == (a == b))
            #expect((a.orderKey < b.orderKey) == (a < b))
            #expect((b > a) == (a < b) && (b >= a) == (a <= b) && (a <= b) == !(b < a))
            return (a < b ? "-1" : a > b ? "1" : "0", line[2])
        }
    }

    @Test("The total order of representations")
    func totalOrder() throws {
        try all("total-order", atLeast: 200) { line in
            let (a, b) = (try Decimal128(string: line[0]), try Decimal128(string: line[1]))
            let (below, above) = (
                a.isTotallyOrdered(belowOrEqualTo: b), b.isTotallyOrdered(belowOrEqualTo: a)
            )
            return (below ? (above ? "0" : "-1") : "1", line[2])
        }
    }

    @Test("Neighbours and fewest digits", arguments: ["next-up", "next-down", "reduce"])
    func unary(operation: String) throws {
        try all(operation, atLeast: 100) { line in
            let value = try Decimal128(string: line[0])
            let result =
                switch operation {
                case "next-up": value.nextUp
                case "next-down": value.nextDown
                default: value.reduced
                }
            return (result.description, line[1])
        }
    }

    @Test("The nearest Double")
    func toDouble() throws {
        try all("double", atLeast: 80) { line in
            let expected = try #require(Double(line[1].replacing("inf", with: "infinity")))
            return ("\(try Decimal128(string: line[0]).doubleValue.bitPattern)", "\(expected.bitPattern)")
        }
    }

    @Test("From a Double: the digits it prints, or its exact binary value")
    func fromDouble() throws {
        try all("from-double", atLeast: 100) { line in
            let value = try #require(Double(line[0]))
            #expect(Decimal128(exactly: value).map(\.description) ?? "-" == line[2], "\(line)")
            #expect(Decimal128(value).doubleValue == value)
            return (Decimal128(value).reduced.description, line[1])
        }
    }
}
