import Banyan
import BanyanCore
import Foundation
import Testing

enum Weather: String, PersistableEnum { case sunny, rainy = "it rains", foggy = "" }
enum Rank: Int, PersistableEnum {
    case low = -5
    case middle = 0
    case high = 9_223_372_036_854_775_807
}
enum Level: Int8, PersistableEnum { case ground, first = 127, cellar = -128 }

/// One property of each kind.
@Model class Scalars: Object {
    @Persisted var bool: Bool
    @Persisted var int: Int
    @Persisted var int8: Int8
    @Persisted var int16: Int16
    @Persisted var int32: Int32
    @Persisted var int64: Int64
    @Persisted var float: Float
    @Persisted var double: Double
    @Persisted var string: String
    @Persisted var data: Data
    @Persisted var date: Date
    @Persisted var uuid: UUID
    @Persisted var objectId: ObjectId
    @Persisted var decimal: Decimal128
    @Persisted var weather: Weather
    @Persisted var rank: Rank
    @Persisted var level: Level
}

/// The same, optional.
@Model class OptionalScalars: Object {
    @Persisted var bool: Bool?
    @Persisted var int: Int?
    @Persisted var int8: Int8?
    @Persisted var int16: Int16?
    @Persisted var int32: Int32?
    @Persisted var int64: Int64?
    @Persisted var float: Float?
    @Persisted var double: Double?
    @Persisted var string: String?
    @Persisted var data: Data?
    @Persisted var date: Date?
    @Persisted var uuid: UUID?
    @Persisted var objectId: ObjectId?
    @Persisted var decimal: Decimal128?
    @Persisted var weather: Weather?
    @Persisted var rank: Rank?
    @Persisted var level: Level?
}

/// The same with indexes, wherever a kind can have one.
@Model class IndexedScalars: Object {
    @Persisted(indexed: true) var bool: Bool?
    @Persisted(indexed: true) var int: Int?
    @Persisted(indexed: true) var int8: Int8?
    @Persisted(indexed: true) var int16: Int16?
    @Persisted(indexed: true) var int32: Int32?
    @Persisted(indexed: true) var string: String?
    @Persisted(indexed: true) var date: Date?
    @Persisted(indexed: true) var uuid: UUID?
    @Persisted(indexed: true) var objectId: ObjectId?
}

/// Values for all of them. Two of these are equal when every bit is.
struct ScalarValues: Sendable {
    var bool = false
    var int = 0
    var float: Float = 0
    var double = 0.0
    var string = ""
    var data = Data()
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    var objectId = ObjectId()
    var decimal = Decimal128(0)
    var weather = Weather.sunny
    var rank = Rank.low
    var level = Level.ground
    /// What 64-bit properties get beyond `int`.
    var small: Int8 { Int8(clamping: int) }

    func apply(to object: Scalars) {
        object.bool = bool
        object.int = int
        object.int8 = small
        object.int16 = Int16(clamping: int)
        object.int32 = Int32(clamping: int)
        object.int64 = Int64(int)
        object.float = float
        object.double = double
        object.string = string
        object.data = data
        object.date = date
        object.uuid = uuid
        object.objectId = objectId
        object.decimal = decimal
        object.weather = weather
        object.rank = rank
        object.level = level
    }

    func apply(to object: OptionalScalars) {
        object.bool = bool
        object.int = int
        object.int8 = small
        object.int16 = Int16(clamping: int)
        object.int32 = Int32(clamping: int)
        object.int64 = Int64(int)
        object.float = float
        object.double = double
        object.string = string
        object.data = data
        object.date = date
        object.uuid = uuid
        object.objectId = objectId
        object.decimal = decimal
        object.weather = weather
        object.rank = rank
        object.level = level
    }

    var expected: [String] {
        var texts = [
            "\(bool)", "\(int)", "\(small)", "\(Int16(clamping: int))", "\(Int32(clamping: int))", "\(int)",
            exactText(float), exactText(double), exactText(string), exactText(data),
        ]
        texts += [exactText(date), "\(uuid)", "\(objectId)", exactText(decimal), "\(weather)", "\(rank)", "\(level)"]
        return texts
    }
}

