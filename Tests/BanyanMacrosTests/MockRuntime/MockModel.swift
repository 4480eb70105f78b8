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
    /// Those of all properties, and those behind a link that may be nil.
    public let keyPaths: [String]
    /// As `a, b` and, of a unique one, `a, b unique`.
    public let indexes: [String]

    public init<T: ObjectBase>(
        _ type: T.Type, name: String, superclass: ObjectBase.Type, _ describe: (inout _ModelDescription<T>) -> Void,
        keyPaths: (inout _KeyPaths<T>) -> Void
    ) {
        var description = _ModelDescription<T>()
        describe(&description)
        self.name = name
        indexes = superclass._$model.indexes + description.indexes
        inherited = superclass._$model.properties
        own = description.properties
        var paths = _KeyPaths<T>()
        keyPaths(&paths)
        self.keyPaths = paths.texts
    }

    init() {
        name = ""
        inherited = []
        own = []
        keyPaths = []
        indexes = []
    }

    public var properties: [Property] { inherited + own }
    public var propertyCount: Int { inherited.count + own.count }
}

public struct _ModelDescription<Root> {
    private(set) var properties: [_ObjectModel.Property] = []
    private(set) var indexes: [String] = []

    public mutating func property<V>(
        _ name: String, _ keyPath: KeyPath<Root, V>, primaryKey: Bool = false, indexed: IndexKind? = nil,
        unique: Bool = false, deleteRule: DeleteRule? = nil, storedName: String? = nil, hasDefault: Bool = false
    ) {
        var attributes: [String] = []
        if primaryKey { attributes.append("primaryKey") }
        if let indexed { attributes.append("indexed \(indexed)") }
        if unique { attributes.append("unique") }
        if let deleteRule { attributes.append("deleteRule \(deleteRule)") }
        if let storedName { attributes.append("stored as \(storedName)") }
        if hasDefault { attributes.append("default") }
        properties.append(.init(name: name, valueType: "\(V.self)", attributes: attributes))
    }

    public mutating func required<T>(
        _ name: String, _ keyPath: KeyPath<Root, T>, deleteRule: DeleteRule, storedName: String? = nil,
        hasDefault: Bool = false
    ) {
        var attributes = ["required", "deleteRule \(deleteRule)"]
        if let storedName { attributes.append("stored as \(storedName)") }
        properties.append(.init(name: name, valueType: "\(T.self)", attributes: attributes))
    }

    public mutating func inverse<V: _PersistedProperty>(
        _ name: String, _ keyPath: KeyPath<Root, V>, originProperty: String
    ) {
        properties.append(.init(name: name, valueType: "\(V.self)", attributes: ["inverse of \(originProperty)"]))
    }

    public mutating func index(_ names: [String], _ keyPaths: [PartialKeyPath<Root>], unique: Bool = false) {
        indexes.append(names.joined(separator: ", ") + (unique ? " unique" : ""))
    }
}

public struct _KeyPaths<Root: ObjectBase> {
    private(set) var texts: [String] = []

    public mutating func add(
        _ own: @autoclosure () -> PartialKeyPath<Root>, _ chained: @autoclosure () -> PartialKeyPath<Root?>
    ) {
        texts.append("\(type(of: own())), \(type(of: chained()))")
    }
}

extension ObjectBase {
    public static func _$keyPaths<Root: ObjectBase>(_ paths: inout _KeyPaths<Root>) {}
}
