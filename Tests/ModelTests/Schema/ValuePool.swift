import BanyanCore
import BanyanTesting
import Foundation

/// Draws values: mostly from small pools, so that they meet again, with the awkward ones among them; now and then from
/// large ones, so that collections and indexes grow.
struct ValuePool {
    /// - Parameter wide: of 100 values, how many are drawn from a large pool.
    static func value(_ kind: ValueKind, wide: Int = 25, _ random: inout SeededGenerator) -> Value {
        let isWide = Int.random(in: 0..<100, using: &random) < wide
        switch kind {
        case .bool: return .bool(.random(using: &random))
        case .int8: return .int(Int64(Int8.random(in: isWide ? -128...127 : -3...3, using: &random)))
        case .int16: return .int(pick([-32768, -1, 0, 1, 7, 32767], 0...2000, isWide, &random))
        case .int32: return .int(pick([Int64(Int32.min), -1, 0, 1, 7, Int64(Int32.max)], 0...2000, isWide, &random))
        case .int: return .int(pick([.min, -1, 0, 1, 7, .max], 0...2000, isWide, &random))
        case .float:
            return .float(isWide ? Float(Int.random(in: -999...999, using: &random)) / 8 : pick(floats, &random))
        case .double: return .double(double(isWide, &random))
        case .date: return .date(Date(timeIntervalSinceReferenceDate: double(isWide, &random)))
        case .string: return .string(string(isWide, &random))
        case .data: return .data(data(isWide, &random))
        case .uuid: return .uuid(UUID(cell: Cell(low: bits(isWide, &random), high: bits(isWide, &random))))
        case .objectId:
            return .objectId(
                ObjectId(cell: Cell(low: bits(isWide, &random), high: bits(isWide, &random) & 0xFFFF_FFFF)))
        case .decimal128: return .decimal128(decimal(isWide, &random))
        case .duration:
            let high = bits(isWide, &random)
            return .duration(Duration(cell: Cell(low: bits(isWide, &random), high: isWide ? high : high & 1)))
        case .any: return value(pick(anyKinds, &random), wide: wide, &random)
        case .object, .embedded: return .null
        }
    }

    /// What an AnyValue holds that is no link and owns nothing.
    private static let anyKinds: [ValueKind] = [
        .bool, .int, .int, .float, .double, .string, .string, .data, .date, .uuid, .objectId, .decimal128, .duration,
    ]

    private static func pick<T>(_ values: [T], _ random: inout SeededGenerator) -> T {
        values[Int.random(in: values.indices, using: &random)]
    }

    private static func pick(
        _ values: [Int64], _ range: ClosedRange<Int64>, _ isWide: Bool, _ random: inout SeededGenerator
    ) -> Int64 {
        isWide ? .random(in: range, using: &random) : pick(values, &random)
    }

    private static func bits(_ isWide: Bool, _ random: inout SeededGenerator) -> UInt64 {
        isWide ? random.next() : UInt64.random(in: 0...2, using: &random) << 8
    }

    private static let floats: [Float] = [
        0, -0.0, 1, -1, .nan, Float(bitPattern: 0x7FC0_0001), .infinity, .leastNonzeroMagnitude,
    ]

    private static func double(_ isWide: Bool, _ random: inout SeededGenerator) -> Double {
        if isWide { return Double(Int.random(in: -9999...9999, using: &random)) / 16 }
        return pick(
            [
                0, -0.0, 1, -1, .nan, Double(bitPattern: 0xFFF8_0000_0000_0001), .infinity, -.infinity,
                .greatestFiniteMagnitude, .leastNonzeroMagnitude,
            ], &random)
    }

    /// Lengths on either side of what fits inline, and of what fits a small block.
    private static let lengths = [0, 1, 14, 15, 16, 17, 40, 200, 1100]
    /// The same text to the eye, in other bytes; a NUL; a text that is a prefix of another.
    private static let texts = [
        "", "a", "ab", "é", "e\u{301}", "\u{0}", "a\u{0}", "zebra", "Zebra", "日本語のテキスト長い",
    ]
    /// So long that a snapshot keeps it apart; seldom, for the sake of time.
    private static func hugeLength(_ random: inout SeededGenerator) -> Int? {
        Int.random(in: 0..<400, using: &random) == 0 ? 70_000 : nil
    }

    private static func string(_ isWide: Bool, _ random: inout SeededGenerator) -> String {
        if isWide { return "number \(Int.random(in: 0..<3000, using: &random)) of many" }
        if Bool.random(using: &random) { return pick(texts, &random) }
        let length = hugeLength(&random) ?? pick(lengths, &random)
        return String(repeating: pick(["x", "y"], &random), count: length)
    }

    private static func data(_ isWide: Bool, _ random: inout SeededGenerator) -> Data {
        if isWide { return Data(random.bytes(Int.random(in: 0...24, using: &random))) }
        return Data(repeating: pick([0, 0xFF], &random), count: pick(lengths, &random))
    }

    private static func decimal(_ isWide: Bool, _ random: inout SeededGenerator) -> Decimal128 {
        // Twice a number: 1.0 and 1.00 are one value in different bits.
        let texts = [
            "0", "-0", "0.00", "1", "1.0", "1.00", "-1", "NaN", "Infinity", "-Infinity", "9.99E+6144", "1E-6176",
        ]
        let text =
            isWide
            ? "\(Int.random(in: 0...999, using: &random)).\(Int.random(in: 0...99, using: &random))"
            : pick(texts, &random)
        guard let decimal = Decimal128(text) else { preconditionFailure("\(text) is no decimal") }
        return decimal
    }
}
