import BanyanCore

/// The types of a graph: what was stored of its models. Values; printed as declarations.
public struct Schema: Sendable, Hashable {
    /// In the order of their names.
    public let objectSchema: [ObjectSchema]
    /// The application's schema version.
    public let version: UInt64

    /// The type with this stored name.
    public subscript(className: String) -> ObjectSchema? { objectSchema.first { $0.className == className } }

    init(_ binding: ModelBinding) {
        objectSchema = binding.binders.map { ObjectSchema($0) }.sorted { $0.className < $1.className }
        version = binding.layout.schema.version
    }
}

/// One type of a graph.
public struct ObjectSchema: Sendable, Hashable {
    /// The stored name.
    public let className: String
    /// In declared order, those of the superclass first.
    public let properties: [Property]
    /// Whether its objects belong to others.
    public let isEmbedded: Bool
    /// The stored name of the type it inherits from.
    public let superclassName: String?
    /// The indexes of several properties, by their stored names.
    public let indexes: [Index]

    /// An index of several properties.
    public struct Index: Sendable, Hashable {
        public let properties: [String]
        public let isUnique: Bool
    }

    public var primaryKeyProperty: Property? { properties.first { $0.isPrimaryKey } }

    /// The property of this name, or else the one stored under it.
    public subscript(propertyName: String) -> Property? {
        properties.first { $0.name == propertyName } ?? properties.first { $0.storedName == propertyName }
    }

    init(_ binder: TableBinder) {
        let type = binder.layout.type
        className = type.name
        isEmbedded = type.isEmbedded
        superclassName = type.superclass
        properties = zip(binder.model.properties, type.properties).map { Property($0.name, $1) }
        indexes = type.indexes.map { Index(properties: $0.properties, isUnique: $0.isUnique) }
    }
}

/// What the values of a property, or the elements of its collection, are.
public enum PropertyType: String, Sendable, Hashable, CaseIterable {
    case bool, int8, int16, int32, int, float, double, string, data, date, uuid, objectId, decimal128
    /// A link.
    case object
    /// An object that belongs to the one that has it.
    case embedded
    /// Links from elsewhere.
    case linkingObjects
    /// A kind that this version gives no name.
    case other
}

/// One property of a type.
public struct Property: Sendable, Hashable {
    /// The name in code.
    public let name: String
    /// The name in files, and in the string language.
    public let storedName: String
    public let type: PropertyType
    /// Whether a value, or an element of the collection, may be nil.
    public let isOptional: Bool
    /// Whether it is a `List`.
    public let isArray: Bool
    /// Whether it is a `MutableSet`.
    public let isSet: Bool
    /// Whether it is a `Map`.
    public var isMap: Bool { keyType != nil }
    /// What the keys of a map are.
    public let keyType: PropertyType?
    public let isPrimaryKey: Bool
    /// Whether there is an index of it alone; a primary key has one as well.
    public let isIndexed: Bool
    /// Whether the index serves ranges and sorting.
    public let isOrdered: Bool
    /// Whether no two objects may have the same value.
    public let isUnique: Bool
    /// For links and inverses: the stored name of the type at the other end.
    public let objectClassName: String?
    /// For inverses: the stored name of the property whose links are followed back.
    public let linkOriginPropertyName: String?

    /// The type as it would be written in Swift.
    public let typeDescription: String

    init(_ name: String, _ schema: PropertySchema) {
        self.name = name
        storedName = schema.name
        type = schema.isInverse ? .linkingObjects : PropertyType(rawValue: "\(schema.kind)") ?? .other
        isOptional = schema.isOptional
        isArray = schema.shape == .list
        isSet = schema.shape == .set
        if case .map(let key) = schema.shape {
            keyType = PropertyType(rawValue: "\(key)") ?? .other
        } else {
            keyType = nil
        }
        isPrimaryKey = schema.isPrimaryKey
        isIndexed = schema.isIndexed || schema.isPrimaryKey
        isOrdered = schema.index?.capabilities.contains(.order) ?? false
        isUnique = schema.isUnique || schema.isPrimaryKey
        objectClassName = schema.target
        linkOriginPropertyName = schema.origin
        typeDescription = schema.typeDescription
    }
}

// MARK: - As text

extension Schema: CustomStringConvertible {
    public var description: String { objectSchema.map(\.description).joined(separator: "\n") }
}

extension ObjectSchema: CustomStringConvertible {
    public var description: String {
        let base = superclassName ?? (isEmbedded ? "EmbeddedObject" : "Object")
        let lines =
            properties.map { "    \($0)\n" }
            + indexes.map { index in
                "    index of \(index.properties.joined(separator: ", "))\(index.isUnique ? ", unique" : "")\n"
            }
        return "\(className): \(base) {\n\(lines.joined())}"
    }
}

extension Property: CustomStringConvertible {
    public var description: String {
        var text = "\(name): \(typeDescription)"
        if storedName != name { text += ", stored as \(storedName)" }
        if let linkOriginPropertyName { text += " of \(linkOriginPropertyName)" }
        if isPrimaryKey {
            text += ", primary key"
        } else if isUnique {
            text += ", unique"
        }
        if isIndexed, !isPrimaryKey { text += isOrdered ? ", indexed in order" : ", indexed" }
        return text
    }
}

// MARK: - Where to find it

extension Graph {
    /// The types of the graph. O(properties).
    public var schema: Schema { Schema(binding) }
}

extension Store {
    /// The types of the store. O(properties).
    nonisolated public var schema: Schema { Schema(core.binding) }
}

extension ObjectBase {
    /// The type of a managed object; nil for an unmanaged one.
    public final var objectSchema: ObjectSchema? { _graph.map { ObjectSchema($0.binder(Int(_id.table))) } }
}
