import BanyanCore
import Testing
import Foundation

/// A kind with what its tests need to know. A new kind is tested by being listed here.
struct KindSample: CustomTestStringConvertible, Sendable {
    let kind: ValueKind
    /// What files call it, for ever.
    let code: UInt8
    let form: CellForm
    /// Each before the next.
    let ascending: [Value]
    let isKey: Bool
    let isIndexed: Bool
    let isOrderedIndex: Bool
    let isNumber: Bool
    /// The sum of `ascending`, and their mean; nil where they do not add up.
    var sum: Value?
    var mean: Value?

    var testDescription: String { kind.name }

    static let all: [KindSample] = [
        KindSample(
            .bool, 1, .bit, [.bool(false), .bool(true)], uses: "IO"),
        KindSample(
            .int8, 2, .int8, [.int(-128), .int(0), .int(127)], uses: "KIO#", sum: .int(-1), mean: .double(-1 / 3)),
        KindSample(
            .int16, 3, .int16, [.int(-32_768), .int(0), .int(32_767)], uses: "KIO#", sum: .int(-1),
            mean: .double(-1 / 3)),
        KindSample(
            .int32, 4, .int32, [.int(-2_147_483_648), .int(0), .int(2_147_483_647)], uses: "KIO#", sum: .int(-1),
            mean: .double(-1 / 3)),
        KindSample(
            .int, 5, .int64, [.int(.min), .int(0), .int(.max)], uses: "KIO#", sum: .int(-1), mean: .double(-1 / 3)),
        KindSample(
            .float, 6, .float32, [.float(-2), .float(0.5), .float(3)], uses: "O#", sum: .double(1.5), mean: .double(0.5)
        ),
        KindSample(
            .double, 7, .float64, [.double(-2), .double(0.5), .double(3)], uses: "O#", sum: .double(1.5),
            mean: .double(0.5)),
        KindSample(
            .string, 8, .text,
            [
                .string(""), .string("a"), .string("a text of more than fifteen bytes"), .string("é"),
                .string("\u{1F333}"),
            ],
            uses: "KIO"),
        KindSample(
            .data, 9, .text, [.data(Data()), .data(Data([0])), .data(Data(repeating: 255, count: 40))], uses: ""),
        KindSample(
            .date, 10, .float64, [-1e9, 0.125, 8e8].map { .date(Date(timeIntervalSinceReferenceDate: $0)) }, uses: "IO"),
        KindSample(
            .uuid, 11, .bytes16,
            [UInt8(0), 1, 255].map { .uuid(UUID(uuid: ($0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))) },
            uses: "KIO"),
        KindSample(
            .objectId, 12, .bytes12,
            ["000000000000000000000001", "507f1f77bcf86cd799439011", "ffffffffffffffffffffffff"].map { .objectId($0) },
            uses: "KIO"),
        KindSample(
            .decimal128, 13, .bytes16, ["-1E+30", "0.10", "0.2", "12"].map { .decimal128($0) }, uses: "#",
            sum: .decimal128("-999999999999999999999999999987.70"),
            mean: .decimal128("-249999999999999999999999999996.925")),
        KindSample(
            .duration, 19, .bytes16,
            [.min, -3, -1, 0, 1, 1_000_000_000_000_000_000, .max].map { .duration(Duration(attoseconds: $0)) },
            uses: "KIO", sum: .duration(Duration(attoseconds: 999_999_999_999_999_996)),
            mean: .duration(Duration(attoseconds: 142_857_142_857_142_857))),
    ]

    /// - Parameter uses: K for keys, I for indexes, O for ordered ones, # for numbers.
    private init(
        _ kind: ValueKind, _ code: UInt8, _ form: CellForm, _ ascending: [Value], uses: String, sum: Value? = nil,
        mean: Value? = nil
    ) {
        self.kind = kind
        self.code = code
        self.form = form
        self.ascending = ascending
        isKey = uses.contains("K")
        isIndexed = uses.contains("I")
        isOrderedIndex = uses.contains("O")
        isNumber = uses.contains("#")
        self.sum = sum
        self.mean = mean
    }
}
