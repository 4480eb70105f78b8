import BanyanCore
import Foundation

/// A graph of every kind of property, built at random, and the same contents as plain Swift values: the oracle's world.
final class QueryWorld {
    let layout: StoreLayout
    let workspace: Workspace
    /// What each object holds, by property name.
    var objects: [ObjectRef: [String: Content]] = [:]

    enum Content {
        case value(Value)
        case many([Value])
        case map([(key: Value, value: Value)])
    }

    static let schema = Schema(types: [
        TypeSchema(
            name: "Person",
            properties: [
                PropertySchema(name: "id", kind: .int, isPrimaryKey: true),
                PropertySchema(name: "name", kind: .string, isIndexed: true),
                PropertySchema(name: "nick", kind: .string, isOptional: true),
                PropertySchema(name: "age", kind: .int),
                PropertySchema(name: "tiny", kind: .int8, isOptional: true),
                PropertySchema(name: "short", kind: .int16),
                PropertySchema(name: "medium", kind: .int32, isOptional: true),
                PropertySchema(name: "score", kind: .double),
                PropertySchema(name: "ratio", kind: .float, isOptional: true),
                PropertySchema(name: "active", kind: .bool),
                PropertySchema(name: "flag", kind: .bool, isOptional: true, isIndexed: true),
                PropertySchema(name: "born", kind: .date, isOptional: true),
                PropertySchema(name: "uid", kind: .uuid, isIndexed: true),
                PropertySchema(name: "oid", kind: .objectId, isOptional: true),
                PropertySchema(name: "amount", kind: .decimal128, isOptional: true),
                PropertySchema(name: "blob", kind: .data, isOptional: true),
                PropertySchema(name: "level", kind: .int, isOptional: true, isIndexed: true),
                PropertySchema(name: "dog", kind: .object, isOptional: true, target: "Dog"),
                PropertySchema(name: "address", kind: .embedded, isOptional: true, target: "Address"),
                PropertySchema(name: "friends", kind: .object, shape: .list, target: "Person"),
                PropertySchema(name: "kennel", kind: .object, shape: .set, target: "Dog"),
                PropertySchema(name: "tags", kind: .string, shape: .set),
                PropertySchema(name: "numbers", kind: .int, isOptional: true, shape: .list),
                PropertySchema(name: "fields", kind: .string, isOptional: true, shape: .map(key: .string)),
                PropertySchema(
                    name: "pets", kind: .object, isOptional: true, shape: .map(key: .string), target: "Dog"),
                PropertySchema(name: "clubs", kind: .object, shape: .inverse(of: "members"), target: "Club"),
            ]),
        TypeSchema(
            name: "Dog",
            properties: [
                PropertySchema(name: "name", kind: .string),
                PropertySchema(name: "age", kind: .int, isOptional: true),
                PropertySchema(name: "weights", kind: .double, shape: .list),
                PropertySchema(name: "owners", kind: .object, shape: .inverse(of: "dog"), target: "Person"),
            ]),
        TypeSchema(
            name: "Address", isEmbedded: true,
            properties: [
                PropertySchema(name: "city", kind: .string, isOptional: true),
                PropertySchema(name: "zip", kind: .int32),
            ]),
        TypeSchema(
            name: "Club",
            properties: [
                PropertySchema(name: "title", kind: .string),
                PropertySchema(name: "members", kind: .object, shape: .list, target: "Person"),
                PropertySchema(name: "founder", kind: .object, isOptional: true, target: "Person"),
            ]),
    ])

    static let person = 0
    static let dog = 1
    static let address = 2
    static let club = 3

    var view: GraphView { workspace.view }

    /// Which indexes there are. What a query finds must not depend on it.
    enum Indexes: CaseIterable {
        /// Those of `schema`, all of them hash indexes.
        case few
        /// An ordered one of every property that can have one, and some of several properties.
        case ordered
    }

    static func schema(_ indexes: Indexes) -> Schema {
        guard indexes == .ordered else { return schema }
        var schema = schema
        for table in schema.types.indices where !schema.types[table].isEmbedded {
            for i in schema.types[table].properties.indices {
                let property = schema.types[table].properties[i]
                if property.kind.canBeOrdered, property.shape == .single {
                    schema.types[table].properties[i].index = .ordered
                }
            }
        }
        schema.types[person].indexes = [
            ["name", "age"], ["flag", "tiny", "born"], ["active", "nick"], ["level", "uid"], ["oid", "score", "id"],
            ["age", "name"], ["nick", "name", "level"], ["ratio", "short"],
        ].map { CompoundIndex($0) }
        return schema
    }

