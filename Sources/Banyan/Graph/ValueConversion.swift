import BanyanCore
import Foundation

/// Makes stored values of what comes from outside: Swift values, decoded JSON, raw values of enums.
///
/// The property's type decides, not the value's: what JSON gives for `1` and `true` cannot be told apart on every platform.
enum ValueConversion {
    /// The value for a property or element of `kind`; nil when it does not fit.
    static func value(_ any: Any, as kind: ValueKind) -> Value? {
        if let wrapped = any as? any RawRepresentable, !(any is any BinaryInteger) {
            return value(wrapped.rawValue, as: kind)
        }
        if let custom = any as? any _CustomPersistable { return value(custom.persistableValue, as: kind) }
        if kind == .bool { return bool(any).map { .bool($0) } }
        let type = kind.type
        if type.isNumber {
            if let scalar = any as? any Scalar, scalar.value.scalarKind == kind { return scalar.value }
            if let text = any as? String { return type.value(json: text) }
            return integer(any).flatMap { type.value(integer: $0) }
                ?? float(any).flatMap { type.value(floatingPoint: $0) }
        }
        func cast<K: StoredKind>(_: K.Type) -> Value? { (any as? K).flatMap { ($0 as? any Scalar)?.value } }
        return cast(type) ?? (any as? String).flatMap { type.value(json: $0) }
    }

    /// The key of a map for what a dictionary calls it.
    static func key(_ key: Any, as kind: ValueKind) -> Value? {
        if let name = key as? String { return kind.isNumber ? kind.type.value(key: name) : value(name, as: kind) }
        return value(key, as: kind)
    }

    /// What is inside of however many Optionals; the innermost nil as it is.
    static func unwrapped(_ any: Any) -> Any {
        var any = any
        while let optional = any as? any OptionalValue, let wrapped = optional.wrappedValue { any = wrapped }
        return any
    }

    /// The elements of what stands for a list or a set: an array, a set, one of our own collections. Nil for anything else.
    static func elements(_ any: Any) -> [Any]? {
        if let array = any as? [Any] { return array }
        if let set = any as? Set<AnyHashable> { return set.map(\.base) }
        if any is Data { return nil }
        return (any as? any RandomAccessCollection).map { anys($0) }
    }

    private static func anys<C: RandomAccessCollection>(_ elements: C) -> [Any] { elements.map { $0 as Any } }

    /// The entries of what stands for a map, in the order of their keys as text. Nil for what is no dictionary and no map.
    static func entries(_ any: Any) -> [(key: Any, value: Any)]? {
        if let dictionary = any as? [AnyHashable: Any] {
            return dictionary.map { (key: $0.key.base, value: $0.value) }.sorted { "\($0.key)" < "\($1.key)" }
        }
        return (any as? any _AnyMap)?._$entries
    }

    /// Whether it stands for nil.
    static func isNil(_ any: Any) -> Bool {
        if instance(any, of: NSNull.self) != nil { return true }
        if let optional = any as? any OptionalValue { return optional.wrappedValue == nil }
        return false
    }

    /// What is an instance of a class, as one of this class.
    ///
    /// Casting anything else to a class would first have Foundation make objects of it: of a dictionary, one of everything
    /// that is in it, at any depth, on the stack.
    static func instance<C: AnyObject>(_ any: Any, of type: C.Type) -> C? {
        guard Swift.type(of: any) is AnyClass else { return nil }
        return any as? C
    }

    /// A value as one of a type that it has already. Nil too for what Foundation would have to make one of.
    static func cast<T>(_ any: Any, to type: T.Type) -> T? {
        let value = unwrapped(any)
        let wrapped = (type as? any OptionalValue.Type)?.wrappedType ?? type
        guard Swift.type(of: value) is AnyClass else { return wrapped is AnyClass && !isNil(value) ? nil : value as? T }
        if let number = value as? NSNumber, isBool(number), wrapped != Bool.self { return nil }
        return value as? T
    }

    /// The elements of what stands for a list or a set, where all of them are of a type.
    static func elements<T>(_ any: Any, of type: T.Type) -> [T]? {
        if Swift.type(of: any) == [T].self { return any as? [T] }
        guard let values = elements(any) else { return nil }
        let typed = values.compactMap { cast($0, to: type) }
        return typed.count == values.count ? typed : nil
    }

    /// The entries of what stands for a map, where all of them are of these types.
    static func entries<K, V>(_ any: Any, of key: K.Type, _ value: V.Type) -> [(key: K, value: V)]? {
        guard let entries = entries(any) else { return nil }
        let typed = entries.compactMap { entry in
            cast(entry.key, to: key).flatMap { key in cast(entry.value, to: value).map { (key: key, value: $0) } }
        }
        return typed.count == entries.count ? typed : nil
    }

    // MARK: - Numbers

    /// Decoded JSON has objects for numbers and for `true` and `false`, which would do for each other.
    private static func number(_ any: Any) -> NSNumber? {
        instance(any, of: NSNumber.self).flatMap { isBool($0) ? nil : $0 }
    }

    /// Whether it is a number, or a Bool, as decoded JSON has them.
    static func isNumberObject(_ any: Any) -> Bool { instance(any, of: NSNumber.self) != nil }

    /// Whether a number of Foundation stands for `true` or `false`.
    static func isBool(_ number: NSNumber) -> Bool { Swift.type(of: number) == booleans }

    /// The class of these numbers, of which all others are not.
    private static let booleans: NSNumber.Type = Swift.type(of: NSNumber(value: true))

    /// A number of Swift is no Bool. One of decoded JSON may be, for there are writers that have nothing else.
    private static func bool(_ any: Any) -> Bool? {
        guard let number = instance(any, of: NSNumber.self) else { return any as? Bool }
        return isBool(number) || number == 0 || number == 1 ? number.boolValue : nil
    }

    private static func integer(_ any: Any) -> Int64? {
        if let number = any as? any BinaryInteger { return Int64(exactly: number) }
        if let number = any as? any BinaryFloatingPoint { return Int64(exactly: Double(number)) }
        return number(any).flatMap { $0 as? Int64 }
    }

    private static func float(_ any: Any) -> Double? {
        if let number = any as? any BinaryFloatingPoint { return Double(number) }
        return (any as? any BinaryInteger).map { Double($0) } ?? number(any)?.doubleValue
    }
}
