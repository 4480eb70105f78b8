// Sets and maps are sorted by value or key, so membership is O(log n) and their order is stable between changes.

extension Transaction {
    func find(_ c: CollectionRef, _ cell: Cell, key: Bool) -> RankTree.Place {
        let layout = plan(c).pointee.element
        let kind = key ? layout.key.unsafelyUnwrapped : layout.kind
        return RankTree(stride: layout.stride).find(root(c)) { element in
            CellOrder.compare(key ? layout.loadKey(element) : layout.load(element), cell, kind)
        }
    }

    /// Returns whether the value was new. A text must be a cell of this transaction. O(log n).
    @discardableResult
    package func setInsert(_ id: ObjectID, _ column: Int, _ value: Cell) -> Bool {
        guard let c = existingCollection(id, column) else { return false }
        let plan = plan(c)
        let layout = plan.pointee.element
        let place = find(c, value, key: false)
        if place.isMatch {
            if plan.pointee.kind.isText { discardText(value) }
            return false
        }
        guard willAdd(value, to: id, column, plan) else { return false }
        let tree = RankTree(stride: layout.stride)
        withRoot(c) { layout.store(value, to: tree.insertOne(&$0, at: place.rank, in: memory)) }
        didAdd(value, to: c, plan)
        return true
    }

    /// Returns whether the value was there. O(log n).
    @discardableResult
    package func setRemove(_ id: ObjectID, _ column: Int, _ value: Cell) -> Bool {
        guard let c = existingCollection(id, column) else { return false }
        let place = find(c, value, key: false)
        guard place.isMatch, let element = place.element else { return false }
        let stored = plan(c).pointee.element.load(element)
        let tree = RankTree(stride: plan(c).pointee.element.stride)
        withRoot(c) { tree.remove(&$0, place.rank..<(place.rank + 1), in: memory) }
        didRemove(stored, from: c, plan(c))
        return true
    }

    /// Sets the value of a key, which is added when it is new. Texts must be cells of this transaction. O(log n).
    package func mapSet(_ id: ObjectID, _ column: Int, key: Cell, _ value: Cell) {
        guard let c = existingCollection(id, column) else { return }
        let plan = plan(c)
        let layout = plan.pointee.element
        let tree = RankTree(stride: layout.stride)
        let place = find(c, key, key: true)
        guard place.isMatch, let element = place.element else {
            guard willAdd(value, to: id, column, plan) else { return }
            withRoot(c) { layout.store(value, key: key, to: tree.insertOne(&$0, at: place.rank, in: memory)) }
            didAdd(value, to: c, plan)
            return
        }
        if layout.key?.isText == true { discardText(key) }
        let old = layout.load(element)
        let storedKey = layout.loadKey(element)
        if same(old, value, plan.pointee.kind) {
            if plan.pointee.kind.isText { discardText(value) }
            return
        }
        guard willAdd(value, to: id, column, plan) else { return }
        withRoot(c) { layout.store(value, key: storedKey, to: tree.mutableElement(&$0, at: place.rank, in: memory)) }
        didAdd(value, to: c, plan)
        didRemove(old, from: c, plan)
    }

    /// Fills a map that is empty. The keys must ascend; texts must be cells of this transaction. O(n).
    package func mapFill(_ id: ObjectID, _ column: Int, _ entries: [(key: Cell, value: Cell)]) {
        guard let c = existingCollection(id, column) else { return }
        let plan = plan(c)
        precondition(root(c) == nil, "a map that is filled is empty")
        if plan.pointee.mayLink { for (_, value) in entries where !willAdd(value, to: id, column, plan) { return } }
        if entries.count > 1, ownsOneTwice(entries.map(\.value), plan) { return failSecondOwner(id, column) }
        let layout = plan.pointee.element
        var next = 0
        withRoot(c) { root in
            plan.pointee.tree.append(&root, count: entries.count, in: memory) { start, count in
                for i in 0..<count {
                    layout.store(entries[next].value, key: entries[next].key, to: start + i * layout.stride)
                    next += 1
                }
            }
        }
        if plan.pointee.mayLink { for (_, value) in entries { didAdd(value, to: c, plan) } }
    }

    /// Returns whether the key was there. O(log n).
    @discardableResult
    package func mapRemove(_ id: ObjectID, _ column: Int, key: Cell) -> Bool {
        guard let c = existingCollection(id, column) else { return false }
        let layout = plan(c).pointee.element
        let place = find(c, key, key: true)
        guard place.isMatch, let element = place.element else { return false }
        let (storedKey, value) = (layout.loadKey(element), layout.load(element))
        let tree = RankTree(stride: layout.stride)
        withRoot(c) { tree.remove(&$0, place.rank..<(place.rank + 1), in: memory) }
        if layout.key?.isText == true { discardText(storedKey) }
        didRemove(value, from: c, plan(c))
        return true
    }
}