    init(seed: UInt64, persons: Int, indexes: Indexes = .few) throws {
        layout = try StoreLayout(Self.schema(indexes))
        workspace = Workspace(Version.empty(layout))
        var random = QueryRandom(seed: seed)
        let transaction = workspace.begin()
        var maker = WorldMaker(world: self, transaction: transaction, random: random)
        try maker.make(persons: persons)
        random = maker.random
        if let fault = transaction.fault { throw fault }
    }

    func commit() {
        _ = workspace.commit(sequence: 1, time: 0)
    }

    func refs(_ table: Int) -> [ObjectRef] { objects.keys.filter { $0.table == table }.sorted() }
}

struct QueryRandom: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func chance(_ one: Int, in all: Int) -> Bool { Int.random(in: 0..<all, using: &self) < one }
    mutating func pick<C: Collection>(_ choices: C) -> C.Element {
        guard let choice = choices.randomElement(using: &self) else { preconditionFailure("nothing to choose from") }
        return choice
    }
}

/// Values from small pools, so that random queries find something.
enum ValuePool {
    static let texts = [
        "", "a", "A", "ab", "Ab", "abc", "é", "É", "cafe", "Café", "CAFÉ", "straße", "STRASSE", "fifteen-bytes..",
        "sixteen bytes...", "a text well beyond the fifteen bytes of a cell",
        "A TEXT well beyond the fifteen bytes of a cell",
        "x*y", "with \"quotes\" and \\", "new\nline", "b", "ba", "日本語", "日本語のとても長いテキスト", "ΟΔΟΣ", "οδος", "Ångström",
        "ångstrom",
        "mañana",
    ]
    static let integers: [Int64] = [
        -129, -128, -3, -1, 0, 1, 2, 3, 5, 7, 42, 99, 100, 127, 128, 32_767, 70_000,
    ]
    static let doubles: [Double] = [-2.5, -0.0, 0, 0.125, 0.5, 1, 2.5, 3, 99.5, .infinity, -.infinity, .nan]

    static func value(_ kind: ValueKind, _ random: inout QueryRandom) -> Value {
        switch kind {
        case .bool: .bool(random.chance(1, in: 2))
        case .int8: .int(random.pick(integers.filter { Int8(exactly: $0) != nil }))
        case .int16: .int(random.pick(integers.filter { Int16(exactly: $0) != nil }))
        case .int32: .int(random.pick(integers.filter { Int32(exactly: $0) != nil }))
        case .int: .int(random.pick(integers))
        case .float: .float(Float(random.pick(doubles)))
        case .double: .double(random.pick(doubles))
        case .string: .string(random.pick(texts))
        case .data: .data(Data(random.pick(texts).utf8))
        case .date:
            .date(Date(timeIntervalSinceReferenceDate: Double(random.pick(integers)) + random.pick([0, 0.25, 0.1])))
        case .uuid:
            .uuid(UUID(uuidString: "6F9619FF-8B86-D011-B42D-0000000000\(random.pick(["00", "7F", "80", "FF"]))")!)
        case .objectId:
            .objectId(ObjectId(stringLiteral: "507f1f77bcf86cd7994390" + random.pick(["00", "11", "80", "ff"])))
        case .decimal128:
            .decimal128(
                random.pick([
                    "-1.5", "0", "0.10", "0.1", "1", "1.0", "42", "1E+3", "NaN",
                    "0.1000000000000000055511151231257827",
                ]))
        case .duration: .duration(.milliseconds(random.pick(integers)))
        case .object, .embedded, .any: .null
        }
    }
}

/// Fills a world, the graph and the oracle's copy side by side.
struct WorldMaker {
    let world: QueryWorld
    let transaction: Transaction
    var random: QueryRandom
    private var entered: Set<ObjectID> = []

    init(world: QueryWorld, transaction: Transaction, random: QueryRandom) {
        self.world = world
        self.transaction = transaction
        self.random = random
    }

