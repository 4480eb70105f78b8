// The least and the greatest value of a property, read off an index that has objects in order.

extension CompiledPredicate {
    /// Adds the extreme value of a column of all objects of the table. Returns false, having done nothing, where some
    /// are left out or no ordered index begins with the column. O(log n).
    func addExtreme(of column: Int, into sum: inout Accumulator, in view: GraphView) -> Bool {
        guard isEverything, sum.aggregate == .minimum || sum.aggregate == .maximum else { return false }
        let type = view.layout.tables[table]
        let place = type.indexes.firstIndex { $0.can([.ranges, .order]) && $0.columns.first == column }
        guard let place else { return false }
        // All but nils.
        let (lower, upper) = IndexRange(equal: [], next: .between(lower: nil, upper: nil))
            .bounds(type.indexes[place].parts)
        guard let slots = view.indexSlice(table, place, from: lower, to: upper, isOneValue: false) else { return false }
        guard !slots.range.isEmpty else { return true }
        let slot = slots.slot(at: sum.aggregate == .minimum ? 0 : slots.range.count - 1)
        guard let page = view.page(table, slot: slot) else { return false }
        sum.add(type.page.columns[column].load(type.columns[column].kind, page, slot & Page.slotMask))
        return true
    }
}
