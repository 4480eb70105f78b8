// An embedded object has one owner, and its owners lead to an object that stands on its own.

extension Transaction {
    /// Whether an embedded object may become the property of another one; if not, the transaction has failed.
    @inline(never)
    func mayOwn(_ owner: ObjectRef, _ target: ObjectRef, _ id: ObjectID, _ column: Int) -> Bool {
        guard self.owner(of: target) == nil else {
            failSecondOwner(id, column)
            return false
        }
        guard target != owner, !isWithin(owner, target) else {
            fail(
                BanyanError(
                    .secondOwner, "the embedded object would belong to itself",
                    remedy: "Assign an unmanaged copy of it",
                    at: layout.tables[Int(id.table)].location(column, object: "\(id)")))
            return false
        }
        return true
    }

    /// The object that holds an embedded one; nil for one that stands on its own, and for one that nobody owns yet.
    private func owner(of embedded: ObjectRef) -> ObjectRef? {
        let page = page(embedded.table, slot: embedded.slot)
        for column in layout.tables[embedded.table].inverseColumns {
            let plan = plan(embedded.table, column)
            let owners = SlotCounts(word: plan.pointee.place.root(page, embedded.slot & Page.slotMask))
            if !owners.isEmpty { return ObjectRef(table: plan.pointee.otherTable, slot: owners.slot(at: 0)) }
        }
        return nil
    }

    /// Whether an object is owned by another one, directly or through others. O(1) for a container that owns nothing, as
    /// those do that have just been made; else O(depth).
    private func isWithin(_ object: ObjectRef, _ container: ObjectRef) -> Bool {
        guard ownsAnything(container) else { return false }
        var current = object
        while layout.tables[current.table].type.isEmbedded, let owner = owner(of: current) {
            if owner == container { return true }
            current = owner
        }
        return false
    }

    private func ownsAnything(_ object: ObjectRef) -> Bool {
        let page = page(object.table, slot: object.slot)
        return layout.tables[object.table].linkColumns.contains { column in
            let plan = plan(object.table, column)
            if plan.pointee.kind == .any {
                if plan.pointee.isCollection { return plan.pointee.place.root(page, object.slot & Page.slotMask) != 0 }
                return AnyCell.link(plan.pointee.place.load(.any, page, object.slot & Page.slotMask))?.isOwned ?? false
            }
            return plan.pointee.kind == .embedded
                && plan.pointee.place.root(page, object.slot & Page.slotMask) != 0
        }
    }

    /// Whether two of these values would own the same object.
    func ownsOneTwice(_ values: [Cell], _ plan: UnsafePointer<ColumnPlan>) -> Bool {
        guard plan.pointee.mayLink, plan.pointee.kind != .object else { return false }
        var seen: Set<ObjectRef> = []
        return values.contains { value in
            guard let (target, isOwned) = plan.pointee.link(value), isOwned else { return false }
            return !seen.insert(target).inserted
        }
    }
}
