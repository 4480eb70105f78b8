/// The types of a graph, as stored: names, kinds, keys and links. It knows no Swift class; files carry it, so that a tool
/// can read them without the program that wrote them.
package struct Schema: Sendable, Hashable, Codable {
    /// In the order of their table numbers.
    package var types: [TypeSchema]
    /// The application's schema version.
    package var version: UInt64

    package init(types: [TypeSchema], version: UInt64 = 0) {
        self.types = types
        self.version = version
    }

    package func table(named name: String) -> Int? {
        types.firstIndex { $0.name == name }
    }
}

/// One type: a table.
package struct TypeSchema: Sendable, Hashable, Codable {
    /// The stored name.
    package var name: String
    package var isEmbedded: Bool
    /// The stored name of the type it inherits from; nil for one that inherits from no stored type.
    package var superclass: String?
    /// In declared order, those of the superclass first.
    package var properties: [PropertySchema]
    /// Indexes of several properties.
    package var indexes: [CompoundIndex]

    package init(
        name: String, isEmbedded: Bool = false, superclass: String? = nil, properties: [PropertySchema],
        indexes: [CompoundIndex] = []
    ) {
        self.name = name
        self.isEmbedded = isEmbedded
        self.superclass = superclass
        self.properties = properties
        self.indexes = indexes
    }

    package var primaryKey: Int? { properties.firstIndex { $0.isPrimaryKey } }

    package func property(named name: String) -> Int? {
        properties.firstIndex { $0.name == name }
    }
}

/// An ordered index of several properties of a type.
package struct CompoundIndex: Sendable, Hashable, Codable {
    /// Their stored names, the one that decides first in front.
    package var properties: [String]
    /// Whether no two objects may have the same values in all of them; those that have nil in one do not count.
    package var isUnique: Bool

    package init(_ properties: [String], isUnique: Bool = false) {
        self.properties = properties
        self.isUnique = isUnique
    }
}

/// One property of a type.
package struct PropertySchema: Sendable, Hashable, Codable {
    /// How many values a property holds, and how they are arranged.
    package enum Shape: Sendable, Hashable, Codable {
        case single
        case list
        case set
        /// Keys of this kind.
        case map(key: ValueKind)
        /// Not stored: the objects of `target` whose property named here links to this one.
        case inverse(of: String)
    }

    /// The stored name.
    package var name: String
    package var kind: ValueKind
    /// Whether a value (of a collection: an element) may be nil.
    package var isOptional: Bool
    package var shape: Shape
    /// For links and inverses: the stored name of the type at the other end.
    package var target: String?
    package var isPrimaryKey: Bool
    package var index: IndexKind?
    /// Whether no two objects may have the same value, nil excepted. Takes an index.
    package var isUnique: Bool
    /// Of links: what the deletion of the objects at its ends does.
    package var deleteRule: DeleteRule

    package init(
        name: String, kind: ValueKind, isOptional: Bool = false, shape: Shape = .single, target: String? = nil,
        isPrimaryKey: Bool = false, isIndexed: Bool = false, index: IndexKind? = nil, isUnique: Bool = false,
        deleteRule: DeleteRule = .nullify
    ) {
        self.name = name
        self.deleteRule = deleteRule
        self.kind = kind
        self.isOptional = isOptional
        self.shape = shape
        self.target = target
        self.isPrimaryKey = isPrimaryKey
        self.index = index ?? (isIndexed || isUnique && !isPrimaryKey ? .standard : nil)
        // Keys are unique anyway.
        self.isUnique = isUnique && !isPrimaryKey
    }

    package var isIndexed: Bool { index != nil }
    /// Whether it is a to-one link that must lead to an object when a transaction ends.
    package var isRequiredLink: Bool { kind == .object && shape == .single && !isOptional }

    package var isInverse: Bool { if case .inverse = shape { true } else { false } }
    /// For inverses: the stored name of the property whose links are followed back.
    package var origin: String? { if case .inverse(let name) = shape { name } else { nil } }
    package var isCollection: Bool {
        switch shape {
        case .list, .set, .map: true
        case .single, .inverse: false
        }
    }

    /// The property's type as it would be written in Swift.
    package var typeDescription: String {
        let value = (target ?? kind.name)
        let element = value + (isOptional ? "?" : "")
        return switch shape {
        case .single: element
        case .list: "List<\(element)>"
        case .set: "MutableSet<\(element)>"
        case .map(let key): "Map<\(key.name), \(element)>"
        case .inverse: "LinkingObjects<\(value)>"
        }
    }
}
