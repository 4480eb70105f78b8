import Banyan
import BanyanCore
import Foundation
import Testing

/// Numbers that are the same in every run.
struct Generator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }
}

/// Values worth trying of each kind: bounds, signs, what is equal without being the same, what fits a cell and what does not.
enum Samples {
    static let bool = [true, false]
    static let int = [0, 1, -1, 42, .max, .min, 7, 1 << 40]
    static let int8: [Int8] = [0, 1, -1, .max, .min, 42]
    static let int16: [Int16] = [0, 1, -1, .max, .min, 42]
    static let int32: [Int32] = [0, 1, -1, .max, .min, 42]
    static let int64: [Int64] = [0, 1, -1, .max, .min, 1 << 40]
    static let float: [Float] = [0, -0.0, 1.5, -1.5, .infinity, -.infinity, .nan, .leastNonzeroMagnitude]
    static let double: [Double] = [0, -0.0, 1.5, -1.5, .infinity, -.infinity, .nan, .greatestFiniteMagnitude]
    static let string = [
        "", "a", "fifteen bytes..", "sixteen bytes...", "e\u{301}", "\u{e9}", "nul\0nul",
        "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", String(repeating: "long ", count: 100),
    ]
    static let data = [
        Data(), Data([0]), Data(0..<15), Data(0..<16), Data(repeating: 7, count: 400), Data([255, 0, 255]),
    ]
    static let date = [-1e9, 0, 1e-7, 1e11, -1e11].map { Date(timeIntervalSinceReferenceDate: $0) }
    static let uuid = [0, 1, 2, 255].map { UUID(uuid: ($0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, $0)) }
    static let objectId: [ObjectId] = [
        "000000000000000000000000", "0123456789abcdef01234567", "ffffffffffffffffffffffff",
    ]
    static let decimal: [Decimal128] = ["0", "1", "1.00", "-3.5", "1E+30", "9.99E-20"].map { Decimal128($0)! }
}

/// What is stored, to the bit.
func bits(_ value: Any) -> String {
    switch value {
    case let v as String: "\(v.utf8.count) \(Data(v.utf8).base64EncodedString())"
    case let v as Double: "\(v.bitPattern)"
    case let v as Float: "\(v.bitPattern)"
    case let v as Data: "\(v.count) \(v.base64EncodedString())"
    case let v as Date: "\(v.timeIntervalSinceReferenceDate.bitPattern)"
    case let v as Dog: "dog \(v.id)"
    case let v as Toy: "toy \(v.name)"
    case let v as any OptionalProtocol: v.unwrapped.map { bits($0) } ?? "nil"
    default: "\(value)"
    }
}

/// What a collection takes for the same value: texts by their bytes, numbers by their value, NaN equal to itself.
func identity(_ value: Any) -> String {
    switch value {
    case let v as Double: v.isNaN ? "nan" : bits(v == 0 ? 0.0 : v)
    case let v as Float: v.isNaN ? "nan" : bits(v == 0 ? Float(0) : v)
    case let v as Decimal128: Samples.decimal.firstIndex(of: v).map { "\($0)" } ?? "\(v)"
    case let v as any OptionalProtocol: v.unwrapped.map { identity($0) } ?? "nil"
    default: bits(value)
    }
}

protocol OptionalProtocol {
    var unwrapped: Any? { get }
}
extension Optional: OptionalProtocol {
    var unwrapped: Any? { map { $0 } }
}

/// A kind of element, to run a test with.
enum ElementKind: String, CaseIterable, CustomTestStringConvertible {
    case bool, int, int8, optionalInt, float, double, string, optionalString, data, date, uuid, objectId, decimal
    case int16, int32, int64, optionalBool, optionalInt8, optionalInt16, optionalInt32, optionalInt64, optionalFloat
    case optionalDouble, optionalData, optionalDate, optionalUuid, optionalObjectId, optionalDecimal
    case colour, optionalColour, dog, toy

    var testDescription: String { rawValue }
    static let scalars = allCases.filter { $0 != .dog && $0 != .toy }
    static let allButEmbedded = allCases.filter { $0 != .toy }
}

/// A value to put into a collection: how it will show, and how to make it, anew each time.
struct Made<Value> {
    let text: String
    let make: () -> Value
}
