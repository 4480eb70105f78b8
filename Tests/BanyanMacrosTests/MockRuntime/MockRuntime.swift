/// The least of Banyan's runtime that the expansions of `@Model` and `@Persisted` compile and run against: an object is
/// an array of boxed values, a live object shares its array with the binding it was made from.
open class ObjectBase {
    private let values: _ObjectBinding

    public required init() {
        values = _ObjectBinding(count: Self._$model.propertyCount)
        _$initializeDefaults()
    }

    public required init(_$binding: _ObjectBinding) {
        values = _$binding
    }

    open class var _$model: _ObjectModel { _ObjectModel() }
    open class var _$isFinal: Bool { false }

    open class var _$codingKeys: _CodingKeys? { nil }

    open class var _$concealed: Set<String> { [] }

    open func _$initializeDefaults() {}

    public final func _$get<V: _PersistedProperty>(_ slot: Int) -> V {
        values[slot] as? V ?? V._zero
    }

    public final func _$getStored<V: _PersistedProperty>(_ slot: Int) -> V { _$get(slot) }

    public final func _$setStored<V: _PersistedProperty>(_ slot: Int, _ value: V) { _$set(slot, value) }

    public final func _$setOptional<V>(_ slot: Int, _ value: V?) where V?: _PersistedProperty { _$set(slot, value) }

    public final func _$getOptional<V>(_ slot: Int) -> V? where V?: _PersistedProperty { _$get(slot) }

    public final func _$getSet<V: _PersistedProperty>(_ slot: Int) -> V { _$get(slot) }

    public final func _$getRuledLink<V>(_ slot: Int) -> V? where V?: _PersistedProperty { _$get(slot) }

    public final func _$getRuledList<V: _PersistedProperty>(_ slot: Int) -> V { _$get(slot) }

    public final func _$getInverse<O, T>(
        _ slot: Int, of object: ObjectBase, _ origin: @autoclosure () -> KeyPath<O, T>
    ) -> LinkingObjects<O> { _$get(slot) }

    public final func _$set<V: _PersistedProperty>(_ slot: Int, _ value: V) {
        values[slot] = value
    }

    public final func _$getRequired<T: ObjectBase>(_ slot: Int) -> T {
        guard let target = values[slot] as? T else { fatalError("not set") }
        return target
    }

    public final func _$setRequired<T: ObjectBase>(_ slot: Int, _ value: T) { values[slot] = value }

    public final var binding: _ObjectBinding { values }
}

open class Object: ObjectBase {
    open override class var _$model: _ObjectModel { rootModel }
    private static let rootModel = _ObjectModel()
}

open class EmbeddedObject: ObjectBase {
    open override class var _$model: _ObjectModel { rootModel }
    private static let rootModel = _ObjectModel()
}

/// Where a live object's values are. Reads and writes are counted, so tests can tell which properties were touched.
public final class _ObjectBinding {
    private var values: [Any?]
    public private(set) var writtenSlots: [Int] = []

    public init(count: Int) {
        values = Array(repeating: nil, count: count)
    }

    subscript(slot: Int) -> Any? {
        get { values[slot] }
        set {
            values[slot] = newValue
            writtenSlots.append(slot)
        }
    }
}

public protocol _PersistedProperty {
    static var _zero: Self { get }
}

public enum IndexKind: Sendable { case hash, ordered }
public enum DeleteRule: Sendable { case nullify, cascade, deny }
