import BanyanCore

/// What `List`, `MutableSet`, `LinkingObjects` and `Results` have in common: live, ordered access to the elements.
///
/// Collections of objects are narrowed, sorted and thinned out to `Results`, which are live as well:
/// ```swift
/// person.dogs.where { $0.age < 3 }.sorted(by: \.name)
/// ```
/// For that the collection must be managed. What Swift's own collections do (`filter` and `sorted` with closures, `map`, `min()`)
/// works on unmanaged ones as well.
///
/// Two of them are equal when they are the same property of the same object, or the same query on the same objects, in the same
/// store, and of the same version where one is frozen. Each access makes a new instance: compare with `==`, not with `===`.
public protocol ObjectCollection<Element>: RandomAccessCollection, ThreadConfined, Hashable, _ObjectSequence
where Index == Int, Element: CollectionValue {
    /// Whether the collection was managed and its owner is no longer there.
    var isInvalidated: Bool { get }
    /// Where an element stands first.
    func index(of element: Element) -> Int?
    /// Calls `block` at once with the collection as it is, and after each commit that changes what is in it, or one
    /// of the objects (or what that links to, up to four links away). Ends when the token is dropped.
    func observe(
        isolation: isolated (any Actor)?, _ block: @escaping (CollectionChange<Self>) -> Void
    ) -> NotificationToken
    /// The graph that manages it; nil for an unmanaged one.
    var _$graph: Graph? { get }
    /// What results on its objects start from; nil where it is unmanaged.
    var _$origin: _CollectionOrigin? { get }
}

extension ObjectCollection {
    /// The graph that manages the collection; nil for an unmanaged one.
    public var graph: Graph? { _$graph }

    /// The same on the isolation that asks, which need not be named.
    public func observe(
        isolation: isolated (any Actor)? = #isolation, _ block: @escaping (CollectionChange<Self>) -> Void
    ) -> NotificationToken {
        // What the collection itself has: this adds the default only.
        observe(isolation: isolation, block)
    }
}

extension LiveCollection {
    public final var _$graph: Graph? { graph }
}

/// What results on the objects of a collection start from.
public struct _CollectionOrigin {
    let source: ResultsSource
}

extension LiveCollection {
    final func origin<Element: CollectionValue>(_ type: Element.Type) -> _CollectionOrigin? {
        guard let handle, let target = Element._$elementType.target else { return nil }
        let query = BanyanCore.Query(target._$model.name)
        return _CollectionOrigin(source: ResultsSource(handle.graph, target, query, among: ResultsScope(handle)))
    }
}

extension List: ObjectCollection {
    public var _$origin: _CollectionOrigin? { origin(Element.self) }
}

extension MutableSet: ObjectCollection {
    public var _$origin: _CollectionOrigin? { origin(Element.self) }
}

extension LinkingObjects: ObjectCollection {
    public var _$origin: _CollectionOrigin? { origin(Element.self) }
}

extension Results: ObjectCollection {
    public var isInvalidated: Bool { source.scope.map { graph.workspace.locate($0.owner) == nil } ?? false }
    public var _$graph: Graph? { source.graph }
    public var _$origin: _CollectionOrigin? { _CollectionOrigin(source: source) }

    /// Where an object stands. O(n).
    public func index(of element: Element) -> Int? {
        guard let id = element.objectID, element._graph?.lineage === graph.lineage,
            let member = source.span.member(id.ref), graph.workspace.locate(id) != nil
        else { return nil }
        return source.slots().firstIndex(of: member)
    }

    /// Whether an object is among them. O(n).
    public func contains(_ element: Element) -> Bool { index(of: element) != nil }
}

extension ObjectCollection {
    /// The first index of an element that satisfies a condition. O(n).
    public func index(matching predicate: (Element) throws -> Bool) rethrows -> Int? {
        try firstIndex(where: predicate)
    }
}

// MARK: - Results on the objects

extension ObjectCollection where Element: ObjectBase {
    /// The objects of the collection as results: live, in its order, each as often as it is there.
    var results: Results<Element> {
        guard let origin = _$origin else {
            fatalError(
                "an unmanaged collection of \(Element.self) was queried: add its owner to a graph, or use a closure of Swift"
            )
        }
        return Results(origin.source)
    }

    /// Those that satisfy a condition, live. Managed collections only.
    public func `where`(_ condition: (Query<Element>) -> Query<Bool>) -> Results<Element> { results.where(condition) }

    /// Those that satisfy a condition in the string language, live: see ``Results/filter(_:_:)``. Managed collections only.
    ///
    /// - Throws: `invalidQuery`, naming the column of the text.
    public func filter(_ condition: String, _ arguments: Any?...) throws(BanyanError) -> Results<Element> {
        try results.filter(condition, arguments: arguments)
    }

    /// The same with the arguments in an array.
    public func filter(_ condition: String, arguments: [Any?]) throws(BanyanError) -> Results<Element> {
        try results.filter(condition, arguments: arguments)
    }

    /// The same with arguments by name, for `$name` in the text.
    public func filter(_ condition: String, arguments: [String: Any?]) throws(BanyanError) -> Results<Element> {
        try results.filter(condition, arguments: arguments)
    }

    /// The objects in the order of a property, live. Managed collections only.
    public func sorted<Value>(by keyPath: KeyPath<Element, Value>, ascending: Bool = true) -> Results<Element> {
        results.sorted(by: keyPath, ascending: ascending)
    }

