import BanyanCore

/// What a `Graph` and its objects share, and keep alive together.
///
/// A graph and everything that came out of it stay in one isolation domain. So those who use the context are counted without
/// atomic operations, in `standing.holders`, and all of them together hold it by one reference. Making and dropping a live
/// object thus touches no reference count but its own. The `Graph` itself is one holder; when the user lets go of it while
/// objects remain, the context stays, and makes another `Graph` if somebody asks an object for it.
@usableFromInline
final class GraphContext {
    let workspace: Workspace
    @usableFromInline let standing: UnsafeMutablePointer<Standing>
    @usableFromInline let access: UnsafeMutablePointer<TableAccess>
    let binding: ModelBinding
    /// The binding's: table by model number, -1 for a model that is not in the store.
    @usableFromInline let tables: UnsafeMutablePointer<Int>
    @usableFromInline let modelCount: Int
    /// Those of the layout, by table and column.
    @usableFromInline let plans: UnsafePointer<UnsafePointer<ColumnPlan>>
    /// The store it reads and writes; nil for a frozen graph.
    // Sound: whoever made the context keeps the store, or the context does itself: see `holdsCore`.
    unowned(unsafe) let core: StoreCore?
    /// Whether the context holds the store. That of a `read` block does not: the store's own pool keeps it for the next
    /// block, and the two would hold each other for ever.
    @exclusivity(unchecked) private var holdsCore = false
    let isFrozen: Bool
    /// For a frozen graph: the store it came from, for as long as others keep that.
    weak var home: StoreCore?
    @exclusivity(unchecked) private var observersIfAny: GraphObservers?
    /// What adds objects in the open transaction, once it has added one.
    @exclusivity(unchecked) var adder: ObjectAdder? {
        didSet { runningAdder = adder.map { Unmanaged.passUnretained($0) } }
    }
    /// The same one, to be used without retaining it.
    @exclusivity(unchecked) private(set) var runningAdder: Unmanaged<ObjectAdder>?
    /// Handles to be used again.
    @exclusivity(unchecked) var spares: SpareHandles
    /// The `Graph` there is; it takes itself out when it goes.
    @exclusivity(unchecked) fileprivate unowned(unsafe) var facade: Graph?

    init(_ workspace: Workspace, _ binding: ModelBinding, _ core: StoreCore?, isFrozen: Bool) {
        self.workspace = workspace
        standing = workspace.standing
        access = binding.access
        self.binding = binding
        tables = binding.tables
        modelCount = binding.modelCount
        plans = binding.layout.plans.tables
        spares = SpareHandles(tableCount: binding.binders.count)
        self.core = core
        self.isFrozen = isFrozen
    }

    deinit {
        spares.free()
        guard let core else { return }
        if workspace.transaction != nil {
            // Begun, and never ended: others are waiting.
            workspace.rollback()
            core.gate.endBody()
            core.gate.leave()
        }
        if observersIfAny != nil { core.observerHub.remove(self) }
        if holdsCore { Unmanaged.passUnretained(core).release() }
    }

    /// From now on the context keeps the store. Whoever calls it has the store.
    func holdCore() {
        guard let core, !holdsCore else { return }
        _ = Unmanaged.passRetained(core)
        holdsCore = true
    }

    /// Whether anybody observes the graph.
    var isObserved: Bool { observersIfAny.map { !$0.isEmpty } ?? false }
    /// Whether nobody ever did.
    var wasNeverObserved: Bool { observersIfAny == nil }

    var observers: GraphObservers {
        if let observersIfAny { return observersIfAny }
        let made = GraphObservers()
        observersIfAny = made
        return made
    }

    @usableFromInline
    var graph: Graph { facade ?? Graph(self) }
    var hasGraph: Bool { facade != nil }

    /// One more holder.
    func hold() {
        let standing = workspace.standing
        if standing.pointee.holders == 0 { _ = Unmanaged.passRetained(self) }
        standing.pointee.holders &+= 1
    }

    /// One holder less; the last one takes the context with it.
    func letGo() {
        let standing = workspace.standing
        standing.pointee.holders &-= 1
        if standing.pointee.holders == 0 { Self.release(Unmanaged.passUnretained(self)) }
    }

    /// Called when there is no holder any more.
    @usableFromInline
    static func release(_ context: Unmanaged<GraphContext>) { context.release() }

    func enter(_ graph: Graph) {
        facade = graph
        hold()
    }

    func leave() {
        facade = nil
        spares.removeAll()
        letGo()
    }
}

// MARK: - Handles

