import BanyanCore
import Foundation

// What "the same value" and "before" mean, written down a second time: from SEMANTICS, not from the code under test.

extension Value {
    /// Whether setting one where the other stands is no change: the same bytes, the same bits.
    func isIdentical(to other: Value) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.int(let a), .int(let b)): a == b
        case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern
        case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
        case (.string(let a), .string(let b)): Self.order(a, b) == 0
        case (.data(let a), .data(let b)): a == b
        case (.date(let a), .date(let b)):
            a.timeIntervalSinceReferenceDate.bitPattern == b.timeIntervalSinceReferenceDate.bitPattern
        case (.uuid(let a), .uuid(let b)): a == b
        case (.objectId(let a), .objectId(let b)): a == b
        case (.decimal128(let a), .decimal128(let b)): a.bitPattern == b.bitPattern
        case (.duration(let a), .duration(let b)): a == b
        case (.object(let a), .object(let b)), (.list(let a), .list(let b)), (.dictionary(let a), .dictionary(let b)):
            a == b
        default: false
        }
    }

    /// The order of sets and of the keys of maps: negative, zero or positive. Equal here is one element there. AnyValues
    /// of different kinds are beside each other, too.
    func compare(_ other: Value) -> Int {
        switch (self, other) {
        case (.null, .null): 0
        case (.null, _): -1
        case (_, .null): 1
        case (.bool(let a), .bool(let b)): Self.order(a ? 1 : 0, b ? 1 : 0)
        case (.int(let a), .int(let b)): Self.order(a, b)
        case (.float(let a), .float(let b)): Self.order(floating: Double(a), Double(b))
        case (.double(let a), .double(let b)): Self.order(floating: a, b)
        case (.date(let a), .date(let b)):
            Self.order(floating: a.timeIntervalSinceReferenceDate, b.timeIntervalSinceReferenceDate)
        case (.string(let a), .string(let b)): Self.order(a, b)
        case (.data(let a), .data(let b)): a.withUnsafeBytes { x in b.withUnsafeBytes { y in Self.order(bytes: x, y) } }
        case (.uuid(let a), .uuid(let b)):
            withUnsafeBytes(of: a.uuid) { x in
                withUnsafeBytes(of: b.uuid) { y in Self.order(bytes: x, y) }
            }
        case (.objectId(let a), .objectId(let b)):
            a.bytes.withUnsafeBytes { x in b.bytes.withUnsafeBytes { y in Self.order(bytes: x, y) } }
        case (.decimal128(let a), .decimal128(let b)): Self.order(a, b)
        case (.duration(let a), .duration(let b)): Self.order(a, b)
        case (.object(let a), .object(let b)): Self.order(a, b)
        default: Self.order(any: self, other)
        }
    }

    private static func order<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : b < a ? 1 : 0 }

    private static func order(floating a: Double, _ b: Double) -> Int {
        a.isNaN || b.isNaN ? (a.isNaN ? (b.isNaN ? 0 : -1) : 1) : order(a, b)
    }

    /// By bytes: two strings that look the same may differ.
    private static func order(_ a: String, _ b: String) -> Int {
        var (a, b) = (a, b)
        return a.withUTF8 { x in
            b.withUTF8 { y in order(bytes: UnsafeRawBufferPointer(x), UnsafeRawBufferPointer(y)) }
        }
    }

    private static func order(bytes a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
        let shared = min(a.count, b.count)
        if shared > 0, let x = a.baseAddress, let y = b.baseAddress {
            let order = memcmp(x, y, shared)
            if order != 0 { return order < 0 ? -1 : 1 }
        }
        return Self.order(a.count, b.count)
    }

    /// Whether a property of this kind can hold it.
    func fits(_ kind: ValueKind, isOptional: Bool) -> Bool {
        switch (self, kind) {
        case (_, .any): true
        case (.null, _): isOptional
        case (.int(let v), .int8): Int8(exactly: v) != nil
        case (.int(let v), .int16): Int16(exactly: v) != nil
        case (.int(let v), .int32): Int32(exactly: v) != nil
        case (.int, .int), (.bool, .bool), (.float, .float), (.double, .double), (.string, .string), (.data, .data),
            (.date, .date), (.uuid, .uuid), (.objectId, .objectId), (.decimal128, .decimal128),
            (.duration, .duration), (.object, .object), (.object, .embedded):
            true
        default: false
        }
    }

    /// What a property holds before anything is set.
    static func initial(_ kind: ValueKind, isOptional: Bool) -> Value {
        if isOptional { return .null }
        return switch kind {
        case .bool: .bool(false)
        case .int8, .int16, .int32, .int: .int(0)
        case .float: .float(0)
        case .double: .double(0)
        case .string: .string("")
        case .data: .data(Data())
        case .date: .date(Date(timeIntervalSinceReferenceDate: 0))
        case .uuid: .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
        case .objectId: .objectId(ObjectId())
        case .decimal128: .decimal128(Decimal128(bitPattern: 0))
        case .duration: .duration(.zero)
        case .object, .embedded, .any: .null
        }
    }

    /// Short enough for a log, exact enough to type in again.
    var brief: String {
        switch self {
        case .string(let v) where v.utf8.count > 24: "'\(v.prefix(8))…' (\(v.utf8.count) bytes)"
        case .string(let v): v.debugDescription
        case .float(let v): "\(v) (0x\(String(v.bitPattern, radix: 16)))"
        case .double(let v): "\(v) (0x\(String(v.bitPattern, radix: 16)))"
        case .date(let v): "date \(v.timeIntervalSinceReferenceDate)"
        case .decimal128(let v): "\(v) (0x\(String(v.bitPattern, radix: 16)))"
        default: description
        }
    }
}
