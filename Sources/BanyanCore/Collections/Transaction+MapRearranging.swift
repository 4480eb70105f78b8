// New keys for what a map owns: embedded objects, and the lists and dictionaries of AnyValues, may neither be under two keys
// at any time nor leave their map.

extension Transaction {
    /// Puts objects that a map owns already under other keys.
    ///
    /// What stood under these keys, and moves to no other one, leaves the map. The keys that they come from keep nil, unless
    /// another object moves there. Objects that the map does not own are left alone, and so is one that is wanted a second
    /// time. O(n log n) in the entries of the map.
    package func mapRearrange(_ id: ObjectID, _ column: Int, _ wanted: [(key: Value, target: ObjectRef)]) {
        guard !wanted.isEmpty, let c = existingCollection(id, column) else { return }
        let plan = plan(c)
        let layout = plan.pointee.element
        guard let keyKind = layout.key else { return }
        let owned = ownedEntries(c)
        var moves: [ObjectRef: Value] = [:]
        var keys: [Value] = []
        var taken: Set<ExactValue> = []
        for (key, target) in wanted where moves[target] == nil {
            guard let entry = owned[target], !Value(entry.key, keyKind).isIdentical(to: key),
                taken.insert(ExactValue(value: key)).inserted
            else { continue }
            moves[target] = key
            keys.append(key)
        }
        guard !keys.isEmpty else { return }
        // What is in the way goes first, while all else is where it was: deleting it can delete anything.
        for key in keys {
            guard let cell = keyCell(key, id, column) else { return }
            let place = find(c, cell, key: true)
            if place.isMatch, let element = place.element, let link = plan.pointee.link(layout.load(element)),
                link.isOwned, moves[link.target] != nil
            {
                dropText(cell, keyKind)
            } else {
                mapSet(id, column, key: cell, .null)
                guard fault == nil, existingCollection(id, column) != nil else { return }
            }
        }
        // Their inverses stay as they are, for the owner does.
        let tree = plan.pointee.tree
        var steps: [(from: Int, to: Int, value: Cell)] = []
        for (target, entry) in ownedEntries(c) {
            guard let key = moves[target], let cell = keyCell(key, id, column) else { continue }
            let place = find(c, cell, key: true)
            dropText(cell, keyKind)
            if place.isMatch { steps.append((entry.place, place.rank, entry.value)) }
        }
        func store(_ value: Cell, at rank: Int) {
            withRoot(c) { root in
                let element = tree.mutableElement(&root, at: rank, in: memory)
                layout.store(value, key: layout.loadKey(element), to: element)
            }
        }
        for step in steps { store(.null, at: step.from) }
        for step in steps { store(step.value, at: step.to) }
    }

    /// The entries whose objects a map owns.
    private func ownedEntries(_ c: CollectionRef) -> [ObjectRef: (place: Int, key: Cell, value: Cell)] {
        let plan = plan(c)
        var result: [ObjectRef: (place: Int, key: Cell, value: Cell)] = [:]
        for (place, entry) in cells(c, 0..<plan.pointee.tree.count(root(c))).enumerated() {
            guard let link = plan.pointee.link(entry.value), link.isOwned else { continue }
            result[link.target] = (place, entry.key, entry.value)
        }
        return result
    }
}
