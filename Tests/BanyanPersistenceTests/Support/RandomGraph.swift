import BanyanCore
import BanyanTesting
import Foundation

/// Random changes to a graph of `TestSchema`.
struct RandomGraph {
    var random: SeededGenerator
    /// Of values that may be large (texts, collections): how large, at most.
    var size = 40
    private var nextKey = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<max(limit, 1), using: &random) }
    mutating func chance(_ percent: Int) -> Bool { number(100) < percent }

    mutating func value(_ kind: ValueKind) -> Value {
        switch kind {
        case .bool: .bool(chance(50))
        case .int8: .int(Int64(Int8.random(in: .min ... .max, using: &random)))
        case .int16: .int(Int64(Int16.random(in: .min ... .max, using: &random)))
        case .int32: .int(Int64(Int32.random(in: .min ... .max, using: &random)))
        case .int: .int([0, 1, -1, .max, .min, Int64(number(100))][number(6)])
        case .float: .float([0, -0.0, 1.5, .nan, .infinity, Float(number(1000))][number(6)])
        case .double: .double([0, -0.0, 1e300, .nan, -.infinity, Double(number(1000)) / 8][number(6)])
        case .string: .string(text())
        case .data: .data(Data((0..<number(size)).map { _ in UInt8(truncatingIfNeeded: number(256)) }))
        case .date: .date(Date(timeIntervalSinceReferenceDate: Double(number(1_000_000_000)) + 0.125))
        case .uuid: .uuid(UUID(cell: Cell(low: random.next(), high: random.next())))
        case .objectId: .objectId(ObjectId(cell: Cell(low: random.next(), high: random.next() & 0xFFFF_FFFF)))
        case .decimal128: .decimal128(Decimal128(Int64(number(1000))))
        case .duration:
            .duration([.zero, .seconds(-1), Duration(cell: Cell(low: random.next(), high: random.next()))][number(3)])
        case .any:
            chance(10)
                ? .null
                : value(
                    [.bool, .int, .float, .double, .string, .data, .date, .uuid, .objectId, .decimal128, .duration][
                        number(11)])
        case .object, .embedded: .null
        }
    }

    /// An AnyValue that may be a link, a list or a dictionary.
    private mutating func anyValue(_ transaction: Transaction, _ shape: PropertySchema.Shape, depth: Int = 0) -> Value {
        switch number(10) {
        case 0...1: return link(transaction, [TestSchema.node, TestSchema.everything][number(2)])
        case 2...3 where shape != .set && depth < 4:
            guard let id = transaction.createNested(BanyanError.Location(), level: 1) else { return .null }
            let isList = chance(50)
            for _ in 0..<number(4) {
                let value = anyValue(transaction, .list, depth: depth + 1)
                if isList {
                    transaction.listInsert(id, NestedValues.listColumn, at: 0, [value])
                } else {
                    transaction.mapSet(id, NestedValues.dictionaryColumn, key: .string(text()), value)
                }
            }
            return isList ? .list(id.ref) : .dictionary(id.ref)
        default: return value(.any)
        }
    }

    mutating func text() -> String {
        let characters = ["a", "b", "Z", "ø", "漢", "🌳", " ", "0"]
        return (0..<number(size)).map { _ in characters[number(chance(30) ? 8 : 3)] }.joined()
    }

    mutating func freshKey(_ kind: ValueKind) -> Value {
        nextKey += 1
        switch kind {
        case .string: return .string(["", "k", "a longer key than fits the cell "][number(3)] + "\(nextKey)")
        case .int: return .int(Int64(nextKey))
        default: return value(kind)
        }
    }

    // MARK: - Transactions

    /// Makes `count` random changes.
    mutating func change(_ transaction: Transaction, count: Int) throws {
        for _ in 0..<count {
            switch number(20) {
            case 0...4: try create(transaction, [0, 0, 1, 1, 3, 4][number(6)])
            case 5...6:
                let table = [0, 1, 1, 3, 4][number(5)]
                if let id = anyObject(transaction, table) { transaction.delete(id) }
            case 7...15:
                if let id = anyObject(transaction, TestSchema.everything) { try changeProperty(transaction, id) }
            case 16:
                let table = [TestSchema.nested, TestSchema.everything][number(2)]
                if let id = anyObject(transaction, table) { try changeProperty(transaction, id) }
            case 17:
                if let id = anyObject(transaction, TestSchema.node) {
                    transaction.setValue(id, 2, link(transaction, TestSchema.node))
                    transaction.setValue(id, 1, .string(text()))
                }
            case 18:
                if let id = anyObject(transaction, TestSchema.maybeKeyed) {
                    transaction.setValue(id, 1, value(.double))
                }
            default:
                if let id = anyObject(transaction, TestSchema.owned) {
                    transaction.setValue(id, 0, chance(20) ? .null : .string(text()))
                    transaction.setValue(id, 1, chance(30) ? .null : newOwned(transaction))
                    transaction.setValue(id, 2, link(transaction, TestSchema.node))
                }
            }
            if let fault = transaction.fault { throw fault }
        }
    }

    mutating func create(_ transaction: Transaction, _ table: Int) throws {
        let type = transaction.layout.tables[table]
        let id: ObjectID
        if let column = type.keyColumn {
            let info = type.columns[column]
            let key: Value =
                info.isOptional && transaction.view.find(table, key: Value.null) == nil ? .null : freshKey(info.kind)
            id = try transaction.create(table, key: key)
        } else {
            id = transaction.create(table)
        }
        transaction.initializeIndexes(id)
        guard table == TestSchema.everything else { return }
        for _ in 0..<number(30) { try changeProperty(transaction, id) }
    }

    mutating func anyObject(_ transaction: Transaction, _ table: Int) -> ObjectID? {
        let count = transaction.view.count(table)
        guard count > 0 else { return nil }
        var rest = number(count)
        var found: ObjectID?
        transaction.view.forEachObject(table) { _, _, slot in
            if rest == 0 { found = transaction.view.id(ObjectRef(table: table, slot: slot)) }
            rest -= 1
            return found == nil
        }
        return found
    }

    mutating func link(_ transaction: Transaction, _ table: Int) -> Value {
        anyObject(transaction, table).map { .object($0.ref) } ?? .null
    }

    mutating func newOwned(_ transaction: Transaction) -> Value {
        let id = transaction.create(TestSchema.owned)
        transaction.setValue(id, 0, .string(text()))
        return .object(id.ref)
    }

    /// A value for a property or an element; nil when there is none to be had.
    private mutating func someValue(_ transaction: Transaction, _ info: ColumnLayout, nilable: Bool) -> Value? {
        if nilable, chance(20) { return .null }
        switch info.kind {
        case .object:
            let link = link(transaction, info.otherTable)
            return link.isNull && !nilable ? nil : link
        case .embedded: return newOwned(transaction)
        case .any: return anyValue(transaction, info.shape)
        default: return value(info.kind)
        }
    }

    mutating func changeProperty(_ transaction: Transaction, _ id: ObjectID) throws {
        let table = transaction.layout.tables[Int(id.table)]
        let column = number(table.propertyCount)
        let info = table.columns[column]
        guard !info.isKey, info.isStored else { return }
        let c = CollectionRef(id.ref, column)
        switch info.shape {
        case .inverse: break
        case .single:
            if let value = someValue(transaction, info, nilable: info.isOptional) {
                transaction.setValue(id, column, value)
            }
        case .list: changeList(transaction, id, column, info)
        case .set:
            if transaction.view.elementCount(c) > 0, chance(30) {
                let value = transaction.view.element(c, at: number(transaction.view.elementCount(c))).value
                transaction.setRemove(id, column, value)
            } else if let value = someValue(transaction, info, nilable: info.isOptional && !info.kind.isLink) {
                transaction.setInsert(id, column, value)
            }
            if chance(2) { transaction.removeAll(id, column) }
        case .map(let kind):
            let count = transaction.view.elementCount(c)
            let known = count > 0 ? transaction.view.element(c, at: number(count)).key : nil
            if let known, chance(30) {
                transaction.mapRemove(id, column, key: known)
            } else if let value = someValue(transaction, info, nilable: info.isOptional) {
                transaction.mapSet(id, column, key: chance(40) ? known ?? self.value(kind) : self.value(kind), value)
            }
            if chance(2) { transaction.removeAll(id, column) }
        }
    }

    private mutating func changeList(_ transaction: Transaction, _ id: ObjectID, _ column: Int, _ info: ColumnLayout) {
        let c = CollectionRef(id.ref, column)
        let count = transaction.view.elementCount(c)
        switch number(10) {
        case 0...4:
            let values = (0..<(1 + number(4))).compactMap { _ in
                someValue(transaction, info, nilable: info.isOptional && !info.kind.isLink)
            }
            transaction.listInsert(id, column, at: number(count + 1), values)
        case 5...6:
            guard count > 0 else { return }
            let start = number(count)
            transaction.listRemove(id, column, start..<min(count, start + 1 + number(3)))
        case 7...8:
            guard count > 0, let value = someValue(transaction, info, nilable: info.isOptional && !info.kind.isLink)
            else { return }
            transaction.listSet(id, column, at: number(count), value)
        case 9 where chance(15): transaction.removeAll(id, column)
        default:
            guard count > 1 else { return }
            transaction.listMove(id, column, from: number(count), to: number(count))
        }
    }
}
