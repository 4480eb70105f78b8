import BanyanCore

/// Where a managed collection is: one property of one object of a graph.
///
/// Like a handle of an object it keeps the page its owner was last found in and the *stamp* under which it was found there.
/// Nothing else is kept: the word of the collection is read anew each time, so the contents are always those that the graph
/// shows at that moment.
///
/// It is plain memory and holds nothing: whoever keeps one counts itself among the holders of the context.
@frozen
@usableFromInline
struct CollectionHandle {
    @usableFromInline let context: Unmanaged<GraphContext>
    @usableFromInline let standing: UnsafeMutablePointer<Standing>
    @usableFromInline let owner: ObjectID
    /// The property, for messages and changes.
    @usableFromInline let column: Int
    @usableFromInline let plan: UnsafePointer<ColumnPlan>
    /// Where the collection's word stands in the owner's page; -1 where it stands apart.
    @usableFromInline let offset: Int
    @usableFromInline var page: UnsafeRawPointer
    @usableFromInline var stamp: UInt64

    /// The collection that `object`, a managed one of this context, has in `column`.
    @inlinable
    @inline(__always)
    init(_ context: Unmanaged<GraphContext>, _ object: ObjectBase, _ column: Int) {
        let plan = context._withUnsafeGuaranteedRef { $0.plans[Int(object._id.table)] + column }
        self.init(context, object, column, plan, offset: Self.offset(plan, object._id))
    }

    @inlinable
    @inline(__always)
    init(
        _ context: Unmanaged<GraphContext>, _ object: ObjectBase, _ column: Int, _ plan: UnsafePointer<ColumnPlan>,
        offset: Int
    ) {
        self.context = context
        standing = object._standing
        owner = object._id
        self.column = column
        self.plan = plan
        self.offset = offset
        page = UnsafeRawPointer(object._page)
        stamp = object._stamp
    }

    /// The collection in `column` of an object by its identity.
    init(_ graph: Graph, _ owner: ObjectID, _ column: Int) {
        context = Unmanaged.passUnretained(graph.context)
        standing = graph.workspace.standing
        self.owner = owner
        self.column = column
        plan = graph.context.plans[Int(owner.table)] + column
        offset = Self.offset(plan, owner)
        page = UnsafeRawPointer(graph.binding.access[Int(owner.table)].ghost)
        stamp = 0
    }

    @inlinable
    @inline(__always)
    static func place(_ plan: UnsafePointer<ColumnPlan>) -> Column {
        // The word of an inverse is in the hidden column beside it.
        plan.pointee.shape == .inverse ? plan.pointee.otherPlace : plan.pointee.place
    }

    @inlinable
    @inline(__always)
    static func offset(_ plan: UnsafePointer<ColumnPlan>, _ owner: ObjectID) -> Int {
        let place = place(plan)
        return place.isApart ? -1 : Int(place.valueOffset) &+ (Int(owner.slot) & Page.slotMask) &* 8
    }

    /// Calls `body` with the same collection at this version for good.
    func frozen<R>(_ body: (CollectionHandle) -> R) -> R {
        let graph = graph.freeze()
        return withExtendedLifetime(graph) { body(CollectionHandle(graph, owner, column)) }
    }

    /// Calls `body` with the same collection in a live graph; nil when there is none, or the owner is not there.
    func thawed<R>(_ body: (CollectionHandle) -> R) -> R? {
        graph.thaw().flatMap { counterpart(in: $0, body) }
    }

    /// The same in another graph of the store.
    func counterpart<R>(in graph: Graph, _ body: (CollectionHandle) -> R) -> R? {
        guard graph.workspace.locate(owner) != nil else { return nil }
        return withExtendedLifetime(graph) { body(CollectionHandle(graph, owner, column)) }
    }

    var graph: Graph { context._withUnsafeGuaranteedRef { $0.graph } }

    /// How its elements stand in its tree.
    var elements: ElementLayout { plan.pointee.element }
    var tree: RankTree { plan.pointee.tree }

    var ref: CollectionRef { CollectionRef(owner.ref, column) }

    var isInvalidated: Bool { Standing.locate(standing, owner) == nil }

    // MARK: - Finding the contents

    /// The collection's word; 0, and the transaction failed, when the owner is gone.
    @inlinable
    @inline(__always)
    mutating func word() -> UInt64 {
        standing.pointee.stamp == stamp ? word(in: page) : findWord()
    }

    @inlinable
    @inline(__always)
    func word(in page: UnsafeRawPointer) -> UInt64 {
        if offset >= 0 { return page.load(fromByteOffset: offset, as: UInt64.self) }
        return Self.place(plan).root(page, Int(owner.slot) & Page.slotMask)
    }

    @inline(__always)
    mutating func root() -> RankTree.Root { UnsafeRawPointer(bitPattern: UInt(word())) }

    @usableFromInline
    @inline(never)
    @_effects(releasenone)
    mutating func findWord() -> UInt64 {
        guard let found = Standing.locate(standing, owner) else {
            graph.reportInvalidated(owner, column)
            return 0
        }
        page = found
        stamp = standing.pointee.stamp
        return word(in: page)
    }
}

extension CollectionHandle: Hashable {
    /// The same property of the same object of the same store, at the same version where frozen.
    @usableFromInline
    static func == (a: CollectionHandle, b: CollectionHandle) -> Bool {
        guard a.owner == b.owner, a.column == b.column else { return false }
        let (x, y) = (a.graph, b.graph)
        guard x.lineage === y.lineage else { return false }
        guard x.isFrozen || y.isFrozen else { return true }
        return x.isFrozen && y.isFrozen && x.workspace.version === y.workspace.version
    }

    @usableFromInline
    func hash(into hasher: inout Hasher) {
        hasher.combine(owner)
        hasher.combine(column)
    }
}
