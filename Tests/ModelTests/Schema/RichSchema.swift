import BanyanCore

/// One schema with everything in it: each kind of value required and optional, alone and in every shape of collection,
/// links of every shape within a type and across types, embedded objects in embedded objects, keys of every kind.
///
/// `Collections` has more than 64 columns, so that the masks that are one word wide are exceeded.
enum RichSchema {
    static let scalars: [ValueKind] = ValueKind.allCases.filter { !$0.mayLink }

    // Tables by number.
    static let everything = 0
    static let collections = 1
    static let box = 2
    static let leaf = 3
    /// The first of the keyed types.
    static let firstKeyed = 4

    static let keyedInt = 9

    private static let keys: [(name: String, kind: ValueKind, isOptional: Bool)] = [
        ("String", .string, false), ("OptionalString", .string, true), ("Int8", .int8, false), ("Int16", .int16, true),
        ("Int32", .int32, false), ("Int", .int, false), ("ObjectId", .objectId, true), ("UUID", .uuid, false),
        ("OptionalUUID", .uuid, true), ("Duration", .duration, false),
    ]

    static let schema = Schema(
        types: [everythingType, collectionsType, boxType, leafType] + keyedTypes + rootedTypes + [ticketType],
        version: 1
    ).withNestedValues

    /// The table of the lists and dictionaries of AnyValues, which is the last.
    static let nested = schema.types.count - 1
    static let ticket = nested - 1
    /// All of them have keys.
    static let keyedTables = firstKeyed..<ticket

    /// Whether an AnyValue may link to objects of a table, or own them.
    static func mayBeInAny(_ table: Int) -> Bool { !schema.types[table].isEmbedded || table == nested }

    /// By table: those that inherit from it, directly or through others, and the table itself.
    static let subtypes: [[Int]] = schema.types.indices.map { table in
        schema.types.indices.filter { other in
            var current: String? = schema.types[other].name
            while let name = current, name != schema.types[table].name {
                current = schema.table(named: name).flatMap { schema.types[$0].superclass }
            }
            return current != nil
        }
    }

    static func isSubtype(_ table: Int, of supertype: Int) -> Bool { subtypes[supertype].contains(table) }

    static let layout: StoreLayout = {
        do { return try StoreLayout(schema, seed: 1) } catch { preconditionFailure("the schema is unsound: \(error)") }
    }()

    private static func single(
        _ name: String, _ kind: ValueKind, optional: Bool = false, to target: String? = nil, index: IndexKind? = nil,
        rule: DeleteRule = .nullify
    ) -> PropertySchema {
        PropertySchema(
            name: name, kind: kind, isOptional: optional || kind.isLink, target: target, index: index, deleteRule: rule)
    }

    private static func many(
        _ name: String, _ kind: ValueKind, _ shape: PropertySchema.Shape, optional: Bool = false,
        to target: String? = nil, rule: DeleteRule = .nullify
    ) -> PropertySchema {
        PropertySchema(
            name: name, kind: kind, isOptional: optional, shape: shape, target: target, deleteRule: rule)
    }

    private static func inverse(_ name: String, of origin: String, _ source: String) -> PropertySchema {
        PropertySchema(name: name, kind: .object, shape: .inverse(of: origin), target: source)
    }

    private static var everythingType: TypeSchema {
        let whenRequired: [ValueKind: IndexKind] = [
            .string: .hash, .int16: .hash, .date: .hash, .uuid: .hash, .bool: .hash, .int: .ordered, .int8: .ordered,
            .double: .ordered, .objectId: .ordered, .duration: .ordered,
        ]
        let whenOptional: [ValueKind: IndexKind] = [
            .string: .ordered, .int: .hash, .objectId: .hash, .int8: .hash, .date: .ordered, .uuid: .ordered,
            .bool: .ordered, .float: .ordered, .duration: .hash,
        ]
        var properties = scalars.map { single($0.name, $0, index: whenRequired[$0]) }
        properties += scalars.map { single("optional\($0.name)", $0, optional: true, index: whenOptional[$0]) }
        properties += [
            single("next", .object, to: "Everything"), single("keyed", .object, to: "KeyedString"),
            single("holder", .object, to: "Collections"), single("box", .embedded, to: "Box"),
            inverse("previous", of: "next", "Everything"), inverse("inLists", of: "objects", "Collections"),
            inverse("inSets", of: "objectSet", "Collections"), inverse("inMaps", of: "objectMap", "Collections"),
            inverse("fromBoxes", of: "link", "Box"), single("root", .object, to: "Root"),
            single("any", .any, index: .hash), single("otherAny", .any), inverse("inAny", of: "any", "Everything"),
            inverse("inAnyMaps", of: "anyMap", "Collections"),
        ]
        let indexes = [["String", "Int16"], ["optionalBool", "optionalString", "Date"], ["Int32", "optionalUUID"]]
        return TypeSchema(name: "Everything", properties: properties, indexes: indexes.map { CompoundIndex($0) })
    }

