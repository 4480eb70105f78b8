import BanyanCore

/// How deep links are followed from where a value is being made. For the code that `@Model` writes.
public struct _Detaching {
    /// How many links are still followed.
    let depth: Int
    /// How many values this one is in.
    private let level: Int
    /// The objects whose values this one is in, where links are followed as far as they go.
    private let path: DetachedPath?
    private let isEndless: Bool
    /// Whether a value is made of a new object, for what is decoded to be put into: links that are never nil are not set in it.
    private var isBlank = false

    /// Values within values take stack: to be made, compared, coded and let go.
    static let deepest = 100

    public init(depth: Int) { self.init(depth: depth, level: 0, path: nil, isEndless: depth > Self.deepest) }

    private init(depth: Int, level: Int, path: DetachedPath?, isEndless: Bool) {
        self.depth = depth
        self.level = level
        self.path = path
        self.isEndless = isEndless
    }

    /// Within an object that a link leads to; nil where the link is not followed.
    func following(_ object: ObjectBase) -> _Detaching? {
        guard depth > 0, level < Self.deepest, path?.contains(object) != true else { return nil }
        return inside(object, depth: depth - 1)
    }

    /// Within an object whose value this is, or that is embedded in it.
    func inside(_ object: ObjectBase, depth: Int? = nil) -> _Detaching {
        var context = _Detaching(
            depth: depth ?? self.depth, level: level + 1, path: isEndless ? DetachedPath(object, path) : nil,
            isEndless: isEndless)
        context.isBlank = isBlank
        return context
    }

    /// Whether a value may have embedded objects in it. If not, that is reported.
    private func holds<V>(_ type: V.Type, _ object: ObjectBase?) -> Bool {
        guard level >= Self.deepest, type is EmbeddedObject.Type else { return true }
        object?._graph?.fail(
            BanyanError(
                .limit, "embedded objects are nested more than \(Self.deepest) deep, which no detached value can be",
                remedy: "Use the objects themselves, or link to top-level objects instead",
                at: .init(type: object.map { Swift.type(of: $0)._$model.name })))
        return false
    }

    /// For the value of a new object.
    public static var blank: _Detaching {
        var context = _Detaching(depth: 0)
        context.isBlank = true
        return context
    }

    /// The target of a link that is never nil and has no default: in a new object it is not set, and another new one serves.
    public func required<T: ObjectBase>(_ target: @autoclosure () -> T) -> T { isBlank ? T() : target() }
    @_disfavoredOverload
    public func required<V>(_ value: @autoclosure () -> V) -> V { value() }

    /// A scalar whose type is not spelled out in its declaration.
    public func scalar<V: _DetachedScalar>(_ value: V) -> V._Detached { V._$detach(value, self) }
    public func scalar<V: _DetachedScalar>(_ value: V?) -> V._Detached? { value.map { V._$detach($0, self) } }
    @_disfavoredOverload
    public func scalar<V>(_ value: V) -> _NotDetached { _NotDetached() }

    public func optional<V, D>(_ value: V?, _ detach: (V, _Detaching) -> D) -> D? {
        guard let value, holds(V.self, value as? EmbeddedObject) else { return nil }
        return detach(value, self)
    }

    public func list<E: CollectionValue, D>(_ list: List<E>, _ detach: (E, _Detaching) -> D) -> [D] {
        guard holds(E.self, level < Self.deepest ? nil : list.first?._$object) else { return [] }
        return list.map { detach($0, self) }
    }

    public func set<E: CollectionValue, D: Hashable>(
        _ set: MutableSet<E>, _ detach: (E, _Detaching) -> D
    ) -> Set<D> {
        Set(set.map { detach($0, self) })
    }

    public func map<K: MapKey, E: MapValue, D>(
        _ map: Map<K, E>, _ detach: (E, _Detaching) -> D
    ) -> [K: D] {
        guard level < Self.deepest || E._$elementType.kind != .embedded else {
            _ = holds(EmbeddedObject.self, map.values.lazy.compactMap { $0._$object }.first)
            return [:]
        }
        return Dictionary(map.map { ($0.key, detach($0.value, self)) }, uniquingKeysWith: { first, _ in first })
    }

    /// A dictionary of scalars whose keys are of a type that is not known.
    public func scalars<K: MapKey, E: MapValue>(_ map: Map<K, E>) -> [K: E] {
        self.map(map) { (element, _) in element }
    }
    @_disfavoredOverload
    public func scalars<V>(_ map: V) -> _NotDetached { _NotDetached() }
}

/// The objects whose values a detached value is in, from the innermost out.
final class DetachedPath {
    private let object: ObjectBase
    private let outer: DetachedPath?

    init(_ object: ObjectBase, _ outer: DetachedPath?) {
        self.object = object
        self.outer = outer
    }

    func contains(_ object: ObjectBase) -> Bool {
        var next: DetachedPath? = self
        while let step = next {
            if step.object.isSameObject(as: object) { return true }
            next = step.outer
        }
        return false
    }
}

/// What coders call a property of a detached value. For the code that `@Model` writes.
public struct _DetachedKey: CodingKey, ExpressibleByStringLiteral {
    public let stringValue: String
    public var intValue: Int? { nil }
    public init(stringLiteral name: String) { stringValue = name }
    public init(stringValue: String) { self.stringValue = stringValue }
    public init?(intValue: Int) { nil }
}

