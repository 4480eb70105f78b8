import BanyanCore

// What an update with `.modified` does to collections of embedded objects: those that are there are changed where they are, as
// one in a property is.

extension ObjectAdder {
    /// Whether embedded objects that are there are to be changed to what these are. Those of the graph itself keep their identity,
    /// and are put where they are wanted instead.
    func mayUpdateInPlace<Element: CollectionValue>(_ values: [Element]) -> Bool {
        policy == .modified && Element._$elementType.kind == .embedded
            && values.allSatisfy { $0._$object?._isManaged != true }
    }

    /// Changes the embedded object that a cell leads to; false when there is none, or none of its class to change it to.
    fileprivate func update(_ cell: Cell?, to object: ObjectBase?) -> Bool {
        guard let object, !object._isManaged, let cell, !cell.isNull, let present = ObjectRef(word: cell.low) else {
            return false
        }
        return updateEmbedded(object, present)
    }
}

extension List {
    /// Changes the embedded objects to these, place by place.
    func updateEmbedded(_ values: [Element], _ adder: ObjectAdder) {
        guard let handle else { return }
        let present = self.handle?.values(0..<count) ?? []
        for (index, (cell, value)) in zip(present, values).enumerated()
        where !adder.update(cell, to: value._$object) {
            guard let new = handle.cell(of: value) else { return }
            adder.transaction.listSet(handle.owner, handle.column, at: index, new)
        }
        if values.count < present.count { removeSubrange(values.count..<present.count) }
        guard values.count > present.count, let cells = handle.cells(values[present.count...]) else { return }
        adder.transaction.listInsert(handle.owner, handle.column, at: present.count, cells)
    }
}

extension Map {
    /// Changes the embedded objects to these, key by key.
    func updateEmbedded(_ entries: [Element], _ adder: ObjectAdder) {
        guard let graph = handle?.graph else { return }
        let wanted = Set(entries.map { ComparedByCell($0.key) })
        for key in keys where !wanted.contains(ComparedByCell(key)) { removeObject(for: key) }
        for (key, value) in entries {
            let present = key._$withLookupCell(in: graph) { cell -> Cell? in
                guard let cell, let place = handle?.sortedRank(of: cell), place.isMatch else { return nil }
                return place.element.flatMap { handle?.elements.load($0) }
            }
            if !adder.update(present, to: value._$object) { updateValue(value, forKey: key) }
        }
    }
}