    /// The objects in the order of what a closure says of each, live: `sorted { $0.dogs.count }`. Managed collections only.
    public func sorted<Value>(
        ascending: Bool = true, by value: (Query<Element>) -> Query<Value>
    ) -> Results<Element> {
        results.sorted(ascending: ascending, by: value)
    }

    /// The objects in order, live: the first descriptor decides, the next among equals. Managed collections only.
    ///
    /// - Throws: nothing where all of them are key paths; `invalidQuery` where a text names what is not there, or has no order.
    public func sorted<S: Sequence, Failure>(by descriptors: S) throws(Failure) -> Results<Element>
    where S.Element == SortDescriptor<Failure> {
        try results.sorted(by: descriptors)
    }

    /// The objects in the order of a property, by its name and those on the way to it. Managed collections only.
    ///
    /// - Throws: `invalidQuery` for what is not there, or has no order.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true) throws(BanyanError) -> Results<Element> {
        try results.sorted(byKeyPath: keyPath, ascending: ascending)
    }

    /// Of objects that have the same values in all of these properties the first, live. Managed collections only.
    public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element>
    where S.Element == PartialKeyPath<Element> {
        results.distinct(by: keyPaths)
    }

    /// The same by names.
    ///
    /// - Throws: `invalidQuery` for what is not there.
    public func distinct<S: Sequence>(by keyPaths: S) throws(BanyanError) -> Results<Element>
    where S.Element == String {
        try results.distinct(by: keyPaths)
    }
}

// MARK: - In bulk

extension ObjectCollection where Element: ObjectBase {
    /// The value of a property of every object, in order. O(n).
    public func values<Value>(of property: KeyPath<Element, Value>) -> [Value] { map { $0[keyPath: property] } }

    /// Sets a property of every object, inside a write. Results that the change takes objects out of are gone through to the
    /// end. O(n).
    public func setValue<Value>(_ value: Value, for property: ReferenceWritableKeyPath<Element, Value>) {
        for object in Array(self) { object[keyPath: property] = value }
    }

    /// The objects at these positions.
    public func objects<S: Sequence>(at indexes: S) -> [Element] where S.Element == Int { indexes.map { self[$0] } }
}

extension ObjectCollection where Element: Hashable {
    /// The elements, each once, in the order of its first place. Texts are told apart by their bytes, as in sets. O(n)
    /// expected.
    public func distinct() -> [Element] {
        var references: Set<Element> = []
        var scalars: Set<ComparedByCell<Element>> = []
        return filter {
            if Element.isLink || ($0 as? AnyValue)?.isReference ?? false { return references.insert($0).inserted }
            return scalars.insert(ComparedByCell($0)).inserted
        }
    }
}

// MARK: - Maps of objects

extension Map {
    /// The objects among the values as results: live, in the order of their keys. Managed maps only.
    func results<Object: ObjectBase>() -> Results<Object> where Value == Object? {
        guard let origin = origin(Value.self) else {
            fatalError(
                "an unmanaged map of \(Object.self) was queried: add its owner to a graph, or use a closure of Swift")
        }
        return Results(origin.source)
    }

    /// The objects among the values that satisfy a condition, live. Managed maps only.
    public func `where`<Object: ObjectBase>(_ condition: (Query<Object>) -> Query<Bool>) -> Results<Object>
    where Value == Object? {
        results().where(condition)
    }

    /// The objects among the values that satisfy a condition in the string language, live: see ``Results/filter(_:_:)``. Managed
    /// maps only.
    ///
    /// - Throws: `invalidQuery`, naming the column of the text.
    public func filter<Object: ObjectBase>(
        _ condition: String, _ arguments: Any?...
    ) throws(BanyanError) -> Results<Object> where Value == Object? {
        try results().filter(condition, arguments: arguments)
    }

    /// The same with the arguments in an array.
    public func filter<Object: ObjectBase>(
        _ condition: String, arguments: [Any?]
    ) throws(BanyanError) -> Results<Object> where Value == Object? {
        try results().filter(condition, arguments: arguments)
    }

    /// The same with arguments by name, for `$name` in the text.
    public func filter<Object: ObjectBase>(
        _ condition: String, arguments: [String: Any?]
    ) throws(BanyanError) -> Results<Object> where Value == Object? {
        try results().filter(condition, arguments: arguments)
    }

    /// The objects among the values in the order of a property, live. Managed maps only.
    public func sorted<Object: ObjectBase, Property>(
        by keyPath: KeyPath<Object, Property>, ascending: Bool = true
    ) -> Results<Object> where Value == Object? {
        results().sorted(by: keyPath, ascending: ascending)
    }
}

extension Map {
    /// The sum of the values; 0 when there are none. O(n).
    public func sum() -> Value.Sum where Value: SummableValue { Value._$sum(values) }
    /// The mean of the values; nil when there are none. O(n).
    public func average() -> Value.Average? where Value: SummableValue { Value._$average(values) }
    /// The least value; nil when there is none. O(n).
    public func min() -> Value? where Value: Comparable { values.min() }
    /// The greatest value; nil when there is none. O(n).
    public func max() -> Value? where Value: Comparable { values.max() }

    /// The same of the values that are not nil.
    public func sum<Number: SummableValue>() -> Number.Sum where Value == Number? {
        Number._$sum(values.compactMap { $0 })
    }
    public func average<Number: SummableValue>() -> Number.Average? where Value == Number? {
        Number._$average(values.compactMap { $0 })
    }
    public func min<Number: Comparable>() -> Number? where Value == Number? { values.compactMap { $0 }.min() }
    public func max<Number: Comparable>() -> Number? where Value == Number? { values.compactMap { $0 }.max() }
}
