import BanyanCore

/// A to-many property whose order counts and in which a value may occur more than once.
///
/// ```swift
/// @Model class Person: Object {
///     @Persisted var dogs: List<Dog>
/// }
/// ```
/// The list of an unmanaged object, and one made by itself, is an ordinary list in memory. The list of a managed object is
/// live, and can be changed inside a write only: outside one, changing it traps.
///
/// An index that is not there traps, as with an array; inside a write it fails the transaction instead. Iteration goes through
/// what was there when it began, whatever is changed meanwhile; objects that were deleted meanwhile are left out.
///
/// In a managed list reading, inserting, removing and moving by index are O(log n), wherever that is; a range operation is one
/// operation.
public final class List<Element: CollectionValue>: LiveCollection {
    /// The contents while nobody manages them.
    @exclusivity(unchecked) var elements: [Element] = []

    /// An empty list.
    public override init() { super.init() }

    init(_ handle: CollectionHandle) { super.init(handle) }

    /// A list with the elements of a sequence.
    public init<S: Sequence>(_ elements: S) where S.Element == Element {
        self.elements = Array(elements)
        super.init()
    }

    deinit {
        if handle == nil, !elements.isEmpty, Element.mayHoldOthers { releaseContents() }
    }

    override func takeContents(into release: inout UnmanagedRelease) {
        for element in exchange(&elements, with: []) { release.add(element) }
    }

    /// The list at this version for good. That of an unmanaged object cannot be frozen: it traps.
    public func freeze() -> List { isFrozen ? self : versioned.frozen { List($0) } }

    /// The live list, for the isolation that asks, in a graph of its own; the same when it is live or unmanaged. Nil when the
    /// owner is deleted, or the store is gone.
    public func thaw() -> List? {
        guard isFrozen else { return isInvalidated ? nil : self }
        return handle.flatMap { $0.thawed { List($0) } }
    }
}

extension List: _PersistedProperty {
    public static var _$propertyType: _PropertyType {
        var type = Element._$elementType
        type.shape = .list
        type.implicitDefault = nil
        type.collection = { object, column in _$get(object, column) }
        return type
    }

    public static func _$get(_ object: ObjectBase, _ column: Int) -> List {
        guard let context = object._owner else { return object.unmanagedCollection(column) { List() } }
        return List(CollectionHandle(context, object, column))
    }

    /// Copies the contents of `value`.
    public static func _$set(_ object: ObjectBase, _ column: Int, _ value: List) {
        let own = _$get(object, column)
        if own != value { own.replaceAll(with: value) }
    }
}

extension List: _OwnedCollection {
    var _$contents: UntypedContents { .list(map(\._$untyped)) }

    func _$fill(_ contents: UntypedContents) -> Int? {
        let (elements, misfit) = contents.elements(Element.self)
        if misfit == nil { replaceAll(with: elements) }
        return misfit
    }

    func _$adopt(_ graph: Graph, _ id: ObjectID, _ column: Int, isUpdate: Bool) throws(BanyanError) {
        let contents = elements
        attach(CollectionHandle(graph, id, column))
        elements = []
        if isUpdate, let adder = graph.context.adder, adder.mayUpdateInPlace(contents) {
            updateEmbedded(contents, adder)
        } else if isUpdate || !contents.isEmpty {
            replaceAll(with: contents)
        }
        if let fault = graph.workspace.transaction?.fault { throw fault }
    }
}

extension List: ExpressibleByArrayLiteral {
    public convenience init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension List: Encodable where Element: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self { try container.encode(element) }
    }
}

extension List: Decodable where Element: Decodable {
    public convenience init(from decoder: any Decoder) throws { self.init(try [Element](from: decoder)) }
}
