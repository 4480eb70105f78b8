// Lists: positions count, duplicates are allowed.

extension Transaction {
    /// Inserts values before `index`. Texts must be cells of this transaction; embedded objects must be new. O(log n + values).
    package func listInsert(_ id: ObjectID, _ column: Int, at index: Int, _ values: [Cell]) {
        guard let c = existingCollection(id, column) else { return }
        let info = info(c)
        let layout = element(c)
        let tree = RankTree(stride: layout.stride)
        let count = tree.count(root(c))
        guard index >= 0, index <= count else { return failBounds(c, index, count) }
        guard !values.isEmpty else { return }
        for value in values where !willAdd(value, to: c, info) { return }
        if info.kind == .embedded, values.count > 1, Set(values.map(\.low)).count < values.count {
            return failSecondOwner(id, column)
        }
        recordEdit(c) { $0.insert(at: index, count: values.count) }
        var next = 0
        withRoot(c) { root in
            tree.insert(&root, at: index, count: values.count, in: memory) { start, count in
                for i in 0..<count {
                    layout.store(values[next], to: start + i * layout.stride)
                    next += 1
                }
            }
        }
        if info.kind.isLink { for value in values { didAdd(value, to: c, info) } }
    }

    package func listRemove(_ id: ObjectID, _ column: Int, _ range: Range<Int>) {
        guard let c = existingCollection(id, column) else { return }
        let info = info(c)
        let tree = RankTree(stride: element(c).stride)
        let count = tree.count(root(c))
        guard range.lowerBound >= 0, range.upperBound <= count else { return failBounds(c, range.upperBound, count) }
        guard !range.isEmpty else { return }
        let removed = info.kind.isLink || info.kind.isText ? cells(c, range) : []
        recordEdit(c) { $0.remove(range) }
        withRoot(c) { tree.remove(&$0, range, in: memory) }
        for (_, value) in removed { didRemove(value, from: c, info) }
    }

    /// Replaces one value; the same value again is not a change.
    package func listSet(_ id: ObjectID, _ column: Int, at index: Int, _ value: Cell) {
        guard let c = existingCollection(id, column) else { return }
        let info = info(c)
        let layout = element(c)
        let tree = RankTree(stride: layout.stride)
        let count = tree.count(root(c))
        guard index >= 0, index < count else { return failBounds(c, index, count) }
        let old = layout.load(tree.element(root(c), at: index))
        if same(old, value, info.kind) {
            if info.kind.isText { discardText(value) }
            return
        }
        guard willAdd(value, to: c, info) else { return }
        recordEdit(c) { $0.set(at: index) }
        withRoot(c) { layout.store(value, to: tree.mutableElement(&$0, at: index, in: memory)) }
        didAdd(value, to: c, info)
        didRemove(old, from: c, info)
    }

    /// Moves one value; nothing else about it changes.
    package func listMove(_ id: ObjectID, _ column: Int, from source: Int, to target: Int) {
        guard let c = existingCollection(id, column) else { return }
        let tree = RankTree(stride: element(c).stride)
        let count = tree.count(root(c))
        guard source >= 0, source < count else { return failBounds(c, source, count) }
        guard target >= 0, target < count else { return failBounds(c, target, count) }
        guard source != target else { return }
        recordEdit(c) { $0.move(from: source, to: target) }
        withRoot(c) { tree.move(&$0, from: source, to: target, in: memory) }
    }

    func recordEdit(_ c: CollectionRef, _ edit: (inout EditScript) -> Void) {
        guard !isNew(c.owner) else { return }
        let count = RankTree(stride: element(c).stride).count(root(c))
        edit(&listEdits[c, default: EditScript(oldCount: count)])
    }

    func same(_ a: Cell, _ b: Cell, _ kind: ValueKind) -> Bool {
        guard kind.isText else { return CellOrder.identical(a, b) }
        return a.isNull || b.isNull ? a.isNull == b.isNull : Text.equal(a, b)
    }

    func failBounds(_ c: CollectionRef, _ index: Int, _ count: Int) {
        fail(
            BanyanError(
                .outOfBounds, "index \(index) is out of bounds: the list has \(count) elements",
                at: layout.tables[c.owner.table].location(c.column, object: "\(view.id(c.owner))")))
    }
}
