// Creating and deleting objects.

extension Transaction {
    /// A new object with every value zero or nil. A type with a primary key needs `key`, which must be free: see `find(key:)`.
    /// Its indexed properties are not in their indexes yet: the caller enters their first values, by `initializeIndex` or
    /// `indexNew`, and then those of several properties, by `enterCompoundIndexes`. O(1), plus O(1) expected for the key.
    package func create(_ table: Int, key: Cell? = nil) -> ObjectID { insert(table, key: key).id }

    /// The same, with the page to fill in the values.
    package func insert(_ table: Int, key: Cell?) -> (id: ObjectID, page: UnsafeMutableRawPointer) {
        let page = pageWithFreeSlot(table)
        let slot = usableSlots(page).trailingZeroBitCount
        let index = Int(page.load(fromByteOffset: Page.index, as: UInt32.self))
        let generation = max(Page.generation(page, slot), minimumGeneration)
        highestGeneration = max(highestGeneration, Int64(generation))
        Page.setGeneration(page, slot, generation, memory)
        let id = occupy(table, page, index &<< Page.slotBits | slot)
        if let key, let access = layout.storage[table].key {
            access.store(key, page, slot)
            insertKey(table, key, slot: Int(id.slot))
        }
        return (id, page)
    }

    /// Whether the object exists in the version in the making.
    package func contains(_ id: ObjectID) -> Bool { view.contains(id) }

    private func occupy(_ table: Int, _ page: UnsafeMutableRawPointer, _ slot: Int) -> ObjectID {
        let bit: UInt64 = 1 << UInt64(slot & Page.slotMask)
        page.storeBytes(of: Page.present(page) | bit, toByteOffset: Page.present, as: UInt64.self)
        let touched = page.load(fromByteOffset: Page.touched, as: UInt64.self)
        page.storeBytes(of: touched | bit, toByteOffset: Page.touched, as: UInt64.self)
        addLive(table, 1)
        for column in layout.storage[table].required {
            unsetLinks.append((ObjectRef(table: table, slot: slot), column))
        }
        return ObjectID(table: table, slot: slot, generation: Page.generation(page, slot & Page.slotMask))
    }

    private func addLive(_ table: Int, _ change: Int) {
        let header = writableHeader(table)
        header.storeBytes(
            of: UInt64(TableHeader.liveCount(header) + change), toByteOffset: TableHeader.liveCount, as: UInt64.self)
    }

    /// The free slots of a page of this transaction that were free before it, too. A slot that this transaction freed rests
    /// until the next one: a link that left the old object for a new one in its place would look unchanged.
    private func usableSlots(_ page: UnsafeRawPointer) -> UInt64 {
        let origin = page.load(fromByteOffset: Page.origin, as: UnsafeRawPointer?.self)
        return ~Page.present(page) & ~(origin.map { Page.present($0) } ?? 0)
    }

    /// Puts pages whose free slots rested back on the free lists, at the end of the transaction.
    func listRestingPages() {
        for (table, index) in restingPages {
            let page = writablePage(table, slot: index << Page.slotBits)
            if Page.present(page) != ~0 { listFree(table, page) }
        }
        restingPages = []
    }

    /// The first page of the free list that really has a free slot; pages that filled up since are dropped from the list.
    private func pageWithFreeSlot(_ table: Int) -> UnsafeMutableRawPointer {
        while true {
            let first = header(table).load(fromByteOffset: TableHeader.firstFree, as: UInt32.self)
            if first == 0 {
                let page = appendPage(table)
                listFree(table, page)
                return page
            }
            let page = writablePage(table, slot: Int(first - 1) << Page.slotBits)
            if usableSlots(page) != 0 { return page }
            if Page.present(page) != ~0 { restingPages.append((table, Int(first - 1))) }
            let next = page.load(fromByteOffset: Page.nextFree, as: UInt32.self)
            page.storeBytes(of: 0, toByteOffset: Page.isListedFree, as: UInt8.self)
            writableHeader(table).storeBytes(of: next, toByteOffset: TableHeader.firstFree, as: UInt32.self)
        }
    }

    private func listFree(_ table: Int, _ page: UnsafeMutableRawPointer) {
        guard page.load(fromByteOffset: Page.isListedFree, as: UInt8.self) == 0 else { return }
        let header = writableHeader(table)
        let next = header.load(fromByteOffset: TableHeader.firstFree, as: UInt32.self)
        page.storeBytes(of: next, toByteOffset: Page.nextFree, as: UInt32.self)
        page.storeBytes(of: 1, toByteOffset: Page.isListedFree, as: UInt8.self)
        let index = page.load(fromByteOffset: Page.index, as: UInt32.self)
        header.storeBytes(of: index + 1, toByteOffset: TableHeader.firstFree, as: UInt32.self)
    }

