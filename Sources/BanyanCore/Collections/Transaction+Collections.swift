// What every kind of collection shares: finding its root, keeping inverses and owned objects, letting go of texts.

extension Transaction {
    func info(_ c: CollectionRef) -> ColumnLayout { layout.tables[c.owner.table].columns[c.column] }

    func element(_ c: CollectionRef) -> ElementLayout { info(c).element.unsafelyUnwrapped }

    func root(_ c: CollectionRef) -> RankTree.Root {
        UnsafeRawPointer(bitPattern: UInt(view.word(c.owner, c.column)))
    }

    /// Runs `change` on the collection's root and stores what becomes of it.
    func withRoot<R>(_ c: CollectionRef, _ change: (inout RankTree.Root) -> R) -> R {
        let page = writablePage(c.owner.table, slot: c.owner.slot)
        let slot = c.owner.slot & Page.slotMask
        let place = layout.tables[c.owner.table].page.columns[c.column]
        var root: RankTree.Root = UnsafeRawPointer(bitPattern: UInt(place.word(page, slot)))
        let result = change(&root)
        place.setWord(page, slot, UInt64(UInt(bitPattern: root)))
        Page.mark(page, slot: slot, column: c.column)
        return result
    }

    /// The collection of an object that must be there.
    func existingCollection(_ id: ObjectID, _ column: Int) -> CollectionRef? {
        existing(id, column).map { _ in CollectionRef(id.ref, column) }
    }

    /// Called with a value that comes into a collection; false when the transaction has failed.
    func willAdd(_ cell: Cell, to c: CollectionRef, _ info: ColumnLayout) -> Bool {
        guard info.kind.isLink, !cell.isNull, let target = ObjectRef(word: cell.low) else { return true }
        return isValidTarget(target, info, view.id(c.owner), c.column)
    }

    func didAdd(_ cell: Cell, to c: CollectionRef, _ info: ColumnLayout) {
        guard info.kind.isLink, !cell.isNull, let target = ObjectRef(word: cell.low) else { return }
        addBacklink(from: c.owner, info, to: target)
    }

    /// Called with a value that has left a collection.
    func didRemove(_ cell: Cell, from c: CollectionRef, _ info: ColumnLayout) {
        guard !cell.isNull else { return }
        if info.kind.isText {
            discardText(cell)
        } else if info.kind.isLink, let target = ObjectRef(word: cell.low) {
            removeBacklink(from: c.owner, info, to: target)
            if info.kind == .embedded { releaseOwned(target) }
        }
    }

    /// The cells of a range, copied out before the range goes.
    func cells(_ c: CollectionRef, _ range: Range<Int>) -> [(key: Cell, value: Cell)] {
        let layout = element(c)
        let root = root(c)
        var result: [(Cell, Cell)] = []
        result.reserveCapacity(range.count)
        var cursor = RankTree(stride: layout.stride).cursor(root, in: range)
        while let element = cursor.next() {
            result.append((layout.key == nil ? .null : layout.loadKey(element), layout.load(element)))
        }
        return result
    }

    /// Whether the object was made by this transaction: then it is recorded as a whole, and its lists need no edits.
    func isNew(_ ref: ObjectRef) -> Bool {
        let page = page(ref.table, slot: ref.slot)
        guard memory.isOwned(page) else { return false }
        guard let old = page.load(fromByteOffset: Page.origin, as: UnsafeRawPointer?.self) else { return true }
        let slot = ref.slot & Page.slotMask
        return Page.present(old) >> UInt64(slot) & 1 == 0 || Page.generation(old, slot) != Page.generation(page, slot)
    }

    /// Empties a collection. Links lose their inverses, embedded objects are deleted. O(n).
    package func removeAll(_ id: ObjectID, _ column: Int) {
        guard let c = existingCollection(id, column) else { return }
        let count = RankTree(stride: element(c).stride).count(root(c))
        guard count > 0 else { return }
        if case .list = info(c).shape {
            listRemove(id, column, 0..<count)
            return
        }
        let removed = cells(c, 0..<count)
        let info = info(c)
        let tree = RankTree(stride: element(c).stride)
        withRoot(c) { tree.discardAll(&$0, in: memory) }
        for (key, value) in removed {
            if element(c).key?.isText == true { discardText(key) }
            didRemove(value, from: c, info)
        }
    }

    /// Drops the collection of an object that is being deleted.
    func discardCollection(_ c: CollectionRef, owned: (ObjectID) -> Void) {
        listEdits[c] = nil
        guard root(c) != nil else { return }
        let info = info(c)
        let layout = element(c)
        let tree = RankTree(stride: layout.stride)
        if info.kind.isLink || info.kind.isText || layout.key?.isText == true {
            for (key, value) in cells(c, 0..<tree.count(root(c))) {
                if layout.key?.isText == true { discardText(key) }
                guard !value.isNull else { continue }
                if info.kind.isText {
                    discardText(value)
                } else if info.kind.isLink, let target = ObjectRef(word: value.low) {
                    let id = view.id(target)
                    removeBacklink(from: c.owner, info, to: target)
                    if info.kind == .embedded { owned(id) }
                }
            }
        }
        withRoot(c) { tree.discardAll(&$0, in: memory) }
    }

    /// Takes a deleted object out of a collection: a list and a set lose the entry, a map keeps the key with nil.
    func unlinkInCollection(_ c: CollectionRef, from target: ObjectRef) {
        let layout = element(c)
        let tree = RankTree(stride: layout.stride)
        var ranks: [Int] = []
        var rank = 0
        tree.forEachRun(root(c)) { start, count in
            for i in 0..<count {
                if (start + i * layout.stride + layout.valueOffset).load(as: UInt64.self) == target.word {
                    ranks.append(rank + i)
                }
            }
            rank += count
        }
        for rank in ranks.reversed() {
            switch info(c).shape {
            case .map:
                withRoot(c) { root in
                    tree.mutableElement(&root, at: rank, in: memory)
                        .storeBytes(of: 0, toByteOffset: layout.valueOffset, as: UInt64.self)
                }
            case .list:
                recordEdit(c) { $0.remove(rank..<(rank + 1)) }
                withRoot(c) { tree.remove(&$0, rank..<(rank + 1), in: memory) }
            case .set, .single, .inverse:
                withRoot(c) { tree.remove(&$0, rank..<(rank + 1), in: memory) }
            }
        }
    }
}
