import BanyanCore

/// A list, a set, an inverse or results, whichever it is: live as what it was made of.
public struct AnyObjectCollection<Element: CollectionValue> {
    /// What it was made of.
    public let base: any ObjectCollection<Element>

    public init<Base: ObjectCollection>(_ base: Base) where Base.Element == Element {
        self.base = (base as? AnyObjectCollection)?.base ?? base
    }
}

extension AnyObjectCollection: ObjectCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { base.count }
    public var count: Int { base.count }
    public var isEmpty: Bool { base.isEmpty }
    public var first: Element? { base.first }
    public var last: Element? { base.last }
    public subscript(position: Int) -> Element { base[position] }

    public func makeIterator() -> AnyIterator<Element> { Self.iterator(base) }
    private static func iterator<Base: ObjectCollection>(_ base: Base) -> AnyIterator<Element>
    where Base.Element == Element {
        AnyIterator(base.makeIterator())
    }

    public func index(of element: Element) -> Int? { base.index(of: element) }
    public var isInvalidated: Bool { base.isInvalidated }
    public var isFrozen: Bool { base.isFrozen }
    public func freeze() -> AnyObjectCollection { Self.frozen(base) }
    public func thaw() -> AnyObjectCollection? { Self.thawed(base) }

    private static func frozen<Base: ObjectCollection>(_ base: Base) -> AnyObjectCollection
    where Base.Element == Element {
        AnyObjectCollection(base.freeze())
    }
    private static func thawed<Base: ObjectCollection>(_ base: Base) -> AnyObjectCollection?
    where Base.Element == Element {
        base.thaw().map { AnyObjectCollection($0) }
    }

    /// Calls `block` at once with the collection as it is, and after each commit that changes what is in it, as what
    /// it was made of would. Ends when the token is dropped.
    public func observe(
        isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping (CollectionChange<AnyObjectCollection>) -> Void
    ) -> NotificationToken {
        Self.observe(base, isolation: isolation, block)
    }

    private static func observe<Base: ObjectCollection>(
        _ base: Base, isolation: isolated (any Actor)?,
        _ block: @escaping (CollectionChange<AnyObjectCollection>) -> Void
    ) -> NotificationToken where Base.Element == Element {
        base.observe(isolation: isolation) { change in block(change.of { AnyObjectCollection($0) }) }
    }

    public var _$graph: Graph? { base._$graph }
    public var _$origin: _CollectionOrigin? { base._$origin }
    public var _$handOver: _HandOver? { base._$handOver }

    public static func _$resolve(_ handOver: _HandOver, in graph: Graph) -> AnyObjectCollection? {
        switch handOver.target {
        case .collection(let owner, let column):
            switch graph.binder(Int(owner.table)).model.properties[column].type.shape {
            case .list: return List<Element>._$resolve(handOver, in: graph).map { AnyObjectCollection($0) }
            case .set: return MutableSet<Element>._$resolve(handOver, in: graph).map { AnyObjectCollection($0) }
            case .inverse, .single, .map: break
            }
        case .graph, .object, .results: break
        }
        return (Element.self as? ObjectBase.Type)?.erased(handOver, in: graph) as? AnyObjectCollection
    }
}

extension ObjectBase {
    /// An inverse of objects of this class, or results, as an erased collection.
    fileprivate static func erased(_ handOver: _HandOver, in graph: Graph) -> Any? {
        switch handOver.target {
        case .collection: LinkingObjects<Self>._$resolve(handOver, in: graph).map { AnyObjectCollection<Self>($0) }
        case .results: Results<Self>._$resolve(handOver, in: graph).map { AnyObjectCollection<Self>($0) }
        case .graph, .object: nil
        }
    }
}

extension AnyObjectCollection: Hashable {
    /// Whether what they were made of is equal.
    public static func == (a: AnyObjectCollection, b: AnyObjectCollection) -> Bool {
        AnyHashable(a.base) == AnyHashable(b.base)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(base) }
}

extension AnyObjectCollection: CustomStringConvertible {
    /// As an array prints: up to a hundred values, or ten objects.
    public var description: String { describe(self, count: count) }
}
