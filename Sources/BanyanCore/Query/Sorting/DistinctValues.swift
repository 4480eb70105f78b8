/// What tells objects apart that are the same to a query: the values at some paths.
package struct DistinctValues: Sendable {
    private let order: SortOrder
    /// As it was asked for.
    let written: String

    /// The values of one object, as keys, sets and comparisons tell them apart: texts by their bytes, numbers by value with NaN
    /// equal to itself. Valid as long as the graph is not changed.
    private struct Key: Hashable {
        let cells: [Cell]
        let kinds: [ValueKind]

        static func == (a: Self, b: Self) -> Bool {
            a.kinds.indices.allSatisfy { CellOrder.equal(a.cells[$0], b.cells[$0], a.kinds[$0]) }
        }

        func hash(into hasher: inout Hasher) {
            for i in kinds.indices { hasher.combine(CellOrder.hash(cells[i], kinds[i], seed: 0)) }
        }
    }

    /// Nil for no paths.
    init?(
        binding paths: [PropertyPath], on span: TableSpan, _ layout: StoreLayout, _ names: NameMapping?
    ) throws(BindingProblem) {
        guard !paths.isEmpty else { return nil }
        order = try SortOrder(binding: paths.map { SortKey($0) }, on: span, layout, names)
        written = paths.map(\.description).joined(separator: ", ")
    }

    /// What it reads, starting at the objects.
    var paths: [ResolvedPath] { order.paths }

    /// The first members of those that have the same values, in order. O(n) expected.
    func first(of members: [UInt32], _ span: TableSpan, in view: GraphView) -> [UInt32] {
        var seen: Set<Key> = []
        let kinds = order.terms.map(\.kind)
        return members.filter { member in
            guard let page = span.page(member, in: view) else { return false }
            let key = Key(
                cells: order.terms.map { $0.cell(page, Int(member) & Page.slotMask, view) }, kinds: kinds)
            return seen.insert(key).inserted
        }
    }
}
