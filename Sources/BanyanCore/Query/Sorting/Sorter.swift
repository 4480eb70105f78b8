/// Collects objects with their sort keys and puts them in order; with a limit it keeps hardly more than that many.
///
/// Each term sorts the objects by integer keys (see `SortEntry`); runs of equal keys are sorted again by the next level
/// of the same value, or the next term. So a value is fetched once, and a second term only where it decides.
///
/// With a limit, objects are sorted whenever the buffer is full, and what lies beyond the limit is dropped; from then
/// on the last object kept is the bar that others must pass to be looked at again.
struct Sorter {
    private let order: SortOrder
    private let view: GraphView
    private let term: SortOrder.Term
    private let limit: Int
    private let capacity: Int
    /// Values and, apart from them, objects that have nil.
    private var entries: EntryBuffer
    private var nils: EntryBuffer
    private var appended: UInt32 = 0
    private var bar: Cell?
    private var barKey: UInt64 = .max
    private var beyondBar: (any PageFilter)?
    /// Whether the values came in order so far: then there is nothing to sort. Asked only where one term decides all.
    private var isInOrder: Bool
    private var last = Cell.null

    init(_ order: SortOrder, _ view: GraphView, limit: Int?) {
        self.order = order
        self.view = view
        term = order.terms[0]
        self.limit = limit ?? .max
        capacity = limit.map { max($0 > Int.max / 4 ? $0 : $0 * 4, 2048) } ?? .max
        entries = EntryBuffer()
        nils = EntryBuffer()
        isInOrder = limit == nil && order.terms.count == 1
    }

    mutating func free() {
        entries.free()
        nils.free()
    }

    /// Adds objects of a page.
    mutating func append(_ page: UnsafeRawPointer, _ mask: UInt64, base: Int) {
        var rest = mask
        if let beyondBar { rest = candidates(page, mask, beyondBar) }
        while rest != 0 {
            let slot = rest.trailingZeroBitCount
            append(page, slot, slot: base &+ slot)
            rest &= rest &- 1
        }
    }

    private func candidates(_ page: UnsafeRawPointer, _ mask: UInt64, _ beyond: any PageFilter) -> UInt64 {
        var page = page
        var late = mask
        withUnsafeMutablePointer(to: &page) { pages in
            withUnsafeMutablePointer(to: &late) { masks in
                beyond.narrow(PageBatch(pages: pages, masks: masks, count: 1), QueryView(view))
            }
        }
        return mask & ~late
    }

    /// Adds the object in a slot of a page.
    @inline(__always)
    mutating func append(_ page: UnsafeRawPointer, _ slotInPage: Int, slot: Int) {
        let cell = term.cell(page, slotInPage, view)
        let position = appended
        appended &+= 1
        if cell.isNull {
            nils.append(SortEntry(key: 0, slot: UInt32(truncatingIfNeeded: slot), position: position))
            if nils.count >= capacity { cutNils() }
            return
        }
        let key = term.key(cell, 0)
        if key >= barKey, isBarred(cell, key) { return }
        if isInOrder {
            isInOrder = last.isNull || term.compare(last, cell) <= 0
            last = cell
        }
        entries.append(SortEntry(key: key, slot: UInt32(truncatingIfNeeded: slot), position: position))
        if entries.count >= capacity { cut() }
    }

    /// Whether the limit is reached by objects that come before this one.
    private func isBarred(_ cell: Cell, _ key: UInt64) -> Bool {
        if key > barKey { return true }
        guard let bar else { return false }
        let order = term.compare(cell, bar)
        // What is equal to the last one comes after it, unless another term decides.
        return order > 0 || order == 0 && self.order.terms.count == 1
    }

    private mutating func cut() {
        arrange(entries.all, 0)
        entries.count = min(entries.count, limit)
        guard limit > 0, let last = entries.all.last, entries.count == limit else { return }
        let cell = self.cell(last, term)
        bar = cell
        barKey = term.key(cell, 0)
        beyondBar = term.after(cell)
        restoreKeys()
    }

    private mutating func cutNils() {
        if order.terms.count > 1 { arrange(nils.all, 1) }
        nils.count = min(nils.count, limit)
    }

    /// The slots in order, no more than the limit.
    mutating func finish() -> [UInt32] {
        if !isInOrder { arrange(entries.all, 0) }
        if order.terms.count > 1 { arrange(nils.all, 1) }
        var slots: [UInt32] = []
        slots.reserveCapacity(min(limit, entries.count + nils.count))
        for buffer in term.isAscending ? [nils, entries] : [entries, nils] {
            for entry in buffer.all.prefix(limit - slots.count) { slots.append(entry.slot) }
        }
        return slots
    }

