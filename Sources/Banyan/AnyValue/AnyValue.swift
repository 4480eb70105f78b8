import BanyanCore
#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A value of one of several types, for properties whose type is known only when the program runs.
///
/// ```swift
/// @Model class Setting: Object {
///     @Persisted(primaryKey: true) var name = ""
///     @Persisted var value: AnyValue
/// }
/// setting.value = .int(42)
/// setting.value = ["volume": 0.8, "channels": ["left", "right"]]
/// ```
/// A property, and the elements of lists, sets and maps, can be AnyValues. They are never Optional: `.none` stands for nil, and
/// is what a property starts with.
///
/// An object in an AnyValue is linked to like one in any other property: it is added with the object that holds it, its
/// inverses know of the link, and the link becomes `.none` when the object is deleted. Lists and dictionaries nest up to a
/// hundred levels. Those of a managed object are live, like `List` and `Map` properties: changing one changes what is stored,
/// and assigning one elsewhere copies it.
///
/// Numbers of all kinds are equal where they are the same number, exactly, in Swift as in queries, indexes and sets:
/// `.int(1)` is `.double(1)`, `.double(0.1)` is not `.decimal128(0.1)`, and NaN equals NaN. A Bool is no number, and a text
/// equals nothing but a text. Lists and dictionaries are equal where what is in them is.
public enum AnyValue {
    /// Nothing.
    case none
    case bool(Bool)
    case int(Int)
    case float(Float)
    case double(Double)
    case string(String)
    case data(Data)
    case date(Date)
    /// A link to an object, never to an embedded one.
    case object(Object)
    case objectId(ObjectId)
    case decimal128(Decimal128)
    case duration(Duration)
    case uuid(UUID)
    case list(List<AnyValue>)
    case dictionary(Map<String, AnyValue>)

    /// A list of these values.
    public static func fromArray(_ values: [AnyValue]) -> AnyValue { .list(List(values)) }

    /// A dictionary of these values.
    public static func fromDictionary(_ values: [String: AnyValue]) -> AnyValue {
        .dictionary(Map(values.map { (key: $0.key, value: $0.value) }))
    }
}

// MARK: - What is in it

extension AnyValue {
    /// The Bool, if it is one; and so on for the others.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
    public var intValue: Int? { if case .int(let value) = self { value } else { nil } }
    public var floatValue: Float? { if case .float(let value) = self { value } else { nil } }
    public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    public var dataValue: Data? { if case .data(let value) = self { value } else { nil } }
    public var dateValue: Date? { if case .date(let value) = self { value } else { nil } }
    public var objectIdValue: ObjectId? { if case .objectId(let value) = self { value } else { nil } }
    public var decimal128Value: Decimal128? { if case .decimal128(let value) = self { value } else { nil } }
    public var durationValue: Duration? { if case .duration(let value) = self { value } else { nil } }
    public var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }
    public var listValue: List<AnyValue>? { if case .list(let value) = self { value } else { nil } }
    public var dictionaryValue: Map<String, AnyValue>? { if case .dictionary(let value) = self { value } else { nil } }

    /// The object, if it is one of this type.
    public func object<T: Object>(_ type: T.Type) -> T? {
        if case .object(let value) = self { value as? T } else { nil }
    }

    public var isNone: Bool { if case .none = self { true } else { false } }

    /// The element of a list at an index; nil where there is none. Setting it changes the list.
    public subscript(index: Int) -> AnyValue? {
        get {
            guard let list = listValue, index >= 0, index < list.count else { return nil }
            return list[index]
        }
        nonmutating set { listValue?[index] = newValue ?? .none }
    }

}

// MARK: - As stored

extension AnyValue {
    /// A scalar; links, which need a graph, are nothing.
    init(_ value: BanyanCore.Value) {
        switch value {
        case .null, .object, .list, .dictionary: self = .none
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(Int(value))
        case .float(let value): self = .float(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .string(value)
        case .data(let value): self = .data(value)
        case .date(let value): self = .date(value)
        case .uuid(let value): self = .uuid(value)
        case .objectId(let value): self = .objectId(value)
        case .decimal128(let value): self = .decimal128(value)
        case .duration(let value): self = .duration(value)
        }
    }

    /// The scalar without a graph around it; nothing for links, lists and dictionaries.
    var stored: BanyanCore.Value {
        switch self {
        case .none, .object, .list, .dictionary: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(Int64(value))
        case .float(let value): .float(value)
        case .double(let value): .double(value)
        case .string(let value): .string(value)
        case .data(let value): .data(value)
        case .date(let value): .date(value)
        case .uuid(let value): .uuid(value)
        case .objectId(let value): .objectId(value)
        case .decimal128(let value): .decimal128(value)
        case .duration(let value): .duration(value)
        }
    }
}

// MARK: - Literals

extension AnyValue: ExpressibleByNilLiteral {
    public init(nilLiteral: ()) { self = .none }
}

extension AnyValue: ExpressibleByBooleanLiteral {
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension AnyValue: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) { self = .int(value) }
}

extension AnyValue: ExpressibleByFloatLiteral {
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension AnyValue: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
}

extension AnyValue: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: AnyValue...) { self = .fromArray(elements) }
}

extension AnyValue: ExpressibleByDictionaryLiteral {
    /// Of two values with the same key the last one counts.
    public init(dictionaryLiteral elements: (String, AnyValue)...) {
        self = .dictionary(Map(elements.map { (key: $0.0, value: $0.1) }))
    }
}

// MARK: - Text

extension AnyValue: CustomStringConvertible {
    /// The value by itself, as its type prints; of lists and dictionaries the first elements, a few levels deep.
    public var description: String {
        switch self {
        case .none: "none"
        case .object(let value): DescriptionWriter.reference(to: value)
        case .list, .dictionary: DescriptionWriter.text(of: self)
        default: stored.text
        }
    }
}
