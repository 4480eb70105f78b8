import BanyanCore
import Foundation

extension AnyValue {
    /// What a value is by itself: Swift's own, decoded JSON, an object, arrays and dictionaries of these. Nil for all others.
    init?(converting any: Any, level: Int = 0) {
        guard level <= NestedValues.maximumDepth + 1 else { return nil }
        if ValueConversion.isNil(any) {
            self = .none
            return
        }
        // Not what can be bridged to one: a Bool could not be told from an Int then.
        if type(of: any) is NSNumber.Type, let number = any as? NSNumber {
            self.init(number)
            return
        }
        switch any {
        case let value as AnyValue: self = value
        case let value as Bool: self = .bool(value)
        case let value as Float: self = .float(value)
        case let value as any BinaryInteger:
            guard let int = Int(exactly: value) else { return nil }
            self = .int(int)
        case let value as any BinaryFloatingPoint: self = .double(Double(value))
        case let value as String: self = .string(value)
        case let value as Data: self = .data(value)
        case let value as Date: self = .date(value)
        case let value as UUID: self = .uuid(value)
        case let value as ObjectId: self = .objectId(value)
        case let value as Decimal128: self = .decimal128(value)
        case let value as Object: self = .object(value)
        case let value as any RawRepresentable:
            self.init(converting: value.rawValue, level: level)
        case let values as [Any]:
            var list: [AnyValue] = []
            for value in values {
                guard let value = AnyValue(converting: value, level: level + 1) else { return nil }
                list.append(value)
            }
            self = .fromArray(list)
        case let values as [String: Any]:
            var dictionary: [String: AnyValue] = [:]
            for (key, value) in values {
                guard let value = AnyValue(converting: value, level: level + 1) else { return nil }
                dictionary[key] = value
            }
            self = .fromDictionary(dictionary)
        default: return nil
        }
    }

    /// What JSON gives for numbers and Bools.
    private init(_ number: NSNumber) {
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "c"), UInt8(ascii: "B"): self = .bool(number.boolValue)
        case UInt8(ascii: "f"), UInt8(ascii: "d"): self = .double(number.doubleValue)
        default: self = .int(number.intValue)
        }
    }
}
