import BanyanCore

/// One operation as calls of the transaction.
struct OperationCall {
    struct Answer {
        var thrown: BanyanError.Code?
        var value: Bool?
    }

    let transaction: Transaction
    let ids: [Int: ObjectID]
    /// Objects made, by number.
    private(set) var made: [(number: Int, id: ObjectID)] = []

    init(transaction: Transaction, ids: [Int: ObjectID]) {
        self.transaction = transaction
        self.ids = ids
    }

    private func id(_ number: Int) throws -> ObjectID {
        guard let id = ids[number] else { throw Failure("no object #\(number)") }
        return id
    }

    private func value(_ operand: Operand) throws -> Value { try operand.value(ids) }

    mutating func perform(_ operation: Operation) throws -> Answer {
        var answer = Answer()
        switch operation {
        case .create(let number, let table, let key): answer.thrown = try create(number, table, key)
        case .embed(let numbers, let owner, let column, let place): try embed(numbers, try id(owner), column, place)
        case .delete(let number): transaction.delete(try id(number))
        case .set(let number, let column, let operand): transaction.setValue(try id(number), column, try value(operand))
        case .touch(let number, let column):
            let id = try id(number)
            if transaction.contains(id) { transaction.touch(id, column) }
        case .listInsert(let number, let column, let at, let operands):
            transaction.listInsert(try id(number), column, at: at, try operands.map(value))
        case .listRemove(let number, let column, let range): transaction.listRemove(try id(number), column, range)
        case .listSet(let number, let column, let at, let operand):
            transaction.listSet(try id(number), column, at: at, try value(operand))
        case .listMove(let number, let column, let from, let to):
            transaction.listMove(try id(number), column, from: from, to: to)
        case .setInsert(let number, let column, let operand):
            answer.value = transaction.setInsert(try id(number), column, try value(operand))
        case .setRemove(let number, let column, let operand):
            answer.value = transaction.setRemove(try id(number), column, try value(operand))
        case .mapSet(let number, let column, let key, let operand):
            transaction.mapSet(try id(number), column, key: key, try value(operand))
        case .mapRemove(let number, let column, let key):
            answer.value = transaction.mapRemove(try id(number), column, key: key)
        case .removeAll(let number, let column): transaction.removeAll(try id(number), column)
        }
        return answer
    }

    private mutating func create(_ number: Int, _ table: Int, _ key: Value?) throws -> BanyanError.Code? {
        guard let key else {
            make(number, table)
            return nil
        }
        do throws(BanyanError) {
            let id = try transaction.create(table, key: key)
            // What whoever creates an object owes it.
            transaction.initializeIndexes(id)
            made.append((number, id))
            return nil
        } catch {
            return error.code
        }
    }

    @discardableResult
    private mutating func make(_ number: Int, _ table: Int) -> ObjectID {
        let id = transaction.create(table)
        transaction.initializeIndexes(id)
        made.append((number, id))
        return id
    }

    private mutating func embed(
        _ numbers: [Int], _ owner: ObjectID, _ column: Int, _ place: Operation.EmbeddedPlace
    ) throws {
        let table = transaction.layout.tables[Int(owner.table)].columns[column].otherTable
        let values = numbers.map { Value.object(make($0, table).ref) }
        switch place {
        case .property: transaction.setValue(owner, column, values[0])
        case .listInsert(let at): transaction.listInsert(owner, column, at: at, values)
        case .listInsertTwice(let at): transaction.listInsert(owner, column, at: at, values + values)
        case .listSet(let at): transaction.listSet(owner, column, at: at, values[0])
        case .mapSet(let key): transaction.mapSet(owner, column, key: key, values[0])
        }
    }
}

extension Operand {
    func value(_ ids: [Int: ObjectID]) throws -> Value {
        switch self {
        case .value(let value): return value
        case .link(let number):
            guard let id = ids[number] else { throw Failure("no object #\(number)") }
            return .object(id.ref)
        }
    }
}

extension Operation {
    /// The numbers of the objects that must have been made before.
    var operands: [Int] {
        func links(_ operands: [Operand]) -> [Int] {
            operands.compactMap { if case .link(let number) = $0 { number } else { nil } }
        }
        return switch self {
        case .create: []
        case .embed(_, let owner, _, _): [owner]
        case .delete(let number), .touch(let number, _), .removeAll(let number, _), .listRemove(let number, _, _),
            .listMove(let number, _, _, _), .mapRemove(let number, _, _):
            [number]
        case .set(let number, _, let operand), .listSet(let number, _, _, let operand),
            .setInsert(let number, _, let operand), .setRemove(let number, _, let operand),
            .mapSet(let number, _, _, let operand):
            [number] + links([operand])
        case .listInsert(let number, _, _, let operands): [number] + links(operands)
        }
    }

    /// Whether the property is of the shape that the operation is for: in a script with steps left out another object
    /// may be there.
    func isApplicable(_ ids: [Int: ObjectID]) -> Bool {
        func shape(_ number: Int, _ column: Int) -> PropertySchema.Shape? {
            guard let id = ids[number] else { return nil }
            let properties = Model.schema(Int(id.table)).properties
            return column < properties.count ? properties[column].shape : nil
        }
        switch self {
        case .create, .delete, .touch: return true
        case .removeAll(let number, let column):
            switch shape(number, column) {
            case .list?, .set?, .map?: return true
            case .single?, .inverse?, nil: return false
            }
        case .embed(_, let owner, let column, let place):
            switch (place, shape(owner, column)) {
            case (.property, .single?), (.listInsert, .list?), (.listInsertTwice, .list?), (.listSet, .list?),
                (.mapSet, .map?):
                return true
            default: return false
            }
        case .set(let number, let column, _): return shape(number, column) == .single
        case .listInsert(let number, let column, _, _), .listRemove(let number, let column, _),
            .listSet(let number, let column, _, _), .listMove(let number, let column, _, _):
            return shape(number, column) == .list
        case .setInsert(let number, let column, _), .setRemove(let number, let column, _):
            return shape(number, column) == .set
        case .mapSet(let number, let column, _, _), .mapRemove(let number, let column, _):
            if case .map? = shape(number, column) { return true }
            return false
        }
    }
}
