import BanyanCore

/// One operation as calls of the transaction.
struct OperationCall {
    struct Answer {
        var thrown: BanyanError.Code?
        var value: Bool?
    }

    let transaction: Transaction
    let ids: [Int: ObjectID]
    let kept: [KeptCommit]
    /// Objects made, by number.
    private(set) var made: [(number: Int, id: ObjectID)] = []
    /// What objects that were deleted have come back as.
    private(set) var revived: [ObjectID: ObjectID] = [:]

    init(transaction: Transaction, ids: [Int: ObjectID], kept: [KeptCommit]) {
        self.transaction = transaction
        self.ids = ids
        self.kept = kept
    }

    private func id(_ number: Int) throws -> ObjectID {
        guard let id = ids[number] else { throw Failure("no object #\(number)") }
        return id
    }

    mutating func perform(_ operation: Operation) throws -> Answer {
        var answer = Answer()
        var values: [Value] = []
        for operand in operation.values {
            // What the face does, too: a value that cannot be made is not stored.
            guard let value = try make(operand, level: 1) else { return answer }
            values.append(value)
        }
        switch operation {
        case .create(let number, let table, let key): answer.thrown = try create(number, table, key)
        case .embed(let numbers, let owner, let column, let place): try embed(numbers, try id(owner), column, place)
        case .delete(let number): transaction.delete(try id(number))
        case .set(let number, let column, _): transaction.setValue(try id(number), column, values[0])
        case .touch(let number, let column):
            let id = try id(number)
            if transaction.contains(id) { transaction.touch(id, column) }
        case .listInsert(let number, let column, let at, _):
            transaction.listInsert(try id(number), column, at: at, values)
        case .listRemove(let number, let column, let range): transaction.listRemove(try id(number), column, range)
        case .listSet(let number, let column, let at, _): transaction.listSet(try id(number), column, at: at, values[0])
        case .listMove(let number, let column, let from, let to):
            transaction.listMove(try id(number), column, from: from, to: to)
        case .setInsert(let number, let column, _):
            answer.value = transaction.setInsert(try id(number), column, values[0])
        case .setRemove(let number, let column, _):
            answer.value = transaction.setRemove(try id(number), column, values[0])
        case .mapSet(let number, let column, let key, _):
            transaction.mapSet(try id(number), column, key: key, values[0])
        case .mapRemove(let number, let column, let key):
            answer.value = transaction.mapRemove(try id(number), column, key: key)
        case .removeAll(let number, let column): transaction.removeAll(try id(number), column)
        case .undo(let index): answer.thrown = undo(kept[index])
        }
        return answer
    }

    /// The value of an operand; nil when the transaction failed while it was made.
    private mutating func make(_ operand: Operand, level: Int) throws -> Value? {
        switch operand {
        case .value(let value): return value
        case .link(let number): return .object(try id(number).ref)
        case .nested(let number, let isList):
            let ref = try id(number).ref
            return isList ? .list(ref) : .dictionary(ref)
        case .list(let number, let elements):
            guard let nested = transaction.createNested(BanyanError.Location(), level: level) else { return nil }
            made.append((number, nested))
            var values: [Value] = []
            for element in elements {
                guard let value = try make(element, level: level + 1) else { return nil }
                values.append(value)
            }
            transaction.listInsert(nested, NestedValues.listColumn, at: 0, values)
            return transaction.fault == nil ? .list(nested.ref) : nil
        case .dictionary(let number, let entries):
            guard let nested = transaction.createNested(BanyanError.Location(), level: level) else { return nil }
            made.append((number, nested))
            var cells: [(key: Cell, value: Cell)] = []
            for (key, element) in entries {
                guard let value = try make(element, level: level + 1),
                    let cell = transaction.makeAny(value, BanyanError.Location()),
                    let key = transaction.makeCell(
                        .string(key), .string, optional: false, nested, NestedValues.dictionaryColumn)
                else { return nil }
                cells.append((key, cell))
            }
            transaction.mapFill(nested, NestedValues.dictionaryColumn, cells)
            return transaction.fault == nil ? .dictionary(nested.ref) : nil
        }
    }

    private mutating func undo(_ commit: KeptCommit) -> BanyanError.Code? {
        do throws(BanyanError) {
            revived = try transaction.undo(commit.changes)
            return nil
        } catch {
            return error.code
        }
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
    /// The numbers of the objects that must have been made before.
    var links: [Int] {
        switch self {
        case .value: []
        case .link(let number), .nested(let number, _): [number]
        case .list(_, let elements): elements.flatMap(\.links)
        case .dictionary(_, let entries): entries.flatMap(\.value.links)
        }
    }
}

extension Operation {
    /// The values it stores.
    var values: [Operand] {
        switch self {
        case .set(_, _, let operand), .listSet(_, _, _, let operand), .setInsert(_, _, let operand),
            .setRemove(_, _, let operand), .mapSet(_, _, _, let operand):
            [operand]
        case .listInsert(_, _, _, let operands): operands
        case .create, .embed, .delete, .touch, .listRemove, .listMove, .mapRemove, .removeAll, .undo: []
        }
    }

    /// The object it is done to.
    private var subject: Int? {
        switch self {
        case .create, .undo: nil
        case .embed(_, let owner, _, _): owner
        case .delete(let number), .touch(let number, _), .removeAll(let number, _), .listRemove(let number, _, _),
            .listMove(let number, _, _, _), .mapRemove(let number, _, _), .set(let number, _, _),
            .listSet(let number, _, _, _), .setInsert(let number, _, _), .setRemove(let number, _, _),
            .mapSet(let number, _, _, _), .listInsert(let number, _, _, _):
            number
        }
    }

    /// The numbers of the objects that must have been made before.
    var operands: [Int] { (subject.map { [$0] } ?? []) + values.flatMap(\.links) }

    /// Whether the property is of the shape that the operation is for: in a script with steps left out another object
    /// may be there.
    func isApplicable(_ ids: [Int: ObjectID], _ kept: [KeptCommit]) -> Bool {
        func shape(_ number: Int, _ column: Int) -> PropertySchema.Shape? {
            guard let id = ids[number] else { return nil }
            let properties = Model.schema(Int(id.table)).properties
            return column < properties.count ? properties[column].shape : nil
        }
        switch self {
        case .create, .delete, .touch: return true
        case .undo(let index): return kept.indices.contains(index)
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
