/// An ordered index that has a query's objects in the very order the query asks for: then nothing is sorted.
///
/// It has them when its properties are those the query sorts by, all of them up or all of them down, after properties whose
/// values the predicate says. (With properties left over, objects that are equal in those of the query would not come in the
/// order of their slots.)
struct IndexOrder: Sendable {
    let place: Int
    let isAscending: Bool
    /// The part of the index in which the predicate's objects are; nil for all of it.
    let range: IndexRange?
    /// Whether the predicate asks for more than the range.
    let hasRest: Bool
    private let type: TableLayout

    init?(_ order: SortOrder, _ lookups: [Lookup], isEverything: Bool, on type: TableLayout) {
        let columns = order.terms.compactMap(\.own)
        let isAscending = order.terms[0].isAscending
        guard columns.count == order.terms.count, order.terms.allSatisfy({ $0.isAscending == isAscending }) else {
            return nil
        }
        func serves(_ place: Int, after leading: Int) -> Bool {
            type.indexes[place].can([.ranges, .order])
                && Array(type.indexes[place].columns.dropFirst(leading)) == columns
        }
        self.isAscending = isAscending
        self.type = type
        // A range that is all the predicate asks for is best.
        for lookup in lookups.filter({ $0.rest == nil }) + lookups.filter({ $0.rest != nil }) {
            guard case .ranges(let place, let ranges) = lookup.way, ranges.count == 1,
                (0...ranges[0].equal.count).contains(where: { serves(place, after: $0) })
            else { continue }
            self.place = place
            range = ranges[0]
            hasRest = lookup.rest != nil
            return
        }
        guard let place = type.indexes.indices.first(where: { serves($0, after: 0) }) else { return nil }
        self.place = place
        range = nil
        hasRest = !isEverything
    }

    func slots(in view: GraphView) -> IndexSlice? {
        let bounds = range?.bounds(type.indexes[place].parts)
        return view.indexSlice(
            type.table, place, from: bounds?.lower ?? IndexBound(cells: [], isAfter: false),
            to: bounds?.upper ?? IndexBound(cells: [], isAfter: true), isOneValue: false)
    }

    /// Calls `body` with slots in order, side by side. Return false to stop.
    func forEach(_ slots: IndexSlice, in view: GraphView, _ body: (UnsafePointer<UInt32>, Int) -> Bool) {
        view.index(type.table, place).walk(slots, isAscending: isAscending, body)
    }

    /// What explanations say of it.
    func explanation(isLimited: Bool) -> String {
        if hasRest, !isLimited { return "" }
        return (hasRest ? ", or read off " : ", read off ") + type.indexName(place)
    }
}

extension QueryPlan {
    /// The first `last` slots in order, or all, read off an index; nil where sorting is better.
    func walked(_ index: IndexOrder, in view: GraphView, atMost last: Int?) -> [UInt32]? {
        guard let found = index.slots(in: view) else { return nil }
        guard index.hasRest else { return walked(index, found, view, atMost: last ?? .max) }
        // Objects must be looked at one by one, anywhere in memory, and nobody knows how many until enough of them pass. That
        // pays when few are wanted; when too many fail, finding all that pass and sorting them is better.
        guard let last else { return nil }
        let others = predicate.worthTesting(in: view)
        guard others > last else { return nil }
        return walked(index, found, view, atMost: last, testing: max(others / 16, 4 * last, 64))
    }

    private func walked(_ index: IndexOrder, _ found: IndexSlice, _ view: GraphView, atMost most: Int) -> [UInt32] {
        let wanted = min(most, found.range.count)
        return [UInt32](unsafeUninitializedCapacity: wanted) { slots, count in
            guard wanted > 0 else { return }
            let base = slots.baseAddress.unsafelyUnwrapped
            index.forEach(found, in: view) { run, length in
                let taken = min(length, wanted &- count)
                (base + count).initialize(from: run, count: taken)
                count &+= taken
                return count < wanted
            }
        }
    }

    private func walked(
        _ index: IndexOrder, _ found: IndexSlice, _ view: GraphView, atMost most: Int, testing budget: Int
    ) -> [UInt32]? {
        var slots: [UInt32] = []
        var left = budget
        index.forEach(found, in: view) { run, length in
            for i in 0..<length {
                left -= 1
                if predicate.matches(ObjectRef(table: table, slot: Int(run[i])), in: view) { slots.append(run[i]) }
                if slots.count >= most || left < 0 { return false }
            }
            return true
        }
        return left < 0 && slots.count < most ? nil : slots
    }
}

// MARK: - Of several tables

extension QueryPlan {
    /// An index for each table of a span; none if a table has none, or its predicate asks for more than it finds.
    static func indexOrders(
        _ order: SortOrder, _ predicates: [CompiledPredicate], _ span: TableSpan, _ layout: StoreLayout
    ) -> [IndexOrder] {
        let orders = zip(predicates, span.tables).compactMap { predicate, table in
            predicate.indexOrder(order, on: layout.tables[table])
        }
        return orders.count == span.tables.count && orders.allSatisfy { !$0.hasRest } ? orders : []
    }

    /// The first `last` members in order: they are among the first ones of each table, read off its index. Nil where
    /// that is nothing to gain.
    func walked(by order: SortOrder, in view: GraphView, atMost last: Int) -> [UInt32]? {
        let found = indexOrders.compactMap { $0.slots(in: view) }
        guard !found.isEmpty, found.count == indexOrders.count else { return nil }
        guard last < found.reduce(0, { $0 + $1.range.count }) / (2 * found.count) else { return nil }
        let first = zip(indexOrders, found).map { walked($0, $1, view, atMost: last).sorted() }
        return Array(order.sorted(span.merged(first), in: view).prefix(last))
    }
}
