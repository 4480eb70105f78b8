// Lists: positions count, duplicates are allowed.

extension Transaction {
    /// Inserts values before `index`. Texts must be cells of this transaction; embedded objects must be new. O(log n + values).
    package func listInsert(_ id: ObjectID, _ column: Int, at index: Int, _ values: [Cell]) {
        guard let c = existingCollection(id, column) else { return }
        let plan = plan(c)
        let tree = plan.pointee.tree
        let count = tree.count(root(c))
        guard index >= 0, index <= count else { return failBounds(c, index, count) }
        guard !values.isEmpty else { return }
        if plan.pointee.mayLink { for value in values where !willAdd(value, to: id, column, plan) { return } }
        if values.count > 1, ownsOneTwice(values, plan) {
            return failSecondOwner(id, column)
        }
        recordEdit(c) { $0.insert(at: index, count: values.count) }
        let layout = plan.pointee.element
        var next = 0
        withRoot(c) { root in
            tree.insert(&root, at: index, count: values.count, in: memory) { start, count in
                for i in 0..<count {
                    layout.store(values[next], to: start + i * layout.stride)
                    next += 1
                }
            }
        }
        if plan.pointee.mayLink { for value in values { didAdd(value, to: c, plan) } }
    }

    /// Inserts one value before `index`, or at the end where that is nil. O(log n).
    package func listInsert(_ id: ObjectID, _ column: Int, at index: Int?, _ value: Cell) {
        guard let c = existingCollection(id, column) else { return }
        let plan = plan(c)
        let tree = plan.pointee.tree
        // Looked up once. It is made ours even if the value is refused then, which fails the transaction.
        let page = writablePage(c.owner.table, slot: c.owner.slot)
        let slot = c.owner.slot & Page.slotMask
        var root: RankTree.Root = UnsafeRawPointer(bitPattern: UInt(plan.pointee.place.root(page, slot)))
        let count = tree.count(root)
        let index = index ?? count
        guard index >= 0, index <= count else { return failBounds(c, index, count) }
        guard willAdd(value, to: id, column, plan) else { return }
        if !isNew(page, slot) { listEdits.edit(c, count: count) { $0.insert(at: index, count: 1) } }
        plan.pointee.element.store(value, to: tree.insertOne(&root, at: index, in: memory))
        plan.pointee.place.setRoot(page, slot, UInt64(UInt(bitPattern: root)), memory)
        Page.mark(page, slot: slot, column: column)
        didAdd(value, to: c, plan)
    }

    /// Removes one value. O(log n).
    package func listRemove(_ id: ObjectID, _ column: Int, at index: Int) {
        guard let c = existingCollection(id, column) else { return }
        let plan = plan(c)
        let tree = plan.pointee.tree
        let count = tree.count(root(c))
        guard index >= 0, index < count else { return failBounds(c, index, count) }
        let removed = plan.pointee.element.load(tree.element(root(c), at: index))
        recordEdit(c) { $0.remove(index..<(index + 1)) }
        withRoot(c) { tree.remove(&$0, index..<(index + 1), in: memory) }
        didRemove(removed, from: c, plan)
    }

    package func listRemove(_ id: ObjectID, _ column: Int, _ range: Range<Int>) {
        guard let c = existingCollection(id, column) else { return }
        let plan = plan(c)
        let tree = plan.pointee.tree
        let count = tree.count(root(c))
        guard range.lowerBound >= 0, range.upperBound <= count else {
            return failBounds(c, range.lowerBound < 0 ? range.lowerBound : range.upperBound, count)
        }
        guard !range.isEmpty else { return }
        let removed = plan.pointee.isLink || plan.pointee.kind.isText ? cells(c, range) : []
        recordEdit(c) { $0.remove(range) }
        withRoot(c) { tree.remove(&$0, range, in: memory) }
        for (_, value) in removed { didRemove(value, from: c, plan) }
    }

    /// Replaces one value; the same value again is not a change.
    package func listSet(_ id: ObjectID, _ column: Int, at index: Int, _ value: Cell) {
        guard let c = existingCollection(id, column) else { return }
        let plan = plan(c)
        let layout = plan.pointee.element
        let tree = plan.pointee.tree
        let count = tree.count(root(c))
        guard index >= 0, index < count else { return failBounds(c, index, count) }
        let old = layout.load(tree.element(root(c), at: index))
        if same(old, value, layout.kind) {
            if layout.kind.isText { discardText(value) }
            return
        }
        guard willAdd(value, to: id, column, plan) else { return }
        recordEdit(c) { $0.set(at: index) }
        withRoot(c) { layout.store(value, to: tree.mutableElement(&$0, at: index, in: memory)) }
        didAdd(value, to: c, plan)
        didRemove(old, from: c, plan)
    }

    /// Moves one value; nothing else about it changes.
    package func listMove(_ id: ObjectID, _ column: Int, from source: Int, to target: Int) {
        guard let c = existingCollection(id, column) else { return }
        let tree = plan(c).pointee.tree
        let count = tree.count(root(c))
        guard source >= 0, source < count else { return failBounds(c, source, count) }
        guard target >= 0, target < count else { return failBounds(c, target, count) }
        guard source != target else { return }
        recordEdit(c) { $0.move(from: source, to: target) }
        withRoot(c) { tree.move(&$0, from: source, to: target, in: memory) }
    }

    @inline(__always)
    func recordEdit(_ c: CollectionRef, _ edit: (inout EditScript) -> Void) {
        guard !isNew(c.owner) else { return }
        listEdits.edit(c, count: plan(c).pointee.tree.count(root(c)), edit)
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
