import BanyanCore

/// What a class stores, as `@Model` tells it: one property after the other.
public struct _ModelDescription<Root> {
    struct Property {
        let info: _PropertyInfo
        let keyPath: AnyKeyPath
    }
    struct Index {
        let names: [String]
        let isUnique: Bool
    }

    private(set) var properties: [Property] = []
    private(set) var indexes: [Index] = []

    public mutating func property<V: _PersistedProperty>(
        _ name: String, _ keyPath: KeyPath<Root, V>, primaryKey: Bool = false, indexed: IndexKind? = nil,
        unique: Bool = false, deleteRule: DeleteRule? = nil, storedName: String? = nil, hasDefault: Bool = false
    ) {
        properties.append(
            Property(
                info: _PropertyInfo(
                    name: name, storedName: storedName ?? name, type: V._$propertyType, isPrimaryKey: primaryKey,
                    index: indexed, isUnique: unique, deleteRule: deleteRule, hasDefault: hasDefault,
                    coding: _PropertyCoding(V.self)),
                keyPath: keyPath))
    }

    /// A link that is never nil.
    public mutating func required<T: ObjectBase>(
        _ name: String, _ keyPath: KeyPath<Root, T>, deleteRule: DeleteRule, storedName: String? = nil,
        hasDefault: Bool = false
    ) {
        var type = T._$optionalType
        type.isOptional = false
        properties.append(
            Property(
                info: _PropertyInfo(
                    name: name, storedName: storedName ?? name, type: type, deleteRule: deleteRule,
                    hasDefault: hasDefault, coding: _PropertyCoding(link: T.self)),
                keyPath: keyPath))
    }

    public mutating func inverse<O: ObjectBase>(
        _ name: String, _ keyPath: KeyPath<Root, LinkingObjects<O>>, originProperty: String
    ) {
        properties.append(
            Property(
                info: _PropertyInfo(
                    name: name, storedName: name, type: LinkingObjects<O>._$propertyType, origin: O.self,
                    originProperty: originProperty),
                keyPath: keyPath))
    }

    /// One index of several properties. The key paths are for the compiler: they name properties that are there.
    public mutating func index(_ names: [String], _ keyPaths: [PartialKeyPath<Root>], unique: Bool = false) {
        indexes.append(Index(names: names, isUnique: unique))
    }
}

// What is not stored: the compiler says so where the property is read, and nowhere else.
extension _ModelDescription {
    @_disfavoredOverload
    public mutating func property<V>(
        _ name: String, _ keyPath: KeyPath<Root, V>, primaryKey: Bool = false, indexed: IndexKind? = nil,
        unique: Bool = false, deleteRule: DeleteRule? = nil, storedName: String? = nil, hasDefault: Bool = false
    ) { fatalError("\(V.self) is not stored") }

    @_disfavoredOverload
    public mutating func required<V>(
        _ name: String, _ keyPath: KeyPath<Root, V>, deleteRule: DeleteRule, storedName: String? = nil,
        hasDefault: Bool = false
    ) { fatalError("\(V.self) is no link") }
}