    mutating func make(persons: Int) throws {
        var ids: [Int: [ObjectID]] = [:]
        for i in 0..<persons {
            let id = try transaction.create(QueryWorld.person, key: .int(Int64(i * 3)))
            world.objects[id.ref] = ["id": .value(.int(Int64(i * 3)))]
            ids[QueryWorld.person, default: []].append(id)
        }
        for table in [QueryWorld.dog, QueryWorld.club] {
            for _ in 0..<(persons / 3 + 2) {
                let id = transaction.create(table)
                world.objects[id.ref] = [:]
                ids[table, default: []].append(id)
            }
        }
        for (table, all) in ids.sorted(by: { $0.key < $1.key }) {
            for id in all { fill(id, table, ids) }
        }
        // Holes, so that pages have free slots; and freed slots that are used again.
        for _ in 0..<(persons / 5) { delete(random.pick(ids[QueryWorld.person]!)) }
        for i in 0..<(persons / 10) {
            let id = try transaction.create(QueryWorld.person, key: .int(Int64(i * 3 + 1)))
            world.objects[id.ref] = ["id": .value(.int(Int64(i * 3 + 1)))]
            fill(id, QueryWorld.person, ids)
        }
    }

    /// A new object stands in the indexes with its zeros and nils.
    private mutating func enterIndexes(_ id: ObjectID) {
        if entered.insert(id).inserted { transaction.initializeIndexes(id) }
    }

    private mutating func fill(_ id: ObjectID, _ table: Int, _ ids: [Int: [ObjectID]]) {
        let type = world.layout.tables[table].type
        enterIndexes(id)
        for (column, property) in type.properties.enumerated() where !property.isPrimaryKey {
            switch property.shape {
            case .inverse: break
            case .single:
                let value = single(property, ids)
                transaction.setValue(id, column, value)
                if property.kind == .embedded, case .object(let ref) = value {
                    fill(world.view.id(ref), ref.table, ids)
                }
                world.objects[id.ref]![property.name] = .value(value)
            case .list:
                let values = (0..<Int.random(in: 0..<4, using: &random)).map { _ in element(property, ids) }
                    .filter { property.isOptional || !$0.isNull }
                transaction.listInsert(id, column, at: 0, values)
                world.objects[id.ref]![property.name] = .many(values)
            case .set:
                var values: [Value] = []
                for _ in 0..<Int.random(in: 0..<4, using: &random) {
                    let value = element(property, ids)
                    if !value.isNull, transaction.setInsert(id, column, value) { values.append(value) }
                }
                world.objects[id.ref]![property.name] = .many(values)
            case .map:
                var pairs: [(key: Value, value: Value)] = []
                for key in ["a", "Homepage", "x y"] where random.chance(1, in: 2) {
                    let value = element(property, ids)
                    transaction.mapSet(id, column, key: .string(key), value)
                    pairs.append((.string(key), value))
                }
                world.objects[id.ref]![property.name] = .map(pairs)
            }
        }
    }

    private mutating func single(_ property: PropertySchema, _ ids: [Int: [ObjectID]]) -> Value {
        if property.isOptional, random.chance(1, in: 4) { return .null }
        if property.kind == .embedded {
            let id = transaction.create(QueryWorld.address)
            world.objects[id.ref] = [:]
            return .object(id.ref)
        }
        return element(property, ids)
    }

    private mutating func element(_ property: PropertySchema, _ ids: [Int: [ObjectID]]) -> Value {
        if property.isOptional, random.chance(1, in: 5) { return .null }
        if property.kind == .object {
            let table = world.layout.table(named: property.target!)!.table
            let target = random.pick(ids[table]!)
            return transaction.contains(target) ? .object(target.ref) : .null
        }
        return ValuePool.value(property.kind, &random)
    }

    /// Deletes a person as the graph does: what it owns goes, lists lose it, other links become nil.
    private func delete(_ id: ObjectID) {
        guard transaction.contains(id), let old = world.objects[id.ref] else { return }
        transaction.delete(id)
        world.objects[id.ref] = nil
        if case .value(.object(let address)) = old["address"] { world.objects[address] = nil }
        for (ref, properties) in world.objects {
            for (name, content) in properties {
                switch content {
                case .value(.object(id.ref)): world.objects[ref]![name] = .value(.null)
                case .many(let values) where values.contains(.object(id.ref)):
                    world.objects[ref]![name] = .many(values.filter { $0 != .object(id.ref) })
                case .map(let pairs):
                    world.objects[ref]![name] = .map(
                        pairs.map { ($0.key, $0.value == .object(id.ref) ? .null : $0.value) })
                default: break
                }
            }
        }
    }
}
