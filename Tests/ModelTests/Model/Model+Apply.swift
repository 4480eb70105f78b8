import BanyanCore

extension Model {
    /// Does to the model what was done to the graph; `made` are the ids the graph gave to new objects.
    mutating func apply(
        _ operation: Operation, _ ids: [Int: ObjectID], made: [(number: Int, id: ObjectID)]
    ) -> Outcome {
        func id(_ number: Int) -> ObjectID { ids[number] ?? ObjectID(table: 0, slot: .max, generation: .max) }
        func value(_ operand: Operand) -> Value {
            switch operand {
            case .value(let value): value
            case .link(let number): .object(id(number).ref)
            }
        }
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
        case .set(let number, let column, let operand): return set(id(number), column, to: value(operand))
        case .listInsert(let number, let column, let at, let operands):
            return listInsert(id(number), column, at: at, operands.map(value))
        case .listRemove(let number, let column, let range): return listRemove(id(number), column, range)
        case .listSet(let number, let column, let at, let operand):
            return listSet(id(number), column, at: at, value(operand))
        case .listMove(let number, let column, let from, let to):
            return listMove(id(number), column, from: from, to: to)
        case .setInsert(let number, let column, let operand): return setInsert(id(number), column, value(operand))
        case .setRemove(let number, let column, let operand): return setRemove(id(number), column, value(operand))
        case .mapSet(let number, let column, let key, let operand):
            return mapSet(id(number), column, key: key, value(operand))
        case .mapRemove(let number, let column, let key): return mapRemove(id(number), column, key: key)
        case .removeAll(let number, let column): return removeAll(id(number), column)
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
