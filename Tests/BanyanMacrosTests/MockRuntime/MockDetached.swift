// What the expansions for detached values and coding keys need of the runtime.

public struct ObjectID: Sendable, Hashable, Codable {
    public var number: Int
}

public protocol DetachedObject: Sendable, Hashable, Codable, Identifiable {
    associatedtype _Key: Sendable, Hashable, Codable
    var objectID: ObjectID? { get }
    static var _$name: String { get }
    static var _$keyForm: _DetachedKeyForm<_Key> { get }
    func _$visit<V: _DetachedVisitor>(beside other: Self, _ visitor: inout V) throws(V.Failure)
}

public indirect enum DetachedLink<Target: DetachedObject>: Sendable, Hashable, Codable {
    case key(Target._Key)
    case id(ObjectID)
    case value(Target)
    case unmanaged
}

extension ObjectBase {
    public final var objectID: ObjectID? { nil }
}

extension Object {
    public struct Detached: DetachedObject {
        public typealias _Key = Never
        public var objectID: ObjectID?
        public var id: ObjectID? { objectID }
        public static var _$name: String { "Object" }
        public func _$visit<V: _DetachedVisitor>(beside other: Self, _ visitor: inout V) throws(V.Failure) {}
        public mutating func _$decode(from decoder: any Decoder) throws {}
        public init(_$from object: Object, _ context: _Detaching) {}
    }
    public typealias _$Form<Value: DetachedObject> = DetachedLink<Value>
    public static func _$form<O: Object, Value: DetachedObject>(
        _ object: O, _ context: _Detaching, _ key: Value._Key?, _ make: (O, _Detaching) -> Value
    ) -> DetachedLink<Value> {
        if context.depth > 0 { return .value(make(object, _Detaching(depth: context.depth - 1))) }
        return key.map { .key($0) } ?? .unmanaged
    }
    public static func _$key(_ object: Object) -> Never? { nil }
}

extension EmbeddedObject {
    public static func _$key(_ object: EmbeddedObject) -> Never? { nil }
    public struct Detached: DetachedObject {
        public typealias _Key = Never
        public var objectID: ObjectID?
        public var id: ObjectID? { objectID }
        public static var _$name: String { "EmbeddedObject" }
        public func _$visit<V: _DetachedVisitor>(beside other: Self, _ visitor: inout V) throws(V.Failure) {}
        public mutating func _$decode(from decoder: any Decoder) throws {}
        public init(_$from object: EmbeddedObject, _ context: _Detaching) {}
    }
    public typealias _$Form<Value: DetachedObject> = Value
    public static func _$form<O: EmbeddedObject, Value: DetachedObject>(
        _ object: O, _ context: _Detaching, _ key: Value._Key?, _ make: (O, _Detaching) -> Value
    ) -> Value { make(object, context) }
}

@propertyWrapper
public struct _DetachedBox<Value: Sendable & Hashable & Codable>: Sendable, Hashable {
    private indirect enum Box: Sendable, Hashable {
        case value(Value)
        case unset
    }
    private var box: Box
    public init(wrappedValue: Value) { box = .value(wrappedValue) }
    public init<V>(_ form: _DetachedForm<V, Value>) { box = .unset }
    public var wrappedValue: Value {
        get {
            switch box {
            case .value(let value): value
            case .unset: fatalError("not set")
            }
        }
        set { box = .value(newValue) }
    }
}

public protocol _DetachedScalar: SendableMetatype {
    associatedtype _Detached: Sendable, Hashable, Codable
    static func _$detach(_ value: Self, _ context: _Detaching) -> _Detached
    static var _$detachedBlank: _Detached { get }
}

extension _DetachedScalar {
    public typealias _$Detached = _Detached
}

extension _DetachedScalar where Self: _PersistedProperty, _Detached == Self {
    public static func _$detach(_ value: Self, _ context: _Detaching) -> Self { value }
    public static var _$detachedBlank: Self { _zero }
}

extension Int: _DetachedScalar { public typealias _Detached = Int }
extension String: _DetachedScalar { public typealias _Detached = String }
extension Bool: _DetachedScalar { public typealias _Detached = Bool }
extension Double: _DetachedScalar { public typealias _Detached = Double }

public func _detachedBlank<Root, V: _DetachedScalar>(_ property: (Root) -> V) -> V._Detached { V._$detachedBlank }
public func _detachedBlank<Root, V: _DetachedScalar>(_ property: (Root) -> V?) -> V._Detached? { nil }
@_disfavoredOverload
public func _detachedBlank<Root, V>(_ property: (Root) -> V) -> _NotDetached { _NotDetached() }

public struct _NotDetached: Sendable, Hashable, Codable {}

public struct _Detaching {
    let depth: Int
    let isBlank: Bool
    public init(depth: Int) { self.init(depth, isBlank: false) }
    private init(_ depth: Int, isBlank: Bool) {
        self.depth = depth
        self.isBlank = isBlank
    }
    public static var blank: _Detaching { _Detaching(0, isBlank: true) }

    public func required<T: ObjectBase>(_ target: @autoclosure () -> T) -> T { isBlank ? T() : target() }
    @_disfavoredOverload
    public func required<V>(_ value: @autoclosure () -> V) -> V { value() }
    public func scalar<V: _DetachedScalar>(_ value: V) -> V._Detached { V._$detach(value, self) }
    public func scalar<V: _DetachedScalar>(_ value: V?) -> V._Detached? { value.map { V._$detach($0, self) } }
    @_disfavoredOverload
    public func scalar<V>(_ value: V) -> _NotDetached { _NotDetached() }
    public func optional<V, D>(_ value: V?, _ detach: (V, _Detaching) -> D) -> D? { value.map { detach($0, self) } }
    // The mock's collections hold nothing.
    public func list<E, D>(_ list: List<E>, _ detach: (E, _Detaching) -> D) -> [D] { [] }
    public func set<E, D>(_ set: MutableSet<E>, _ detach: (E, _Detaching) -> D) -> Set<D> { [] }
    public func map<K, E, D>(_ map: Map<K, E>, _ detach: (E, _Detaching) -> D) -> [K: D] { [:] }
}

public struct _DetachedKey: CodingKey, ExpressibleByStringLiteral {
    public let stringValue: String
    public var intValue: Int? { nil }
    public init(stringLiteral name: String) { stringValue = name }
    public init(stringValue: String) { self.stringValue = stringValue }
    public init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer {
    public func _$read<V: Decodable>(_ key: Key, into value: inout V) throws {
        if contains(key) { value = try decode(V.self, forKey: key) }
    }
    public func _$require<V: Decodable>(_ key: Key, into value: inout V) throws {
        value = try decode(V.self, forKey: key)
    }
}

public struct _CodingKeys {
    public let names: [String: String]
    public init(_ type: ObjectBase.Type, _ keys: [(property: String, key: any CodingKey)]) {
        names = Dictionary(keys.map { ($0.property, $0.key.stringValue) }, uniquingKeysWith: { first, _ in first })
    }
}
