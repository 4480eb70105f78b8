public import BanyanCore

/// The objects that link to an object through one of their properties: an inverse, kept by the graph.
///
/// ```swift
/// @Model class Dog: Object {
///     @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
/// }
/// ```
/// It is live and read-only: it changes in the same transaction as the links, and is empty while the object is unmanaged. An
/// object that links here twice, say from two places of one list, is here twice. The order is unspecified, but stable between
/// changes. Iteration goes through what was there when it began; objects that were deleted meanwhile are left out.
public final class LinkingObjects<Element: ObjectBase>: LiveCollection {
    /// Where each object's run of positions ends, as long as the links stay as they are. Asked for only where some object
    /// links here more than once.
    @usableFromInline
    struct Ends {
        var word: UInt64
        var stamp: UInt64
        var ends: [Int]
    }
    @exclusivity(unchecked) @usableFromInline var ends: Optional<Ends>

    /// The inverse of an unmanaged object: empty.
    public override init() {
        ends = nil
        super.init()
    }

    @inlinable
    override init(_ handle: CollectionHandle?) {
        ends = nil
        super.init(handle)
    }

    /// The objects at this version for good. Those of an unmanaged object cannot be frozen: it traps.
    public func freeze() -> LinkingObjects { isFrozen ? self : versioned.frozen { LinkingObjects($0) } }

    /// The live objects, for the isolation that asks, in a graph of its own; the same when it is live or unmanaged. Nil when the
    /// owner is deleted, or the store is gone.
    public func thaw() -> LinkingObjects? {
        guard isFrozen else { return isInvalidated ? nil : self }
        return handle.flatMap { $0.thawed { LinkingObjects($0) } }
    }

    // MARK: - Reading

    @inlinable
    @inline(__always)
    func counts() -> SlotCounts { SlotCounts(word: handle?.word() ?? 0) }

    /// Whether links come from objects of several types: the one that declares them, and those that inherit from it.
    @inlinable var isPolymorphic: Bool {
        @inline(__always) get { !Element._$isFinal && (handle?.plan.pointee.isPolymorphic ?? false) }
    }

    /// Who links here, by table: the type that declares the links first, then those that inherit from it.
    private func sources() -> [(table: Int, counts: SlotCounts)] {
        guard let handle else { return [] }
        let own = (handle.plan.pointee.otherTable, counts())
        return isPolymorphic ? [own] + Self.moreSources(handle) : [own]
    }

    private static func moreSources(_ handle: CollectionHandle) -> [(table: Int, counts: SlotCounts)] {
        guard let page = Standing.locate(handle.standing, handle.owner) else { return [] }
        let slot = Int(handle.owner.slot) & Page.slotMask
        return handle.plan.pointee.moreEnds.map { ($0.table, SlotCounts(word: $0.place.root(page, slot))) }
    }

    // These take the handle, not the collection, so that a collection that is only looked at need not be allocated.

    /// Links from objects of types that inherit from the one that declares them.
    @usableFromInline
    static func countOfMore(_ handle: CollectionHandle?) -> Int {
        handle.map { moreSources($0).reduce(0) { $0 + $1.counts.total } } ?? 0
    }

    /// The first object of such a type.
    @usableFromInline
    static func firstOfMore(_ handle: CollectionHandle) -> Element? {
        moreSources(handle).first { !$0.counts.isEmpty }.map {
            object(ObjectRef(table: $0.table, slot: $0.counts.slot(at: 0)), handle)
        }
    }

    /// The object that links from a slot of the table of the type that declares the links.
    @inlinable
    @inline(__always)
    static func object(_ slot: Int, _ handle: CollectionHandle) -> Element {
        let ref = ObjectRef(table: handle.plan.pointee.otherTable, slot: slot)
        return handle.context._withUnsafeGuaranteedRef { Element(_$binding: _ObjectBinding($0, ref)) }
    }

    /// The object of any of the types.
    static func object(_ ref: ObjectRef, _ handle: CollectionHandle) -> Element {
        handle.context._withUnsafeGuaranteedRef { Element._$handle(_ObjectBinding($0, ref), $0) }
    }

    /// The rank of the object at a position. O(1) where each links here once; else O(log n), after O(objects) for the first
    /// time an instance is asked outside a write, or inside one that has not changed the links.
    private func rank(of position: Int, _ counts: SlotCounts, _ handle: CollectionHandle) -> Int {
        if counts.total == counts.count { return position }
        let workspace = handle.graph.workspace
        if let ends, ends.word == counts.word, ends.stamp == workspace.stamp, counts.isSettled(workspace) {
            return Self.firstEnd(in: ends.ends, after: position)
        }
        var sums: [Int] = []
        sums.reserveCapacity(counts.count)
        counts.forEach { _, times in
            sums.append((sums.last ?? 0) + times)
            return true
        }
        ends = Ends(word: counts.word, stamp: workspace.stamp, ends: sums)
        return Self.firstEnd(in: sums, after: position)
    }

    private static func firstEnd(in ends: [Int], after position: Int) -> Int {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] <= position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether an object links here. O(log n).
    public func contains(_ element: Element) -> Bool { times(element) > 0 }

