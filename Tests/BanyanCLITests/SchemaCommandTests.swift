import BanyanCore
import Foundation
import Testing

@Suite("banyan schema")
struct SchemaCommandTests {
    @Test("Every property with its kind, shape and role")
    func json() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 2)
            let json = try Tool.run("schema", path).json()
            #expect(json["schema"] as? Int == 1)
            #expect(json["version"] as? Int == 3)
            let types = try #require(json["types"] as? [[String: Any]])
            #expect(types.count == SampleStore.schema.types.count)
            for (type, expected) in zip(types, SampleStore.schema.types) {
                let properties = try #require(type["properties"] as? [[String: Any]])
                #expect(properties.map { $0["name"] as? String } == expected.properties.map(\.name))
                #expect(properties.map { $0["type"] as? String } == expected.properties.map(\.typeDescription))
                #expect(properties.map { $0["optional"] as? Bool ?? false } == expected.properties.map(\.isOptional))
                #expect(
                    properties.map { $0["ordered"] as? Bool ?? false }
                        == expected.properties.map { $0.index == .ordered })
                #expect(properties.map { $0["unique"] as? Bool ?? false } == expected.properties.map(\.isUnique))
                let indexes = type["indexes"] as? [[String: Any]] ?? []
                #expect(indexes.map { $0["properties"] as? [String] } == expected.indexes.map(\.properties))
                #expect(indexes.map { $0["unique"] as? Bool ?? false } == expected.indexes.map(\.isUnique))
            }
        }
    }

    @Test("As the Swift classes that would give it")
    func swift() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 2)
            let answer = try Tool.run("schema", path, "Dog", "Club", "Address", "--swift")
            #expect(
                answer.output == """
                    import Banyan
                    import Foundation

                    @Model class Dog: Object {
                        @Persisted(primaryKey: true) var name: String = ""
                        @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
                    }

                    @Model class Club: Object {
                        @Persisted var title: String = ""
                        @Persisted var members: List<Person>
                    }

                    @Model class Address: EmbeddedObject {
                        @Persisted var street: String = ""
                        @Persisted var city: String?
                    }

                    """)
            let people = try Tool.run("schema", path, "Person", "--swift")
            #expect(
                people.output.contains(
                    #"@Model(indexes: [["isMember", "name"]], unique: [["name", "id"]]) class Person: Object {"#))
            #expect(people.output.contains("@Persisted(indexed: .ordered) var age: Int16?"))
        }
    }

    /// The files below `MustCompile` are compiled by the tests of the package's own macros.
    @Test(
        "What it prints for stores with everything in them is what is compiled against the package",
        arguments: ["Fixtures", "Hostile"])
    func compiled(name: String) throws {
        try TemporaryDirectory.with { directory in
            let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
            var path = tests + "/BanyanPersistenceTests/Fixtures/Stores/1/lone.bsn"
            if name == "Hostile" {
                path = directory + "/app"
                let store = try SampleStore(path, schema: HostileNamesTests.codeSchema)
                try store.commit { _ = $0.create(0) }
                try store.close()
            }
            let printed = try Tool.run("schema", path, "--swift").output
            let kept = tests + "/BanyanTests/MustCompile/Schemas/\(name).swift"
            #expect(try String(contentsOfFile: kept, encoding: .utf8) == printed)
        }
    }

    @Test("--json is what it prints anyway, and not Swift")
    func jsonFlag() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 1)
            #expect(try Tool.run("schema", path, "--json").output == Tool.run("schema", path).output)
            #expect(try Tool.run("schema", path, "--json", "--swift").status == 64)
        }
    }

    @Test("Where the files that had a schema are gone, the store is damaged, and not one without types")
    func missingFiles() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 2)
            for file in try Damage.files(path, ".bjl") { try FileManager.default.removeItem(atPath: file) }
            for arguments in [["schema", path], ["query", path, "Person"], ["export", path]] {
                let answer = try Tool.run(arguments)
                #expect(answer.status == 4)
                #expect(answer.messages.contains("missing"), "\(answer.messages)")
            }
        }
    }
}
