import BanyanCore

/// Goes through objects of a query, page by page, and shows each in the instance that showed the one before, as long as
/// nobody else holds that.
@usableFromInline
struct HandleWalk {
    private enum Source {
        /// Every object of the only table at a version.
        case table
        /// These members at a version.
        case members([UInt32])
        /// These objects, as far as they are there when their turn comes.
        case ids([ObjectID])
    }

    private let graph: Graph
    private let standing: UnsafeMutablePointer<Standing>
    private let span: TableSpan
    /// That of the page the walk is in.
    private var table: Int
    private let source: Source
    /// Holds the pages; nil where there are only identities.
    private let version: Version?
    /// The stamp under which the version's pages are those of the graph.
    private var stamp: UInt64
    private var position = 0

    /// The page the walk is in, what is left of it, and its first slot.
    private var page: UnsafeRawPointer
    private var left: UInt64 = 0
    private var base = 0

    /// The instance shown last, when it may be used again.
    private var last = ReusableObject()

    init(_ graph: Graph, _ span: TableSpan) { self.init(graph, span, .table, graph.workspace.version) }

    init(_ graph: Graph, _ span: TableSpan, members: [UInt32]) {
        self.init(graph, span, .members(members), graph.workspace.version)
    }

    init(_ graph: Graph, _ span: TableSpan, ids: [ObjectID]) { self.init(graph, span, .ids(ids), nil) }

    private init(_ graph: Graph, _ span: TableSpan, _ source: Source, _ version: Version?) {
        self.graph = graph
        self.span = span
        table = span.tables[0]
        self.source = source
        self.version = version
        standing = graph.workspace.standing
        stamp = standing.pointee.stamp
        page = UnsafeRawPointer(graph.binder(table).ghost)
    }

    @usableFromInline
    @inline(never)
    mutating func next() -> ObjectBase? {
        if left != 0, standing.pointee.stamp == stamp, let handle = last.takeUninlined() {
            let slot = left.trailingZeroBitCount
            left &= left &- 1
            handle._$rebind(id(slot), UnsafeMutableRawPointer(mutating: page), stamp)
            return handle
        }
        return slowNext()
    }

    @inline(__always)
    private func id(_ slotInPage: Int) -> ObjectID {
        ObjectID(table: table, slot: base &+ slotInPage, generation: Page.generation(page, slotInPage))
    }

    /// At the start of a page, where the graph has moved on, and where the instance shown last is kept by somebody.
    @inline(never)
    private mutating func slowNext() -> ObjectBase? {
        while true {
            if left == 0, !turnPage() { return nil }
            let slot = left.trailingZeroBitCount
            left &= left &- 1
            let id = id(slot)
            if standing.pointee.stamp == stamp { return show(id, page) }
            // The graph has moved on: the object may stand elsewhere, or be gone.
            if let page = graph.workspace.locate(id) { return show(id, page) }
        }
    }

    private mutating func show(_ id: ObjectID, _ page: UnsafeRawPointer) -> ObjectBase {
        let stamp = standing.pointee.stamp
        if let handle = last.take() {
            handle._$rebind(id, UnsafeMutableRawPointer(mutating: page), stamp)
            return handle
        }
        let new = graph.instance(ObjectBase.self, id, page)
        last.keep(new)
        return new
    }

    // MARK: - Pages

    private mutating func turnPage() -> Bool {
        switch source {
        case .table: nextOfTable()
        case .members(let members): nextOf(members)
        case .ids(let ids): nextOf(ids)
        }
    }

    /// An instance shows objects of its own class only.
    private mutating func enter(_ table: Int) {
        guard table != self.table else { return }
        self.table = table
        last = ReusableObject()
    }

    private mutating func nextOfTable() -> Bool {
        guard let header = version?.view.header(table), let root = TableHeader.directory(header) else { return false }
        while position < TableHeader.pageCount(header) {
            page = Directory.page(root, depth: TableHeader.depth(header), position)
            left = Page.present(page)
            base = position &<< Page.slotBits
            position &+= 1
            if left != 0 { return true }
        }
        return false
    }

    /// The next member, and those after it that are further on in the same page.
    private mutating func nextOf(_ members: [UInt32]) -> Bool {
        guard position < members.count, let view = version?.view else { return false }
        var member = Int(members[position])
        let ref = span.ref(members[position])
        enter(ref.table)
        guard let page = TableHeader.page(view.header(table), slot: ref.slot) else { return false }
        self.page = page
        base = ref.slot & ~Page.slotMask
        let first = member & ~Page.slotMask
        repeat {
            left |= 1 &<< UInt64(truncatingIfNeeded: member & Page.slotMask)
            position &+= 1
            guard position < members.count, Int(members[position]) > member else { return true }
            member = Int(members[position])
        } while member & ~Page.slotMask == first
        return true
    }

    private mutating func nextOf(_ ids: [ObjectID]) -> Bool {
        while position < ids.count {
            let id = ids[position]
            position &+= 1
            guard let found = graph.workspace.locate(id) else { continue }
            enter(Int(id.table))
            page = found
            base = Int(id.slot) & ~Page.slotMask
            left = 1 &<< UInt64(truncatingIfNeeded: Int(id.slot) & Page.slotMask)
            stamp = standing.pointee.stamp
            return true
        }
        return false
    }
}

extension ObjectBase {
    /// Makes the handle, which nobody but the caller holds, one of another object of its table.
    @inline(__always)
    fileprivate final func _$rebind(_ id: ObjectID, _ page: UnsafeMutableRawPointer, _ stamp: UInt64) {
        _page = page
        _stamp = stamp
        _id = id
    }
}
