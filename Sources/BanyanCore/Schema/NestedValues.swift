/// The lists and dictionaries that AnyValues hold.
///
/// Each is an object of a type that nobody declares: it has a list and a dictionary of AnyValues, of which it uses one. It is
/// embedded: the AnyValue that holds it owns it, so that it comes and goes, is written to the journal and lives on in older
/// versions as every embedded object does. A schema with an AnyValue has the type as its last one or where its file has it;
/// nothing that lists types shows it.
package enum NestedValues {
    /// No class can have this name.
    package static let typeName = "$nested"
    package static let listColumn = 0
    package static let dictionaryColumn = 1
    /// Lists and dictionaries within each other.
    package static let maximumDepth = 100

    package static let type = TypeSchema(
        name: typeName, isEmbedded: true,
        properties: [
            PropertySchema(name: "list", kind: .any, shape: .list),
            PropertySchema(name: "dictionary", kind: .any, shape: .map(key: .string)),
        ])

    /// Where the contents of a list or a dictionary stand.
    package static func collection(_ kind: AnyKind, _ ref: ObjectRef) -> CollectionRef {
        CollectionRef(ref, kind == .list ? listColumn : dictionaryColumn)
    }
}

extension TypeSchema {
    /// Whether nobody declared it.
    package var isInternal: Bool { name == NestedValues.typeName }
}

extension Schema {
    /// Those that somebody declared.
    package var declaredTypes: [TypeSchema] { types.filter { !$0.isInternal } }

    /// With the type for nested values, if some property is an AnyValue.
    package var withNestedValues: Schema {
        let hasAny = types.contains { type in type.properties.contains { $0.kind == .any && !$0.isInverse } }
        guard hasAny, table(named: NestedValues.typeName) == nil else { return self }
        var schema = self
        schema.types.append(NestedValues.type)
        return schema
    }
}
