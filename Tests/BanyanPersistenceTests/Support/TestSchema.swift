import BanyanCore

/// A schema with every kind in every shape, optional and not; with keys of every kind, indexes, inverses, embedded objects.
enum TestSchema {
    static let scalars: [ValueKind] = ValueKind.allCases.filter { !$0.isLink }

    static let schema: Schema = {
        var everything = TypeSchema(name: "Everything", properties: [])
        func add(_ property: PropertySchema) { everything.properties.append(property) }
        add(PropertySchema(name: "key", kind: .string, isPrimaryKey: true))
        for kind in scalars {
            for optional in kind == .any ? [false] : [false, true] {
                let name = kind.name + (optional ? "Maybe" : "")
                let index: IndexKind? =
                    kind.canBeIndexed && !optional ? .hash : kind.canBeOrdered ? .ordered : nil
                add(PropertySchema(name: "one\(name)", kind: kind, isOptional: optional, index: index))
                add(PropertySchema(name: "list\(name)", kind: kind, isOptional: optional, shape: .list))
                add(PropertySchema(name: "set\(name)", kind: kind, isOptional: optional, shape: .set))
                let key: ValueKind = [.string, .int, .uuid, .int16, .data, .objectId][Int(kind.rawValue) % 6]
                add(PropertySchema(name: "map\(name)", kind: kind, isOptional: optional, shape: .map(key: key)))
            }
        }
        add(PropertySchema(name: "node", kind: .object, isOptional: true, target: "Node"))
        add(PropertySchema(name: "nodes", kind: .object, shape: .list, target: "Node"))
        add(PropertySchema(name: "nodeSet", kind: .object, shape: .set, target: "Node"))
        add(PropertySchema(name: "nodeMap", kind: .object, isOptional: true, shape: .map(key: .string), target: "Node"))
        add(PropertySchema(name: "owned", kind: .embedded, isOptional: true, target: "Owned"))
        add(PropertySchema(name: "ownedList", kind: .embedded, shape: .list, target: "Owned"))
        add(
            PropertySchema(
                name: "ownedMap", kind: .embedded, isOptional: true, shape: .map(key: .string), target: "Owned"))
        everything.indexes = [
            CompoundIndex(["oneInt16", "oneStringMaybe"]), CompoundIndex(["oneStringMaybe", "oneDateMaybe", "key"]),
        ]
        let node = TypeSchema(
            name: "Node",
            properties: [
                PropertySchema(name: "number", kind: .int, isPrimaryKey: true),
                PropertySchema(name: "name", kind: .string, isIndexed: true),
                PropertySchema(name: "next", kind: .object, isOptional: true, target: "Node"),
                PropertySchema(name: "previous", kind: .object, shape: .inverse(of: "next"), target: "Node"),
                PropertySchema(name: "holders", kind: .object, shape: .inverse(of: "nodes"), target: "Everything"),
            ])
        let owned = TypeSchema(
            name: "Owned", isEmbedded: true,
            properties: [
                PropertySchema(name: "text", kind: .string, isOptional: true),
                PropertySchema(name: "inner", kind: .embedded, isOptional: true, target: "Owned"),
                PropertySchema(name: "node", kind: .object, isOptional: true, target: "Node"),
            ])
        let maybeKeyed = TypeSchema(
            name: "MaybeKeyed",
            properties: [
                PropertySchema(name: "key", kind: .uuid, isOptional: true, isPrimaryKey: true, index: .ordered),
                PropertySchema(name: "value", kind: .double),
            ])
        let bare = TypeSchema(name: "Bare", properties: [])
        return Schema(types: [everything, node, owned, maybeKeyed, bare], version: 3).withNestedValues
    }()

    static func layout() throws -> StoreLayout { try StoreLayout(schema) }

    static let everything = 0
    static let node = 1
    static let owned = 2
    static let maybeKeyed = 3
    static let bare = 4
    static let nested = 5
}
