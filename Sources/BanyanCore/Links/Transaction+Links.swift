// Links and their inverses change together, here and nowhere else, whatever holds the link.

extension Transaction {
    /// Points a to-one link elsewhere.
    func setLink(_ id: ObjectID, _ column: Int, old: ObjectRef?, new: ObjectRef?) {
        guard old != new else { return }
        let info = layout.tables[Int(id.table)].columns[column]
        if let new, !isValidTarget(new, info, id, column) { return }
        let page = writablePage(Int(id.table), slot: Int(id.slot))
        let slot = Int(id.slot) & Page.slotMask
        layout.tables[Int(id.table)].page.columns[column].setWord(page, slot, new?.word ?? 0)
        Page.mark(page, slot: slot, column: column)
        if let old { removeBacklink(from: id.ref, info, to: old) }
        if let new { addBacklink(from: id.ref, info, to: new) }
        if let old, info.kind == .embedded { releaseOwned(old) }
    }

    /// Deletes an embedded object that has lost its owner. A journal names those itself.
    func releaseOwned(_ ref: ObjectRef) {
        if !isReplaying { delete(view.id(ref)) }
    }

    func isValidTarget(_ target: ObjectRef, _ info: ColumnLayout, _ id: ObjectID, _ column: Int) -> Bool {
        let isThere =
            target.table == info.otherTable
            && target.slot >> Page.slotBits < TableHeader.pageCount(header(target.table))
        guard isThere,
            Page.present(page(target.table, slot: target.slot)) >> UInt64(target.slot & Page.slotMask) & 1 != 0
        else {
            fail(
                BanyanError(
                    .invalidatedObject, "the object to link to is not there, or is of another type",
                    at: layout.tables[Int(id.table)].location(column, object: "\(id)")))
            return false
        }
        if info.kind == .embedded, !isReplaying, isOwned(target) {
            failSecondOwner(id, column)
            return false
        }
        return true
    }

    func failSecondOwner(_ id: ObjectID, _ column: Int) {
        fail(
            BanyanError(
                .secondOwner, "the embedded object already belongs to another object",
                remedy: "Assign an unmanaged copy of it",
                at: layout.tables[Int(id.table)].location(column, object: "\(id)")))
    }

    private func isOwned(_ embedded: ObjectRef) -> Bool {
        let table = layout.tables[embedded.table]
        let page = page(embedded.table, slot: embedded.slot)
        return table.inverseColumns.contains { table.page.columns[$0].word(page, embedded.slot & Page.slotMask) != 0 }
    }

    func addBacklink(from source: ObjectRef, _ info: ColumnLayout, to target: ObjectRef, times: Int = 1) {
        withBacklinks(of: target, info.otherColumn) { $0.add(source.slot, times: times, memory) }
    }

    func removeBacklink(from source: ObjectRef, _ info: ColumnLayout, to target: ObjectRef, times: Int = 1) {
        withBacklinks(of: target, info.otherColumn) { counts in
            let found = counts.remove(source.slot, times: times, memory)
            assert(found, "a link without its inverse")
        }
    }

    private func withBacklinks(of target: ObjectRef, _ column: Int, _ change: (inout SlotCounts) -> Void) {
        let page = writablePage(target.table, slot: target.slot)
        let slot = target.slot & Page.slotMask
        let place = layout.tables[target.table].page.columns[column]
        var counts = SlotCounts(word: place.word(page, slot))
        change(&counts)
        place.setWord(page, slot, counts.word)
        Page.mark(page, slot: slot, column: column)
    }

    // MARK: - Deletion

    /// Clears every link to an object. Each is a change of its owner.
    func clearIncomingLinks(_ ref: ObjectRef) {
        let table = layout.tables[ref.table]
        for column in table.inverseColumns {
            let info = table.columns[column]
            var counts = SlotCounts(word: view.word(ref, column))
            guard !counts.isEmpty else { continue }
            var sources: [ObjectRef] = []
            sources.reserveCapacity(counts.count)
            counts.forEach { slot, _ in
                sources.append(ObjectRef(table: info.otherTable, slot: slot))
                return true
            }
            for source in sources { unlink(source, info.otherColumn, from: ref) }
            withBacklinks(of: ref, column) { $0.removeAll(memory) }
            counts.word = 0
        }
    }

    /// Takes every link to `target` out of one property of one object, leaving the inverse alone.
    private func unlink(_ source: ObjectRef, _ column: Int, from target: ObjectRef) {
        let info = layout.tables[source.table].columns[column]
        guard info.isCollection else {
            let page = writablePage(source.table, slot: source.slot)
            let slot = source.slot & Page.slotMask
            layout.tables[source.table].page.columns[column].setWord(page, slot, 0)
            Page.mark(page, slot: slot, column: column)
            return
        }
        unlinkInCollection(CollectionRef(source, column), from: target)
    }

    /// Drops the object's own links and collections, calling `owned` with each embedded object it held.
    func clearOutgoing(_ ref: ObjectRef, owned: (ObjectID) -> Void) {
        let table = layout.tables[ref.table]
        for column in table.linkColumns where !table.columns[column].isCollection {
            let info = table.columns[column]
            guard let target = ObjectRef(word: view.word(ref, column)) else { continue }
            let targetID = view.id(target)
            removeBacklink(from: ref, info, to: target)
            let page = writablePage(ref.table, slot: ref.slot)
            table.page.columns[column].setWord(page, ref.slot & Page.slotMask, 0)
            if info.kind == .embedded { owned(targetID) }
        }
        for column in table.collectionColumns {
            discardCollection(CollectionRef(ref, column), owned: owned)
        }
    }
}