    /// Deletes an object: what it owns goes with it, links to it are cleared and are changes of their owners. Where links have
    /// delete rules, what they cascade to goes as well, and a link that denies it fails the transaction. Deleting what is not
    /// there does nothing. O(properties + links in both directions).
    package func delete(_ id: ObjectID) {
        if layout.hasDeleteRules { return deleteByRules(CollectionOfOne(id)) }
        deleteOwning(id)
    }

    /// Deletes objects. Links between them deny nothing.
    package func delete<S: Sequence>(_ ids: S) where S.Element == ObjectID {
        if layout.hasDeleteRules { return deleteByRules(ids) }
        for id in ids { deleteOwning(id) }
    }

    /// Deletes an object and what is embedded in it.
    func deleteOwning(_ id: ObjectID) {
        // A list, not recursion: owned objects may nest as deep as the data likes.
        var pending = [id]
        while let next = pending.popLast() {
            guard contains(next) else { continue }
            let ref = next.ref
            willDelete(ref)
            clearIncomingLinks(ref)
            clearOutgoing(ref) { pending.append($0) }
            vacate(ref)
        }
    }

    /// Takes the object's slot out of use. Its links and collections must be gone.
    func vacate(_ ref: ObjectRef) {
        let page = writablePage(ref.table, slot: ref.slot)
        let slot = ref.slot & Page.slotMask
        let bit: UInt64 = 1 << UInt64(slot)
        removeFromIndexes(ref, page)
        let plans = plans[ref.table]
        for column in 0..<layout.storage[ref.table].columns {
            let plan = plans + column
            let place = plan.pointee.place
            if plan.pointee.emptied != .untouched, plan.pointee.shape == .single, plan.pointee.kind.isText {
                discardText(place.load(.string, page, slot))
            }
            switch plan.pointee.emptied {
            case .untouched: break
            case .zeroWord: place.setRoot(page, slot, 0, memory)
            case .null: place.store(.null, plan.pointee.kind, page, slot)
            case .zero: place.store(Cell(), plan.pointee.kind, page, slot)
            }
        }
        page.storeBytes(of: Page.present(page) & ~bit, toByteOffset: Page.present, as: UInt64.self)
        Page.setGeneration(page, slot, Page.generation(page, slot) &+ 1, memory)
        // Handles that have the page cached must look again, and find the object gone.
        standing.pointee.stamp &+= 1
        let touched = page.load(fromByteOffset: Page.touched, as: UInt64.self)
        page.storeBytes(of: touched | bit, toByteOffset: Page.touched, as: UInt64.self)
        addLive(ref.table, -1)
        listFree(ref.table, page)
    }

    // MARK: - For recovery

    /// Puts an object back at the very slot it had, as a snapshot or a journal names it.
    package func restore(_ id: ObjectID) throws(BanyanError) {
        isReplaying = true
        let page = try freePage(for: id)
        Page.setGeneration(page, Int(id.slot) & Page.slotMask, id.generation, memory)
        _ = occupy(Int(id.table), page, Int(id.slot))
    }

    /// Puts a free slot where it was left by objects that came and went: the next one there has this id.
    package func spend(_ id: ObjectID) throws(BanyanError) {
        isReplaying = true
        let page = try freePage(for: id)
        let slot = Int(id.slot) & Page.slotMask
        guard Page.generation(page, slot) < id.generation else {
            throw BanyanError(.damaged, "the id \(id) was given out before")
        }
        Page.setGeneration(page, slot, id.generation, memory)
        let touched = page.load(fromByteOffset: Page.touched, as: UInt64.self)
        page.storeBytes(of: touched | 1 << UInt64(slot), toByteOffset: Page.touched, as: UInt64.self)
    }

    /// The page in which an object is to be restored, made if need be; its slot must be free.
    private func freePage(for id: ObjectID) throws(BanyanError) -> UnsafeMutableRawPointer {
        let table = Int(id.table)
        guard table < layout.tables.count else {
            throw BanyanError(.damaged, "object \(id) is of a type the schema does not have")
        }
        while TableHeader.pageCount(header(table)) <= Int(id.slot) >> Page.slotBits {
            listFree(table, appendPage(table))
        }
        let page = writablePage(table, slot: Int(id.slot))
        guard Page.present(page) >> UInt64(Int(id.slot) & Page.slotMask) & 1 == 0 else {
            throw BanyanError(.damaged, "object \(id) is created where another one stands")
        }
        return page
    }

    /// Deletes as a journal says it was done: the links to the object are left to the records of their owners.
    package func deleteLeavingIncomingLinks(_ id: ObjectID) throws(BanyanError) {
        isReplaying = true
        guard contains(id) else { throw BanyanError(.damaged, "object \(id) is deleted but was not there") }
        clearOutgoing(id.ref) { _ in }
        vacate(id.ref)
    }
}
