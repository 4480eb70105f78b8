// Conditions on what links and collections lead to. They look only at the objects still in question, and put a
// condition on the objects at the other end as a batch of its own.

/// A condition on the object a to-one link leads to.
struct LinkFilter: PageFilter {
    let column: Column
    /// The table all links lead to; -1 where there are several.
    let target: Int
    let inner: any PageFilter
    /// What a nil link amounts to.
    let ifNil: Bool

    func narrow(_ batch: PageBatch, _ view: QueryView) {
        let header = target < 0 ? nil : view.header(target)
        withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: Page.slots) { pages in
            withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Page.slots) { masks in
                batch.narrow { page, mask in narrow(page, mask, header, view, pages, masks) }
            }
        }
    }

    private func narrow(
        _ page: UnsafeRawPointer, _ mask: UInt64, _ header: UnsafeRawPointer?, _ view: QueryView,
        _ pages: UnsafeMutableBufferPointer<UnsafeRawPointer>, _ masks: UnsafeMutableBufferPointer<UInt64>
    ) -> UInt64 {
        let links = column.run(page, of: UInt64.self)
        var linked: UInt64 = 0
        var count = 0
        var rest = mask
        while rest != 0 {
            let slot = rest.trailingZeroBitCount
            if let ref = ObjectRef(word: links[slot]),
                let there = TableHeader.page(header ?? view.header(ref.table), slot: ref.slot)
            {
                pages[count] = there
                masks[count] = 1 &<< UInt64(ref.slot & Page.slotMask)
                count &+= 1
                linked |= 1 &<< UInt64(slot)
            }
            rest &= rest &- 1
        }
        guard let firstPage = pages.baseAddress, let firstMask = masks.baseAddress, count > 0 else {
            return ifNil ? mask : 0
        }
        inner.narrow(PageBatch(pages: firstPage, masks: firstMask, count: count), view)
        var kept = ifNil ? mask & ~linked : 0
        var position = 0
        while linked != 0 {
            if masks[position] != 0 { kept |= linked & (0 &- linked) }
            position &+= 1
            linked &= linked &- 1
        }
        return kept
    }
}

/// Whether some object that a collection or an inverse reaches satisfies a condition.
struct SomeObjectFilter: PageFilter {
    let step: PathStep
    let inner: any PageFilter
    /// What a nil element amounts to.
    let ifNil: Bool

    func narrow(_ batch: PageBatch, _ view: QueryView) {
        batch.keep { page, slot in
            !step.forEachCell(page, slot) { cell, _ in
                guard !cell.isNull, let ref = ObjectRef(word: cell.low),
                    let page = view.page(ref.table, slot: ref.slot)
                else { return !ifNil }
                return !inner.accepts(page, ref.slot & Page.slotMask, view)
            }
        }
    }
}

/// Whether some value of a collection passes a test, or fails it.
struct SomeCellFilter: PageFilter {
    let step: PathStep
    let test: any CellTest
    let isNegated: Bool

    func narrow(_ batch: PageBatch, _ view: QueryView) {
        batch.keep { page, slot in
            !step.forEachCell(page, slot) { cell, _ in test.matches(cell, view) == isNegated }
        }
    }
}

/// Whether some value at a path's end passes a test, or fails it. For paths through AnyValues, whose lists and
/// dictionaries lie one by one.
struct SomePathFilter: PageFilter {
    let path: PathReader
    let test: any CellTest
    let isNegated: Bool

    func narrow(_ batch: PageBatch, _ view: QueryView) {
        batch.keep { page, slot in
            var found = false
            path.forEachCell(page, slot, view) { cell, _ in
                found = test.matches(cell, view) != isNegated
                return !found
            }
            return found
        }
    }
}

/// A test of one computed value.
struct SourceFilter: PageFilter {
    let source: any CellSource
    let test: any CellTest

    func narrow(_ batch: PageBatch, _ view: QueryView) {
        batch.keep { page, slot in test.matches(source.cell(page, slot, view), view) }
    }
}

/// Two values of one object compared.
struct RelationFilter: PageFilter {
    let left: any CellSource
    let right: any CellSource
    let relation: CellRelation

    func narrow(_ batch: PageBatch, _ view: QueryView) {
        batch.keep { page, slot in
            relation.holds(left.cell(page, slot, view), right.cell(page, slot, view), view)
        }
    }
}

/// Whether some value at a path's end stands in a relation to a value of the object (or does not).
struct SomeRelationFilter: PageFilter {
    let path: PathReader
    /// How many SUBQUERYs are around the object that the path starts at, seen from here.
    let levels: Int
    let source: any CellSource
    /// The path's value is on the left.
    let relation: CellRelation
    let isNegated: Bool

    func narrow(_ batch: PageBatch, _ view: QueryView) {
        batch.keep { page, slot in
            let other = source.cell(page, slot, view)
            var found = false
            let start = levels == 0 ? (page, slot, view) : view.around(levels)
            path.forEachCell(start.0, start.1, view) { cell, _ in
                found = relation.holds(cell, other, view) != isNegated
                return !found
            }
            return found
        }
    }
}
