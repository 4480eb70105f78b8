// What goes with an object that is deleted, and what keeps it from going.

extension Transaction {
    /// Deletes objects with all that their cascading links and their embedded objects lead to; or, if a link from elsewhere denies
    /// the deletion of one of them, nothing, and the transaction has failed. Cycles end. O(objects that go + their links).
    func deleteByRules<S: Sequence>(_ ids: S) where S.Element == ObjectID {
        var going: Set<ObjectRef> = []
        var order: [ObjectRef] = []
        var pending: [ObjectRef] = []
        for id in ids where contains(id) {
            pending.append(id.ref)
            // Each is followed to its end at once, so that objects go in the order they are given.
            while let next = pending.popLast() {
                guard going.insert(next).inserted else { continue }
                order.append(next)
                forEachOwned(next) { pending.append($0) }
            }
        }
        for ref in order { guard !isDenied(ref, going) else { return } }
        for ref in order where view.isPresent(ref) { deleteOwning(view.id(ref)) }
    }

    /// Calls `body` with what is deleted with an object: what it embeds, and what its cascading links lead to.
    private func forEachOwned(_ ref: ObjectRef, _ body: (ObjectRef) -> Void) {
        for column in layout.storage[ref.table].owning {
            let plan = plan(ref.table, column)
            guard plan.pointee.isCollection else {
                let word = plan.pointee.place.word(page(ref.table, slot: ref.slot), ref.slot & Page.slotMask)
                if let target = ObjectRef(word: word) { body(target) }
                continue
            }
            view.forEachElement(CollectionRef(ref, column)) { _, value in
                if !value.isNull, let target = ObjectRef(word: value.low) { body(target) }
                return true
            }
        }
    }

    /// Whether an object that stays forbids to delete this one; then the transaction has failed.
    private func isDenied(_ ref: ObjectRef, _ going: Set<ObjectRef>) -> Bool {
        for column in layout.storage[ref.table].denying {
            let plan = plan(ref.table, column)
            let slot = ref.slot & Page.slotMask
            let sources = SlotCounts(word: plan.pointee.place.root(page(ref.table, slot: ref.slot), slot))
            var staying: ObjectRef?
            sources.forEach { source, _ in
                let holder = ObjectRef(table: plan.pointee.otherTable, slot: source)
                if !going.contains(holder) { staying = holder }
                return staying == nil
            }
            guard let staying else { continue }
            let (type, holder) = (layout.tables[ref.table], layout.tables[staying.table])
            let property = holder.names[plan.pointee.otherColumn]
            fail(
                BanyanError(
                    .constraint,
                    "the object \(view.id(ref)) of \(type.type.name) cannot be deleted: \(sources.total) "
                        + "link\(sources.total == 1 ? "" : "s") of \(holder.type.name).\(property) "
                        + "lead\(sources.total == 1 ? "s" : "") to it, and deny it",
                    remedy: "Clear the links first, or delete the objects that hold them as well",
                    at: holder.location(plan.pointee.otherColumn, object: "\(view.id(staying))")))
            return true
        }
        return false
    }

    /// What leaves a required link unset, as the error to fail with; nil if nothing does. Asked at the end of a transaction.
    ///
    /// - Parameter first: only what was noted from there on is looked at.
    func takeUnsetLink(since first: Int) -> BanyanError? {
        guard unsetLinks.count > first else { return nil }
        let noted = unsetLinks[first...]
        unsetLinks.removeLast(unsetLinks.count - first)
        for (ref, column) in noted where view.isPresent(ref) && view.word(ref, column) == 0 {
            return BanyanError(
                .constraint, "the link is required, and leads to no object",
                remedy: "Set it before the write ends, make it optional, or delete the object as well",
                at: layout.tables[ref.table].location(column, object: "\(view.id(ref))"))
        }
        return nil
    }

    /// Whether something may be wrong with the graph as the transaction would leave it, so that it is worth asking what.
    package var isDoubtful: Bool { @inline(__always) get { doubtful.count | unsetLinks.count != 0 } }

    /// What is wrong with the graph as the transaction would leave it, as the error to fail with; nil if nothing is.
    package func takeViolation() -> BanyanError? { takeUniqueViolation() ?? takeUnsetLink(since: 0) }
}
