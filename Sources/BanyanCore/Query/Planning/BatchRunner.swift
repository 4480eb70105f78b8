/// Feeds pages to a filter, a batch at a time. Batches start small, so that who wants only the first object does not
/// wait for two thousand.
struct BatchRunner {
    private let view: GraphView
    private let pages: UnsafeMutablePointer<UnsafeRawPointer>
    private let masks: UnsafeMutablePointer<UInt64>
    private var count = 0
    private var capacity = 1
    /// A column that whoever gets the pages will read, and the width of its values.
    private let read: (column: Column, width: Int)?

    init(_ view: GraphView, reading read: (column: Column, width: Int)? = nil) {
        self.view = view
        self.read = read
        pages = .allocate(capacity: PageBatch.capacity)
        masks = .allocate(capacity: PageBatch.capacity)
    }

    func free() {
        pages.deallocate()
        masks.deallocate()
    }

    /// All pages of a table.
    mutating func scan(
        _ table: Int, _ filter: (any PageFilter)?,
        _ body: (_ page: UnsafeRawPointer, _ mask: UInt64, _ base: Int) throws -> Bool
    ) rethrows {
        let header = view.header(table)
        var goesOn = true
        try Directory.forEach(
            TableHeader.directory(header), depth: TableHeader.depth(header), count: TableHeader.pageCount(header)
        ) { _, page in
            pages[count] = page
            masks[count] = Page.present(page)
            count &+= 1
            if count == capacity { goesOn = try flush(filter, body) }
            return goesOn
        }
        if goesOn { _ = try flush(filter, body) }
    }

    /// The pages of the slots that lookups have found.
    mutating func run(
        _ postings: [IndexedSlots], _ table: Int, _ filter: (any PageFilter)?,
        _ body: (_ page: UnsafeRawPointer, _ mask: UInt64, _ base: Int) throws -> Bool
    ) rethrows {
        var goesOn = true
        var index = -1
        try postings.forEachSlot(below: view.slotLimit(table)) { slot in
            if slot &>> Page.slotBits == index {
                masks[count &- 1] |= 1 &<< UInt64(slot & Page.slotMask)
                return true
            }
            if count == capacity, try !flush(filter, body) {
                goesOn = false
                return false
            }
            guard let page = view.page(table, slot: slot) else { return true }
            index = slot &>> Page.slotBits
            pages[count] = page
            masks[count] = 1 &<< UInt64(slot & Page.slotMask)
            count &+= 1
            return true
        }
        if goesOn { _ = try flush(filter, body) }
    }

    private mutating func flush(
        _ filter: (any PageFilter)?,
        _ body: (_ page: UnsafeRawPointer, _ mask: UInt64, _ base: Int) throws -> Bool
    ) rethrows -> Bool {
        let batch = PageBatch(pages: pages, masks: masks, count: count)
        filter?.narrow(batch, QueryView(view))
        if let read { batch.touch(read.column, width: read.width) }
        for i in 0..<count where masks[i] != 0 {
            let base = Int(pages[i].load(fromByteOffset: Page.index, as: UInt32.self)) &<< Page.slotBits
            guard try body(pages[i], masks[i], base) else { return false }
        }
        count = 0
        capacity = min(capacity &* 2, PageBatch.capacity)
        return true
    }
}
