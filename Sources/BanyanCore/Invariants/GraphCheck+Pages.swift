// Directories, pages, free lists.

extension GraphCheck {
    /// Whether the pages can be read at all.
    func checkPages(_ table: TableLayout) -> Bool {
        let header = view.header(table.table)
        let depth = TableHeader.depth(header)
        let count = TableHeader.pageCount(header)
        guard count <= Directory.capacity(depth: depth), (depth == 0) == (TableHeader.directory(header) == nil) else {
            fail("\(name(table.table)): \(count) pages in a directory of depth \(depth)")
            return false
        }
        if let root = TableHeader.directory(header) {
            var isWhole = true
            GraphNodes.forEachDirectoryNode(root, depth: depth, count: count) { node in
                isWhole = isWhole && node != nil
                if let node { claim(node, "the directory of \(name(table.table))") }
            }
            guard isWhole else {
                fail("\(name(table.table)): a directory without a page it should have")
                return false
            }
        }
        var live = 0
        Directory.forEach(TableHeader.directory(header), depth: depth, count: count) { index, page in
            claim(page, "page \(index) of \(name(table.table))")
            if let node = Page.generationsNode(page) {
                claim(node, "the generations of page \(index) of \(name(table.table))")
            }
            for (i, place) in table.page.columns.enumerated() {
                if let node = place.rootsNode(page) {
                    claim(node, "the words of \(name(table.table, i)), page \(index)")
                }
            }
            let stored = page.load(fromByteOffset: Page.index, as: UInt32.self)
            if Int(stored) != index { fail("\(name(table.table)): page \(index) says it is \(stored)") }
            live += Page.present(page).nonzeroBitCount
            return true
        }
        if live != TableHeader.liveCount(header) {
            fail("\(name(table.table)): \(live) objects in pages, \(TableHeader.liveCount(header)) in the header")
        }
        return true
    }

    /// Every page with a free slot is on the list; every page that says so is.
    func checkFreeList(_ table: TableLayout) {
        let header = view.header(table.table)
        let count = TableHeader.pageCount(header)
        var listed = [Bool](repeating: false, count: count)
        var next = header.load(fromByteOffset: TableHeader.firstFree, as: UInt32.self)
        while next != 0 {
            let index = Int(next) - 1
            guard index < count, !listed[index], let page = view.page(table.table, slot: index << Page.slotBits) else {
                fail("\(name(table.table)): the free list leads to page \(index) of \(count), or there twice")
                return
            }
            listed[index] = true
            next = page.load(fromByteOffset: Page.nextFree, as: UInt32.self)
        }
        Directory.forEach(
            TableHeader.directory(header), depth: TableHeader.depth(header), count: count
        ) { index, page in
            let isFlagged = page.load(fromByteOffset: Page.isListedFree, as: UInt8.self) != 0
            if isFlagged != listed[index] {
                fail(
                    "\(name(table.table)): page \(index) is \(isFlagged ? "" : "not ")flagged as free, unlike the list"
                )
            }
            if Page.present(page) != ~0, !isFlagged, !isInTransaction {
                fail("\(name(table.table)): page \(index) has free slots and is not on the free list")
            }
            return true
        }
    }
}
