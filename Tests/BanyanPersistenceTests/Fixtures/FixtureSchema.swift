import BanyanCore

/// The schema of the fixtures: every kind of value in every shape, every kind of key and index, a hierarchy, every delete
/// rule, and names that are no identifiers.
enum FixtureSchema {
    static let scalars = ValueKind.allCases.filter { !$0.mayLink && $0 != .duration }
    static let keys = ValueKind.allCases.filter { $0.canBeKey && $0 != .duration }

    static let schema = Schema(
        types: [single, many, box] + keyed + [animal, dog, puppy, ticket, odd], version: 7
    ).withNestedValues

    private static func link(
        _ name: String, _ shape: PropertySchema.Shape = .single, to target: String, rule: DeleteRule = .nullify
    ) -> PropertySchema {
        PropertySchema(
            name: name, kind: .object, isOptional: shape == .single, shape: shape, target: target, deleteRule: rule)
    }

    private static func owned(_ name: String, _ shape: PropertySchema.Shape = .single) -> PropertySchema {
        PropertySchema(name: name, kind: .embedded, isOptional: shape == .single, shape: shape, target: "Box")
    }

    private static var single: TypeSchema {
        var properties: [PropertySchema] = []
        for (i, kind) in scalars.enumerated() {
            let required: IndexKind? = kind.canBeIndexed && i % 2 == 0 ? .hash : nil
            let optional: IndexKind? = kind.canBeOrdered ? .ordered : nil
            properties.append(PropertySchema(name: "one\(kind.name)", kind: kind, index: required))
            properties.append(
                PropertySchema(name: "maybe\(kind.name)", kind: kind, isOptional: true, index: optional))
        }
        properties += [
            PropertySchema(name: "any", kind: .any, index: .hash), PropertySchema(name: "otherAny", kind: .any),
            link("next", to: "Single"), link("previous", .inverse(of: "next"), to: "Single"),
            link("inAny", .inverse(of: "any"), to: "Single"), link("inLists", .inverse(of: "links"), to: "Many"),
            owned("box"),
        ]
        return TypeSchema(
            name: "Single", properties: properties,
            indexes: [
                CompoundIndex(["oneString", "maybeInt"]), CompoundIndex(["maybeDate", "oneInt16", "oneString"]),
            ])
    }

    private static var many: TypeSchema {
        var properties: [PropertySchema] = []
        for (i, kind) in scalars.enumerated() {
            let key = keys[i % keys.count]
            for shape in [PropertySchema.Shape.list, .set, .map(key: key)] {
                let name =
                    switch shape {
                    case .list: "list\(kind.name)"
                    case .set: "set\(kind.name)"
                    default: "map\(kind.name)"
                    }
                properties.append(PropertySchema(name: name, kind: kind, shape: shape))
                properties.append(
                    PropertySchema(name: "\(name)Maybe", kind: kind, isOptional: true, shape: shape))
            }
        }
        properties += [
            PropertySchema(name: "anyList", kind: .any, shape: .list),
            PropertySchema(name: "anySet", kind: .any, shape: .set),
            PropertySchema(name: "anyMap", kind: .any, shape: .map(key: .string)),
            link("links", .list, to: "Single"), link("linkSet", .set, to: "Single"),
            PropertySchema(
                name: "linkMap", kind: .object, isOptional: true, shape: .map(key: .string), target: "Single"),
            link("animals", .list, to: "Animal"), owned("boxes", .list),
            PropertySchema(
                name: "boxMap", kind: .embedded, isOptional: true, shape: .map(key: .int), target: "Box"),
        ]
        return TypeSchema(name: "Many", properties: properties)
    }

    private static var box: TypeSchema {
        TypeSchema(
            name: "Box", isEmbedded: true,
            properties: [
                PropertySchema(name: "label", kind: .string, isOptional: true),
                PropertySchema(name: "content", kind: .any), link("link", to: "Single"), owned("inner"),
                owned("parts", .list), PropertySchema(name: "tags", kind: .string, shape: .set),
                link("owners", .inverse(of: "box"), to: "Single"),
            ])
    }

    /// With a required key of every kind, and with an optional one.
    private static var keyed: [TypeSchema] {
        keys.flatMap { kind in
            [false, true].map { isOptional in
                TypeSchema(
                    name: "Keyed\(kind.name)\(isOptional ? "Maybe" : "")",
                    properties: [
                        PropertySchema(
                            name: "key", kind: kind, isOptional: isOptional, isPrimaryKey: true,
                            index: isOptional ? .ordered : nil),
                        PropertySchema(name: "note", kind: .string, isIndexed: true),
                    ])
            }
        }
    }

    private static let animalProperties = [
        PropertySchema(name: "name", kind: .string, isPrimaryKey: true), link("friend", to: "Animal"),
        link("parts", .list, to: "Animal", rule: .cascade), link("guarded", to: "KeyedInt", rule: .deny),
        link("friends", .inverse(of: "friend"), to: "Animal"), owned("box"),
    ]
    private static let dogProperties =
        animalProperties + [
            PropertySchema(name: "weight", kind: .double, index: .ordered),
            link("toys", .map(key: .string), to: "KeyedString", rule: .cascade),
        ]

    private static var animal: TypeSchema { TypeSchema(name: "Animal", properties: animalProperties) }
    private static var dog: TypeSchema {
        TypeSchema(name: "Dog", superclass: "Animal", properties: dogProperties)
    }
    private static var puppy: TypeSchema {
        TypeSchema(
            name: "Puppy", superclass: "Dog",
            properties: dogProperties + [PropertySchema(name: "weeks", kind: .int8, isOptional: true)],
            indexes: [CompoundIndex(["weeks", "weight"])])
    }

    private static var ticket: TypeSchema {
        TypeSchema(
            name: "Ticket",
            properties: [
                PropertySchema(name: "code", kind: .int, isOptional: true, isUnique: true),
                PropertySchema(name: "place", kind: .string, index: .ordered, isUnique: true),
                PropertySchema(name: "row", kind: .int8), PropertySchema(name: "seat", kind: .string, isOptional: true),
                PropertySchema(name: "holder", kind: .object, target: "KeyedInt", deleteRule: .deny),
                PropertySchema(name: "series", kind: .object, target: "KeyedUUID", deleteRule: .cascade),
            ], indexes: [CompoundIndex(["row", "seat"], isUnique: true)])
    }

    private static var odd: TypeSchema {
        TypeSchema(
            name: "two words",
            properties: [
                PropertySchema(name: "class", kind: .string), PropertySchema(name: "größe \u{1F333}", kind: .double),
                PropertySchema(name: "1st", kind: .object, isOptional: true, target: "two words"),
                link("from \"it\"", .inverse(of: "1st"), to: "two words"),
            ])
    }
}