func exactText(_ value: Float?) -> String { value.map { String($0.bitPattern, radix: 16) } ?? "nil" }
func exactText(_ value: Double?) -> String { value.map { String($0.bitPattern, radix: 16) } ?? "nil" }
func exactText(_ value: String?) -> String { value.map { "\(Array($0.utf8))" } ?? "nil" }
func exactText(_ value: Data?) -> String { value.map { "\(Array($0))" } ?? "nil" }
func exactText(_ value: Date?) -> String { exactText(value?.timeIntervalSinceReferenceDate) }
func exactText(_ value: Decimal128?) -> String { value.map { "\($0.cell.high) \($0.cell.low)" } ?? "nil" }
func exactText<T>(_ value: T?) -> String { value.map { "\($0)" } ?? "nil" }

extension Scalars {
    var contents: [String] {
        var texts = ["\(bool)", "\(int)", "\(int8)", "\(int16)", "\(int32)", "\(int64)"]
        texts += [
            exactText(float), exactText(double), exactText(string), exactText(data), exactText(date), "\(uuid)",
            "\(objectId)",
        ]
        texts += [exactText(decimal), "\(weather)", "\(rank)", "\(level)"]
        return texts
    }
}

extension OptionalScalars {
    var contents: [String] {
        var texts = [
            exactText(bool), exactText(int), exactText(int8), exactText(int16), exactText(int32), exactText(int64),
        ]
        texts += [
            exactText(float), exactText(double), exactText(string), exactText(data), exactText(date), exactText(uuid),
            exactText(objectId),
        ]
        texts += [exactText(decimal), exactText(weather), exactText(rank), exactText(level)]
        return texts
    }

    func clear() {
        bool = nil
        int = nil
        int8 = nil
        int16 = nil
        int32 = nil
        int64 = nil
        float = nil
        double = nil
        string = nil
        data = nil
        date = nil
        uuid = nil
        objectId = nil
        decimal = nil
        weather = nil
        rank = nil
        level = nil
    }
}

/// Values at the edges of what their types hold.
enum ScalarSample: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case zero, least, greatest, oddNumbers, negativeZero, inline, atTheLimit, overTheLimit, long, unicode

    var testDescription: String { rawValue }

    var values: ScalarValues {
        switch self {
        case .zero: ScalarValues()
        case .least:
            ScalarValues(
                bool: false, int: .min, float: -.greatestFiniteMagnitude, double: -.greatestFiniteMagnitude,
                string: "\0",
                data: Data([0]), date: .distantPast, objectId: ObjectId(cell: Cell(low: 1)),
                decimal: -Decimal128.greatestFiniteMagnitude, weather: .foggy, rank: .low, level: .cellar)
        case .greatest:
            ScalarValues(
                bool: true, int: .max, float: .greatestFiniteMagnitude, double: .greatestFiniteMagnitude,
                string: "\u{10FFFF}",
                data: Data(repeating: 255, count: 1), date: .distantFuture,
                uuid: UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255)),
                objectId: ObjectId(cell: Cell(low: .max, high: UInt64(UInt32.max))),
                decimal: .greatestFiniteMagnitude, weather: .rainy, rank: .high, level: .first)
        case .oddNumbers:
            ScalarValues(
                bool: true, int: -1, float: Float(nan: 1234, signaling: false),
                double: Double(nan: 77, signaling: false),
                string: "a\0b", data: Data([0, 255, 0]), date: Date(timeIntervalSinceReferenceDate: 0.000_000_001),
                decimal: .nan)
        case .negativeZero:
            ScalarValues(
                int: 1, float: -0.0, double: -0.0, date: Date(timeIntervalSinceReferenceDate: -0.0),
                decimal: -Decimal128(0))
        case .inline: text(15)
        case .atTheLimit: text(16)
        case .overTheLimit: text(17)
        case .long: text(200_000)
        case .unicode:
            ScalarValues(
                float: .leastNonzeroMagnitude, double: .leastNonzeroMagnitude,
                string: "e\u{301} é \u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467} \u{FEFF}\u{0}\u{202E}ا\u{10FFFF}",
                data: Data("e\u{301}".utf8), date: Date(timeIntervalSince1970: 1_234_567_890.123_456_7),
                decimal: 1.10 as Decimal128)
        }
    }

    private func text(_ count: Int) -> ScalarValues {
        ScalarValues(
            int: count, string: String(repeating: "x", count: count),
            data: Data((0..<count).map { UInt8(truncatingIfNeeded: $0) }), uuid: UUID(), objectId: .generate())
    }
}