    // MARK: - Order

    private func cell(_ entry: SortEntry, _ term: SortOrder.Term) -> Cell {
        guard let page = order.span.page(entry.slot, in: view) else { return .null }
        return term.cell(page, Int(entry.slot) & Page.slotMask, view)
    }

    /// After sorting, keys may be those of later levels.
    private func restoreKeys() {
        for i in entries.all.indices { entries.all[i].key = term.key(cell(entries.all[i], term), 0) }
    }

    /// Sorts by the terms from `index` on. For the first term the keys are there already.
    private func arrange(_ entries: UnsafeMutableBufferPointer<SortEntry>, _ index: Int) {
        guard entries.count > 1, index < order.terms.count else { return }
        let term = order.terms[index]
        var values = entries
        if index > 0 {
            let nilCount = separateNils(entries, term)
            let nils = UnsafeMutableBufferPointer(
                rebasing: term.isAscending ? entries[..<nilCount] : entries[(entries.count - nilCount)...])
            values = UnsafeMutableBufferPointer(
                rebasing: term.isAscending ? entries[nilCount...] : entries[..<(entries.count - nilCount)])
            arrange(nils, index + 1)
        }
        arrange(values, index, level: 0)
    }

    private func arrange(_ entries: UnsafeMutableBufferPointer<SortEntry>, _ index: Int, level: Int) {
        RadixSort.sort(entries)
        let term = order.terms[index]
        let isLast = index == order.terms.count - 1
        var start = 0
        while start < entries.count {
            let key = entries[start].key
            var end = start + 1
            while end < entries.count, entries[end].key == key { end += 1 }
            if end - start > 1 {
                let run = UnsafeMutableBufferPointer(rebasing: entries[start..<end])
                if term.goesOn(level, after: key) {
                    arrangeTie(run, index, level)
                } else if !isLast {
                    arrange(run, index + 1)
                }
            }
            start = end
        }
    }

    /// Sorts what agrees in all levels so far.
    private func arrangeTie(_ run: UnsafeMutableBufferPointer<SortEntry>, _ index: Int, _ level: Int) {
        let term = order.terms[index]
        if level + 1 < SortLevel.maximum {
            for i in run.indices { run[i].key = term.key(cell(run[i], term), level + 1) }
            return arrange(run, index, level: level + 1)
        }
        var sorted = run
        sorted.sort { a, b in
            let order = term.compare(cell(a, term), cell(b, term))
            return order < 0 || order == 0 && a.position < b.position
        }
        guard index < order.terms.count - 1 else { return }
        var start = 0
        while start < run.count {
            var end = start + 1
            while end < run.count, term.compare(cell(run[start], term), cell(run[end], term)) == 0 { end += 1 }
            arrange(UnsafeMutableBufferPointer(rebasing: run[start..<end]), index + 1)
            start = end
        }
    }

    /// Gives the entries the keys of a term, moves those without a value to where they belong, and counts them. Stable.
    private func separateNils(_ entries: UnsafeMutableBufferPointer<SortEntry>, _ term: SortOrder.Term) -> Int {
        var missing: [SortEntry] = []
        var kept = 0
        for entry in entries {
            let cell = cell(entry, term)
            if cell.isNull {
                missing.append(entry)
            } else {
                entries[kept] = SortEntry(key: term.key(cell, 0), slot: entry.slot, position: entry.position)
                kept += 1
            }
        }
        guard !missing.isEmpty else { return 0 }
        if term.isAscending {
            for i in (0..<kept).reversed() { entries[i + missing.count] = entries[i] }
            for (i, entry) in missing.enumerated() { entries[i] = entry }
        } else {
            for (i, entry) in missing.enumerated() { entries[kept + i] = entry }
        }
        return missing.count
    }
}

/// A growing array of entries that is sorted in place.
struct EntryBuffer {
    private var start: UnsafeMutablePointer<SortEntry>?
    private var capacity = 0
    var count = 0

    var all: UnsafeMutableBufferPointer<SortEntry> { UnsafeMutableBufferPointer(start: start, count: count) }

    @inline(__always)
    mutating func append(_ entry: SortEntry) {
        if count == capacity { grow() }
        start.unsafelyUnwrapped[count] = entry
        count &+= 1
    }

    private mutating func grow() {
        let newCapacity = max(64, capacity * 2)
        let new = UnsafeMutablePointer<SortEntry>.allocate(capacity: newCapacity)
        if let start {
            new.moveInitialize(from: start, count: count)
            start.deallocate()
        }
        start = new
        capacity = newCapacity
    }

    mutating func free() {
        start?.deallocate()
        self = EntryBuffer()
    }
}
