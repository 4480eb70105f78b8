/// Evaluation works on pages, not on objects.
///
/// A page holds 64 objects, so the objects of a page that pass a condition are one word. A condition takes such words
/// and clears the bits of those that fail: AND hands the same words on, OR and NOT work on copies. It is given a batch
/// of pages at a time, so that the one dynamic call it costs disappears among two thousand objects; inside, one loop,
/// specialised for the kind of the column, runs over values that stand side by side. What must look elsewhere (a link's
/// target, a collection) does so only for the bits that are still set, and looks there with a batch of its own: a
/// condition on the target's table is the same kind of thing.
protocol PageFilter: Sendable {
    /// Clears the bits of objects that do not pass. Bits that are not set stay so.
    func narrow(_ batch: PageBatch, _ view: QueryView)
}

/// Pages of one table, and of each the objects in question.
struct PageBatch {
    // Valid for the call they are passed to.
    let pages: UnsafeMutablePointer<UnsafeRawPointer>
    let masks: UnsafeMutablePointer<UInt64>
    let count: Int

    static var capacity: Int { 32 }

    /// Reads a byte of every cache line of a column's runs, all pages one after the other.
    ///
    /// Pages lie apart, and each run is too short for the processor to see it coming: a loop over values would wait for memory
    /// once a page. These reads do not depend on each other, so that they wait for memory together.
    @inline(__always)
    func touch(_ column: Column, width: Int) {
        guard count > 4 else { return }
        Self.touch(pages, count, Int(column.valueOffset), width &* Page.slots)
    }

    // Not inlined, and it returns what it has read: or else the reads would be seen to be for nothing.
    @inline(never)
    @_optimize(none)
    private static func keep(_ word: UInt64) {}

    @inline(never)
    private static func touch(
        _ pages: UnsafeMutablePointer<UnsafeRawPointer>, _ count: Int, _ offset: Int, _ length: Int
    ) {
        var seen: UInt8 = 0
        for i in 0..<count {
            var place = pages[i] + offset
            let end = place + length
            while place < end {
                seen |= place.load(as: UInt8.self)
                place += 64
            }
        }
        keep(UInt64(seen))
    }

    /// Replaces each mask that is not empty.
    @inline(__always)
    func narrow(_ body: (_ page: UnsafeRawPointer, _ mask: UInt64) -> UInt64) {
        for i in 0..<count where masks[i] != 0 { masks[i] = body(pages[i], masks[i]) }
    }

    /// Keeps the bits of the objects for which `body` is true.
    @inline(__always)
    func keep(_ body: (_ page: UnsafeRawPointer, _ slot: Int) -> Bool) {
        narrow { page, mask in
            var kept = mask
            var rest = mask
            while rest != 0 {
                let slot = rest.trailingZeroBitCount
                if !body(page, slot) { kept &= ~(1 &<< UInt64(slot)) }
                rest &= rest &- 1
            }
            return kept
        }
    }

    /// Calls `body` with the same pages and a copy of the masks.
    func withCopy(_ body: (PageBatch) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: count) { copy in
            let base = copy.baseAddress.unsafelyUnwrapped
            base.initialize(from: masks, count: count)
            body(PageBatch(pages: pages, masks: base, count: count))
        }
    }
}

extension PageFilter {
    /// Whether one object passes.
    func accepts(_ page: UnsafeRawPointer, _ slot: Int, _ view: QueryView) -> Bool {
        var page = page
        var mask: UInt64 = 1 &<< UInt64(slot)
        withUnsafeMutablePointer(to: &page) { pages in
            withUnsafeMutablePointer(to: &mask) { masks in
                narrow(PageBatch(pages: pages, masks: masks, count: 1), view)
            }
        }
        return mask != 0
    }
}

// MARK: - Logic

struct ConstantFilter: PageFilter {
    let value: Bool

    func narrow(_ batch: PageBatch, _ view: QueryView) {
        if !value { batch.masks.update(repeating: 0, count: batch.count) }
    }
}

/// Cheapest first: what follows looks only at what is left.
struct AndFilter: PageFilter {
    let parts: [any PageFilter]

    func narrow(_ batch: PageBatch, _ view: QueryView) {
        for part in parts { part.narrow(batch, view) }
    }
}

struct OrFilter: PageFilter {
    let parts: [any PageFilter]

    func narrow(_ batch: PageBatch, _ view: QueryView) {
        // What no part has accepted so far goes to the next one.
        batch.withCopy { left in
            for part in parts {
                left.withCopy { tried in
                    part.narrow(tried, view)
                    for i in 0..<tried.count { left.masks[i] &= ~tried.masks[i] }
                }
            }
            for i in 0..<batch.count { batch.masks[i] &= ~left.masks[i] }
        }
    }
}

struct NotFilter: PageFilter {
    let part: any PageFilter

    func narrow(_ batch: PageBatch, _ view: QueryView) {
        batch.withCopy { accepted in
            part.narrow(accepted, view)
            for i in 0..<batch.count { batch.masks[i] &= ~accepted.masks[i] }
        }
    }
}
