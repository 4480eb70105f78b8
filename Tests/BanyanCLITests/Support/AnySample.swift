import BanyanCore
import Foundation

/// A store with AnyValues of every kind: a setting for each, and one with lists and dictionaries that several commits
/// change.
enum AnySample {
    enum Table {
        static let setting = 0
        static let dog = 1
        static let part = 2
    }

    /// Property numbers of a setting.
    enum Setting {
        static let value = 1
        static let history = 2
        static let notes = 3
        static let part = 4
    }

    static let schema = Schema(
        types: [
            TypeSchema(
                name: "Setting",
                properties: [
                    PropertySchema(name: "name", kind: .string, isPrimaryKey: true),
                    PropertySchema(name: "value", kind: .any),
                    PropertySchema(name: "history", kind: .any, shape: .list),
                    PropertySchema(name: "notes", kind: .any, shape: .map(key: .string)),
                    PropertySchema(name: "part", kind: .embedded, isOptional: true, target: "Part"),
                ]),
            TypeSchema(
                name: "Dog",
                properties: [
                    PropertySchema(name: "name", kind: .string, isPrimaryKey: true),
                    PropertySchema(name: "settings", kind: .object, shape: .inverse(of: "value"), target: "Setting"),
                ]),
            TypeSchema(
                name: "Part", isEmbedded: true, properties: [PropertySchema(name: "value", kind: .any)]),
        ], version: 1
    ).withNestedValues

    /// By the name of their setting: what is stored, and what `--json` writes.
    static let scalars: [(name: String, value: Value, json: String)] = [
        ("none", .null, "null"),
        ("bool", .bool(true), "true"),
        ("int", .int(.min), "-9223372036854775808"),
        ("float", .float(0.1), #"{"$float":0.1}"#),
        ("double", .double(0.1), "0.1"),
        ("infinity", .double(-.infinity), #"{"$double":"-Infinity"}"#),
        ("string", .string("a \"text\"\n"), #""a \"text\"\n""#),
        ("data", .data(Data([0, 255])), #"{"$data":"AP8="}"#),
        ("date", .date(Date(timeIntervalSinceReferenceDate: 0)), #"{"$date":"2001-01-01T00:00:00Z"}"#),
        (
            "uuid", .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
            #"{"$uuid":"01020304-0506-0708-090A-0B0C0D0E0F10"}"#
        ),
        ("objectId", .objectId("507f1f77bcf86cd799439011"), #"{"$objectId":"507f1f77bcf86cd799439011"}"#),
        ("decimal128", .decimal128("-12.340"), #"{"$decimal128":"-12.340"}"#),
        ("duration", .duration(.milliseconds(-1500)), #"{"$duration":"-PT1.5S"}"#),
    ]

    /// Commits: 1 the scalars and a dog, 2 the nested values, 3 a change far inside, 4 more of them.
    static func make(_ path: String, checkpoints: Set<Int> = []) throws {
        let store = try SampleStore(path, schema: schema)
        var steps: [(Transaction) throws -> Void] = []
        steps.append { transaction in
            for (name, value, _) in scalars {
                let setting = try create(name, transaction)
                transaction.setValue(setting, Setting.value, value)
            }
            _ = try transaction.create(Table.dog, key: .string("Rex"))
        }
        steps.append { transaction in
            let setting = try create("nested", transaction)
            guard let rex = transaction.view.find(Table.dog, key: .string("Rex"))?.ref else { throw Missing() }
            let channels = try list([.string("left"), try list([.int(1), .object(rex)], transaction)], transaction)
            let value = try dictionary(
                ["volume": .double(0.5), "channels": channels, "$dog": .object(rex)], transaction)
            transaction.setValue(setting, Setting.value, value)
            let inner = try dictionary(["a": try dictionary([:], transaction)], transaction)
            transaction.listInsert(setting, Setting.history, at: 0, [.null, inner])
            transaction.mapSet(setting, Setting.notes, key: .string("n"), try list([.bool(false)], transaction))
            let part = transaction.create(Table.part)
            transaction.setValue(setting, Setting.part, .object(part.ref))
            transaction.setValue(part, 0, try list([.int(7)], transaction))
        }
        steps.append { transaction in
            let value = try nested(transaction, in: try setting(transaction), Setting.value)
            let channels = try entry("channels", of: value, transaction)
            transaction.listInsert(channels, NestedValues.listColumn, at: 1, [.string("right")])
            transaction.mapSet(
                value, NestedValues.dictionaryColumn, key: .string("volume"), try list([.int(11)], transaction))
        }
        steps.append { transaction in
            let setting = try setting(transaction)
            let part = try nested(transaction, in: setting, Setting.part)
            let held = try nested(transaction, in: part, 0)
            transaction.listRemove(held, NestedValues.listColumn, 0..<1)
            transaction.setValue(setting, Setting.value, .int(5))
            transaction.listInsert(setting, Setting.history, at: 0, [.int(1)])
        }
        for (index, step) in steps.enumerated() {
            try store.commit { try step($0) }
            if checkpoints.contains(index + 1) { try store.checkpoint() }
        }
        try store.close()
    }

    // MARK: Making them

    private static func create(_ name: String, _ transaction: Transaction) throws -> ObjectID {
        let setting = try transaction.create(Table.setting, key: .string(name))
        transaction.initializeIndexes(setting)
        return setting
    }

    private static func list(_ values: [Value], _ transaction: Transaction) throws -> Value {
        let nested = try made(transaction)
        transaction.listInsert(nested, NestedValues.listColumn, at: 0, values)
        return .list(nested.ref)
    }

    private static func dictionary(_ values: [String: Value], _ transaction: Transaction) throws -> Value {
        let nested = try made(transaction)
        for (key, value) in values {
            transaction.mapSet(nested, NestedValues.dictionaryColumn, key: .string(key), value)
        }
        return .dictionary(nested.ref)
    }

    private static func made(_ transaction: Transaction) throws -> ObjectID {
        guard let id = transaction.createNested(BanyanError.Location(), level: 1) else { throw Missing() }
        return id
    }

    // MARK: Finding them

    private struct Missing: Error {}

    private static func setting(_ transaction: Transaction) throws -> ObjectID {
        guard let id = transaction.view.find(Table.setting, key: .string("nested")) else { throw Missing() }
        return id
    }

    private static func nested(_ transaction: Transaction, in owner: ObjectID, _ column: Int) throws -> ObjectID {
        guard let link = transaction.view.value(owner.ref, column).link else { throw Missing() }
        return transaction.view.id(link)
    }

    private static func entry(_ key: String, of dictionary: ObjectID, _ transaction: Transaction) throws -> ObjectID {
        let collection = CollectionRef(dictionary.ref, NestedValues.dictionaryColumn)
        for rank in 0..<transaction.view.elementCount(collection) {
            let entry = transaction.view.element(collection, at: rank)
            if entry.key == .string(key), let link = entry.value.link { return transaction.view.id(link) }
        }
        throw Missing()
    }
}
