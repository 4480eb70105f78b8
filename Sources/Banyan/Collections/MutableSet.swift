import BanyanCore

/// A to-many property that holds each value, or each object, once.
///
/// ```swift
/// @Model class Article: Object {
///     @Persisted var tags: MutableSet<String>
/// }
/// ```
/// The set of an unmanaged object, and one made by itself, is an ordinary set in memory. The set of a managed object is live,
/// and can be changed inside a write only: outside one, changing it traps.
///
/// Texts are told apart by their bytes, and NaN is equal to itself. Scalars come in ascending order, the objects of a managed
/// set in an order of its own; either is stable between changes. Iteration goes through what was there when it began,
/// whatever is changed meanwhile; objects that were deleted meanwhile are left out.
///
/// In a managed set looking up, inserting, removing and reading by index are O(log n).
public final class MutableSet<Element: CollectionValue>: LiveCollection {
    /// The contents while nobody manages them.
    @exclusivity(unchecked) var contents = UnmanagedSet<Element>()

    /// An empty set.
    public override init() { super.init() }

    init(_ handle: CollectionHandle) { super.init(handle) }

    /// A set with the elements of a sequence.
    public init<S: Sequence>(_ elements: S) where S.Element == Element {
        super.init()
        for element in elements { _ = contents.insert(element) }
    }

    deinit {
        if handle == nil, contents.count > 0, Element.mayHoldOthers { releaseContents() }
    }

    override func takeContents(into release: inout UnmanagedRelease) {
        exchange(&contents, with: UnmanagedSet()).forEachReference { release.add($0) }
    }

    /// The set at this version for good. That of an unmanaged object cannot be frozen: it traps.
    public func freeze() -> MutableSet { isFrozen ? self : versioned.frozen { MutableSet($0) } }

    /// The live set, for the isolation that asks, in a graph of its own; the same when it is live or unmanaged. Nil when the
    /// owner is deleted, or the store is gone.
    public func thaw() -> MutableSet? {
        guard isFrozen else { return isInvalidated ? nil : self }
        return handle.flatMap { $0.thawed { MutableSet($0) } }
    }

    // MARK: - Elements

    /// Whether the value, or the object, is in the set.
    public func contains(_ element: Element) -> Bool {
        guard let graph = handle?.graph else { return contents.contains(element) }
        return element._$withLookupCell(in: graph) { cell in
            cell.flatMap { handle?.sortedRank(of: $0).isMatch } ?? false
        }
    }

    /// Where a value, or an object, stands in the order of the set. O(log n) in a managed set, else O(n).
    public func index(of element: Element) -> Int? {
        guard let graph = handle?.graph else { return contents.elements().firstIndex { Element.isSame($0, element) } }
        return element._$withLookupCell(in: graph) { cell in
            guard let cell, let place = handle?.sortedRank(of: cell), place.isMatch else { return nil }
            return place.rank
        }
    }

    public func firstIndex(of element: Element) -> Int? { index(of: element) }

    /// Adds an element; an unmanaged object is added to the set's graph. Returns whether it was new.
    @discardableResult
    public func insert(_ element: Element) -> Bool {
        guard let handle else { return contents.insert(element) }
        let transaction = handle.transaction
        guard let cell = handle.cell(of: element) else { return false }
        return transaction.setInsert(handle.owner, handle.column, cell)
    }

    /// Adds the elements of a sequence.
    public func insert<S: Sequence>(objectsIn elements: S) where S.Element == Element { formUnion(elements) }

    /// Removes an element. Returns whether it was there.
    @discardableResult
    public func remove(_ element: Element) -> Bool {
        guard let handle else { return contents.remove(element) }
        let transaction = handle.transaction
        return element._$withLookupCell(in: handle.graph) { cell in
            cell.map { transaction.setRemove(handle.owner, handle.column, $0) } ?? false
        }
    }

    /// Removes the elements that satisfy a condition. O(n).
    public func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
        for element in try filter(shouldBeRemoved) { remove(element) }
    }

    public func removeAll() {
        guard let handle else {
            contents = UnmanagedSet()
            return
        }
        handle.transaction.removeAll(handle.owner, handle.column)
    }

    /// Makes the set hold the elements of a sequence; those that stay are not a change.
    public func replaceAll<S: Sequence>(with newElements: S) where S.Element == Element {
        let values = Array(newElements)
        guard Element.isLink, handle != nil else {
            formIntersection(values)
            formUnion(values)
            return
        }
        // Objects are added first: only then is it known which of them are in the set already.
        guard let transaction = handle?.transaction, let cells = handle?.cells(values) else { return }
        handle?.replaceObjects(with: cells, transaction)
    }
}

extension CollectionHandle {
    fileprivate mutating func replaceObjects(with cells: [Cell], _ transaction: Transaction) {
        let wanted = Set(cells.map(\.low))
        for cell in values(0..<count()) where !wanted.contains(cell.low) { transaction.setRemove(owner, column, cell) }
        for cell in cells { transaction.setInsert(owner, column, cell) }
    }
}

extension MutableSet: RandomAccessCollection {
    public typealias Index = Int
    public typealias Indices = Range<Int>

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    /// O(1).
    public var count: Int { handle?.count() ?? contents.count }
    public var isEmpty: Bool { count == 0 }

    public subscript(position: Int) -> Element {
        guard let cell = handle?.value(at: position), let handle else {
            if position < 0 || position >= contents.count { trapOutOfBounds(position, count: contents.count) }
            return contents.elements()[position]
        }
        return handle.graph.element(cell, of: handle.owner, handle.column)
    }

    public var first: Element? { isEmpty ? nil : self[0] }
    public var last: Element? {
        let count = count
        return count == 0 ? nil : self[count - 1]
    }

    public func makeIterator() -> CollectionIterator<Element> {
        guard handle != nil else { return CollectionIterator(contents.elements()) }
        return CollectionIterator(&handle!)
    }
}

extension MutableSet: _PersistedProperty {
    public static var _$propertyType: _PropertyType {
        var type = Element._$elementType
        type.shape = .set
        type.implicitDefault = nil
        type.collection = { object, column in _$get(object, column) }
        return type
    }

    public static func _$get(_ object: ObjectBase, _ column: Int) -> MutableSet {
        guard let context = object._owner else { return object.unmanagedCollection(column) { MutableSet() } }
        return MutableSet(CollectionHandle(context, object, column))
    }

    /// Copies the contents of `value`.
    public static func _$set(_ object: ObjectBase, _ column: Int, _ value: MutableSet) {
        let own = _$get(object, column)
        if own != value { own.replaceAll(with: value) }
    }
}

extension MutableSet: _OwnedCollection {
    var _$contents: UntypedContents { .list(map(\._$untyped)) }

    func _$fill(_ contents: UntypedContents) -> Int? {
        let (elements, misfit) = contents.elements(Element.self)
        if misfit == nil { replaceAll(with: elements) }
        return misfit
    }

    func _$adopt(_ graph: Graph, _ id: ObjectID, _ column: Int, isUpdate: Bool) throws(BanyanError) {
        let values = contents.elements()
        attach(CollectionHandle(graph, id, column))
        contents = UnmanagedSet()
        if isUpdate { replaceAll(with: values) } else { formUnion(values) }
        if let fault = graph.workspace.transaction?.fault { throw fault }
    }
}

extension MutableSet: ExpressibleByArrayLiteral {
    public convenience init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension MutableSet: Encodable where Element: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self { try container.encode(element) }
    }
}

extension MutableSet: Decodable where Element: Decodable {
    public convenience init(from decoder: any Decoder) throws { self.init(try [Element](from: decoder)) }
}
