import BanyanCore
import BanyanPersistence
import Foundation

/// A durable store as a program would make it, without the program's models: people, their dogs, clubs and addresses, with
/// every kind of value somewhere.
final class SampleStore {
    static let start: Int64 = 1_772_366_400_000_000_000  // 2026-03-01T12:00:00Z
    static let second: Int64 = 1_000_000_000

    /// Table numbers.
    enum Table {
        static let person = 0
        static let dog = 1
        static let club = 2
        static let address = 3
    }

    /// Property numbers of a person.
    enum Person: Int {
        case id, name, age, height, ratio, isMember, born, token, ticket, balance, photo, address, bestFriend, dogs,
            tags,
            notes, friends, pastAddresses, clubs
    }

    static let schema = Schema(
        types: [
            TypeSchema(
                name: "Person",
                properties: [
                    PropertySchema(name: "id", kind: .int, isPrimaryKey: true),
                    PropertySchema(name: "name", kind: .string, isIndexed: true),
                    PropertySchema(name: "age", kind: .int16, isOptional: true, index: .ordered),
                    PropertySchema(name: "height", kind: .double),
                    PropertySchema(name: "ratio", kind: .float, isOptional: true),
                    PropertySchema(name: "isMember", kind: .bool),
                    PropertySchema(name: "born", kind: .date, isOptional: true),
                    PropertySchema(name: "token", kind: .uuid, isOptional: true),
                    PropertySchema(name: "ticket", kind: .objectId, isOptional: true),
                    PropertySchema(name: "balance", kind: .decimal128, isOptional: true),
                    PropertySchema(name: "photo", kind: .data, isOptional: true),
                    PropertySchema(name: "address", kind: .embedded, isOptional: true, target: "Address"),
                    PropertySchema(name: "bestFriend", kind: .object, isOptional: true, target: "Person"),
                    PropertySchema(name: "dogs", kind: .object, shape: .list, target: "Dog"),
                    PropertySchema(name: "tags", kind: .string, shape: .set),
                    PropertySchema(name: "notes", kind: .int, isOptional: true, shape: .map(key: .string)),
                    PropertySchema(name: "friends", kind: .object, shape: .set, target: "Person"),
                    PropertySchema(name: "pastAddresses", kind: .embedded, shape: .list, target: "Address"),
                    PropertySchema(name: "clubs", kind: .object, shape: .inverse(of: "members"), target: "Club"),
                ], indexes: [CompoundIndex(["isMember", "name"]), CompoundIndex(["name", "id"], isUnique: true)]),
            TypeSchema(
                name: "Dog",
                properties: [
                    PropertySchema(name: "name", kind: .string, isPrimaryKey: true),
                    PropertySchema(name: "owners", kind: .object, shape: .inverse(of: "dogs"), target: "Person"),
                ]),
            TypeSchema(
                name: "Club",
                properties: [
                    PropertySchema(name: "title", kind: .string),
                    PropertySchema(name: "members", kind: .object, shape: .list, target: "Person"),
                ]),
            TypeSchema(
                name: "Address", isEmbedded: true,
                properties: [
                    PropertySchema(name: "street", kind: .string),
                    PropertySchema(name: "city", kind: .string, isOptional: true),
                ]),
        ], version: 3)

    let path: String
    private let schema: Schema
    let files: StoreFiles
    private let workspace: Workspace
    /// What the last commit wrote into the journal.
    private(set) var lastPayload: [UInt8]?

    /// Opens the store, or makes it.
    init(
        _ path: String, schema: Schema = SampleStore.schema,
        _ configure: (inout StoreFiles.Options) -> Void = { _ in }
    ) throws {
        self.path = path
        self.schema = schema
        var options = StoreFiles.Options()
        options.newStoreID = StoreID(high: 0x0123_4567_89AB_4DEF, low: 0x8123_4567_89AB_CDEF)
        options.freeSpaceReserve = 0
        configure(&options)
        files = try StoreFiles.open(
            at: path, on: KernelDisk(), options: options, mode: .readWrite(createIfMissing: true),
            schema: SchemaCodec.encode(schema))
        let layout = try StoreLayout(schema)
        workspace = Workspace(try GraphRecovery.recover(files, layout: { _ in layout }).version)
    }

    var version: Version { workspace.version }

    /// One commit, a second after the one before unless a clock says otherwise.
    @discardableResult
    func commit(
        _ metadata: CommitMetadata = CommitMetadata(), at time: Int64? = nil, flush: Bool = true,
        _ body: (Transaction) throws -> Void
    ) throws -> Version {
        let before = workspace.version
        let transaction = workspace.begin()
        do {
            try body(transaction)
            if let fault = transaction.fault { throw fault }
        } catch {
            workspace.rollback()
            throw error
        }
        try files.checkWritable()
        let sequence = before.sequence + 1
        let time = time ?? Self.start + Int64(sequence) * Self.second
        guard let version = workspace.commit(sequence: sequence, time: time) else { return before }
        for changes in before.changeSets(to: version) {
            let payload = ChangeSetCodec.encode(changes, metadata: metadata)
            files.append(payload, sequence: sequence, time: time)
            lastPayload = payload
        }
        if flush { try files.flush(through: sequence) }
        return version
    }

