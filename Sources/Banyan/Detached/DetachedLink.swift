public import BanyanCore

/// A value made of an object by `detached()`: it belongs to no graph and can go anywhere.
///
/// `@Model` makes one for each class, as `Person.Detached`: with what the class stores, but for properties that are `private`,
/// which stay out unless `@Persisted(detached: true)` asks for them; `@Persisted(detached: false)` keeps others out. As JSON a
/// value is an object of its properties: nil is `null`, links are primary keys or else ``ObjectID``s as text. Decoding takes
/// what is there, and gives what is missing its declared default.
///
/// It is identified by a property `id`, or else by the primary key, or else by the ``ObjectID``.
public protocol DetachedObject: Sendable, Hashable, Codable, Identifiable, CustomStringConvertible {
    /// The type of the primary key; `Never` where there is none.
    // The default stands for a type that is not there, which has been reported.
    associatedtype _Key: Sendable, Hashable, Codable = _NotDetached
    /// How the primary key is detached, where its type is inferred from that.
    static var _$keyForm: _DetachedKeyForm<_Key> { get }
    /// The identity the object had in its store; nil for what was made of an unmanaged object.
    var objectID: ObjectID? { get }
    /// What the class is called.
    static var _$name: String { get }
    /// Shows a visitor each property, beside the same of another value.
    func _$visit<V: _DetachedVisitor>(beside other: Self, _ visitor: inout V) throws(V.Failure)
}

/// A link as a detached value has it: the primary key of the object, or its identity where it has none; or, as deep as
/// `detached(depth:)` was asked to go, its own detached value.
public indirect enum DetachedLink<Target: DetachedObject>: Sendable, Hashable {
    /// An object that was not followed, by its primary key.
    case key(Target._Key)
    /// An object of the store that was not followed and has no primary key, or nil as its key.
    case id(ObjectID)
    case value(Target)
    /// An object that no store knows, that has no primary key, and that was not followed.
    case unmanaged

    /// The primary key of the object, where it has one and was not followed.
    public var key: Target._Key? { if case .key(let key) = self { key } else { nil } }

    /// The identity of the object in its store, where it is known.
    public var objectID: ObjectID? {
        switch self {
        case .id(let id): id
        case .value(let value): value.objectID
        case .key, .unmanaged: nil
        }
    }

    /// The object's detached value, where the link was followed.
    public var value: Target? { if case .value(let value) = self { value } else { nil } }
}

extension DetachedLink: Codable {
    /// A key and a value are coded as they are, an id as its text; among objects with keys one without is
    /// `{"objectID": "3:1042.2"}`, and what nothing is known of is `{}`.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .key(let key): try key.encode(to: encoder)
        case .value(let value): try value.encode(to: encoder)
        case .id(let id) where Target._Key.self == Never.self: try id.encode(to: encoder)
        case .id(let id):
            var container = encoder.container(keyedBy: _DetachedKey.self)
            try container.encode(id, forKey: "objectID")
        case .unmanaged: _ = encoder.container(keyedBy: _DetachedKey.self)
        }
    }

    public init(from decoder: any Decoder) throws {
        let fields: KeyedDecodingContainer<_DetachedKey>
        do {
            fields = try decoder.container(keyedBy: _DetachedKey.self)
        } catch DecodingError.typeMismatch {
            // No object, so it says which one it is.
            self =
                Target._Key.self == Never.self ? .id(try ObjectID(from: decoder)) : .key(try Target._Key(from: decoder))
            return
        }
        switch fields.allKeys.map(\.stringValue) {
        case []: self = .unmanaged
        case ["objectID"]: self = .id(try fields.decode(ObjectID.self, forKey: "objectID"))
        default: self = .value(try Target(from: decoder))
        }
    }
}

extension Object {
    /// What is detached of an object of which only the base class is known.
    public struct Detached: DetachedObject {
        public typealias _Key = Never
        public var objectID: ObjectID?
        public var id: ObjectID? { objectID }
        public static var _$name: String { "Object" }
        public func _$visit<V: _DetachedVisitor>(beside other: Self, _ visitor: inout V) throws(V.Failure) {
            try visitor(id: objectID, other.objectID)
        }
        public mutating func _$decode(from decoder: any Decoder) throws {
            try decoder.container(keyedBy: _DetachedKey.self)._$read("objectID", into: &objectID)
        }
        public init(_$from object: Object, _ context: _Detaching) { objectID = object.objectID }
    }
    /// How a link to an object of which only the base class is known is detached.
    public typealias _$Detached = DetachedLink<Detached>
    public static func _$detach(_ object: Object, _ context: _Detaching) -> DetachedLink<Detached> {
        _$form(object, context, _$key(object)) { Detached(_$from: $0, $1) }
    }
    /// The primary key of an object: none, where the class declares none.
    public static func _$key(_ object: Object) -> Never? { nil }
    /// How links to objects of a class are detached.
    public typealias _$Form<Value: DetachedObject> = DetachedLink<Value>
}

extension EmbeddedObject {
    /// What is detached of an embedded object of which only the base class is known.
    public struct Detached: DetachedObject {
        public typealias _Key = Never
        public var objectID: ObjectID?
        public var id: ObjectID? { objectID }
        public static var _$name: String { "EmbeddedObject" }
        public func _$visit<V: _DetachedVisitor>(beside other: Self, _ visitor: inout V) throws(V.Failure) {
            try visitor(id: objectID, other.objectID)
        }
        public mutating func _$decode(from decoder: any Decoder) throws {
            try decoder.container(keyedBy: _DetachedKey.self)._$read("objectID", into: &objectID)
        }
        public init(_$from object: EmbeddedObject, _ context: _Detaching) { objectID = object.objectID }
    }
    /// Embedded objects have no primary keys.
    public static func _$key(_ object: EmbeddedObject) -> Never? { nil }
    /// Embedded objects are nested as they are.
    public typealias _$Form<Value: DetachedObject> = Value
}

/// Keeps a value apart from what holds it, so that a detached value may hold one of its own type.
@propertyWrapper
public struct _DetachedBox<Value: Sendable & Hashable & Codable>: Sendable, Hashable {
    private indirect enum Box: Sendable, Hashable {
        case value(Value)
        case unset
    }
    private var box: Box

    public init(wrappedValue: Value) { box = .value(wrappedValue) }

    /// For a value of this form, which is set before it is read.
    public init<V>(_ form: _DetachedForm<V, Value>) { box = .unset }
    public init(_ form: _NotDetachedForm) where Value == _NotDetached { box = .value(_NotDetached()) }

    public var wrappedValue: Value {
        get {
            switch box {
            case .value(let value): value
            case .unset: fatalError("a detached link was read before it was set")
            }
        }
        set { box = .value(newValue) }
    }
}
