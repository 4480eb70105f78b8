public import BanyanCore

/// A value made of an object by `detached()`: it belongs to no graph and can go anywhere.
///
/// `@Model` makes one for each class, as `Person.Detached`.
public protocol DetachedObject: Sendable, Hashable, Codable {
    /// The identity the object had in its store; nil for what was made of an unmanaged object.
    var objectID: ObjectID? { get }
}

/// A link as a detached value has it: the identity of the object, or, as deep as `detached(depth:)` was asked to go, its own
/// detached value.
public indirect enum DetachedLink<Target: DetachedObject>: Sendable, Hashable {
    /// An object of the store that was not followed.
    case id(ObjectID)
    case value(Target)
    /// An object that no store knows and that was not followed.
    case unmanaged

    /// The identity of the object in its store, if it has one.
    public var objectID: ObjectID? {
        switch self {
        case .id(let id): id
        case .value(let value): value.objectID
        case .unmanaged: nil
        }
    }

    /// The object's detached value, where the link was followed.
    public var value: Target? { if case .value(let value) = self { value } else { nil } }
}

extension DetachedLink: Codable {
    private enum CodingKeys: String, CodingKey { case objectID, value }

    /// `{"objectID": …}`, `{"value": …}` or `{}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .id(let id): try container.encode(id, forKey: .objectID)
        case .value(let value): try container.encode(value, forKey: .value)
        case .unmanaged: break
        }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let value = try container.decodeIfPresent(Target.self, forKey: .value) {
            self = .value(value)
        } else if let id = try container.decodeIfPresent(ObjectID.self, forKey: .objectID) {
            self = .id(id)
        } else {
            self = .unmanaged
        }
    }
}

/// A scalar without its Swift type, as the values of embedded objects that no class of their own describes.
public indirect enum DetachedValue: Sendable, Hashable, Codable {
    case null
    case bool(Bool)
    case int(Int64)
    case float(Float)
    case double(Double)
    case string(String)
    case data(Data)
    case date(Date)
    case uuid(UUID)
    case objectId(ObjectId)
    case decimal128(Decimal128)
    case object(ObjectID?)
    case list([DetachedValue])
    case dictionary([String: DetachedValue])
}

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Object {
    /// What is detached of an object of which only the base class is known.
    public struct Detached: DetachedObject {
        public var objectID: ObjectID?
        public init(_$from object: Object, _ context: _Detaching) { objectID = object.objectID }
    }
    /// How a link to an object of which only the base class is known is detached.
    public typealias _$Detached = DetachedLink<Detached>
    public static func _$detach(_ object: Object, _ context: _Detaching) -> DetachedLink<Detached> {
        _$form(object, context) { Detached(_$from: $0, $1) }
    }
    /// How links to objects of a class are detached.
    public typealias _$Form<Value: DetachedObject> = DetachedLink<Value>
}

extension EmbeddedObject {
    /// What is detached of an embedded object of which only the base class is known.
    public struct Detached: DetachedObject {
        public var objectID: ObjectID?
        public init(_$from object: EmbeddedObject, _ context: _Detaching) { objectID = object.objectID }
    }
    /// Embedded objects are nested as they are.
    public typealias _$Form<Value: DetachedObject> = Value
}

/// Keeps a value apart from what holds it, so that a detached value may hold one of its own type.
@propertyWrapper
public struct _DetachedBox<Value: Sendable & Hashable & Codable>: Sendable, Hashable {
    private indirect enum Box: Sendable, Hashable { case value(Value) }
    private var box: Box

    public init(wrappedValue: Value) { box = .value(wrappedValue) }

    public var wrappedValue: Value {
        get {
            switch box {
            case .value(let value): value
            }
        }
        set { box = .value(newValue) }
    }
}
