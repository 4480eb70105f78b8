// Taking a commit back: its change set the other way round, on the graph as it is now.

extension Transaction {
    /// Makes what a commit changed what it was before: objects it created go, objects it deleted come back under new ids, and
    /// properties it changed get their old values. Everything else stays as it is.
    ///
    /// - Returns: what the objects that come back were, and what they are now.
    /// - Throws: `conflict` when what the commit left is not there any more, or not as it left it: an object changed or deleted
    ///   since, a new one linked to since, a key taken. Nothing is changed then. `foreignObject` for a commit of another store.
    /// - Complexity: O(n log n) in the objects the commit touched and the elements of the collections it changed.
    @discardableResult
    package func undo(_ changes: ChangeSet) throws(BanyanError) -> [ObjectID: ObjectID] {
        guard changes.after.lineage === base.lineage else {
            throw BanyanError(
                .foreignObject, "the commit is one of another store",
                remedy: "Undo it where it was made; a fork has commits of its own")
        }
        var undo = Undo(transaction: self, changes: changes)
        try undo.checkConflicts()
        try undo.apply()
        if let fault { throw fault }
        return undo.newIDs
    }
}

/// One undoing.
private struct Undo {
    let transaction: Transaction
    let changes: ChangeSet
    private var created: [ObjectID] = []
    private var deleted: [ObjectID] = []
    private var modified: [(id: ObjectID, columns: [Int])] = []
    /// What deleted objects have come back as.
    private var revived: [ObjectRef: ObjectRef] = [:]

    private var before: GraphView { changes.before.view }
    private var after: GraphView { changes.after.view }
    private var now: GraphView { transaction.view }
    private var layout: StoreLayout { transaction.layout }

    init(transaction: Transaction, changes: ChangeSet) {
        self.transaction = transaction
        self.changes = changes
        changes.forEachObject { change in
            switch change.kind {
            case .created: created.append(change.id)
            case .deleted: deleted.append(change.id)
            case .modified:
                let own = change.columns.filter { isStored($0, change.id) }
                if !own.isEmpty { modified.append((change.id, own)) }
            }
        }
    }

    private func isStored(_ column: Int, _ id: ObjectID) -> Bool {
        transaction.layout.tables[Int(id.table)].columns[column].isStored
    }

    // MARK: - Conflicts

    func checkConflicts() throws(BanyanError) {
        for id in created {
            try checkPresence(id)
            let table = layout.tables[Int(id.table)]
            for column in 0..<table.propertyCount where table.columns[column].isStored { try checkValue(id, column) }
            // Whoever links to it since would lose it.
            for column in table.inverseColumns where !hasSameSources(id.ref, column) {
                throw conflict("an object the commit created has been linked to since, or is no longer linked to", id)
            }
        }
        let restored = Set(deleted.map(\.ref))
        for (id, columns) in modified {
            try checkPresence(id)
            for column in columns {
                try checkValue(id, column)
                try checkTargets(id, column, restored)
            }
        }
        for id in deleted {
            let table = layout.tables[Int(id.table)]
            if let column = table.keyColumn { try checkKey(id, column) }
            for column in 0..<table.propertyCount where table.columns[column].isStored {
                try checkTargets(id, column, restored)
            }
        }
    }

    private func conflict(_ what: String, _ id: ObjectID, _ column: Int? = nil) -> BanyanError {
        BanyanError(
            .conflict, "commit \(changes.after.sequence) cannot be undone: \(what)",
            remedy: "Undo the later changes first, or make the change by hand",
            at: layout.tables[Int(id.table)].location(column, object: "\(id)"))
    }

    private func checkPresence(_ id: ObjectID) throws(BanyanError) {
        if !now.contains(id) { throw conflict("an object it created or changed has been deleted since", id) }
    }

    private func checkKey(_ id: ObjectID, _ column: Int) throws(BanyanError) {
        let key = before.value(id.ref, column)
        guard let other = now.findInFamily(Int(id.table), key: key), !created.contains(other) else { return }
        throw conflict("object \(other) has taken the primary key \(key) since", id, column)
    }

    /// A property must be as the commit left it.
    private func checkValue(_ id: ObjectID, _ column: Int) throws(BanyanError) {
        let info = layout.tables[Int(id.table)].columns[column]
        if info.isCollection {
            let c = CollectionRef(id.ref, column)
            if now.root(c) == after.root(c) { return }
            let count = now.elementCount(c)
            var isSame = count == after.elementCount(c)
            var rank = 0
            while isSame, rank < count {
                let (a, b) = (now.element(c, at: rank), after.element(c, at: rank))
                isSame = a.key.isIdentical(to: b.key) && isSameValue(a.value, b.value)
                rank += 1
            }
            if isSame { return }
        } else if isSameValue(now.value(id.ref, column), after.value(id.ref, column)) {
            return
        }
        throw conflict("a property it set has been changed since", id, column)
    }

