import BanyanCore

/// A schema as the classes that would give it.
///
/// Files may have been written by anybody, so no name is pasted: it is an identifier as it stands, or in backticks, or the
/// property gets another name and says what files call it.
struct SwiftModels {
    private let schema: Schema
    /// By stored name: what the class is called.
    private var types: [String: String] = [:]
    /// By the type's stored name and the property's: what the property is called.
    private var properties: [String: [String: String]] = [:]

    init(_ schema: Schema) {
        self.schema = schema
        var taken: Set<String> = ["Object", "EmbeddedObject"]
        // Those that keep their names come first, so that no other takes one.
        for keep in [true, false] {
            for type in schema.types where SwiftName.keepsItsName(type: type.name) == keep {
                types[type.name] = SwiftName.unique(SwiftName.type(type.name), among: &taken)
            }
        }
        for type in schema.types {
            var taken: Set<String> = []
            var names: [String: String] = [:]
            for keep in [true, false] {
                for property in type.properties where SwiftName.keepsItsName(property: property.name) == keep {
                    names[property.name] = SwiftName.unique(SwiftName.property(property.name), among: &taken)
                }
            }
            properties[type.name] = names
        }
    }

    func text(_ types: [TypeSchema]) -> String {
        "import Banyan\nimport Foundation\n\n" + types.map(text).joined(separator: "\n\n")
    }

    private func text(_ type: TypeSchema) -> String {
        var text = ""
        let name = name(ofType: type.name)
        if SwiftName.bare(name) != type.name {
            text += """
                // Files call this type \(SwiftName.literal(type.name)), and a class cannot be called that:
                // a store that has it does not open with this model.

                """
        }
        let inherited = type.superclass.flatMap { schema.table(named: $0) }.map { schema.types[$0] }
        let base = inherited.map { self.name(ofType: $0.name) } ?? (type.isEmbedded ? "EmbeddedObject" : "Object")
        let own = type.properties.dropFirst(inherited?.properties.count ?? 0)
        let indexes = type.indexes.dropFirst(inherited?.indexes.count ?? 0)
        text += "@Model\(arguments(of: type, indexes)) class \(name): \(base) {\n"
        for property in own { text += "    \(self.text(property, of: type))\n" }
        return text + "}"
    }

    private func arguments(of type: TypeSchema, _ indexes: ArraySlice<CompoundIndex>) -> String {
        let arguments = [("indexes", false), ("unique", true)].compactMap { label, isUnique in
            let lists = indexes.filter { $0.isUnique == isUnique }.map { index in
                let names = index.properties.map { SwiftName.literal(SwiftName.bare(name($0, of: type.name))) }
                return "[" + names.joined(separator: ", ") + "]"
            }
            return lists.isEmpty ? nil : "\(label): [\(lists.joined(separator: ", "))]"
        }
        return arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))"
    }

    private func text(_ property: PropertySchema, of type: TypeSchema) -> String {
        let name = name(property.name, of: type.name)
        var arguments: [String] = []
        if property.isPrimaryKey { arguments.append("primaryKey: true") }
        if let index = property.index, index != .standard || !property.isUnique {
            arguments.append(index == .standard ? "indexed: true" : "indexed: .\(index)")
        }
        if property.isUnique { arguments.append("unique: true") }
        if property.deleteRule != .nullify, !property.isInverse {
            arguments.append("deleteRule: .\(property.deleteRule)")
        }
        if case .inverse(let origin) = property.shape {
            let there = SwiftName.bare(self.name(origin, of: property.target ?? ""))
            arguments.append("originProperty: \(SwiftName.literal(there))")
        } else if SwiftName.bare(name) != property.name {
            arguments.append("name: \(SwiftName.literal(property.name))")
        }
        let attribute = arguments.isEmpty ? "@Persisted" : "@Persisted(\(arguments.joined(separator: ", ")))"
        var written = property
        written.target = property.target.map(self.name(ofType:))
        // An embedded object is optional in Swift, and so are the objects of a map, whatever the schema says.
        if case .map = property.shape, property.kind.isLink { written.isOptional = true }
        var spelled = written.typeDescription
        if property.kind == .embedded, property.shape == .single, !property.isOptional { spelled += "?" }
        let value = property.shape == .single ? Self.initial(property) : ""
        let line = "\(attribute) var \(name): \(spelled)\(value)"
        guard case .map(let key) = property.shape, !Self.mapKeys.contains(key) else { return line }
        return "// Maps with keys of \(key.name) cannot be declared: \(line)"
    }

    /// What the keys of a map can be in Swift.
    private static let mapKeys: Set<ValueKind> = [.string, .int, .uuid]

    private func name(ofType stored: String) -> String { types[stored] ?? SwiftName.type(stored) }

    private func name(_ stored: String, of type: String) -> String {
        properties[type]?[stored] ?? SwiftName.property(stored)
    }

    private static func initial(_ property: PropertySchema) -> String {
        if property.isOptional || property.kind.isLink { return "" }
        return property.kind.type.swiftInitial
    }
}
