import BanyanCore

/// A to-many property whose values are found by key.
///
/// ```swift
/// @Model class Person: Object {
///     @Persisted var scores: Map<String, Int>
///     @Persisted var pets: Map<String, Dog?>
/// }
/// ```
/// The map of an unmanaged object, and one made by itself, is an ordinary map in memory. The map of a managed object is live,
/// and can be changed inside a write only: outside one, changing it traps.
///
/// Any string can be a key; keys are told apart by their bytes and come in ascending order. Objects are held as optional
/// values: when one is deleted, its key stays, with nil. Iteration goes through what was there when it began, whatever is
/// changed meanwhile.
///
/// In a managed map looking up, setting and removing a key are O(log n).
public final class Map<Key: MapKey, Value: MapValue>: LiveCollection {
    /// The contents while nobody manages them.
    @exclusivity(unchecked) var contents: [ComparedByCell<Key>: Value] = [:]
    /// Their keys in order, as long as no key comes or goes.
    @exclusivity(unchecked) private var orderedKeys: [Key]?

    /// An empty map.
    public override init() { super.init() }

    init(_ handle: CollectionHandle) { super.init(handle) }

    /// A map with the entries of a sequence; of two with the same key the last one counts.
    public init<S: Sequence>(_ entries: S) where S.Element == (key: Key, value: Value) {
        super.init()
        for (key, value) in entries { contents[ComparedByCell(key)] = value }
    }

    static var layout: ElementLayout {
        let type = Value._$elementType
        return ElementLayout(kind: type.kind, isOptional: type.isOptional, key: Key._$elementType.kind)
    }

    deinit {
        if handle == nil, !contents.isEmpty, Value.mayHoldOthers { releaseContents() }
    }

    override func takeContents(into release: inout UnmanagedRelease) {
        orderedKeys = nil
        for value in exchange(&contents, with: [:]).values { release.add(value) }
    }

    /// The map at this version for good. That of an unmanaged object cannot be frozen: it traps.
    public func freeze() -> Map { isFrozen ? self : versioned.frozen { Map($0) } }

    /// The live map, for the isolation that asks, in a graph of its own; the same when it is live or unmanaged. Nil when the
    /// owner is deleted, or the store is gone.
    public func thaw() -> Map? {
        guard isFrozen else { return isInvalidated ? nil : self }
        return handle.flatMap { $0.thawed { Map($0) } }
    }

    /// The keys of an unmanaged map, in order.
    func unmanagedKeys() -> [Key] {
        if let orderedKeys { return orderedKeys }
        let keys = contents.keys.sorted().map(\.value)
        orderedKeys = keys
        return keys
    }

    // MARK: - Reading

    /// O(1).
    public var count: Int { handle?.count() ?? contents.count }
    public var isEmpty: Bool { count == 0 }

    /// The value of a key, nil when the key is not there. Setting nil removes the key; to store nil as a value use
    /// `updateValue(nil, forKey:)`.
    public subscript(key: Key) -> Value? {
        get { value(of: key) }
        set {
            if let newValue { setValue(newValue, key) } else { remove(key) }
        }
    }

    func value(of key: Key) -> Value? {
        guard let graph = handle?.graph else { return contents[ComparedByCell(key)] }
        return key._$withLookupCell(in: graph) { cell in
            guard let cell, let place = handle?.sortedRank(of: cell), place.isMatch, let element = place.element,
                let handle
            else { return nil }
            return graph.element(handle.elements.load(element), of: handle.owner, handle.column)
        }
    }

    /// The value of a key, or `defaultValue` when the key is not there. Setting it adds the key.
    public subscript(key: Key, default defaultValue: @autoclosure () -> Value) -> Value {
        get { value(of: key) ?? defaultValue() }
        set { setValue(newValue, key) }
    }

    public func contains(key: Key) -> Bool {
        guard let graph = handle?.graph else { return contents[ComparedByCell(key)] != nil }
        return key._$withLookupCell(in: graph) { cell in cell.flatMap { handle?.sortedRank(of: $0).isMatch } ?? false }
    }

    /// All keys, in order. O(n).
    public var keys: [Key] { map(\.key) }

    /// All values, in the order of their keys. O(n).
    public var values: [Value] { map(\.value) }

    // MARK: - Changing