    /// How often an object links here. O(log n).
    public func times(_ element: Element) -> Int {
        guard let handle, element._graph?.lineage === handle.graph.lineage,
            Standing.locate(handle.standing, element._id) != nil
        else { return 0 }
        let source = sources().first { $0.table == Int(element._id.table) }
        return source?.counts.times(Int(element._id.slot)) ?? 0
    }

    /// The first position of an object. O(n).
    public func index(of element: Element) -> Int? {
        guard contains(element) else { return nil }
        let slot = Int(element._id.slot)
        var position = 0
        for (table, counts) in sources() {
            guard table == Int(element._id.table) else {
                position += counts.total
                continue
            }
            counts.forEach { other, times in
                if other == slot { return false }
                position += times
                return true
            }
            return position
        }
        return nil
    }

    public func firstIndex(of element: Element) -> Int? { index(of: element) }
}

extension LinkingObjects: RandomAccessCollection {
    public typealias Index = Int
    public typealias Indices = Range<Int>

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    /// Links, not objects. O(1).
    @inlinable public var count: Int {
        @inline(__always)
        get {
            let counts = counts()
            // One end of its life on every way, which the compiler then needs no call for.
            return withExtendedLifetime(self) {
                isPolymorphic ? counts.total &+ Self.countOfMore(handle) : counts.total
            }
        }
    }

    /// O(1).
    public var isEmpty: Bool { counts().isEmpty && (!isPolymorphic || Self.countOfMore(handle) == 0) }

    /// The object at a position. O(log n), once where objects link here more than once a position has been asked for.
    public subscript(position: Int) -> Element {
        guard let handle else { trapOutOfBounds(position, count: 0) }
        var left = position
        for (table, counts) in sources() where left >= 0 {
            if left < counts.total {
                let slot = counts.slot(at: rank(of: left, counts, handle))
                return Self.object(ObjectRef(table: table, slot: slot), handle)
            }
            left -= counts.total
        }
        handle.reportOutOfBounds(position, count: count)
        return handle.graph.missing(Element.self)
    }

    /// O(log n).
    @inlinable public var first: Element? {
        @inline(__always)
        get {
            let counts = counts()
            return withExtendedLifetime(self) {
                guard let handle else { return nil }
                if counts.isEmpty { return isPolymorphic ? Self.firstOfMore(handle) : nil }
                return Self.object(counts.slot(at: 0), handle)
            }
        }
    }

    /// O(log n).
    public var last: Element? {
        guard let handle, let (table, counts) = sources().last(where: { !$0.counts.isEmpty }) else { return nil }
        return Self.object(ObjectRef(table: table, slot: counts.slot(at: counts.count - 1)), handle)
    }

    public func makeIterator() -> Iterator { Iterator(handle, sources()) }

    /// Goes through the objects that linked here when the iteration began.
    public struct Iterator: IteratorProtocol {
        private let graph: Graph?
        private var sources: [(id: ObjectID, times: Int)] = []
        private var next_ = 0
        private var given = 0

        fileprivate init(_ handle: CollectionHandle?, _ counted: [(table: Int, counts: SlotCounts)]) {
            graph = handle?.graph
            guard let view = graph?.workspace.view else { return }
            for (table, counts) in counted where !counts.isEmpty {
                sources.reserveCapacity(sources.count + counts.count)
                counts.forEach { slot, times in
                    sources.append((view.id(ObjectRef(table: table, slot: slot)), times))
                    return true
                }
            }
        }

        public mutating func next() -> Element? {
            guard let graph else { return nil }
            while next_ < sources.count {
                let (id, times) = sources[next_]
                if given < times, let page = graph.workspace.locate(id) {
                    given += 1
                    return graph.instance(Element.self, id, page)
                }
                next_ += 1
                given = 0
            }
            return nil
        }
    }
}

extension SlotCounts {
    /// Whether what the word stands for cannot change while the word stays.
    fileprivate func isSettled(_ workspace: Workspace) -> Bool {
        guard let transaction = workspace.transaction, let node else { return true }
        return !transaction.memory.isMade(node)
    }
}

extension LinkingObjects: _PersistedProperty {
    public static var _$propertyType: _PropertyType {
        var type = Element._$elementType
        type.shape = .inverse
        return type
    }

    @inlinable
    @inline(__always)
    public static func _$get(_ object: ObjectBase, _ column: Int) -> LinkingObjects {
        if object._standing.pointee.stamp != object._stamp { object._$refresh() }
        // One place makes it, so that it goes on the stack where it does not leave the function.
        return LinkingObjects(handle(of: object, column))
    }

    @inlinable
    @inline(__always)
    static func handle(of object: ObjectBase, _ column: Int) -> CollectionHandle? {
        object._owner.map { CollectionHandle($0, object, column) }
    }

    public static func _$set(_ object: ObjectBase, _ column: Int, _ value: LinkingObjects) {
        fatalError("an inverse cannot be set: change the property whose inverse it is")
    }
}

extension LinkingObjects: CustomStringConvertible {
    /// As an array prints, up to ten objects.
    public var description: String { describe(self, count: count) }
}

extension LinkingObjects: Encodable where Element: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self { try container.encode(element) }
    }
}
