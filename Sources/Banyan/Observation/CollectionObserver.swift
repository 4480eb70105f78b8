import BanyanCore

/// What happened to an observed map.
public enum MapChange<M, Key> {
    /// The observation has begun; this is the map as it is now.
    case initial(M)
    /// The keys that went, came, and whose value is another or changed itself; each in the map's order.
    case update(M, deletions: [Key], insertions: [Key], modifications: [Key])
    /// Nothing can go wrong: this never comes, and need not be looked for. It is here for programs written for Realm.
    @available(*, deprecated, message: "an observation does not fail: leave the case out")
    case error(Never)
}

extension List {
    /// Calls `block` at once with the list as it is, and after each commit that changes which elements it holds, their order,
    /// or one of the objects in it (or what that links to, up to four links away). Ends when the token is dropped, and when the
    /// owner of the list is deleted: that is told as the deletion of everything it held.
    public func observe(
        isolation: isolated (any Actor)? = #isolation, _ block: @escaping (CollectionChange<List>) -> Void
    ) -> NotificationToken {
        observeContents(isolation) {
            block(.initial(self))
        } tell: { handle, change in
            guard !handle.isGone(change) else {
                return block(.update(self, deletions: handle.oldRanks(change), insertions: [], modifications: []))
            }
            let edits = handle.edits(change)
            let modified = edits.modifications.flatMap(\.old) + handle.deepModifications(change, keeping: edits)
            let (deletions, insertions) = (edits.deletions.flatMap { $0 }, edits.insertions.flatMap { $0 })
            guard !deletions.isEmpty || !insertions.isEmpty || !modified.isEmpty else { return }
            block(
                .update(
                    self, deletions: deletions, insertions: insertions, modifications: Set(modified).sorted()))
        }
    }
}

extension MutableSet {
    /// Calls `block` at once with the set as it is, and after each commit that changes which elements it holds, or one of the
    /// objects in it (or what that links to, up to four links away). Ends when the token is dropped, and when the owner of the
    /// set is deleted: that is told as the deletion of everything it held.
    public func observe(
        isolation: isolated (any Actor)? = #isolation, _ block: @escaping (CollectionChange<MutableSet>) -> Void
    ) -> NotificationToken {
        observeContents(isolation) {
            block(.initial(self))
        } tell: { handle, change in
            guard !handle.isGone(change) else {
                return block(.update(self, deletions: handle.oldRanks(change), insertions: [], modifications: []))
            }
            let entries = handle.entryChanges(change)
            guard !entries.isEmpty else { return }
            block(
                .update(
                    self, deletions: entries.removed.map(\.rank), insertions: entries.inserted.map(\.rank),
                    modifications: entries.changed.map(\.oldRank)))
        }
    }
}

extension Map {
    /// Calls `block` at once with the map as it is, and after each commit that changes its keys or values, or one of the
    /// objects in it (or what that links to, up to four links away). Ends when the token is dropped, and when the owner of the
    /// map is deleted: that is told as the deletion of all its keys.
    public func observe(
        isolation: isolated (any Actor)? = #isolation, _ block: @escaping (MapChange<Map, Key>) -> Void
    ) -> NotificationToken {
        observeContents(isolation) {
            block(.initial(self))
        } tell: { handle, change in
            let key = { (cell: Cell) in Key._$element(cell, handle.graph) }
            guard !handle.isGone(change) else {
                return block(
                    .update(self, deletions: handle.oldKeys(change).map(key), insertions: [], modifications: []))
            }
            let entries = handle.entryChanges(change)
            guard !entries.isEmpty else { return }
            block(
                .update(
                    self, deletions: entries.removed.map { key($0.key) },
                    insertions: entries.inserted.map { key($0.key) },
                    modifications: entries.changed.map { key($0.key) }))
        }
    }
}

extension LiveCollection {
    fileprivate final func observeContents(
        _ isolation: (any Actor)?, begin: () -> Void, tell: @escaping (CollectionHandle, GraphChange) -> Void
    ) -> NotificationToken {
        guard let handle, !handle.graph.isFrozen else {
            fatalError("only the collection of a live object can be observed: add the object to a graph first")
        }
        begin()
        return handle.graph.addObserver(CollectionObserver(handle: handle, tellContents: tell), isolation)
    }
}

private struct CollectionObserver: GraphObserver {
    let handle: CollectionHandle
    let tellContents: (CollectionHandle, GraphChange) -> Void