/// A property's value that is no object: what it becomes outside of its graph.
public protocol _DetachedScalar: SendableMetatype {
    associatedtype _Detached: Sendable, Hashable, Codable
    static func _$detach(_ value: Self, _ context: _Detaching) -> _Detached
    /// Any value, to be replaced.
    static var _$detachedBlank: _Detached { get }
}

extension _DetachedScalar {
    /// As the type of a property is spelled.
    public typealias _$Detached = _Detached
}

extension _DetachedScalar where _Detached == Self {
    public static func _$detach(_ value: Self, _ context: _Detaching) -> Self { value }
}

extension _DetachedScalar where Self: _CustomStorage, _Detached == Self {
    public static var _$detachedBlank: Self { _$blank }
}

// Links in it by their identity, lists and dictionaries nested.
extension AnyValue: _DetachedScalar {
    public static func _$detach(_ value: AnyValue, _ context: _Detaching) -> DetachedValue {
        DetachedValue(value._$untyped, 0)
    }
    public static var _$detachedBlank: DetachedValue { .null }
}

// A custom type need not be Sendable or Codable; what it is stored as is.
extension _CustomPersistable {
    public static func _$detach(_ value: Self, _ context: _Detaching) -> PersistedType._DetachedStored {
        value.persistableValue._$detachStored(context)
    }
    public static var _$detachedBlank: PersistedType._DetachedStored {
        PersistedType._$blank._$detachStored(_Detaching(depth: 0))
    }
}

/// Of a property whose type is not spelled out: what its detached value starts with. The property is named in a closure that is
/// never called, for of a key path to what has no type the compiler complains once more.
public func _detachedBlank<Root, V: _DetachedScalar>(_ property: (Root) -> V) -> V._Detached { V._$detachedBlank }
public func _detachedBlank<Root, V: _DetachedScalar>(_ property: (Root) -> V?) -> V._Detached? { nil }
@_disfavoredOverload
public func _detachedBlank<Root, V>(_ property: (Root) -> V) -> _NotDetached { _NotDetached() }

/// Of a dictionary with keys of a type that is not known: what its detached value starts with.
public func _detachedMap<K: Hashable, V>(_ key: K.Type, _ value: V.Type) -> [K: V] { [:] }
@_disfavoredOverload
public func _detachedMap<K, V>(_ key: K.Type, _ value: V.Type) -> _NotDetached { _NotDetached() }

// MARK: - Objects

extension Object {
    /// What a link to an object becomes.
    public static func _$form<O: Object, Value: DetachedObject>(
        _ object: O, _ context: _Detaching, _ key: Value._Key?, _ make: (O, _Detaching) -> Value
    ) -> DetachedLink<Value> {
        if let inner = context.following(object) { return .value(make(object, inner)) }
        return key.map { .key($0) } ?? object.objectID.map { .id($0) } ?? .unmanaged
    }
}

extension EmbeddedObject {
    public static func _$form<O: EmbeddedObject, Value: DetachedObject>(
        _ object: O, _ context: _Detaching, _ key: Value._Key?, _ make: (O, _Detaching) -> Value
    ) -> Value { make(object, context.inside(object)) }
}

extension ObjectBase {
    /// The stored properties by name, for an embedded object that stands for a value of another type.
    final func detachedValues(level: Int = 0) -> [String: DetachedValue] {
        let model = Self._$model
        var result: [String: DetachedValue] = [:]
        for (column, property) in model.properties.enumerated() where !property.type.isInverse {
            result[property.name] = DetachedValue(untyped(column), level)
        }
        return result
    }
}

extension DetachedValue {
    fileprivate init(_ contents: UntypedContents, _ level: Int) {
        switch contents {
        case .single(let value): self.init(value, level)
        case .list(let values): self = .list(values.map { DetachedValue($0, level) })
        case .map(let entries):
            self = .dictionary(
                Dictionary(
                    entries.map { ($0.key.text, DetachedValue($0.value, level)) },
                    uniquingKeysWith: { first, _ in first }))
        }
    }

    /// - Parameter level: how many values it is in. What is deeper than anything a graph holds in an AnyValue is null.
    fileprivate init(_ untyped: _Untyped, _ level: Int) {
        guard level <= _Detaching.deepest else {
            self = .null
            return
        }
        switch untyped.content {
        case .value(let value): self.init(value)
        case .object(let object):
            self =
                object is EmbeddedObject
                ? .dictionary(object.detachedValues(level: level + 1)) : .object(object.objectID)
        case .nested(.list(let list)): self = .list(list.map { DetachedValue($0._$untyped, level + 1) })
        case .nested(.dictionary(let map)):
            self = .dictionary(
                Dictionary(
                    map.map { ($0.key, DetachedValue($0.value._$untyped, level + 1)) },
                    uniquingKeysWith: { first, _ in first }))
        case .nested: self = .null
        }
    }
}

extension KeyedDecodingContainer {
    /// A property of a detached value, which keeps its default where there is nothing for it. `null` is nil.
    public func _$read<V: Decodable>(_ key: Key, into value: inout V) throws {
        if contains(key) { value = try decode(V.self, forKey: key) }
    }

    /// One that has no default.
    public func _$require<V: Decodable>(_ key: Key, into value: inout V) throws {
        value = try decode(V.self, forKey: key)
    }
}
