// The slots a query selects, without a call for each.

extension QueryPlan {
    /// The members selected, in order; of more than `most` only the first.
    /// - Complexity: as `forEach`.
    package func slots(in view: GraphView, atMost most: Int? = nil) -> [UInt32] {
        let limit = Swift.min(self.limit ?? .max, most ?? .max)
        guard limit > 0 else { return [] }
        let (wanted, overflow) = limit.addingReportingOverflow(offset)
        let last = limit == .max || overflow ? nil : wanted
        var slots = members(in: view, atMost: last)
        if offset > 0 { slots.removeFirst(Swift.min(offset, slots.count)) }
        return slots
    }

    /// The first `last` members in order, or all; offset and limit play no part.
    func members(in view: GraphView, atMost last: Int?) -> [UInt32] {
        order.map { sorted(by: $0, in: view, atMost: last) } ?? unsorted(in: view, atMost: last)
    }

    private func sorted(by order: SortOrder, in view: GraphView, atMost last: Int?) -> [UInt32] {
        if let indexOrder, let slots = walked(indexOrder, in: view, atMost: last) { return slots }
        var sorter = Sorter(order, view, limit: last)
        defer { sorter.free() }
        let column = order.terms[0].column.map { ($0, order.terms[0].kind.width) }
        forEachPage(in: view, reading: column) { page, mask, base in sorter.append(page, mask, base: base) }
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
