public import BanyanCore

/// Goes through what a managed collection held when the cursor was made, whatever is changed meanwhile.
///
/// A tree that the open transaction has not changed never changes: the cursor walks it and holds its version. One that it has
/// changed is changed in place from then on, so its elements are copied first. An object that was deleted meanwhile is left
/// out; in a map its key comes with nil.
public struct _ElementCursor {
    let graph: Graph
    /// The collection's owner and property, for messages.
    let owner: ObjectID
    let column: Int
    @usableFromInline let context: Unmanaged<GraphContext>
    @usableFromInline let standing: UnsafeMutablePointer<Standing>
    /// Under which the cursor was made. As long as it stays, nothing was deleted and no page has moved.
    @usableFromInline let stamp: UInt64
    @usableFromInline let elements: ElementLayout
    /// Of links: the table they lead to, where there is but one.
    @usableFromInline let table: Int
    /// Keeps the tree's nodes.
    private let version: Version
    private let copy: ElementCopy?
    @usableFromInline var tree: RankTree.Cursor
    private var position = 0

    /// Whether elements are links that are read straight from the tree.
    @usableFromInline let isPlainLinks: Bool
    /// The page of the last link, and its number in the table.
    @usableFromInline var page: UnsafeRawPointer
    @usableFromInline var pageIndex = -1
    /// The object given out last, to be made the next one if nobody has kept it.
    @usableFromInline var last: ReusableObject

    init(_ handle: inout CollectionHandle) {
        let root = handle.root()
        graph = handle.graph
        owner = handle.owner
        column = handle.column
        context = handle.context
        standing = handle.standing
        stamp = handle.standing.pointee.stamp
        elements = handle.elements
        table = handle.plan.pointee.otherTable
        version = graph.workspace.version
        page = handle.page
        last = ReusableObject()
        if let root, let transaction = graph.workspace.transaction, transaction.memory.isMade(root) {
            copy = ElementCopy(root, handle.tree, handle.elements, transaction.view)
            tree = handle.tree.cursor(nil)
        } else {
            copy = nil
            tree = handle.tree.cursor(root)
        }
        isPlainLinks = copy == nil && elements.kind.isLink && elements.key == nil && !handle.plan.pointee.isPolymorphic
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
        if standing.pointee.stamp == stamp { return true }
        guard let ref = ObjectRef(word: cell.low) else { return true }
        let id =
            generation.map { ObjectID(table: ref.table, slot: ref.slot, generation: $0) } ?? version.view.id(ref)
        return Standing.locate(standing, id) != nil
    }

    // MARK: - Links

    /// The next link where it takes no more than reading it; nil at the end and where it does.
    @inlinable
    @inline(__always)
    mutating func nextLink() -> (page: UnsafeRawPointer, id: ObjectID)? {
        guard isPlainLinks, standing.pointee.stamp == stamp, let word = tree.next(as: UInt64.self) else { return nil }
        let slot = ObjectRef.slot(ofWord: word)
        // Lists often go through their objects in the order in which those were made.
        if slot &>> Page.slotBits != pageIndex { findPage(slot &>> Page.slotBits) }
        return (page, ObjectID(table: table, slot: slot, generation: Page.generation(page, slot & Page.slotMask)))
    }

    @usableFromInline
    mutating func findPage(_ index: Int) {
        let header = TableHeader.of(standing.pointee.root, table)
        pageIndex = index
        page = Directory.page(
            TableHeader.directory(header).unsafelyUnwrapped, depth: TableHeader.depth(header), index)
    }
}

/// Goes through the elements a list or a set had when the iteration began.
public struct CollectionIterator<Element: CollectionValue>: IteratorProtocol {
    @usableFromInline var values: IndexingIterator<[Element]>
    @usableFromInline var cursor: _ElementCursor?

    init(_ values: [Element]) { self.values = values.makeIterator() }

    init(_ handle: inout CollectionHandle) {
        values = [].makeIterator()
        cursor = _ElementCursor(&handle)
    }

    @inlinable
    public mutating func next() -> Element? {
        guard cursor != nil else { return values.next() }
        return Element._$next(&cursor!)
    }
}