    var tables: Set<Int> {
        let layout = handle.graph.workspace.layout
        let column = layout.tables[Int(handle.owner.table)].columns[handle.column]
        let reached = column.kind.mayLink ? DeepChanges.tables(reaching: column.ends.map(\.table), layout) : []
        return reached.union([Int(handle.owner.table)])
    }

    func tell(_ graph: Graph, _ change: GraphChange) -> Bool {
        tellContents(handle, change)
        return !handle.isGone(change)
    }
}

/// What became of a set's or map's entries.
private struct EntryChanges {
    var removed: [(key: Cell, rank: Int)] = []
    var inserted: [(key: Cell, rank: Int)] = []
    var changed: [(key: Cell, oldRank: Int)] = []

    var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && changed.isEmpty }
}

extension CollectionHandle {
    /// Whether the owner is no longer there.
    fileprivate func isGone(_ change: GraphChange) -> Bool { !change.after.view.contains(owner) }

    /// Where there was something.
    fileprivate func oldRanks(_ change: GraphChange) -> [Int] { Array(0..<change.before.view.elementCount(ref)) }

    /// The keys there were.
    fileprivate func oldKeys(_ change: GraphChange) -> [Cell] {
        var keys: [Cell] = []
        change.before.view.forEachElement(ref) { key, _ in
            keys.append(key)
            return true
        }
        return keys
    }

    /// All edits of the list on the way, as one script.
    fileprivate func edits(_ change: GraphChange) -> EditScript {
        let start = EditScript(oldCount: change.before.view.elementCount(ref))
        return change.changeSets.reduce(start) { script, set in
            set.listEdits[ref].map { EditScript.compose(script, $0) } ?? script
        }
    }

    /// Old positions of elements that are still there and whose objects changed.
    fileprivate func deepModifications(_ change: GraphChange, keeping edits: EditScript) -> [Int] {
        let modified = modifiedObjects(change)
        guard !modified.isEmpty else { return [] }
        var result: [Int] = []
        edits.forEachRun { run in
            guard case .kept(let start, let count) = run else { return }
            var position = start
            change.before.view.forEachElement(ref, start..<(start + count)) { _, cell in
                if modified.contains(cell, plan) { result.append(position) }
                position += 1
                return true
            }
        }
        return result
    }

    /// Entries of a sorted collection that went, came, or hold something else. O(entries that differ), plus O(entries) when
    /// objects in it changed.
    fileprivate func entryChanges(_ change: GraphChange) -> EntryChanges {
        let (old, new) = (change.before.view.root(ref), change.after.view.root(ref))
        var result = EntryChanges()
        let identity = { (element: UnsafeRawPointer) in
            elements.key == nil ? elements.load(element) : elements.loadKey(element)
        }
        let kind = elements.key ?? elements.kind
        tree.diff(
            old, new, compare: { CellOrder.compare(identity($0), identity($1), kind) },
            onRemoved: { result.removed.append((identity($0), $1)) },
            onInserted: { result.inserted.append((identity($0), $1)) },
            onChanged: { old, rank, new, _ in
                let (a, b) = (elements.load(old), elements.load(new))
                let isSame =
                    elements.kind.isText && !a.isNull && !b.isNull ? Text.equal(a, b) : CellOrder.identical(a, b)
                if !isSame { result.changed.append((identity(new), rank)) }
            })
        let modified = modifiedObjects(change)
        if !modified.isEmpty {
            let gone = Set(result.removed.map(\.rank) + result.changed.map(\.oldRank))
            var rank = 0
            change.before.view.forEachElement(ref) { key, value in
                if modified.contains(value, plan), !gone.contains(rank) {
                    result.changed.append((elements.key == nil ? value : key, rank))
                }
                rank += 1
                return true
            }
            result.changed.sort { $0.oldRank < $1.oldRank }
        }
        return result
    }

    /// Those in the collection that changed, themselves or up to four links away. O(objects that count as modified).
    private func modifiedObjects(_ change: GraphChange) -> Set<ObjectRef> {
        guard elements.kind.mayLink else { return [] }
        let view = change.after.view
        return view.layout.tables[Int(owner.table)].columns[column].ends.reduce(into: []) { found, end in
            for slot in change.modified(end.table) {
                let ref = ObjectRef(table: end.table, slot: Int(slot))
                if view.sources(ref, backlinkColumn: end.column).times(Int(owner.slot)) > 0 { found.insert(ref) }
            }
        }
    }
}

extension Set<ObjectRef> {
    /// Whether the element of a collection links to one of them, or owns it.
    fileprivate func contains(_ cell: Cell, _ plan: UnsafePointer<ColumnPlan>) -> Bool {
        plan.pointee.link(cell).map { contains($0.target) } ?? false
    }
}
