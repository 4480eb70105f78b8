/// What a single value is, in storage and in files. Raw values are part of the file format.
@frozen
public enum ValueKind: UInt8, Sendable, Hashable, Codable, CaseIterable {
    case bool = 1
    case int8 = 2
    case int16 = 3
    case int32 = 4
    case int = 5
    case float = 6
    case double = 7
    case string = 8
    case data = 9
    case date = 10
    case uuid = 11
    case objectId = 12
    case decimal128 = 13
    /// A link to a top-level object.
    case object = 14
    /// An object owned by the one that holds it.
    case embedded = 15
    /// Any of the others but `embedded`, or a list or a dictionary of such values: see `AnyCell`.
    case any = 16

    /// Bytes of one value in an array of values. A Bool takes a byte there; in a page's column it takes a bit.
    @inlinable
    package var width: Int {
        switch self {
        case .bool, .int8: 1
        case .int16: 2
        case .int32, .float: 4
        case .int, .double, .date, .object, .embedded: 8
        case .objectId: 12
        case .string, .data, .uuid, .decimal128, .any: 16
        }
    }

    /// Whether a value may own a text block outside its cell.
    @inlinable package var isText: Bool { self == .string || self == .data || self == .any }
    @inlinable package var isLink: Bool { self == .object || self == .embedded }
    /// Whether a value may be a link.
    @inlinable package var mayLink: Bool { rawValue >= Self.object.rawValue }
    /// Whether a value of zeros is nil, so that nothing else need say so.
    @inlinable package var isZeroNil: Bool { rawValue >= Self.object.rawValue }

    /// The name used in messages and in schema listings.
    package var name: String {
        switch self {
        case .bool: "Bool"
        case .int8: "Int8"
        case .int16: "Int16"
        case .int32: "Int32"
        case .int: "Int"
        case .float: "Float"
        case .double: "Double"
        case .string: "String"
        case .data: "Data"
        case .date: "Date"
        case .uuid: "UUID"
        case .objectId: "ObjectId"
        case .decimal128: "Decimal128"
        case .object: "Object"
        case .embedded: "EmbeddedObject"
        case .any: "AnyValue"
        }
    }

    /// Whether values of this kind can be a primary key.
    package var canBeKey: Bool {
        switch self {
        case .string, .int8, .int16, .int32, .int, .objectId, .uuid: true
        default: false
        }
    }

    /// Whether a property of this kind can have an index.
    package var canBeIndexed: Bool { canBeKey || self == .bool || self == .date || self == .any }

    /// Whether a property of this kind can have an ordered index, alone or with others.
    package var canBeOrdered: Bool { self != .any && (canBeIndexed || self == .double || self == .float) }
}
