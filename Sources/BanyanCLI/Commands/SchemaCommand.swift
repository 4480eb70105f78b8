import ArgumentParser
import BanyanCore
import BanyanPersistence

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the types of a store, as JSON or as Swift models.",
        discussion: """
            The schema is that of the newest file that has one; nothing is loaded.

            EXAMPLES
              banyan schema data/app
              banyan schema data/app Person Dog
              banyan schema data/app --swift > Models.swift
            """)

    @OptionGroup var store: PathArgument
    @Argument(help: "Only these types.") var types: [String] = []
    @Flag(help: "Print Swift classes in place of JSON.") var swift = false
    @Flag(help: "Print JSON, as is done without it.") var json = false

    func validate() throws {
        if swift && json { throw ValidationError("--swift and --json exclude each other.") }
    }

    func run() throws {
        try Diagnosis.explaining(store.path) {
            let schema = try StoreSource.open(store.path).schema() ?? Schema(types: [])
            let declared = schema.declaredTypes
            for name in types where !declared.contains(where: { $0.name == name }) {
                throw OpenedGraph.unknownType(name, schema)
            }
            let chosen = declared.filter { types.isEmpty || types.contains($0.name) }
            let output = StandardOutput()
            if swift {
                try output.lines(SwiftModels(schema).text(chosen))
            } else {
                var json = JSONText(indented: true)
                json.object { json in
                    json.member("schema", 1)
                    json.member("version", schema.version)
                    json.name("types")
                    json.array { json in
                        for type in chosen { json.type(type, indented: true) }
                    }
                }
                try output.write(json.bytes)
                try output.endLine()
            }
            try output.flush()
        }
    }
}

extension JSONText {
    /// A type with its properties; false flags are left out.
    mutating func type(_ type: TypeSchema, indented: Bool = false) {
        object { json in
            json.member("name", type.name)
            json.member("embedded", type.isEmbedded)
            if let superclass = type.superclass { json.member("superclass", superclass) }
            json.name("properties")
            if indented {
                json.lines(type.properties) { $0.property($1) }
            } else {
                json.array { json in
                    for property in type.properties { json.property(property) }
                }
            }
            guard !type.indexes.isEmpty else { return }
            json.name("indexes")
            json.array { json in
                for index in type.indexes { json.index(index) }
            }
        }
    }

    private mutating func index(_ index: CompoundIndex) {
        object { json in
            json.name("properties")
            json.array { json in
                for name in index.properties { json.value(name) }
            }
            if index.isUnique { json.member("unique", true) }
        }
    }

    private mutating func property(_ property: PropertySchema) {
        object { json in
            json.member("name", property.name)
            json.member("kind", property.kind.name)
            switch property.shape {
            case .single: json.member("shape", "single")
            case .list: json.member("shape", "list")
            case .set: json.member("shape", "set")
            case .map(let key):
                json.member("shape", "map")
                json.member("keyKind", key.name)
            case .inverse(let origin):
                json.member("shape", "inverse")
                json.member("origin", origin)
            }
            if let target = property.target { json.member("target", target) }
            if property.isOptional { json.member("optional", true) }
            if property.isPrimaryKey { json.member("primaryKey", true) }
            if property.isIndexed { json.member("indexed", true) }
            if property.index?.capabilities.contains(.order) == true { json.member("ordered", true) }
            if property.isUnique { json.member("unique", true) }
            if property.deleteRule != .nullify { json.member("deleteRule", "\(property.deleteRule)") }
            json.member("type", property.typeDescription)
        }
    }
}