extension ObjectBase {
    /// A handle of an object of this class or of one that inherits from it: its table says which.
    @inlinable
    @inline(__always)
    static func _$handle(_ binding: _ObjectBinding, _ context: GraphContext) -> Self {
        if _$isFinal { return Self(_$binding: binding) }
        let type = context.access[Int(binding.id.table)].type
        if type == self { return Self(_$binding: binding) }
        return subclassHandle(binding, type)
    }

    // Whoever follows links of the class itself makes its objects without a call.
    @usableFromInline
    @inline(never)
    static func subclassHandle(_ binding: _ObjectBinding, _ type: ObjectBase.Type) -> Self {
        unsafeDowncast(type.init(_$binding: binding), to: Self.self)
    }
}

extension GraphContext {
    func handleOfNothing(_ access: TableAccess) -> _ObjectBinding {
        _ObjectBinding(
            owner: Unmanaged.passUnretained(self),
            id: ObjectID(table: access.table, slot: Int(UInt32.max), generation: .max), page: access.ghost, stamp: 0,
            standing: standing, columns: access.columns)
    }
}

extension GraphContext {
    /// The object with a key of type `Int`: the address of its page, 0 if there is none, its table and its slot.
    @inlinable
    @inline(__always)
    func find(_ model: _ObjectModel, _ key: Int) -> (page: UInt, table: Int, slot: Int) {
        guard model.number < modelCount else { return (0, 0, 0) }
        let table = tables[model.number]
        guard table >= 0 else { return (0, 0, 0) }
        let words = access[table].words
        let (page, slot) =
            words.offset != 0
            ? words.find(TableHeader.of(standing.pointee.root, table), UInt64(bitPattern: Int64(key)))
            : findSlowly(table, key)
        return (page, table, slot)
    }

    /// For keys of other widths, and those that may be nil.
    @usableFromInline
    @inline(never)
    @_effects(releasenone)
    func findSlowly(_ table: Int, _ key: Int) -> (page: UInt, slot: Int) {
        guard let found = find(table, Cell(low: UInt64(bitPattern: Int64(key))), .int) else { return (0, 0) }
        return (UInt(bitPattern: found.page), Int(found.id.slot))
    }

    func find(_ table: Int, _ cell: Cell, _ given: ValueKind) -> _ObjectBinding? {
        guard table >= 0, let key = access[table].key else { return nil }
        // The cells of integers are as wide as a word, whatever their columns hold.
        guard key.kind == given || key.kind.isInteger && given.isInteger else { return nil }
        guard let (page, slot) = key.find(standing.pointee.root, cell) else { return nil }
        return _ObjectBinding(self, table, slot, UInt(bitPattern: page))
    }
}

extension GraphContext {
    /// An object, by its key, of a type that inherits from that of a table.
    func findInSubtypes(_ table: Int, _ cell: Cell, _ given: ValueKind) -> _ObjectBinding? {
        guard table >= 0, access[table].hasSubtypes else { return nil }
        for subtype in binding.layout.hierarchy.subtypes[table].dropFirst() {
            if let found = find(subtype, cell, given) { return found }
        }
        return nil
    }
}

extension _ObjectBinding {
    /// The handle of an object that is there, in this page.
    @inlinable
    @inline(__always)
    init(_ context: GraphContext, _ id: ObjectID, _ page: UnsafeRawPointer) {
        let standing = context.standing
        self.init(
            owner: Unmanaged.passUnretained(context), id: id, page: UnsafeMutableRawPointer(mutating: page),
            stamp: standing.pointee.stamp, standing: standing, columns: context.access[Int(id.table)].columns)
    }

    /// The same by its slot and the address of the page.
    @inlinable
    @inline(__always)
    init(_ context: GraphContext, _ table: Int, _ slot: Int, _ address: UInt) {
        let page = UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped
        let generation = Page.generation(page, slot & Page.slotMask)
        self.init(context, ObjectID(table: table, slot: slot, generation: generation), page)
    }

    /// The handle of an object that is there.
    @inlinable
    @inline(__always)
    init(_ context: GraphContext, _ ref: ObjectRef) {
        let header = TableHeader.of(context.standing.pointee.root, ref.table)
        // The object is there, so its page is.
        let page = Directory.page(
            TableHeader.directory(header).unsafelyUnwrapped, depth: TableHeader.depth(header),
            ref.slot &>> Page.slotBits)
        let generation = Page.generation(page, ref.slot & Page.slotMask)
        self.init(context, ObjectID(table: ref.table, slot: ref.slot, generation: generation), page)
    }
}