    private static var collectionsType: TypeSchema {
        var properties = scalars.map { many("list\($0.name)", $0, .list) }
        properties += scalars.map { many("optionalList\($0.name)", $0, .list, optional: true) }
        properties += [
            many("objects", .object, .list, to: "Everything"), many("selves", .object, .list, to: "Collections"),
            many("boxes", .embedded, .list, to: "Box"),
        ]
        properties += scalars.map { many("set\($0.name)", $0, .set) }
        properties += [ValueKind.string, .int, .double, .decimal128].map {
            many("optionalSet\($0.name)", $0, .set, optional: true)
        }
        properties += [
            many("objectSet", .object, .set, to: "Everything"), many("selfSet", .object, .set, to: "Collections"),
        ]
        let keys: [ValueKind] = [.string, .int, .uuid, .int8, .objectId, .int32, .int16]
        properties += scalars.enumerated().map { i, kind in
            many("map\(kind.name)", kind, .map(key: keys[i % keys.count]), optional: i % 2 == 1)
        }
        properties += [
            many("objectMap", .object, .map(key: .string), to: "Everything"),
            many("selfMap", .object, .map(key: .int), to: "Collections"),
            many("boxMap", .embedded, .map(key: .string), to: "Box"),
            inverse("holders", of: "holder", "Everything"), inverse("inSelves", of: "selves", "Collections"),
            many("roots", .object, .list, to: "Root"), many("rootSet", .object, .set, to: "Root"),
            many("branchMap", .object, .map(key: .string), to: "Branch"),
            many("anyList", .any, .list), many("anySet", .any, .set), many("anyMap", .any, .map(key: .string)),
            many("anyNumbers", .any, .map(key: .int)),
        ]
        return TypeSchema(name: "Collections", properties: properties)
    }

    private static var boxType: TypeSchema {
        TypeSchema(
            name: "Box", isEmbedded: true,
            properties: [
                single("label", .string, optional: true), single("weight", .double),
                single("inner", .embedded, to: "Box"),
                many("leaves", .embedded, .list, to: "Leaf"),
                many("leafMap", .embedded, .map(key: .string), to: "Leaf"),
                single("link", .object, to: "Everything"), inverse("owners", of: "box", "Everything"),
                single("content", .any),
            ])
    }

    private static var leafType: TypeSchema {
        TypeSchema(
            name: "Leaf", isEmbedded: true,
            properties: [
                single("number", .int, optional: true), single("text", .string), many("tags", .string, .set),
                single("keyed", .object, to: "KeyedString", rule: .cascade), inverse("boxes", of: "leaves", "Box"),
                many("notes", .any, .list),
            ])
    }

    /// A hierarchy, with delete rules on its links.
    private static var rootedTypes: [TypeSchema] {
        let root = [
            single("note", .string, index: .hash),
            PropertySchema(name: "key", kind: .int, isPrimaryKey: true, index: .ordered),
            single("next", .object, to: "Root"), many("parts", .object, .list, to: "Root", rule: .cascade),
            single("guarded", .object, to: "KeyedInt", rule: .deny),
            many("owned", .object, .set, to: "KeyedUUID", rule: .cascade), single("box", .embedded, to: "Box"),
            inverse("before", of: "next", "Root"), inverse("bags", of: "roots", "Collections"),
            inverse("inAnyLists", of: "anyList", "Collections"),
        ]
        let branch =
            root + [
                single("weight", .double, index: .ordered), single("side", .object, to: "Branch"),
                many("twigs", .object, .map(key: .int), to: "Twig", rule: .cascade),
                inverse("sides", of: "side", "Branch"),
            ]
        let twig = branch + [single("text", .string, optional: true), single("leaf", .embedded, to: "Leaf")]
        let indexes = [CompoundIndex(["note", "key"])]
        return [
            TypeSchema(name: "Root", properties: root, indexes: indexes),
            TypeSchema(name: "Branch", superclass: "Root", properties: branch, indexes: indexes),
            TypeSchema(name: "Twig", superclass: "Branch", properties: twig, indexes: indexes),
        ]
    }

    /// Values that no two objects may share, and links that must lead somewhere.
    private static var ticketType: TypeSchema {
        TypeSchema(
            name: "Ticket",
            properties: [
                PropertySchema(name: "code", kind: .int, isOptional: true, isUnique: true),
                PropertySchema(name: "place", kind: .string, index: .ordered, isUnique: true),
                single("row", .int8), single("seat", .string, optional: true),
                PropertySchema(name: "holder", kind: .object, target: "KeyedInt8", deleteRule: .deny),
                PropertySchema(name: "series", kind: .object, target: "KeyedInt16", deleteRule: .cascade),
                single("next", .object, to: "Ticket"), inverse("previous", of: "next", "Ticket"),
            ], indexes: [CompoundIndex(["row", "seat"], isUnique: true)])
    }

    private static var keyedTypes: [TypeSchema] {
        keys.enumerated().map { i, key in
            TypeSchema(
                name: "Keyed\(key.name)",
                properties: [
                    single("note", .string, index: i % 2 == 0 ? .hash : i % 3 == 0 ? .ordered : nil),
                    PropertySchema(
                        name: "key", kind: key.kind, isOptional: key.isOptional, isPrimaryKey: true,
                        index: i % 3 == 1 ? .ordered : nil),
                    single("peer", .object, to: "Keyed\(keys[(i + 1) % keys.count].name)"),
                    single("twin", .object, to: "Keyed\(key.name)"),
                    many("friends", .object, .list, to: "Everything"),
                    inverse("twins", of: "twin", "Keyed\(key.name)"),
                ], indexes: i % 2 == 0 ? [CompoundIndex(["note", "key"])] : [])
        }
    }
}
