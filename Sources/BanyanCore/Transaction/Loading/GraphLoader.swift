import Synchronization

/// Builds a graph whole, past the operations on single values: what opening a snapshot does.
///
/// It goes in phases. First workers make pages and fill them, each with memory of its own; then the pages are *installed*,
/// table by table, in order; then what is derived is built from them in passes over arrays instead of one value at a time:
/// inverse links (`linkBack`), the primary keys' indexes, the secondary indexes. Those builds touch different words of the
/// pages and may run side by side. `finish` makes the version of a lineage of its own, which takes over all the memory.
///
/// Nothing is reachable before `finish`; a loader that is dropped frees what it made.
package final class GraphLoader: @unchecked Sendable {
    // Sound: `pages`, `present` and the root are written by `install` and `finish` alone, which one thread calls between the
    // phases. While workers run, each writes pages it made or words that are its own by the rule above.

    package let layout: StoreLayout
    let lineage: Lineage
    let root: UnsafeMutableRawPointer
    private let memory: TransactionMemory
    /// Arenas that no worker uses at the moment.
    private let arenas = Mutex<[Arena]>([])

    /// By table: its pages, in order.
    private(set) var pages: [[UnsafeMutableRawPointer]]
    /// By table: which slots hold an object, a word for each page.
    private(set) var present: [[UInt64]]

    package init(_ layout: StoreLayout) {
        self.layout = layout
        lineage = Lineage(layout: layout)
        memory = TransactionMemory(arena: lineage.arena, floor: 0)
        root = GraphRoot.make(layout, memory)
        pages = Array(repeating: [], count: layout.tables.count)
        present = pages.map { _ in [] }
    }

    /// Runs `body` with memory that no other thread uses meanwhile.
    package func withMemory<R, E: Error>(_ body: (TransactionMemory) throws(E) -> R) throws(E) -> R {
        let arena = arenas.withLock { $0.popLast() } ?? Arena()
        defer { arenas.withLock { $0.append(arena) } }
        let memory = TransactionMemory(arena: arena, floor: 0)
        defer { memory.commit().free() }
        return try body(memory)
    }

    /// A page without objects. The caller fills it and hands it to `install`.
    package func makePage(_ table: Int, index: Int, _ memory: TransactionMemory) -> UnsafeMutableRawPointer {
        let size = layout.tables[table].page.size
        let page = memory.allocate(size)
        (page + 8).initializeMemory(as: UInt8.self, repeating: 0, count: size - 8)
        page.storeBytes(of: UInt32(index), toByteOffset: Page.index, as: UInt32.self)
        return page
    }

    /// Makes these the pages of a table. Called once a table, before anything is derived.
    ///
    /// - Throws: `limit` for more than a table may have.
    package func install(_ table: Int, _ pages: [UnsafeMutableRawPointer]) throws(BanyanError) {
        guard pages.count <= layout.storage[table].pageLimit else { throw layout.tables[table].tooManyObjects }
        var directory: UnsafeMutableRawPointer?
        var depth = 0
        var live = 0
        var firstFree: UInt32 = 0
        var words: [UInt64] = []
        words.reserveCapacity(pages.count)
        for (index, page) in pages.enumerated() {
            Directory.set(&directory, depth: &depth, index, page, memory)
            let word = Page.present(page)
            words.append(word)
            live += word.nonzeroBitCount
        }
        // Backwards, so that the list of pages with free slots is ascending.
        for index in pages.indices.reversed() where words[index] != ~0 {
            pages[index].storeBytes(of: firstFree, toByteOffset: Page.nextFree, as: UInt32.self)
            pages[index].storeBytes(of: 1, toByteOffset: Page.isListedFree, as: UInt8.self)
            firstFree = UInt32(index + 1)
        }
        let header = header(table)
        header.storeBytes(of: directory, toByteOffset: TableHeader.directory, as: UnsafeMutableRawPointer?.self)
        header.storeBytes(of: UInt32(depth), toByteOffset: TableHeader.depth, as: UInt32.self)
        header.storeBytes(of: UInt32(pages.count), toByteOffset: TableHeader.pageCount, as: UInt32.self)
        header.storeBytes(of: UInt64(live), toByteOffset: TableHeader.liveCount, as: UInt64.self)
        header.storeBytes(of: firstFree, toByteOffset: TableHeader.firstFree, as: UInt32.self)
        self.pages[table] = pages
        present[table] = words
    }

    func header(_ table: Int) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(mutating: TableHeader.of(root, table))
    }

    /// The graph as it stands, for `linkBack` and whoever checks.
    package var view: GraphView { GraphView(root: root, layout: layout) }

    /// Calls `body` with each object of a table: page, slot in the page, slot in the table.
    @inline(__always)
    func forEachObject<E: Error>(
        _ table: Int, _ body: (UnsafeMutableRawPointer, Int, Int) throws(E) -> Void
    ) throws(E) {
        for (index, page) in pages[table].enumerated() {
            var live = present[table][index]
            while live != 0 {
                let slot = live.trailingZeroBitCount
                live &= live &- 1
                try body(page, slot, index &<< Page.slotBits | slot)
            }
        }
    }

    /// The version. Nothing else may be called afterwards.
    package func finish(sequence: UInt64, time: Int64) -> Version {
        memory.commit().free()
        for arena in arenas.withLock({ exchange(&$0, with: []) }) { lineage.arena.absorb(arena) }
        return Version(sequence: sequence, time: time, lineage: lineage, root: root)
    }
}
