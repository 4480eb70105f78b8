import BanyanCore
import Foundation

/// The commits of a fixture, in order. They depend on no random numbers, so that a store is made the same way every time.
struct FixtureRecipe {
    let transaction: Transaction

    static let steps: [@Sendable (FixtureRecipe) throws -> Void] =
        [
            { try $0.addKeyed() }, { try $0.addSingles() }, { try $0.addCollections() }, { try $0.linkAll() },
            { try $0.addAnyValues() }, { try $0.addAnimals() }, { try $0.addTickets() }, { try $0.changeLists() },
            { try $0.changeNested() }, { try $0.deleteSome() }, { try $0.addSingles() }, { try $0.addLongTexts() },
        ] + (0..<28).map { number in { try $0.touch(number) } }

    struct Missing: Error {
        var what: String
    }

    // MARK: - Values

    /// Values of a kind, the extreme ones among them.
    static func values(_ kind: ValueKind) throws -> [Value] {
        switch kind {
        case .bool: [.bool(false), .bool(true)]
        case .int8: [.int(0), .int(-128), .int(127), .int(5)]
        case .int16: [.int(0), .int(-32_768), .int(32_767), .int(300)]
        case .int32: [.int(0), .int(-2_147_483_648), .int(2_147_483_647), .int(70_000)]
        case .int: [.int(0), .int(.min), .int(.max), .int(-1), .int(1 << 40)]
        case .float: [.float(0), .float(-0.0), .float(.infinity), .float(.nan), .float(0.1)]
        case .double: [.double(0), .double(-0.0), .double(-.infinity), .double(.nan), .double(0.1), .double(1e300)]
        case .string:
            [
                .string(""), .string("a"), .string("fifteen letters"), .string("sixteen letters!"),
                .string("ø漢🌳 \u{1F}\"'\n"), .string(String(repeating: "long ", count: 60)),
            ]
        case .data:
            [
                .data(Data()), .data(Data([0])), .data(Data((0..<16).map { UInt8($0) })),
                .data(Data((0..<300).map { UInt8(truncatingIfNeeded: $0 * 7) })),
            ]
        case .date: [0, -1e9, 0.125, 8e8].map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case .uuid:
            try [0, 1, 9].map { .uuid(try uuid($0)) }
        case .objectId:
            try [0, 1, 255].map { .objectId(try objectId($0)) }
        case .decimal128:
            try ["0", "-0", "-12.340", "9.999999999999999999999999999999999E6144", "1E-6176", "-9223372036854775809"]
                .map { text in
                    guard let value = Decimal128(text) else { throw Missing(what: text) }
                    return .decimal128(value)
                }
        case .any:
            try [.null]
                + [ValueKind.bool, .int, .float, .double, .string, .data, .date, .uuid, .objectId, .decimal128]
                .flatMap(values)
        // The stores were written before there were durations.
        case .object, .embedded, .duration: []
        }
    }

    static func uuid(_ number: Int) throws -> UUID {
        let digits = String(number, radix: 16)
        let text = "01234567-89AB-4DEF-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
        guard let id = UUID(uuidString: text) else { throw Missing(what: text) }
        return id
    }

    static func objectId(_ number: Int) throws -> ObjectId {
        let digits = String(number, radix: 16)
        let text = String(repeating: "a", count: 24 - digits.count) + digits
        guard let id = ObjectId(text) else { throw Missing(what: text) }
        return id
    }

    /// Keys of a kind, each another.
    static func key(_ kind: ValueKind, _ number: Int) throws -> Value {
        switch kind {
        case .string: .string(number % 2 == 0 ? "k\(number)" : "a key that is longer than sixteen bytes \(number)")
        case .uuid: .uuid(try uuid(number))
        case .objectId: .objectId(try objectId(number))
        default: .int(Int64(number - 3))
        }
    }

    // MARK: - Finding

    func table(_ name: String) throws -> TableLayout {
        guard let table = transaction.layout.table(named: name) else { throw Missing(what: name) }
        return table
    }

    func column(_ table: TableLayout, _ name: String) throws -> Int {
        guard let column = table.type.property(named: name) else { throw Missing(what: name) }
        return column
    }

    func find(_ type: String, _ key: Value) throws -> ObjectID {
        guard let id = transaction.view.find(try table(type).table, key: key) else { throw Missing(what: "\(key)") }
        return id
    }

    func all(_ type: String) throws -> [ObjectID] {
        let table = try table(type).table
        var found: [ObjectID] = []
        transaction.view.forEachObject(table) { _, _, slot in
            found.append(transaction.view.id(ObjectRef(table: table, slot: slot)))
            return true
        }
        return found
    }

    func set(_ id: ObjectID, _ name: String, _ value: Value) throws {
        transaction.setValue(id, try column(transaction.layout.tables[Int(id.table)], name), value)
    }

    // MARK: - Making

    func create(_ type: String, key: Value? = nil) throws -> ObjectID {
        let table = try table(type).table
        let id = try key.map { try transaction.create(table, key: $0) } ?? transaction.create(table)
        transaction.initializeIndexes(id)
        return id
    }

    func newBox(_ label: String?, depth: Int = 0) throws -> Value {
        let box = try create("Box")
        try set(box, "label", label.map { .string($0) } ?? .null)
        try set(box, "content", depth == 0 ? .int(7) : list([.string("in a box"), .int(Int64(depth))]))
        if depth > 0 { try set(box, "inner", newBox(nil, depth: depth - 1)) }
        let type = try table("Box")
        for tag in ["x", "y"] { transaction.setInsert(box, try column(type, "tags"), .string(tag)) }
        if depth > 1 {
            transaction.listInsert(
                box, try column(type, "parts"), at: 0, [try newBox("part 1"), try newBox("part 2")])
        }
        return .object(box.ref)
    }

    private func nested() throws -> ObjectID {
        guard let id = transaction.createNested(BanyanError.Location(), level: 1) else { throw Missing(what: "room") }
        return id
    }

    func list(_ values: [Value]) throws -> Value {
        let id = try nested()
        transaction.listInsert(id, NestedValues.listColumn, at: 0, values)
        return .list(id.ref)
    }

    func dictionary(_ entries: [(String, Value)]) throws -> Value {
        let id = try nested()
        for (key, value) in entries {
            transaction.mapSet(id, NestedValues.dictionaryColumn, key: .string(key), value)
        }
        return .dictionary(id.ref)
    }
}
