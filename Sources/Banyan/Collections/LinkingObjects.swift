import BanyanCore

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
    /// What reading by position needs to know of objects that link here more than once.
    private struct Positions {
        var word: UInt64
        var stamp: UInt64
        var total: Int
        /// Nil where each links here once; else the end of each one's run of positions.
        var ends: [Int]?
    }
    @exclusivity(unchecked) private var positions: Positions?

    /// The inverse of an unmanaged object: empty.
    public init() { super.init() }

    init(_ handle: CollectionHandle) { super.init(handle) }

    static var layout: ElementLayout { ElementLayout(kind: .object, isOptional: false) }

    /// The objects at this version for good.
    public func freeze() -> LinkingObjects { handle.map { LinkingObjects($0.frozen()) } ?? self }

    // MARK: - Reading

    private func counts() -> SlotCounts { SlotCounts(word: handle?.word() ?? 0) }

    /// The table the links come from.
    private static func sourceTable(_ handle: CollectionHandle) -> Int {
        handle.graph.binder(Int(handle.owner.table)).layout.columns[handle.column].otherTable
    }

    /// Outside a write, and inside one that has not changed the links, a second look at the same instance is O(1); else
    /// O(objects).
    private func currentPositions(_ counts: SlotCounts) -> Positions {
        guard let handle else { return Positions(word: 0, stamp: 0, total: 0) }
        let workspace = handle.graph.workspace
        let stamp = workspace.stamp
        if let positions, positions.word == counts.word, positions.stamp == stamp, counts.isSettled(workspace) {
            return positions
        }
        var positions = Positions(word: counts.word, stamp: stamp, total: counts.total)
        if positions.total != counts.count {
            var ends: [Int] = []
            ends.reserveCapacity(counts.count)
            counts.forEach { _, times in
                ends.append((ends.last ?? 0) + times)
                return true
            }
            positions.ends = ends
        }
        self.positions = positions
        return positions
    }

    /// Whether an object links here. O(log n).
    public func contains(_ element: Element) -> Bool { times(element) > 0 }

    /// How often an object links here. O(log n).
    public func times(_ element: Element) -> Int {
        guard let handle, element._graph?.lineage === handle.graph.lineage,
            Int(element._id.table) == Self.sourceTable(handle), handle.graph.workspace.locate(element._id) != nil
        else { return 0 }
        return counts().times(Int(element._id.slot))
    }

    /// The first position of an object. O(n).
    public func index(of element: Element) -> Int? {
        guard contains(element) else { return nil }
        let slot = Int(element._id.slot)
        var position = 0
        counts().forEach { other, times in
            if other == slot { return false }
            position += times
            return true
        }
        return position
    }

    public func firstIndex(of element: Element) -> Int? { index(of: element) }
}

extension LinkingObjects: RandomAccessCollection {
    public typealias Index = Int
    public typealias Indices = Range<Int>

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    /// Links, not objects. O(objects) for the first time an instance is asked, O(1) as long as nothing changes.
    public var count: Int { currentPositions(counts()).total }

    /// O(1).
    public var isEmpty: Bool { counts().isEmpty }

    /// The object at a position. O(log n) once `count` has been asked for.
    public subscript(position: Int) -> Element {
        let counts = counts()
        let positions = currentPositions(counts)
        guard let handle else { preconditionFailure("index \(position) is out of bounds: the collection is empty") }
        guard position >= 0, position < positions.total else {
            handle.reportOutOfBounds(position, count: positions.total)
            return handle.graph.missing(Element.self)
        }
        let rank = positions.ends.map { Self.firstEnd(in: $0, after: position) } ?? position
        return handle.graph.instance(
            Element.self, ObjectRef(table: Self.sourceTable(handle), slot: counts.slot(at: rank)))
    }

    private static func firstEnd(in ends: [Int], after position: Int) -> Int {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] <= position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// O(log n).
    public var first: Element? {
        let counts = counts()
        guard let handle, !counts.isEmpty else { return nil }
        return handle.graph.instance(Element.self, ObjectRef(table: Self.sourceTable(handle), slot: counts.slot(at: 0)))
    }

    /// O(log n).
    public var last: Element? {
        let counts = counts()
        guard let handle, !counts.isEmpty else { return nil }
        return handle.graph.instance(
            Element.self, ObjectRef(table: Self.sourceTable(handle), slot: counts.slot(at: counts.count - 1)))
    }

    public func makeIterator() -> Iterator { Iterator(handle, counts()) }

    /// Goes through the objects that linked here when the iteration began.
    public struct Iterator: IteratorProtocol {
        private let graph: Graph?
        private var sources: [(id: ObjectID, times: Int)] = []
        private var next_ = 0
        private var given = 0

        fileprivate init(_ handle: CollectionHandle?, _ counts: SlotCounts) {
            graph = handle?.graph
            guard let handle, !counts.isEmpty else { return }
            let table = LinkingObjects.sourceTable(handle)
            let view = handle.graph.workspace.view
            sources.reserveCapacity(counts.count)
            counts.forEach { slot, times in
                sources.append((view.id(ObjectRef(table: table, slot: slot)), times))
                return true
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
        return !transaction.memory.isOwned(node)
    }
}

extension LinkingObjects: _PersistedProperty {
    public static var _$propertyType: _PropertyType {
        var type = Element._$elementType
        type.shape = .inverse
        return type
    }

    public static func _$get(_ object: ObjectBase, _ column: Int) -> LinkingObjects {
        guard let graph = object._graph else { return LinkingObjects() }
        if let probe = graph.probe {
            probe.note(object, column)
            return LinkingObjects(CollectionHandle(graph, object, column, layout))
        }
        let storage = graph.binder(Int(object._id.table)).layout.columns[column].otherColumn
        return LinkingObjects(CollectionHandle(graph, object._id, column, layout, storage: storage))
    }

    public static func _$set(_ object: ObjectBase, _ column: Int, _ value: LinkingObjects) {
        preconditionFailure("an inverse cannot be set: change the property whose inverse it is")
    }
}

extension LinkingObjects: CustomStringConvertible {
    /// As an array prints, up to a hundred objects.
    public var description: String { describe(self, count: count) { String(reflecting: $0) } }
}

extension LinkingObjects: Encodable where Element: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self { try container.encode(element) }
    }
}
