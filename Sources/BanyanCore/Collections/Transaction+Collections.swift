// What every kind of collection shares: finding its root, keeping inverses and owned objects, letting go of texts.

extension Transaction {
    @inline(__always)
    func plan(_ c: CollectionRef) -> UnsafePointer<ColumnPlan> { plan(c.owner.table, c.column) }

    @inline(__always)
    func root(_ c: CollectionRef) -> RankTree.Root {
        let page = page(c.owner.table, slot: c.owner.slot)
        return UnsafeRawPointer(bitPattern: UInt(plan(c).pointee.place.root(page, c.owner.slot & Page.slotMask)))
    }

    /// Runs `change` on the collection's root and stores what becomes of it.
    @inline(__always)
    func withRoot<R>(_ c: CollectionRef, _ change: (inout RankTree.Root) -> R) -> R {
        let page = writablePage(c.owner.table, slot: c.owner.slot)
        let slot = c.owner.slot & Page.slotMask
        let plan = plan(c)
        var root: RankTree.Root = UnsafeRawPointer(bitPattern: UInt(plan.pointee.place.root(page, slot)))
        let result = change(&root)
        plan.pointee.place.setRoot(page, slot, UInt64(UInt(bitPattern: root)), memory)
        Page.mark(page, slot: slot, column: c.column)
        return result
    }

    /// The collection of an object that must be there.
    @inline(__always)
    func existingCollection(_ id: ObjectID, _ column: Int) -> CollectionRef? {
        existing(id, column) == nil ? nil : CollectionRef(id.ref, column)
    }

    /// Called with a value that comes into a collection; false when the transaction has failed.
    @inline(__always)
    func willAdd(_ cell: Cell, to id: ObjectID, _ column: Int, _ plan: UnsafePointer<ColumnPlan>) -> Bool {
        guard plan.pointee.mayLink, !cell.isNull else { return true }
        if plan.pointee.kind == .any { return AnyCell.link(cell).map { isValidLink($0, plan, id, column) } ?? true }
        guard let target = ObjectRef(word: cell.low) else { return true }
        return isValidTarget(target, plan, id, column)
    }

    @inline(__always)
    func didAdd(_ cell: Cell, to c: CollectionRef, _ plan: UnsafePointer<ColumnPlan>) {
        guard plan.pointee.mayLink, !cell.isNull, let link = plan.pointee.link(cell) else { return }
        addBacklink(from: c.owner, plan, to: link.target)
        if plan.pointee.kind == .any { didLink(link, from: c.owner, plan) }
    }

    /// Called with a value that has left a collection.
    @inline(__always)
    func didRemove(_ cell: Cell, from c: CollectionRef, _ plan: UnsafePointer<ColumnPlan>) {
        guard !cell.isNull else { return }
        if plan.pointee.mayLink, let link = plan.pointee.link(cell) {
            removeBacklink(from: c.owner, plan, to: link.target)
            if plan.pointee.kind == .any { didUnlink(link, from: c.owner, plan) }
            if link.isOwned { releaseOwned(link.target) }
        } else if plan.pointee.kind.isText {
            discardText(cell)
        }
    }

    /// The cells of a range, copied out before the range goes.
    func cells(_ c: CollectionRef, _ range: Range<Int>) -> [(key: Cell, value: Cell)] {
        let layout = plan(c).pointee.element
        var result: [(Cell, Cell)] = []
        result.reserveCapacity(range.count)
        var cursor = RankTree(stride: layout.stride).cursor(root(c), in: range)
        while let element = cursor.next() {
            result.append((layout.key == nil ? .null : layout.loadKey(element), layout.load(element)))
        }
        return result
    }

    /// Whether the object was made by this transaction: then it is recorded as a whole, and its lists need no edits.
    func isNew(_ ref: ObjectRef) -> Bool {
        let page = page(ref.table, slot: ref.slot)
        return memory.isMade(page) && isNew(page, ref.slot & Page.slotMask)
    }

    /// The same of an object in a page of this transaction.
    @inline(__always)
    func isNew(_ page: UnsafeRawPointer, _ slot: Int) -> Bool {
        guard let old = page.load(fromByteOffset: Page.origin, as: UnsafeRawPointer?.self) else { return true }
        return Page.present(old) >> UInt64(slot) & 1 == 0 || Page.generation(old, slot) != Page.generation(page, slot)
    }

    /// Empties a collection. Links lose their inverses, embedded objects are deleted. O(n).
    package func removeAll(_ id: ObjectID, _ column: Int) {
        guard let c = existingCollection(id, column) else { return }
        let plan = plan(c)
        let count = plan.pointee.tree.count(root(c))
        guard count > 0 else { return }
        if plan.pointee.shape == .list {
            listRemove(id, column, 0..<count)
            return
        }
        let removed = cells(c, 0..<count)
        withRoot(c) { plan.pointee.tree.discardAll(&$0, in: memory) }
        for (key, value) in removed {
            if plan.pointee.element.key?.isText == true { discardText(key) }
            didRemove(value, from: c, plan)
        }
    }

    /// Drops the collection of an object that is being deleted.
    func discardCollection(_ c: CollectionRef, owned: (ObjectID) -> Void) {
        let plan = plan(c)
        // Even of a list that is empty by now.
        if plan.pointee.shape == .list { listEdits.forget(c) }
        var root = root(c)
        guard root != nil else { return }
        let layout = plan.pointee.element
        if layout.kind.isLink || layout.kind.isText || layout.key?.isText == true {
            // What is done on the way changes other nodes, never this tree's.
            var cursor = plan.pointee.tree.cursor(root)
            while let element = cursor.next() {
                if layout.key?.isText == true { discardText(layout.loadKey(element)) }
                let value = layout.load(element)
                guard !value.isNull else { continue }
                if layout.kind.isText { discardText(value) }
                if layout.kind.mayLink, let link = plan.pointee.link(value) {
                    if link.isOwned { owned(view.id(link.target)) }
                    removeBacklink(from: c.owner, plan, to: link.target)
                    if layout.kind == .any { didUnlink(link, from: c.owner, plan) }
                }
            }
        }
        plan.pointee.tree.discardAll(&root, in: memory)
        withRoot(c) { $0 = nil }
    }
}
