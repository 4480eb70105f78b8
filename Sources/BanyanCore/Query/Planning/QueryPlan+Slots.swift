// The slots a query selects, without a call for each.

extension QueryPlan {
    /// The members selected, in order; of more than `most` only the first.
    /// - Complexity: as `forEach`.
    package func slots(in view: GraphView, atMost most: Int? = nil) -> [UInt32] {
        let limit = Swift.min(self.limit ?? .max, most ?? .max)
        guard limit > 0 else { return [] }
        let (wanted, overflow) = limit.addingReportingOverflow(offset)
        let last = limit == .max || overflow ? nil : wanted
        if let distinct {
            return cut(distinct.first(of: members(in: view, atMost: nil), span, in: view), to: last)
        }
        return cut(members(in: view, atMost: last), to: nil)
    }

    /// Leaves out what the offset says, and what lies beyond a number of members.
    private func cut(_ members: [UInt32], to last: Int?) -> [UInt32] {
        var members = members
        if let last, last < members.count { members.removeLast(members.count - last) }
        if offset > 0 { members.removeFirst(Swift.min(offset, members.count)) }
        return members
    }

    /// The members selected of some objects, in their order where the query has none. An object may be among them more than once.
    /// O(n), and what sorting takes.
    package func slots(among refs: [ObjectRef], in view: GraphView) -> [UInt32] {
        var members: [UInt32] = []
        for ref in refs where matches(ref, in: view) {
            if let member = span.member(ref) { members.append(member) }
        }
        if let order { members = order.sorted(members, in: view) }
        if let distinct { members = distinct.first(of: members, span, in: view) }
        let (last, overflow) = (limit ?? .max).addingReportingOverflow(offset)
        return cut(members, to: overflow ? nil : last)
    }

    /// The first `last` members in order, or all; offset and limit play no part.
    func members(in view: GraphView, atMost last: Int?) -> [UInt32] {
        order.map { sorted(by: $0, in: view, atMost: last) } ?? unsorted(in: view, atMost: last)
    }

    private func sorted(by order: SortOrder, in view: GraphView, atMost last: Int?) -> [UInt32] {
        if let indexOrder, let slots = walked(indexOrder, in: view, atMost: last) { return slots }
        if let last, let members = walked(by: order, in: view, atMost: last) { return members }
        var sorter = Sorter(order, view, limit: last)
        defer { sorter.free() }
        let column = order.terms[0].column.map { ($0, order.terms[0].kind.width) }
        guard !span.isSingle else {
            forEachPage(in: view, reading: column) { page, mask, base in sorter.append(page, mask, base: base) }
            return sorter.finish()
        }
        // Equal ones come in the order of their members, so all must be looked at in it.
        var pages: [(page: UnsafeRawPointer, mask: UInt64, base: Int)] = []
        forEachPage(in: view, reading: column) { page, mask, base in pages.append((page, mask, base)) }
        pages.sort { $0.base < $1.base }
        for (page, mask, base) in pages { sorter.append(page, mask, base: base) }
        return sorter.finish()
    }
}

extension CompiledPredicate {
    /// The slots of the objects that satisfy it, ascending; of more than `most` only the first.
    func slots(in view: GraphView, atMost most: Int?) -> [UInt32] {
        let most = most ?? .max
        var slots: [UInt32] = []
        if let postings = postings(in: view) {
            slots.reserveCapacity(Swift.min(most, postings.reduce(0) { $0 + $1.count }))
            postings.forEachSlot(below: view.slotLimit(table)) { slot in
                slots.append(UInt32(truncatingIfNeeded: slot))
                return slots.count < most
            }
            return slots
        }
        if isEverything { slots.reserveCapacity(Swift.min(most, view.count(table))) }
        forEachPage(in: view) { _, mask, base in
            var rest = mask
            while rest != 0 {
                slots.append(UInt32(truncatingIfNeeded: base &+ rest.trailingZeroBitCount))
                rest &= rest &- 1
            }
            return slots.count < most
        }
        if slots.count > most { slots.removeLast(slots.count - most) }
        return slots
    }
}
