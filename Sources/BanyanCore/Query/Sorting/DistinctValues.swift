/// What tells objects apart that are the same to a query: the values at some paths.
package struct DistinctValues: Sendable {
    private let order: SortOrder
    /// As it was asked for.
    let written: String

    /// The values of one object. NaN is equal to itself here.
    private struct Key: Hashable {
        var values: [Value] = []
        var nans: [Int] = []
        var anys: [AnyKey] = []

        mutating func append(_ value: Value) {
            switch value {
            case .double(let number) where number.isNaN: nans.append(values.count)
            case .float(let number) where number.isNaN: nans.append(values.count)
            default:
                values.append(value)
                return
            }
            values.append(.null)
        }
    }

    /// An AnyValue, as sorting and sets tell them apart: numbers by value, whatever their kind. Valid as long as the
    /// graph is not changed.
    private struct AnyKey: Hashable {
        let cell: Cell

        static func == (a: Self, b: Self) -> Bool { CellOrder.equal(a.cell, b.cell, .any) }
        func hash(into hasher: inout Hasher) { hasher.combine(CellOrder.hash(cell, .any, seed: 0)) }
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
        return members.filter { member in
            guard let page = span.page(member, in: view) else { return false }
            var key = Key()
            for term in order.terms {
                let cell = term.cell(page, Int(member) & Page.slotMask, view)
                if term.kind == .any {
                    key.anys.append(AnyKey(cell: cell))
                } else {
                    key.append(Value(cell, term.kind))
                }
            }
            return seen.insert(key).inserted
        }
    }
}
