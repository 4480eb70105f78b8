import BanyanCore

/// Where a managed collection is: one property of one object of a graph.
///
/// Like a handle of an object it keeps the page its owner was last found in and the *stamp* under which it was found there.
/// Nothing else is kept: the word of the collection is read anew each time, so the contents are always those that the graph
/// shows at that moment.
struct CollectionHandle {
    let graph: Graph
    let owner: ObjectID
    /// The property, for messages and changes.
    let column: Int
    /// How its elements stand in its tree.
    let elements: ElementLayout
    let tree: RankTree
    /// Where the collection's word stands in the owner's page.
    private let offset: Int
    private var page: UnsafeRawPointer
    private var stamp: UInt64

    /// The collection that `object`, a managed one, has in `column`.
    init(_ graph: Graph, _ object: ObjectBase, _ column: Int, _ elements: ElementLayout) {
        self.graph = graph
        owner = object._id
        self.column = column
        self.elements = elements
        tree = RankTree(stride: elements.stride)
        offset = Int(object._columns[column].valueOffset) + object._slot * 8
        page = UnsafeRawPointer(object._page)
        stamp = object._stamp
    }

    /// The collection in `column` of an object by its identity. `storage` is the column that holds the word where that is not
    /// the property itself.
    init(_ graph: Graph, _ owner: ObjectID, _ column: Int, _ elements: ElementLayout, storage: Int? = nil) {
        self.graph = graph
        self.owner = owner
        self.column = column
        self.elements = elements
        tree = RankTree(stride: elements.stride)
        let binder = graph.binder(Int(owner.table))
        offset = Int(binder.columns[storage ?? column].valueOffset) + (Int(owner.slot) & Page.slotMask) * 8
        page = UnsafeRawPointer(binder.ghost)
        stamp = 0
    }

    /// The same collection at this version for good.
    func frozen() -> CollectionHandle {
        let property = graph.binder(Int(owner.table)).layout.columns[column]
        let storage = property.role == .inverseProperty ? property.otherColumn : column
        return CollectionHandle(graph.freeze(), owner, column, elements, storage: storage)
    }

    var ref: CollectionRef { CollectionRef(owner.ref, column) }

    var isInvalidated: Bool { graph.probe == nil && graph.workspace.locate(owner) == nil }

    // MARK: - Finding the contents

    /// The collection's word; 0, and the transaction failed, when the owner is gone.
    mutating func word() -> UInt64 {
        guard let page = findPage() else { return 0 }
        return page.load(fromByteOffset: offset, as: UInt64.self)
    }

    mutating func root() -> RankTree.Root { UnsafeRawPointer(bitPattern: UInt(word())) }

    private mutating func findPage() -> UnsafeRawPointer? {
        if graph.workspace.stamp == stamp, isOwnerThere(page) { return page }
        guard graph.probe == nil else { return nil }
        guard let found = graph.workspace.locate(owner) else {
            graph.reportInvalidated(owner, column)
            return nil
        }
        page = found
        stamp = graph.workspace.stamp
        return found
    }

    private func isOwnerThere(_ page: UnsafeRawPointer) -> Bool {
        let slot = Int(owner.slot) & Page.slotMask
        return Page.present(page) &>> UInt64(slot) & 1 != 0 && Page.generation(page, slot) == owner.generation
    }

    // MARK: - Misuse

    /// The open transaction; traps outside a write.
    var transaction: Transaction { graph.requireTransaction(owner, column) }

    /// Inside a write an index that is not there fails the transaction; elsewhere it traps, as with an array.
    func reportOutOfBounds(_ index: Int, count: Int) {
        let message = "index \(index) is out of bounds: the collection has \(count) elements"
        guard graph.workspace.transaction != nil else { preconditionFailure(message) }
        fail(.outOfBounds, message)
    }

    func fail(_ code: BanyanError.Code, _ message: @autoclosure () -> String, remedy: String? = nil) {
        graph.fail(
            BanyanError(
                code, message(), remedy: remedy,
                at: graph.binder(Int(owner.table)).layout.location(column, object: "\(owner)")))
    }
}

extension CollectionHandle: Hashable {
    /// The same property of the same object of the same store, at the same version where frozen.
    static func == (a: CollectionHandle, b: CollectionHandle) -> Bool {
        guard a.owner == b.owner, a.column == b.column, a.graph.lineage === b.graph.lineage else { return false }
        guard a.graph.isFrozen || b.graph.isFrozen else { return true }
        return a.graph.isFrozen && b.graph.isFrozen && a.graph.workspace.version === b.graph.workspace.version
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(owner)
        hasher.combine(column)
    }
}
