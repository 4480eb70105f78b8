import BanyanCore

// Reading the elements of a managed collection, as cells.

extension CollectionHandle {
    /// O(1).
    mutating func count() -> Int { tree.count(root()) }

    /// The value at a rank. O(log n). Inside a write a rank that is not there fails the transaction, and the cell is that of
    /// nothing; elsewhere it traps.
    mutating func value(at rank: Int) -> Cell {
        let root = root()
        let count = tree.count(root)
        guard rank >= 0, rank < count else {
            reportOutOfBounds(rank, count: count)
            return .null
        }
        return elements.load(tree.element(root, at: rank))
    }

    /// The values of a range of ranks, which must be there. O(range).
    mutating func values(_ range: Range<Int>) -> [Cell] {
        var result: [Cell] = []
        result.reserveCapacity(range.count)
        var cursor = tree.cursor(root(), in: range)
        while let element = cursor.next() { result.append(elements.load(element)) }
        return result
    }

    /// The first rank of a value. O(n), but O(log n) for an object that is not there.
    mutating func firstRank(of cell: Cell) -> Int? {
        guard mayHold(cell) else { return nil }
        var cursor = tree.cursor(root())
        var rank = 0
        if elements.isWord, !cell.isNull {
            while let word = cursor.next(as: UInt64.self) {
                if word == cell.low { return rank }
                rank += 1
            }
            return nil
        }
        while let element = cursor.next() {
            if CellOrder.equal(elements.load(element), cell, elements.kind) { return rank }
            rank += 1
        }
        return nil
    }

    /// Whether the value is an element. O(log n) for objects, else O(n).
    mutating func holds(_ cell: Cell) -> Bool {
        elements.kind.isLink && !cell.isNull ? mayHold(cell) : firstRank(of: cell) != nil
    }

    /// False for an object that its own inverse says is not linked from here. O(log n).
    private mutating func mayHold(_ cell: Cell) -> Bool {
        guard elements.kind.isLink, !cell.isNull, let target = ObjectRef(word: cell.low) else { return true }
        guard word() != 0 else { return false }
        let view = graph.workspace.view
        guard let end = plan.pointee.end(target.table) else { return false }
        return view.sources(target, backlinkColumn: end.column).times(Int(owner.slot)) > 0
    }

    /// Where a value stands in a set, or a key in a map. O(log n).
    mutating func sortedRank(of cell: Cell) -> RankTree.Place {
        let elements = elements
        return tree.find(root()) { element in
            if let key = elements.key { return CellOrder.compare(elements.loadKey(element), cell, key) }
            return CellOrder.compare(elements.load(element), cell, elements.kind)
        }
    }
}

extension ElementLayout {
    /// Whether an element is one word, and equal values are equal words.
    fileprivate var isWord: Bool { !isOptional && key == nil && (kind == .int || kind.isLink) }
}

// MARK: - Cells for what comes in

extension CollectionHandle {
    /// The cell of a value that is to be stored; an object is added to the graph. Nil when the transaction has failed.
    @inline(__always)
    func cell<V: CollectionValue>(of value: V) -> Cell? {
        if let cell = value._$readyCell(standing) ?? value._$cell(in: graph) { return cell }
        locateFault()
        return nil
    }

    private func locateFault() { graph.locateFault(owner, column) }

    /// The cells of values that are to be stored; objects are added to the graph. Nil when the transaction has failed.
    func cells<S: Sequence>(_ values: S) -> [Cell]? where S.Element: CollectionValue {
        var cells: [Cell] = []
        cells.reserveCapacity(values.underestimatedCount)
        for value in values {
            guard let cell = cell(of: value) else { return nil }
            cells.append(cell)
        }
        return cells
    }
}

// MARK: - Elements as their types have them

extension Graph {
    /// An element of a collection. Where what is stored is none of its type, the fault says in which collection.
    @inline(__always)
    func element<E: CollectionValue>(_ cell: Cell, of owner: ObjectID, _ column: Int) -> E {
        E._$mayBeUnreadable ? located(cell, owner, column) : E._$element(cell, self)
    }

    private func located<E: CollectionValue>(_ cell: Cell, _ owner: ObjectID, _ column: Int) -> E {
        let hadFault = workspace.transaction?.fault != nil
        let element = E._$element(cell, self)
        if !hadFault { locateFault(owner, column) }
        return element
    }

    /// Says where it happened of a fault that does not know.
    fileprivate func locateFault(_ owner: ObjectID, _ column: Int) {
        workspace.transaction?.locateFault(binder(Int(owner.table)).layout.location(column, object: "\(owner)"))
    }
}
