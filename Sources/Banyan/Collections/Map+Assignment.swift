import BanyanCore

// Many entries at once. What a map owns, embedded objects and what is nested in AnyValues, moves from key to key.

extension Map {
    /// Sets these entries, and removes all other ones if they are the whole.
    func assign(_ entries: [Element], isWhole: Bool) {
        let kind = Value._$elementType.kind
        guard let handle, kind == .embedded || kind == .any else {
            if isWhole {
                let wanted = Set(entries.map { ComparedByCell($0.key) })
                for key in keys where !wanted.contains(ComparedByCell(key)) { removeObject(for: key) }
            }
            for (key, value) in entries { self[key, default: value] = value }
            return
        }
        var wanted: [ComparedByCell<Key>: Value] = [:]
        var order: [Key] = []
        for (key, value) in entries {
            if wanted.updateValue(value, forKey: ComparedByCell(key)) == nil { order.append(key) }
        }
        let placed = ownPlaces(order, wanted, isWhole: isWhole)
        // Whatever is nested in what leaves the map is read before it leaves.
        var cells: [(key: Key, value: Cell)] = []
        for key in order where placed[ComparedByCell(key)] == nil {
            guard let value = wanted[ComparedByCell(key)], let cell = handle.cell(of: value) else { return }
            cells.append((key, cell))
        }
        let transaction = handle.transaction
        transaction.mapRearrange(
            handle.owner, handle.column,
            order.compactMap { key in
                placed[ComparedByCell(key)].map { target in
                    key._$withLookupCell(in: handle.graph) { cell in
                        (key: BanyanCore.Value(cell ?? .null, Key._$elementType.kind), target: target)
                    }
                }
            })
        if isWhole { for key in keys where wanted[ComparedByCell(key)] == nil { removeObject(for: key) } }
        for (key, value) in cells {
            guard let key = handle.cell(of: key) else { return }
            transaction.mapSet(handle.owner, handle.column, key: key, value)
        }
    }

    /// The keys that are to have what the map owns already, each object under one of them.
    private func ownPlaces(
        _ order: [Key], _ wanted: [ComparedByCell<Key>: Value], isWhole: Bool
    ) -> [ComparedByCell<Key>: ObjectRef] {
        guard let graph = handle?.graph else { return [:] }
        let targets = wanted.compactMapValues { $0.ownedTarget(in: graph) }
        guard !targets.isEmpty else { return [:] }
        var present: [ObjectRef: ComparedByCell<Key>] = [:]
        for (key, value) in self {
            if let target = value.ownedTarget(in: graph) { present[target] = ComparedByCell(key) }
        }
        var placed: [ComparedByCell<Key>: ObjectRef] = [:]
        // Those that stay come first: of two keys for one object, the one that it has counts.
        for (key, target) in targets where present[target] == key {
            placed[key] = target
            present[target] = nil
        }
        for key in order.map({ ComparedByCell($0) }) where placed[key] == nil {
            // What keeps its key cannot have another one.
            guard let target = targets[key], let from = present[target], isWhole || wanted[from] != nil else {
                continue
            }
            placed[key] = target
            present[target] = nil
        }
        return placed
    }
}

extension CollectionValue {
    /// The embedded object of this graph that the value is, or what holds its list or dictionary.
    fileprivate func ownedTarget(in graph: Graph) -> ObjectRef? {
        if let any = self as? AnyValue { return any.nested(in: graph) }
        guard Self._$elementType.kind == .embedded, let object = _$untyped.object,
            object._graph?.context === graph.context, !object.isInvalidated
        else { return nil }
        return object._id.ref
    }
}
