// What the deletion of an object does to its links, in both directions.

extension Transaction {
    /// Clears every link to an object. Each is a change of its owner. O(links), plus what finding them in collections takes.
    func clearIncomingLinks(_ ref: ObjectRef) {
        if ref.table == layout.nestedTable { forgetNestedLinks(of: ref) }
        // Those from nested lists and dictionaries come first: after them, what is left in the others are their own
        // links.
        for column in layout.storage[ref.table].backlinks {
            let plan = plan(ref.table, column)
            let slot = ref.slot & Page.slotMask
            var sources = SlotCounts(word: plan.pointee.place.root(page(ref.table, slot: ref.slot), slot))
            guard !sources.isEmpty else { continue }
            // Nothing on the way changes this set.
            sources.forEach { slot, times in
                if plan.pointee.otherTable == layout.nestedTable, ref.table != layout.nestedTable {
                    let nested = ObjectRef(table: plan.pointee.otherTable, slot: slot)
                    forgetNestedLinks(from: nested, to: ref, times: times)
                }
                unlink(slot, times, plan, from: ref)
                return true
            }
            sources.removeAll(memory)
            let page = writablePage(ref.table, slot: ref.slot)
            plan.pointee.place.setRoot(page, slot, 0, memory)
            Page.mark(page, slot: slot, column: column)
        }
    }

    /// Takes every link to `target` out of one property of one object, leaving the inverse alone. The plan is that of the
    /// backlinks.
    @inline(__always)
    private func unlink(
        _ source: Int, _ times: Int, _ plan: UnsafePointer<ColumnPlan>, from target: ObjectRef
    ) {
        let (table, column) = (plan.pointee.otherTable, plan.pointee.otherColumn)
        guard !self.plan(table, column).pointee.isCollection else {
            return unlinkInCollection(CollectionRef(ObjectRef(table: table, slot: source), column), target, times)
        }
        if self.plan(table, column).pointee.kind == .any {
            return clearAny(ObjectRef(table: table, slot: source), column)
        }
        let page = writablePage(table, slot: source)
        plan.pointee.otherPlace.setWord(page, source & Page.slotMask, 0)
        Page.mark(page, slot: source & Page.slotMask, column: column)
        if self.plan(table, column).pointee.isRequired {
            unsetLinks.append((ObjectRef(table: table, slot: source), column))
        }
    }

    /// Leaves an AnyValue with nothing that was a link.
    private func clearAny(_ ref: ObjectRef, _ column: Int) {
        let place = plan(ref.table, column).pointee.place
        let page = writablePage(ref.table, slot: ref.slot)
        let slot = ref.slot & Page.slotMask
        if layout.tables[ref.table].columns[column].isIndexed {
            moveIndexEntry(ref, column, from: place.load(.any, page, slot), to: .null)
        }
        place.store(.null, .any, page, slot)
        Page.mark(page, slot: slot, column: column)
    }

    /// Drops the object's own links and collections, calling `owned` with each embedded object it held.
    func clearOutgoing(_ ref: ObjectRef, owned: (ObjectID) -> Void) {
        for column in layout.storage[ref.table].links {
            let plan = plan(ref.table, column)
            guard plan.pointee.shape == .single else { continue }
            let slot = ref.slot & Page.slotMask
            if plan.pointee.kind == .any {
                // The value itself goes with the slot: it may be in an index still.
                let cell = plan.pointee.place.load(.any, page(ref.table, slot: ref.slot), slot)
                guard let link = AnyCell.link(cell) else { continue }
                if link.isOwned { owned(view.id(link.target)) }
                removeBacklink(from: ref, plan, to: link.target)
                didUnlink(link, from: ref, plan)
                continue
            }
            guard let target = ObjectRef(word: plan.pointee.place.word(page(ref.table, slot: ref.slot), slot)) else {
                continue
            }
            if plan.pointee.kind == .embedded { owned(view.id(target)) }
            removeBacklink(from: ref, plan, to: target)
            plan.pointee.place.setWord(writablePage(ref.table, slot: ref.slot), slot, 0)
        }
        for column in layout.storage[ref.table].collections {
            discardCollection(CollectionRef(ref, column), owned: owned)
        }
    }
}
