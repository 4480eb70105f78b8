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
                try output.line(SwiftModels.text(chosen))
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
            if property.index == .ordered { json.member("ordered", true) }
            if property.isUnique { json.member("unique", true) }
            json.member("type", property.typeDescription)
        }
    }
}

/// A schema as the classes that would give it.
private enum SwiftModels {
    static func text(_ types: [TypeSchema]) -> String {
        "import Banyan\nimport Foundation\n\n" + types.map(text).joined(separator: "\n\n")
    }

    private static func text(_ type: TypeSchema) -> String {
        let base = type.isEmbedded ? "EmbeddedObject" : "Object"
        let properties = type.properties.map { "    " + text($0) }
        return
            "@Model\(indexes(of: type)) class \(name(type.name)): \(base) {\n\(properties.joined(separator: "\n"))\n}"
    }

    private static func indexes(of type: TypeSchema) -> String {
        let arguments = [("indexes", false), ("unique", true)].compactMap { label, isUnique in
            let lists = type.indexes.filter { $0.isUnique == isUnique }.map { index in
                "[" + index.properties.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
            }
            return lists.isEmpty ? nil : "\(label): [\(lists.joined(separator: ", "))]"
        }
        return arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))"
    }

    private static func text(_ property: PropertySchema) -> String {
        var arguments: [String] = []
        if property.isPrimaryKey { arguments.append("primaryKey: true") }
        if let index = property.index, index == .ordered || !property.isUnique {
            arguments.append(index == .ordered ? "indexed: .ordered" : "indexed: true")
        }
        if property.isUnique { arguments.append("unique: true") }
        if case .inverse(let origin) = property.shape { arguments.append("originProperty: \"\(origin)\"") }
        let attribute = arguments.isEmpty ? "@Persisted" : "@Persisted(\(arguments.joined(separator: ", ")))"
        var type = property.typeDescription
        // A to-one link is optional in Swift, whatever the schema says.
        if property.kind.isLink, property.shape == .single, !property.isOptional { type += "?" }
        let value = property.shape == .single ? initial(property) : ""
        return "\(attribute) var \(name(property.name)): \(type)\(value)"
    }

    private static func initial(_ property: PropertySchema) -> String {
        if property.isOptional || property.kind.isLink { return "" }
        return switch property.kind {
        case .bool: " = false"
        case .int8, .int16, .int32, .int, .float, .double, .decimal128: " = 0"
        case .string: " = \"\""
        case .data: " = Data()"
        case .date: " = Date(timeIntervalSinceReferenceDate: 0)"
        case .uuid: " = UUID()"
        case .objectId: " = ObjectId.generate()"
        case .object, .embedded, .any: ""
        }
    }

    /// Words of the language in backticks.
    private static func name(_ name: String) -> String {
        keywords.contains(name) ? "`\(name)`" : name
    }

    private static let keywords: Set<String> = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
        "else",
        "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in",
        "init",
        "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
        "repeat",
        "rethrows", "return", "self", "Self", "static", "struct", "subscript", "super", "switch", "throw", "throws",
        "true",
        "try", "typealias", "var", "where", "while", "Any",
    ]
}
