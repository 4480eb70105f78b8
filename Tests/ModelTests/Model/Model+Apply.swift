import BanyanCore

extension Model {
    /// Does to the model what was done to the graph; `made` are the ids the graph gave to new objects, `revived` those
    /// it gave to old ones.
    mutating func apply(
        _ operation: Operation, _ ids: [Int: ObjectID], made: [(number: Int, id: ObjectID)],
        revived: [ObjectID: ObjectID], kept: [KeptCommit]
    ) -> Outcome {
        func id(_ number: Int) -> ObjectID { ids[number] ?? Self.nobody }
        var faults: Set<BanyanError.Code> = []
        let new = operation.values.map { make($0, ids, level: 1, &faults) }
        // What cannot be made is not stored.
        guard faults.isEmpty else { return Outcome(faults: faults) }
        switch operation {
        case .create(_, let table, let key):
            let outcome = creation(table, key: key)
            if outcome.succeeds, let new = made.first { insert(new.id, key: key) }
            return outcome
        case .embed(_, let owner, let column, let place):
            for new in made { insert(new.id, key: nil) }
            return embed(made.map { .object($0.id.ref) }, id(owner), column, place)
        case .delete(let number):
            return delete(id(number)) ? Outcome() : Outcome(faults: [.constraint])
        case .touch(let number, let column):
            if contains(id(number)) { note(id(number), column) }
            return Outcome()
        case .set(let number, let column, _): return set(id(number), column, to: new[0])
        case .listInsert(let number, let column, let at, _): return listInsert(id(number), column, at: at, new)
        case .listRemove(let number, let column, let range): return listRemove(id(number), column, range)
        case .listSet(let number, let column, let at, _): return listSet(id(number), column, at: at, new[0])
        case .listMove(let number, let column, let from, let to):
            return listMove(id(number), column, from: from, to: to)
        case .setInsert(let number, let column, _): return setInsert(id(number), column, new[0])
        case .setRemove(let number, let column, _): return setRemove(id(number), column, new[0])
        case .mapSet(let number, let column, let key, _): return mapSet(id(number), column, key: key, new[0])
        case .mapRemove(let number, let column, let key): return mapRemove(id(number), column, key: key)
        case .removeAll(let number, let column): return removeAll(id(number), column)
        case .undo(let index): return undo(kept[index], revived: revived)
        }
    }

    private static let nobody = ObjectID(table: 0, slot: .max, generation: .max)

    /// The value of an operand, with the lists and dictionaries that were made for it.
    private mutating func make(
        _ operand: Operand, _ ids: [Int: ObjectID], level: Int, _ faults: inout Set<BanyanError.Code>
    ) -> Value {
        func id(_ number: Int) -> ObjectID { ids[number] ?? Self.nobody }
        switch operand {
        case .value(let value): return value
        case .link(let number): return .object(id(number).ref)
        case .nested(let number, let isList): return isList ? .list(id(number).ref) : .dictionary(id(number).ref)
        case .list(let number, let elements):
            guard level <= 100 else {
                faults.insert(.limit)
                return .null
            }
            insert(id(number), key: nil)
            let values = elements.map { make($0, ids, level: level + 1, &faults) }
            faults.formUnion(listInsert(id(number), NestedValues.listColumn, at: 0, values).faults)
            return .list(id(number).ref)
        case .dictionary(let number, let entries):
            guard level <= 100 else {
                faults.insert(.limit)
                return .null
            }
            insert(id(number), key: nil)
            for (key, element) in entries {
                let value = make(element, ids, level: level + 1, &faults)
                faults.formUnion(
                    mapSet(id(number), NestedValues.dictionaryColumn, key: .string(key), value).faults)
            }
            return .dictionary(id(number).ref)
        }
    }

    private mutating func embed(
        _ values: [Value], _ owner: ObjectID, _ column: Int, _ place: Operation.EmbeddedPlace
    ) -> Outcome {
        switch place {
        case .property: set(owner, column, to: values[0])
        case .listInsert(let at): listInsert(owner, column, at: at, values)
        case .listInsertTwice(let at): listInsert(owner, column, at: at, values + values)
        case .listSet(let at): listSet(owner, column, at: at, values[0])
        case .mapSet(let key): mapSet(owner, column, key: key, values[0])
        }
    }
}