    @discardableResult
    func checkpoint() throws -> SnapshotInfo {
        let version = workspace.version
        return try files.checkpoint(
            sequence: version.sequence, time: version.time, schema: SchemaCodec.encode(schema)
        ) { try SnapshotCodec.write(version: version, to: $0) }
    }

    func close() throws { try files.close() }
}

extension SampleStore {
    /// A person with a value in every property, and what it links to.
    static func addPerson(_ id: Int, to transaction: Transaction) throws {
        let person = try transaction.create(Table.person, key: .int(Int64(id)))
        transaction.initializeIndexes(person)
        func set(_ property: Person, _ value: Value) { transaction.setValue(person, property.rawValue, value) }
        set(.name, .string("Person \(id)"))
        if id % 4 != 0 { set(.age, .int(Int64(id % 90))) }
        set(.height, .double(id == 3 ? .infinity : 1.5 + Double(id % 50) / 100))
        if id % 3 == 0 { set(.ratio, .float(Float(id) / 3)) }
        set(.isMember, .bool(id % 2 == 0))
        set(.born, .date(Date(timeIntervalSinceReferenceDate: Double(id) * 86_400.25)))
        set(.token, .uuid(UUID(uuidString: "00000000-0000-4000-8000-\(String(format: "%012d", id))") ?? UUID()))
        set(.ticket, .objectId(ObjectId(String(format: "%024x", id)) ?? ObjectId.generate()))
        set(.balance, .decimal128(Decimal128("\(id).50") ?? 0))
        set(.photo, .data(Data([UInt8(id & 0xFF), 0, 0xFF])))
        let address = transaction.create(Table.address)
        transaction.setValue(address, 0, .string("\(id) Main \"Street\""))
        transaction.setValue(address, 1, .string(id % 2 == 0 ? "Oslo" : "Zürich\n"))
        set(.address, .object(address.ref))
        if id > 1, let friend = transaction.view.find(Table.person, key: .int(Int64(id - 1))) {
            set(.bestFriend, .object(friend.ref))
            _ = transaction.setInsert(person, Person.friends.rawValue, .object(friend.ref))
        }
        let dog = try transaction.create(Table.dog, key: .string("Rex \(id)"))
        transaction.listInsert(person, Person.dogs.rawValue, at: 0, [.object(dog.ref), .object(dog.ref)])
        for tag in ["b", "a", "tag \(id)"] { _ = transaction.setInsert(person, Person.tags.rawValue, .string(tag)) }
        transaction.mapSet(person, Person.notes.rawValue, key: .string("visits"), .int(Int64(id)))
        transaction.mapSet(person, Person.notes.rawValue, key: .string("none"), .null)
        let past = transaction.create(Table.address)
        transaction.setValue(past, 0, .string("Old Road \(id)"))
        transaction.listInsert(person, Person.pastAddresses.rawValue, at: 0, [.object(past.ref)])
    }

    /// Changes of every kind that hold for any number: what commit `number` of `fill` does.
    func step(_ number: Int) throws {
        let reason = number % 2 == 0 ? "step \(number)" : nil
        try commit(CommitMetadata(author: number % 3 == 0 ? "ada" : nil, reason: reason)) { transaction in
            switch number % 5 {
            case 0 where number > 5:
                guard let person = transaction.view.find(Table.person, key: .int(Int64(number - 4))) else { return }
                transaction.delete(person)
            case 3 where number > 5:
                guard let person = transaction.view.find(Table.person, key: .int(Int64(number - 2))) else { return }
                transaction.setValue(person, Person.name.rawValue, .string("Renamed \(number)"))
                transaction.setValue(person, Person.age.rawValue, .null)
                transaction.setValue(person, Person.address.rawValue, .null)
                transaction.listRemove(person, Person.dogs.rawValue, 0..<1)
                _ = transaction.setRemove(person, Person.tags.rawValue, .string("a"))
                transaction.mapSet(person, Person.notes.rawValue, key: .string("visits"), .int(-1))
            case 4:
                let club = transaction.create(Table.club)
                transaction.setValue(club, 0, .string("Club \(number)"))
                var members: [Value] = []
                transaction.view.forEachObject(Table.person) { _, _, slot in
                    members.append(.object(ObjectRef(table: Table.person, slot: slot)))
                    return members.count < 5
                }
                transaction.listInsert(club, 1, at: 0, members)
            default: try Self.addPerson(number, to: transaction)
            }
        }
    }

    /// A store of so many commits, with a checkpoint behind some of them; closed, or left as by a process that was killed.
    static func make(
        _ path: String, commits: Int, checkpoints: Set<Int> = [], closed: Bool = true,
        _ configure: (inout StoreFiles.Options) -> Void = { _ in },
        afterEach: (SampleStore) throws -> Void = { _ in }
    ) throws {
        let store = try SampleStore(path, configure)
        for number in stride(from: 1, through: commits, by: 1) {
            try store.step(number)
            try afterEach(store)
            if checkpoints.contains(number) { try store.checkpoint() }
        }
        if closed { try store.close() }
    }
}
