/// What a class stores, by slot, as its expansion declares it.
public final class _ObjectModel: Sendable {
    public struct Property: Sendable, CustomStringConvertible {
        public var name: String
        public var valueType: String
        public var attributes: [String]

        public var description: String { (["\(name): \(valueType)"] + attributes).joined(separator: ", ") }
    }

    public let name: String
    public let inherited: [Property]
    public let own: [Property]
    /// As `a, b` and, of a unique one, `a, b unique`.
    public let indexes: [String]

    public init<T: ObjectBase>(
        _ type: T.Type, name: String, superclass: ObjectBase.Type, properties: [_PropertyDescriptor<T>],
        indexes: [_IndexDescriptor<T>] = []
    ) {
        self.name = name
        self.indexes = superclass._$model.indexes + indexes.map(\.description)
        inherited = superclass._$model.properties
        own = properties.map(\.property)
    }

    init() {
        name = ""
        inherited = []
        own = []
        indexes = []
    }

    public var properties: [Property] { inherited + own }
    public var propertyCount: Int { inherited.count + own.count }
}

public struct _PropertyDescriptor<Root> {
    let property: _ObjectModel.Property

    /// Of any type: that it can be stored is checked where the property is read and written, and only there.
    public static func property<V>(
        _ name: String, _ keyPath: KeyPath<Root, V>, primaryKey: Bool = false, indexed: IndexKind? = nil,
        unique: Bool = false, deleteRule: DeleteRule? = nil, storedName: String? = nil, hasDefault: Bool = false
    ) -> Self {
        var attributes: [String] = []
        if primaryKey { attributes.append("primaryKey") }
        if let indexed { attributes.append("indexed \(indexed)") }
        if unique { attributes.append("unique") }
        if let deleteRule { attributes.append("deleteRule \(deleteRule)") }
        if let storedName { attributes.append("stored as \(storedName)") }
        if hasDefault { attributes.append("default") }
        return Self(property: .init(name: name, valueType: "\(V.self)", attributes: attributes))
    }

    public static func required<T>(
        _ name: String, _ keyPath: KeyPath<Root, T>, deleteRule: DeleteRule, storedName: String? = nil,
        hasDefault: Bool = false
    ) -> Self {
        var attributes = ["required", "deleteRule \(deleteRule)"]
        if let storedName { attributes.append("stored as \(storedName)") }
        return Self(property: .init(name: name, valueType: "\(T.self)", attributes: attributes))
    }

    public static func inverse<V: _PersistedProperty, O, OV>(
        _ name: String, _ keyPath: KeyPath<Root, V>, originProperty: String, origin: KeyPath<O, OV>
    ) -> Self {
        let attributes = ["inverse of \(O.self).\(originProperty): \(OV.self)"]
        return Self(property: .init(name: name, valueType: "\(V.self)", attributes: attributes))
    }
}

public struct _IndexDescriptor<Root> {
    let description: String

    public static func index(_ names: [String], _ keyPaths: [PartialKeyPath<Root>], unique: Bool = false) -> Self {
        Self(description: names.joined(separator: ", ") + (unique ? " unique" : ""))
    }
}