    private func isSameValue(_ current: Value, _ left: Value) -> Bool {
        guard current == left, let link = current.link else { return current.isIdentical(to: left) }
        return now.id(link) == after.id(link)
    }

    /// What an old value links to must be there, or come back.
    private func checkTargets(_ id: ObjectID, _ column: Int, _ restored: Set<ObjectRef>) throws(BanyanError) {
        for target in targets(id, column) where !restored.contains(target) && !now.contains(before.id(target)) {
            throw conflict("an object it took out of a link has been deleted since", id, column)
        }
    }

    private func targets(_ id: ObjectID, _ column: Int) -> [ObjectRef] {
        let info = layout.tables[Int(id.table)].columns[column]
        guard info.isCollection else {
            return before.value(id.ref, column).link.map { [$0] } ?? []
        }
        guard info.kind.mayLink else { return [] }
        var result: [ObjectRef] = []
        before.forEachElement(CollectionRef(id.ref, column)) { _, value in
            if let target = Value(value, info.kind).link { result.append(target) }
            return true
        }
        return result
    }

    private func hasSameSources(_ ref: ObjectRef, _ column: Int) -> Bool {
        func all(_ view: GraphView) -> [Int: Int] {
            var result: [Int: Int] = [:]
            view.forEachSource(ref, backlinkColumn: column) { source, times in
                result[source.slot] = times
                return true
            }
            return result
        }
        return now.word(ref, column) == after.word(ref, column) || all(now) == all(after)
    }

    // MARK: - Taking back

    var newIDs: [ObjectID: ObjectID] {
        Dictionary(
            uniqueKeysWithValues: deleted.compactMap { id in revived[id.ref].map { (id, now.id($0)) } })
    }

    mutating func apply() throws(BanyanError) {
        // What the commit made owns nothing that was there before.
        for id in created { transaction.deleteOwning(id) }
        for id in deleted {
            let table = layout.tables[Int(id.table)]
            let key = table.keyColumn.map { before.value(id.ref, $0) }
            let new = try transaction.create(Int(id.table), key: key ?? .null)
            transaction.initializeIndexes(new)
            revived[id.ref] = new.ref
        }
        for id in deleted {
            guard let ref = revived[id.ref] else { continue }
            let table = layout.tables[Int(id.table)]
            for column in 0..<table.propertyCount where table.columns[column].isStored && column != table.keyColumn {
                restore(id.ref, column, to: now.id(ref))
            }
        }
        for (id, columns) in modified { for column in columns { restore(id.ref, column, to: id) } }
    }

    /// The old value, with links to what has come back.
    private func mapped(_ value: Value) -> Value {
        guard let new = value.link.flatMap({ revived[$0] }) else { return value }
        return switch value {
        case .list: .list(new)
        case .dictionary: .dictionary(new)
        default: .object(new)
        }
    }

    private func restore(_ source: ObjectRef, _ column: Int, to id: ObjectID) {
        let info = layout.tables[source.table].columns[column]
        guard info.isCollection else { return transaction.setValue(id, column, mapped(before.value(source, column))) }
        let c = CollectionRef(source, column)
        let old = (0..<before.elementCount(c)).map { before.element(c, at: $0) }
        switch info.shape {
        case .list: restoreList(old.map { mapped($0.value) }, id, column)
        case .set:
            let wanted = old.map { mapped($0.value) }
            let kept = Set(wanted.map { ExactValue(value: $0) })
            for entry in current(id, column) where !kept.contains(ExactValue(value: entry.value)) {
                transaction.setRemove(id, column, entry.value)
            }
            for value in wanted { transaction.setInsert(id, column, value) }
        case .map:
            // An embedded object must not leave its map either.
            transaction.mapRearrange(
                id, column, old.compactMap { entry in mapped(entry.value).link.map { (key: entry.key, target: $0) } })
            let keys = Set(old.map { ExactValue(value: $0.key) })
            for entry in current(id, column) where !keys.contains(ExactValue(value: entry.key)) {
                transaction.mapRemove(id, column, key: entry.key)
            }
            for entry in old { transaction.mapSet(id, column, key: entry.key, mapped(entry.value)) }
        case .single, .inverse: break
        }
    }

    private func current(_ id: ObjectID, _ column: Int) -> [(key: Value, value: Value)] {
        let c = CollectionRef(id.ref, column)
        return (0..<now.elementCount(c)).map { now.element(c, at: $0) }
    }

    /// What stays is moved, for an embedded object must not leave its list.
    private func restoreList(_ wanted: [Value], _ id: ObjectID, _ column: Int) {
        var places: [ExactValue: [Int]] = [:]
        for (place, entry) in current(id, column).enumerated().reversed() {
            places[ExactValue(value: entry.value), default: []].append(place)
        }
        let kept = wanted.map { places[ExactValue(value: $0)]?.popLast() }
        transaction.listRearrange(id, column, keeping: kept) { run in
            transaction.listInsert(id, column, at: run.lowerBound, Array(wanted[run]))
            return true
        }
    }
}
