import BanyanCore

/// Goes through what a managed collection held when the cursor was made, whatever is changed meanwhile.
///
/// A tree that the open transaction has not changed never changes: the cursor walks it and holds its version. One that it has
/// changed is changed in place from then on, so its elements are copied first. An object that was deleted meanwhile is left
/// out; in a map its key comes with nil.
struct ElementCursor {
    let graph: Graph
    private let elements: ElementLayout
    /// Keeps the tree's nodes.
    private let version: Version
    private let stamp: UInt64
    private let copy: ElementCopy?
    private var tree: RankTree.Cursor
    private var position = 0

    init(_ handle: inout CollectionHandle) {
        let root = handle.root()
        graph = handle.graph
        elements = handle.elements
        version = graph.workspace.version
        stamp = graph.workspace.stamp
        if let root, let transaction = graph.workspace.transaction, transaction.memory.isOwned(root) {
            copy = ElementCopy(root, handle.tree, handle.elements, transaction.view)
            tree = handle.tree.cursor(nil)
        } else {
            copy = nil
            tree = handle.tree.cursor(root)
        }
    }

    /// The next value.
    mutating func next() -> Cell? { nextEntry()?.value }

    /// The next value with its key, which is nil unless it is a map.
    mutating func nextEntry() -> (key: Cell, value: Cell)? {
        while let (key, value, generation) = advance() {
            if value.isNull || !elements.kind.isLink || isThere(value, generation) { return (key, value) }
            if elements.key != nil { return (key, .null) }
        }
        return nil
    }

    private mutating func advance() -> (key: Cell, value: Cell, generation: UInt32?)? {
        if let copy {
            guard position < copy.values.count else { return nil }
            defer { position += 1 }
            return (
                elements.key == nil ? .null : copy.keys[position], copy.values[position],
                elements.kind.isLink ? copy.generations[position] : nil
            )
        }
        guard let element = tree.next() else { return nil }
        return (elements.key == nil ? .null : elements.loadKey(element), elements.load(element), nil)
    }

    /// Whether the object is the one it was.
    private func isThere(_ cell: Cell, _ generation: UInt32?) -> Bool {
        let workspace = graph.workspace
        if workspace.transaction == nil, workspace.stamp == stamp { return true }
        guard let ref = ObjectRef(word: cell.low) else { return true }
        let id =
            generation.map { ObjectID(table: ref.table, slot: ref.slot, generation: $0) } ?? version.view.id(ref)
        return workspace.view.contains(id)
    }
}

/// The elements of a tree that is about to be changed in place.
private final class ElementCopy {
    private(set) var keys: [Cell] = []
    private(set) var values: [Cell] = []
    /// Those of the objects linked to.
    private(set) var generations: [UInt32] = []
    private let elements: ElementLayout

    init(_ root: UnsafeRawPointer, _ tree: RankTree, _ elements: ElementLayout, _ view: GraphView) {
        self.elements = elements
        values.reserveCapacity(tree.count(root))
        var cursor = tree.cursor(root)
        while let element = cursor.next() {
            if let key = elements.key { keys.append(Self.own(elements.loadKey(element), key)) }
            let value = elements.load(element)
            values.append(Self.own(value, elements.kind))
            if elements.kind.isLink {
                generations.append(value.isNull ? 0 : ObjectRef(word: value.low).map { view.id($0).generation } ?? 0)
            }
        }
    }

    deinit {
        if elements.key?.isText == true { for key in keys { UnmanagedText.free(key) } }
        if elements.kind.isText { for value in values { UnmanagedText.free(value) } }
    }

    private static func own(_ cell: Cell, _ kind: ValueKind) -> Cell {
        kind.isText && !cell.isNull && Text.isBlock(cell) ? Text.withBytes(cell, UnmanagedText.make) : cell
    }
}

/// Goes through the elements a list or a set had when the iteration began.
public struct CollectionIterator<Element: CollectionValue>: IteratorProtocol {
    private var values: IndexingIterator<[Element]>
    private var cursor: ElementCursor?

    init(_ values: [Element]) { self.values = values.makeIterator() }

    init(_ handle: inout CollectionHandle) {
        values = [].makeIterator()
        cursor = ElementCursor(&handle)
    }

    public mutating func next() -> Element? {
        guard cursor != nil else { return values.next() }
        guard let graph = cursor?.graph, let cell = cursor?.next() else { return nil }
        return Element._$element(cell, graph)
    }
}
