import BanyanCore
import BanyanPersistence
import Testing

/// How many bytes typical commits take: a journal holds millions of them.
@Suite("Sizes of commit payloads")
struct PayloadSizeTests {
    private func workspace() throws -> Workspace {
        let schema = Schema(types: [
            TypeSchema(
                name: "Person",
                properties: [
                    PropertySchema(name: "id", kind: .int, isPrimaryKey: true),
                    PropertySchema(name: "name", kind: .string),
                    PropertySchema(name: "age", kind: .int),
                    PropertySchema(name: "score", kind: .double),
                    PropertySchema(name: "friends", kind: .object, shape: .list, target: "Person"),
                ])
        ])
        let workspace = Workspace(Version.empty(try StoreLayout(schema)))
        let transaction = workspace.begin()
        for i in 0..<5_000 {
            let id = try transaction.create(0, key: .int(Int64(i)))
            transaction.setValue(id, 1, .string("name of \(i)"))
        }
        let last = ObjectID(table: 0, slot: 4_999, generation: 0)
        transaction.listInsert(last, 4, at: 0, (0..<1_000).map { .object(ObjectRef(table: 0, slot: $0)) })
        _ = workspace.commit(sequence: 1, time: 0)
        return workspace
    }

    private func size(_ change: (Transaction) throws -> Void) throws -> Int {
        let workspace = try workspace()
        let transaction = workspace.begin()
        try change(transaction)
        let version = try #require(workspace.commit(sequence: 2, time: 0))
        return ChangeSetCodec.encode(transaction.changeSet(to: version)).count
    }

    private let person = ObjectID(table: 0, slot: 4_999, generation: 0)

    @Test("One Int: at most 16 bytes")
    func oneInt() throws {
        #expect(try size { $0.setValue(person, 2, .int(41)) } <= 16)
    }

    @Test("One Double: at most 30 bytes")
    func oneDouble() throws {
        #expect(try size { $0.setValue(person, 3, .double(0.1)) } <= 30)
    }

    @Test("One String of 12 bytes: at most 40 bytes")
    func oneString() throws {
        #expect(try size { $0.setValue(person, 1, .string("a new name 1")) } <= 40)
    }

    @Test("One element in the middle of a list of a thousand: at most 20 bytes")
    func oneElement() throws {
        #expect(try size { $0.listInsert(person, 4, at: 500, [.object(ObjectRef(table: 0, slot: 77))]) } <= 20)
    }

    @Test("A new object of three properties: at most 32 bytes")
    func oneObject() throws {
        let bytes = try size { transaction in
            let id = try transaction.create(0, key: .int(123_456))
            transaction.setValue(id, 1, .string("somebody"))
            transaction.setValue(id, 2, .int(30))
        }
        #expect(bytes <= 32)
    }
}
