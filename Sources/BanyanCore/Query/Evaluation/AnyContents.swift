// Lists and dictionaries of AnyValues are equal where what is in them is, wherever they are.

/// A list or a dictionary that an AnyValue of the graph holds, by the object that stands for it: see `NestedValues`.
struct AnyContents {
    private let kind: AnyKind
    private let target: ObjectRef

    /// Nil for what is neither.
    init?(_ cell: Cell, _ kind: ValueKind = .any) {
        guard kind == .any, let link = AnyCell.link(cell), link.isOwned else { return nil }
        self.kind = AnyCell.kind(cell)
        target = link.target
    }

    private var collection: CollectionRef {
        CollectionRef(target, kind == .list ? NestedValues.listColumn : NestedValues.dictionaryColumn)
    }

    func isEqual(to other: AnyContents, _ graph: GraphView) -> Bool {
        guard kind == other.kind else { return false }
        if target == other.target { return true }
        let count = graph.elementCount(collection)
        guard graph.elementCount(other.collection) == count else { return false }
        // What graphs hold is not nested without end.
        return (0..<count).allSatisfy { rank in
            let (a, b) = (graph.elementCell(collection, at: rank), graph.elementCell(other.collection, at: rank))
            guard kind == .list || CellOrder.equal(a.key, b.key, .string) else { return false }
            if let x = AnyContents(a.value), let y = AnyContents(b.value) { return x.isEqual(to: y, graph) }
            return CellOrder.equal(a.value, b.value, .any)
        }
    }

    /// - Parameter test: of a list or a dictionary.
    func isEqual(to test: ContentsTest, _ graph: GraphView) -> Bool {
        let parts: [(key: KeyCell?, test: ContentsTest)]
        switch test {
        case .list(let tests) where kind == .list: parts = tests.map { (nil, $0) }
        case .dictionary(let tests) where kind == .dictionary: parts = tests.map { ($0.key, $0.test) }
        default: return false
        }
        var rank = 0
        var isEqual = graph.elementCount(collection) == parts.count
        guard isEqual else { return false }
        graph.forEachElement(collection) { key, value in
            let part = parts[rank]
            rank += 1
            isEqual = part.key.map { CellOrder.equal($0.cell, key, .string) } ?? true && part.test.matches(value, graph)
            return isEqual
        }
        return isEqual
    }
}

/// Whether an AnyValue is equal to a constant that is, or is in, a list or a dictionary.
indirect enum ContentsTest: CellTest {
    case value(KeyCell)
    case list([ContentsTest])
    /// In the order of the keys.
    case dictionary([(key: KeyCell, test: ContentsTest)])

    init(_ constant: NestedConstant) {
        switch constant {
        case .value(let value): self = .value(KeyCell(value, .any) ?? KeyCell(.null))
        case .list(let elements): self = .list(elements.map { ContentsTest($0) })
        case .dictionary(let entries):
            let ordered = entries.map { (key: KeyCell(bytes: [UInt8]($0.key.utf8)), test: ContentsTest($0.value)) }
            self = .dictionary(ordered.sorted { CellOrder.compare($0.key.cell, $1.key.cell, .string) < 0 })
        }
    }

    func matches(_ cell: Cell, _ view: QueryView) -> Bool { matches(cell, view.graph) }

    fileprivate func matches(_ cell: Cell, _ graph: GraphView) -> Bool {
        if case .value(let value) = self { return CellOrder.equal(value.cell, cell, .any) }
        return AnyContents(cell)?.isEqual(to: self, graph) ?? false
    }
}
