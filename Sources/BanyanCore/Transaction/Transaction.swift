/// The next version in the making.
///
/// A transaction starts from a version and copies what it changes: the page, the directory nodes above it, the table's
/// header, the root. What it made itself it changes in place. Readers of older versions never notice. Which slots and
/// columns it touched stands in the pages it made, so recording a change costs two ORs, and the net change set falls out of
/// comparing those pages with the ones they were copied from.
///
/// One thread at a time uses a transaction, and one transaction of a lineage is open at a time: the store's write gate sees
/// to both.
package final class Transaction {
    package let base: Version
    // Held by the base.
    unowned(unsafe) package let layout: StoreLayout
    /// Those of the layout, by table and column.
    let plans: UnsafePointer<UnsafePointer<ColumnPlan>>
    package let memory: TransactionMemory
    /// The root of the version in the making: the base's until something is written.
    @exclusivity(unchecked) package internal(set) var root: UnsafeMutableRawPointer {
        @inline(__always) didSet { standing.pointee.root = UnsafeRawPointer(root) }
    }

    /// What the workspace's handles look at: kept up to date with the root and with every page that moves.
    let standing: UnsafeMutablePointer<Standing>

    /// Pages taken off the free lists because all their free slots were freed by this transaction: table and page number.
    @exclusivity(unchecked) var restingPages: [(table: Int, index: Int)] = []
    /// What was done to the lists, which unlike sets and maps cannot be told from their contents alone.
    @exclusivity(unchecked) var listEdits = ListEdits()

    /// Objects that had the same value as another when they were entered in a unique index (at that place among their table's):
    /// what must be looked at again at the end.
    @exclusivity(unchecked) var doubtful: [(ref: ObjectRef, place: Int)] = []

    /// Required links that led nowhere at some time: what must be looked at again at the end.
    @exclusivity(unchecked) var unsetLinks: [(ref: ObjectRef, column: Int)] = []

    /// Set while a journal is replayed: the records themselves name every object that goes.
    @exclusivity(unchecked) var isReplaying = false

    /// The highest generation given to an object created here.
    /// -1 where there is none.
    @exclusivity(unchecked) var highestGeneration: Int64 = -1
    /// No new object gets a lower one.
    @exclusivity(unchecked) var minimumGeneration: UInt32

    /// What the open savepoints go back to, the innermost last.
    @exclusivity(unchecked) var savepoints: [Savepoint] = []

    /// Grows with every change that does not go straight into a page a handle has cached.
    @exclusivity(unchecked) package internal(set) var changeCount: UInt64 = 0

    /// The first misuse: it fails the transaction.
    @exclusivity(unchecked) package internal(set) var fault: BanyanError?

    /// `standing` must outlive the transaction.
    package init(base: Version, standing: UnsafeMutablePointer<Standing>) {
        self.base = base
        self.standing = standing
        layout = base.lineage.layout
        plans = layout.plans.tables
        minimumGeneration = base.lineage.minimumGeneration
        memory = base.lineage.takeMemory()
        root = UnsafeMutableRawPointer(mutating: base.view.root)
    }

    package var view: GraphView { GraphView(root: root, layout: layout) }
    package var serial: UInt64 { memory.serial }
    package var hasChanges: Bool { UnsafeRawPointer(root) != base.view.root }

    /// Fails the transaction: `write` will roll back and throw the first fault.
    package func fail(_ error: @autoclosure () -> BanyanError) {
        if fault == nil { fault = error() }
    }

    /// Says where the fault happened, if that is not known yet.
    package func locateFault(_ place: BanyanError.Location) {
        if fault?.location == BanyanError.Location() { fault?.location = place }
    }

    // MARK: - Ending

    /// Makes the version. The caller publishes it and then releases the base.
    package func commit(sequence: UInt64, time: Int64) -> Version {
        assert(savepoints.isEmpty, "a commit inside a savepoint")
        listRestingPages()
        if memory.hasReplacedPages { memory.keepPages(where: isInUse) }
        base.lineage.minimumGeneration = max(base.lineage.minimumGeneration, minimumGeneration)
        let replaced = memory.commit()
        let version = Version(sequence: sequence, time: time, lineage: base.lineage, root: root)
        CommitCheck.run(version)
        base.setSuccessor(version, record: replaced, listEdits: listEdits.all)
        base.lineage.keep(memory)
        return version
    }

    package func rollback() {
        memory.rollback()
        base.lineage.keep(memory)
        highestGeneration = savepoints.reduce(highestGeneration) { max($0, $1.highestGeneration) }
        savepoints = []
        spendGenerations()
        base.lineage.minimumGeneration = max(base.lineage.minimumGeneration, minimumGeneration)
        standing.pointee.root = base.view.root
        standing.pointee.stamp &+= 1
    }

    // MARK: - Copy on write

    @inline(__always)
    func header(_ table: Int) -> UnsafeRawPointer { TableHeader.of(root, table) }

    func writableHeader(_ table: Int) -> UnsafeMutableRawPointer {
        let header = TableHeader.of(root, table)
        if memory.isOwned(header) { return UnsafeMutableRawPointer(mutating: header) }
        root = memory.writable(root, size: GraphRoot.size(tables: layout.tableCount))
        let copy = memory.writable(header, size: layout.storage[table].header)
        root.storeBytes(of: UnsafeRawPointer(copy), toByteOffset: 8 + table * 8, as: UnsafeRawPointer.self)
        return copy
    }

    /// The page of a slot, for reading. The slot must exist.
    @inline(__always)
    func page(_ table: Int, slot: Int) -> UnsafeRawPointer {
        let header = TableHeader.of(root, table)
        return Directory.page(
            TableHeader.directory(header).unsafelyUnwrapped, depth: TableHeader.depth(header), slot &>> Page.slotBits)
    }

    /// The page of a slot, owned by this transaction. The slot must exist.
    package func writablePage(_ table: Int, slot: Int) -> UnsafeMutableRawPointer {
        changeCount &+= 1
        let old = page(table, slot: slot)
        if memory.isOwned(old) { return UnsafeMutableRawPointer(mutating: old) }
        let size = layout.storage[table].page
        let page = memory.allocate(size)
        (page + 8).copyMemory(from: old + 8, byteCount: size - 8)
        if memory.isMade(old) {
            // From before a savepoint: it has been copied from its origin already.
            memory.hasReplacedPages = true
        } else {
            page.storeBytes(of: old, toByteOffset: Page.origin, as: UnsafeRawPointer.self)
            page.storeBytes(of: 0, toByteOffset: Page.touched, as: UInt64.self)
            page.storeBytes(of: 0, toByteOffset: Page.touchedColumns, as: UInt64.self)
        }
        install(page, table, index: slot >> Page.slotBits)
        memory.discard(old, size: size)
        standing.pointee.stamp &+= 1
        return page
    }

    /// A new empty page at the end of the table. One beyond what the table may have fails the transaction.
    func appendPage(_ table: Int) -> UnsafeMutableRawPointer {
        changeCount &+= 1
        // No page moves, but whatever was looked up in the table may be out of date.
        standing.pointee.stamp &+= 1
        let size = layout.storage[table].page
        let page = memory.allocate(size)
        (page + 8).initializeMemory(as: UInt8.self, repeating: 0, count: size - 8)
        let header = writableHeader(table)
        let index = TableHeader.pageCount(header)
        if index >= layout.storage[table].pageLimit { fail(layout.tables[table].tooManyObjects) }
        page.storeBytes(of: UInt32(index), toByteOffset: Page.index, as: UInt32.self)
        Page.setCommonGeneration(page, minimumGeneration)
        install(page, table, index: index)
        header.storeBytes(of: UInt32(index + 1), toByteOffset: TableHeader.pageCount, as: UInt32.self)
        return page
    }

    private func install(_ page: UnsafeMutableRawPointer, _ table: Int, index: Int) {
        let header = writableHeader(table)
        var directory = header.load(fromByteOffset: TableHeader.directory, as: UnsafeMutableRawPointer?.self)
        var depth = TableHeader.depth(header)
        Directory.set(&directory, depth: &depth, index, page, memory)
        header.storeBytes(of: directory, toByteOffset: TableHeader.directory, as: UnsafeMutableRawPointer?.self)
        header.storeBytes(of: UInt32(depth), toByteOffset: TableHeader.depth, as: UInt32.self)
        memory.notePage(page, table: table)
    }
}

