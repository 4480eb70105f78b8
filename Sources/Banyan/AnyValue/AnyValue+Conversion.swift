import BanyanCore
import Foundation

extension AnyValue {
    /// What a value is by itself: Swift's own, decoded JSON, an object, arrays and dictionaries of these. Nil for all others.
    ///
    /// - Throws: `limit` for arrays and dictionaries that are nested deeper than a graph holds them.
    static func converting(_ any: Any, level: Int = 1) throws(BanyanError) -> AnyValue? {
        if ValueConversion.isNil(any) { return AnyValue.none }
        // Not what can be bridged to an object: a Bool could not be told from an Int then.
        if let number = ValueConversion.instance(any, of: NSNumber.self) { return AnyValue(number) }
        if let object = ValueConversion.instance(any, of: Object.self) { return .object(object) }
        switch any {
        case let value as AnyValue: return value
        case let value as any BinaryInteger: return Int(exactly: value).map { .int($0) }
        case let value as any Scalar: return AnyValue(value.value)
        case let value as any BinaryFloatingPoint: return .double(Double(value))
        case let value as any RawRepresentable: return try converting(value.rawValue, level: level)
        case let values as [Any]:
            try checkLevel(level)
            var list: [AnyValue] = []
            for value in values {
                guard let value = try converting(value, level: level + 1) else { return nil }
                list.append(value)
            }
            return .fromArray(list)
        case let values as [String: Any]:
            try checkLevel(level)
            var dictionary: [String: AnyValue] = [:]
            for (key, value) in values {
                guard let value = try converting(value, level: level + 1) else { return nil }
                dictionary[key] = value
            }
            return .fromDictionary(dictionary)
        default: return nil
        }
    }

    private static func checkLevel(_ level: Int) throws(BanyanError) {
        guard level > NestedValues.maximumDepth else { return }
        throw BanyanError(
            .limit, "arrays and dictionaries for an AnyValue are nested more than \(NestedValues.maximumDepth) deep",
            remedy: "Give the inner ones objects of their own")
    }

    /// What JSON gives for numbers and Bools.
    private init(_ number: NSNumber) {
        if ValueConversion.isBool(number) {
            self = .bool(number.boolValue)
            return
        }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "f"), UInt8(ascii: "d"): self = .double(number.doubleValue)
        default: self = .int(number.intValue)
        }
    }
}
