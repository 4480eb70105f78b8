// Links and their inverses change together, here and nowhere else, whatever holds the link.

extension Transaction {
    @inline(__always)
    func plan(_ table: Int, _ column: Int) -> UnsafePointer<ColumnPlan> { plans[table] + column }

    /// Points a to-one link elsewhere.
    package func setLink(_ id: ObjectID, _ column: Int, old: ObjectRef?, new: ObjectRef?) {
        guard old != new else { return }
        let plan = plan(Int(id.table), column)
        if let new, !isValidTarget(new, plan, id, column) { return }
        let page = writablePage(Int(id.table), slot: Int(id.slot))
        let slot = Int(id.slot) & Page.slotMask
        plan.pointee.place.setWord(page, slot, new?.word ?? 0)
        Page.mark(page, slot: slot, column: column)
        if let old { removeBacklink(from: id.ref, plan, to: old) }
        if let new { addBacklink(from: id.ref, plan, to: new) }
        if new == nil, plan.pointee.isRequired { unsetLinks.append((id.ref, column)) }
        if let old, plan.pointee.kind == .embedded { releaseOwned(old) }
    }

    /// Deletes an embedded object that has lost its owner. A journal names those itself.
    func releaseOwned(_ ref: ObjectRef) {
        if !isReplaying { delete(view.id(ref)) }
    }

    /// Whether the target of a link that is about to be set is there, of the right type, and free to be owned.
    @inline(__always)
    func isValidTarget(_ target: ObjectRef, _ plan: UnsafePointer<ColumnPlan>, _ id: ObjectID, _ column: Int) -> Bool {
        guard target.table == plan.pointee.otherTable || plan.pointee.end(target.table) != nil,
            target.slot >> Page.slotBits < TableHeader.pageCount(header(target.table)),
            Page.present(page(target.table, slot: target.slot)) >> UInt64(target.slot & Page.slotMask) & 1 != 0
        else {
            failNoTarget(id, column)
            return false
        }
        return plan.pointee.kind != .embedded || isReplaying || mayOwn(id.ref, target, id, column)
    }

    /// The same of an AnyValue that is about to be set.
    @inline(never)
    func isValidLink(
        _ link: (target: ObjectRef, isOwned: Bool), _ plan: UnsafePointer<ColumnPlan>, _ id: ObjectID, _ column: Int
    ) -> Bool {
        guard isValidTarget(link.target, plan, id, column) else { return false }
        guard link.isOwned == (link.target.table == layout.nestedTable) else {
            failNoTarget(id, column)
            return false
        }
        guard link.isOwned else { return true }
        guard plan.pointee.shape != .set else {
            fail(
                BanyanError(
                    .invalidValue, "a set holds no lists and no dictionaries",
                    at: layout.tables[Int(id.table)].location(column, object: "\(id)")))
            return false
        }
        if isReplaying { return mayStay(link.target, in: id, column) }
        return mayOwn(id.ref, link.target, id, column) && mayNest(link.target, in: id.ref, id, column)
    }

    @inline(never)
    func failNoTarget(_ id: ObjectID, _ column: Int) {
        fail(
            BanyanError(
                .invalidatedObject, "the object to link to is not there, or is of another type",
                at: layout.tables[Int(id.table)].location(column, object: "\(id)")))
    }

    func failSecondOwner(_ id: ObjectID, _ column: Int) {
        fail(
            BanyanError(
                .secondOwner, "the embedded object already belongs to another object",
                remedy: "Assign an unmanaged copy of it",
                at: layout.tables[Int(id.table)].location(column, object: "\(id)")))
    }

    // MARK: - Inverses

    @inline(__always)
    func addBacklink(from source: ObjectRef, _ plan: UnsafePointer<ColumnPlan>, to target: ObjectRef, times: Int = 1) {
        let page = writablePage(target.table, slot: target.slot)
        let slot = target.slot & Page.slotMask
        let end = plan.pointee.end(target.table).unsafelyUnwrapped
        var counts = SlotCounts(word: end.place.root(page, slot))
        counts.add(source.slot, times: times, memory)
        end.place.setRoot(page, slot, counts.word, memory)
        Page.mark(page, slot: slot, column: end.column)
    }

    @inline(__always)
    func removeBacklink(
        from source: ObjectRef, _ plan: UnsafePointer<ColumnPlan>, to target: ObjectRef, times: Int = 1
    ) {
        let page = writablePage(target.table, slot: target.slot)
        let slot = target.slot & Page.slotMask
        let end = plan.pointee.end(target.table).unsafelyUnwrapped
        var counts = SlotCounts(word: end.place.root(page, slot))
        let found = counts.remove(source.slot, times: times, memory)
        // A damaged journal can leave values nested too deep to be counted, until its checks refuse it.
        assert(found || isReplaying, "a link without its inverse")
        end.place.setRoot(page, slot, counts.word, memory)
        Page.mark(page, slot: slot, column: end.column)
    }
}