    /// Sets the value of a key, which may be nil where values are optional, and returns the one it had. An unmanaged object
    /// is added to the map's graph.
    @discardableResult
    public func updateValue(_ value: Value, forKey key: Key) -> Value? {
        let old = self.value(of: key)
        setValue(value, key)
        return old
    }

    /// Removes a key and returns the value it had.
    @discardableResult
    public func removeValue(forKey key: Key) -> Value? {
        let old = self.value(of: key)
        remove(key)
        return old
    }

    /// Removes a key.
    public func removeObject(for key: Key) { remove(key) }

    /// Removes the entries that satisfy a condition. O(n).
    public func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
        for key in try filter(shouldBeRemoved).map(\.key) { remove(key) }
    }

    public func removeAll() {
        guard let handle else {
            contents = [:]
            orderedKeys = nil
            return
        }
        handle.transaction.removeAll(handle.owner, handle.column)
    }

    private func setValue(_ value: Value, _ key: Key) {
        guard let handle else {
            if contents.updateValue(value, forKey: ComparedByCell(key)) == nil { orderedKeys = nil }
            return
        }
        let transaction = handle.transaction
        guard let valueCell = handle.cell(of: value), let keyCell = handle.cell(of: key) else { return }
        transaction.mapSet(handle.owner, handle.column, key: keyCell, valueCell)
    }

    private func remove(_ key: Key) {
        guard let handle else {
            if contents.removeValue(forKey: ComparedByCell(key)) != nil { orderedKeys = nil }
            return
        }
        let transaction = handle.transaction
        key._$withLookupCell(in: handle.graph) { cell in
            if let cell { transaction.mapRemove(handle.owner, handle.column, key: cell) }
        }
    }
}

extension Map: _PersistedProperty {
    public static var _$propertyType: _PropertyType {
        var type = Value._$elementType
        type.shape = .map
        type.key = Key._$elementType.kind
        type.implicitDefault = nil
        type.collection = { object, column in _$get(object, column) }
        return type
    }

    public static func _$get(_ object: ObjectBase, _ column: Int) -> Map {
        guard let context = object._owner else { return object.unmanagedCollection(column) { Map() } }
        return Map(CollectionHandle(context, object, column))
    }

    /// Copies the contents of `value`.
    public static func _$set(_ object: ObjectBase, _ column: Int, _ value: Map) {
        let own = _$get(object, column)
        if own != value { own.replaceAll(with: value) }
    }
}

/// A map of any type.
protocol _AnyMap {
    var _$entries: [(key: Any, value: Any)] { get }
}

extension Map: _AnyMap {
    var _$entries: [(key: Any, value: Any)] { map { (key: $0.key, value: $0.value) } }
}

extension Map: _OwnedCollection {
    var _$contents: UntypedContents { .map(map { (key: $0.key._$untyped, value: $0.value._$untyped) }) }

    func _$fill(_ contents: UntypedContents) -> Int? {
        guard case .map(let entries) = contents else { return 0 }
        var made: [Element] = []
        for (i, entry) in entries.enumerated() {
            guard let key = Key._$make(entry.key), let value = Value._$make(entry.value) else { return i }
            made.append((key: key, value: value))
        }
        replaceAll(with: made)
        return nil
    }

    func _$adopt(_ graph: Graph, _ id: ObjectID, _ column: Int, isUpdate: Bool) throws(BanyanError) {
        let keys = unmanagedKeys()
        let contents = exchange(&contents, with: [:])
        orderedKeys = nil
        attach(CollectionHandle(graph, id, column))
        let entries = keys.compactMap { key in contents[ComparedByCell(key)].map { (key: key, value: $0) } }
        if isUpdate, let adder = graph.context.adder, adder.mayUpdateInPlace(entries.map(\.value)) {
            updateEmbedded(entries, adder)
        } else if isUpdate {
            replaceAll(with: entries)
        } else if !entries.isEmpty {
            fill(entries)
        }
        if let fault = graph.workspace.transaction?.fault { throw fault }
    }

    /// Puts entries whose keys ascend into a map that is empty. O(n).
    private func fill(_ entries: [Element]) {
        guard let handle else { return }
        let transaction = handle.transaction
        var cells: [(key: Cell, value: Cell)] = []
        cells.reserveCapacity(entries.count)
        for (key, value) in entries {
            guard let valueCell = handle.cell(of: value), let keyCell = handle.cell(of: key) else { return }
            cells.append((keyCell, valueCell))
        }
        transaction.mapFill(handle.owner, handle.column, cells)
    }
}