/// One collection property of one object.
package struct CollectionRef: Hashable, Sendable {
    package var owner: ObjectRef
    package var column: Int

    package init(_ owner: ObjectRef, _ column: Int) {
        self.owner = owner
        self.column = column
    }
}

/// The root node of a version: its birth, then the address of each table's header.
package enum GraphRoot {
    static func size(tables: Int) -> Int { 8 + tables * 8 }

    /// The empty graph.
    package static func make(_ layout: StoreLayout, _ memory: TransactionMemory) -> UnsafeMutableRawPointer {
        let root = memory.allocate(size(tables: layout.tables.count))
        for table in layout.tables {
            let header = memory.allocate(table.headerSize)
            (header + 8).initializeMemory(as: UInt8.self, repeating: 0, count: table.headerSize - 8)
            root.storeBytes(of: UnsafeRawPointer(header), toByteOffset: 8 + table.table * 8, as: UnsafeRawPointer.self)
        }
        return root
    }
}

extension Version {
    /// The empty graph of a schema.
    package static func empty(_ layout: StoreLayout, sequence: UInt64 = 0, time: Int64 = 0) -> Version {
        let lineage = Lineage(layout: layout)
        let memory = lineage.takeMemory()
        let root = GraphRoot.make(layout, memory)
        memory.commit().free()
        lineage.keep(memory)
        return Version(sequence: sequence, time: time, lineage: lineage, root: root)
    }

    /// The same graph as the start of a lineage of its own: O(1), and nothing is shared that either side can change.
    package func fork() -> Version {
        Version(sequence: sequence, time: time, lineage: Lineage(layout: lineage.layout, base: self), root: view.root)
    }
}
