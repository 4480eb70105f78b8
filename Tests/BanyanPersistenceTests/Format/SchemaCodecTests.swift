import BanyanCore
import BanyanPersistence
import Testing

@Suite("Stored schemas")
struct SchemaCodecTests {
    @Test("A schema comes back as it was, and the same schema has the same bytes")
    func roundTrip() throws {
        let bytes = SchemaCodec.encode(TestSchema.schema)
        #expect(try SchemaCodec.decode(bytes) == TestSchema.schema)
        #expect(SchemaCodec.encode(TestSchema.schema) == bytes)
        let empty = Schema(types: [], version: .max)
        #expect(try SchemaCodec.decode(SchemaCodec.encode(empty)) == empty)
    }

    @Test("A damaged schema is refused: every truncation, every flipped bit")
    func damage() throws {
        let schema = Schema(types: [TestSchema.schema.types[1], TestSchema.schema.types[2]])
        let bytes = SchemaCodec.encode(schema)
        for count in 0..<bytes.count {
            #expect(throws: BanyanError.self) { try SchemaCodec.decode(Array(bytes.prefix(count))) }
        }
        for bit in 0..<(bytes.count * 8) {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: BanyanError.self) { try SchemaCodec.decode(damaged) }
        }
    }

    @Test("Indexes come back as they were; what only programs from before can read is written as they read it")
    func indexes() throws {
        let properties = [
            PropertySchema(name: "id", kind: .int, isPrimaryKey: true),
            PropertySchema(name: "name", kind: .string, index: .hash),
            PropertySchema(name: "age", kind: .int),
        ]
        func schema(_ change: (inout TypeSchema) -> Void) -> Schema {
            var type = TypeSchema(name: "Dog", properties: properties)
            change(&type)
            return Schema(types: [type, TypeSchema(name: "Cat", properties: [])], version: 7)
        }
        #expect(SchemaCodec.encode(schema { _ in })[0] == 1)
        let changes: [(inout TypeSchema) -> Void] = [
            { $0.properties[1].index = .ordered }, { $0.properties[0].index = .ordered },
            { $0.properties[1].isUnique = true }, { $0.indexes = [CompoundIndex(["age", "name"])] },
            { $0.indexes = [CompoundIndex(["name", "id"], isUnique: true), CompoundIndex(["id", "name"])] },
        ]
        for change in changes {
            let bytes = SchemaCodec.encode(schema(change))
            #expect(bytes[0] == 2)
            #expect(try SchemaCodec.decode(bytes) == schema(change))
            for count in 0..<bytes.count {
                #expect(throws: BanyanError.self) { try SchemaCodec.decode(Array(bytes.prefix(count))) }
            }
        }
        let told = schema {
            $0.properties[1].index = .ordered
            $0.properties[1].isUnique = true
            $0.indexes = [CompoundIndex(["age", "name"])]
        }.differences(fromStored: schema { _ in })
        #expect(
            told == [
                "'Dog.name' is not indexed in order in the file, indexed in order in the program",
                "'Dog.name' is not unique in the file, unique in the program",
                "'Dog' has an index of 'age', 'name' in the program, not in the file",
            ])
    }

    private static let old = Schema(
        types: [
            TypeSchema(
                name: "Dog",
                properties: [
                    PropertySchema(name: "age", kind: .int),
                    PropertySchema(name: "name", kind: .string),
                    PropertySchema(name: "owner", kind: .object, isOptional: true, target: "Person"),
                ]),
            TypeSchema(name: "Person", properties: [PropertySchema(name: "id", kind: .int, isPrimaryKey: true)]),
            TypeSchema(name: "Cat", properties: []),
        ], version: 1)

    @Test("Differences are told in words, all of them")
    func differences() {
        var new = Self.old
        new.types[0].properties[0].kind = .string
        new.types[0].properties[1].index = .hash
        new.types[0].properties[2] = PropertySchema(name: "owners", kind: .object, shape: .list, target: "Person")
        new.types[1].properties[0].isPrimaryKey = false
        new.types[1].isEmbedded = true
        new.types[2].name = "Bird"
        #expect(
            new.differences(fromStored: Self.old) == [
                "'Dog.age' is Int in the file, String in the program",
                "'Dog.name' is not indexed in the file, indexed in the program",
                "'Dog.owner' (Person?) is in the file, not in the program",
                "'Dog.owners' (List<Person>) is in the program, not in the file",
                "'Person' is top-level in the file, embedded in the program",
                "'Person.id' is the primary key in the file, not the primary key in the program",
                "'Cat' is in the file, not in the program",
                "'Bird' is in the program, not in the file",
            ])
        #expect(Self.old.differences(fromStored: Self.old).isEmpty)
        let error = new.mismatch(withStored: Self.old)
        #expect(error.code == .schemaMismatch)
        #expect(error.message.contains("'Dog.age' is Int in the file"))
    }
}
