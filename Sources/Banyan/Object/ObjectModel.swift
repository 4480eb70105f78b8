import BanyanCore
import Synchronization

/// What `@Model` tells of a class: its stored name and its properties, those of the superclass first.
public final class _ObjectModel: @unchecked Sendable {
    // Sound: everything is set in `init` and only read afterwards.
    let type: ObjectBase.Type
    let name: String
    let properties: [_PropertyInfo]
    let keyPaths: KeyPathTable
    /// The path of each property alone, for queries.
    let paths: [PropertyPath]
    /// The types of the properties in Swift.
    let swiftTypes: [(any _PersistedProperty.Type)?]
    /// The indexes of several properties, those of the superclass first.
    let indexes: [CompoundIndex]
    let isEmbedded: Bool
    /// The model it inherits from; nil for one that inherits from no stored type.
    let superclass: ObjectBase.Type?
    /// What is wrong with the stored names, for whoever opens a store with this model.
    let nameProblem: BanyanError?
    /// A number of its own for each model, so that a store can find its table without hashing.
    @usableFromInline let number: Int
    /// The page of an unmanaged object.
    let unmanagedLayout: PageLayout
    let unmanagedColumns: UnsafePointer<Column>
    /// The columns of an unmanaged page that hold a reference: to-one links, collections; and the texts, with their kinds.
    let linkColumns: UnsafeBufferPointer<Column>
    let collectionColumns: UnsafeBufferPointer<Column>
    /// The collections of objects among them.
    let collectionLinkColumns: UnsafeBufferPointer<Column>
    let textColumns: UnsafeBufferPointer<TextColumn>

    struct TextColumn: BitwiseCopyable {
        let kind: ValueKind
        let column: Column
    }
    private let implicitDefaults: [(Int, @Sendable (ObjectBase, Int) -> Void)]

    public init<T: ObjectBase>(
        _ type: T.Type, name: String, superclass: ObjectBase.Type,
        _ describe: (inout _ModelDescription<T>) -> Void,
        keyPaths: @escaping @Sendable (inout _KeyPaths<T>) -> Void = { _ in }
    ) {
        var description = _ModelDescription<T>()
        describe(&description)
        let properties = description.properties
        SmallString.isChecked
        let isRoot = superclass == Object.self || superclass == EmbeddedObject.self || superclass == ObjectBase.self
        let inherited = isRoot ? [] : superclass._$model.properties
        var names = StoredNames(inherited, properties.map(\.info), of: name)
        names.apply(type.propertiesMapping())
        nameProblem = names.problem()
        let all = names.properties
        self.type = type
        self.name = name
        self.properties = all
        self.indexes =
            (isRoot ? [] : superclass._$model.indexes)
            + description.indexes.map { index in
                // A name that is no property is left as it stands, for the schema to complain about.
                let names = index.names.map { name in all.first { $0.name == name }?.storedName ?? name }
                return CompoundIndex(names, isUnique: index.isUnique)
            }
        swiftTypes =
            (isRoot ? [] : superclass._$model.swiftTypes)
            + properties.map { Swift.type(of: $0.keyPath).valueType as? any _PersistedProperty.Type }
        isEmbedded = type is EmbeddedObject.Type
        self.superclass = isRoot ? nil : superclass
        self.keyPaths = KeyPathTable(type, keyPaths)
        paths = all.map { PropertyPath(steps: [.property($0.name)]) }
        number = ModelNumbers.next()
        let layout = PageLayout(
            all.map { info in
                if info.type.isInverse { return nil }
                // An AnyValue has a word, for a box.
                let isSingle = info.type.shape == .single && info.type.kind != .any
                return PageLayout.Need(
                    kind: isSingle ? info.type.kind : nil, isOptional: info.type.isOptional && isSingle, flags: 0)
            }, slots: 1)
        unmanagedLayout = layout
        let columns = UnsafeMutablePointer<Column>.allocate(capacity: max(all.count, 1))
        columns.initialize(from: layout.columns, count: all.count)
        unmanagedColumns = UnsafePointer(columns)
        let single = all.indices.filter { all[$0].type.shape == .single }
        linkColumns = .copy(of: single.filter { all[$0].type.kind.isLink }.map { layout.columns[$0] })
        textColumns = .copy(
            of: single.filter { all[$0].type.kind.isText && all[$0].type.kind != .any }.map {
                TextColumn(kind: all[$0].type.kind, column: layout.columns[$0])
            })
        // The boxes of AnyValues are held like collections.
        let collections = all.indices.filter {
            !all[$0].type.isInverse && (all[$0].type.shape != .single || all[$0].type.kind == .any)
        }
        collectionColumns = .copy(of: collections.map { layout.columns[$0] })
        collectionLinkColumns = .copy(
            of: collections.filter { all[$0].type.kind.mayLink }.map { layout.columns[$0] })
        implicitDefaults = all.enumerated().compactMap { i, info in
            info.hasDefault ? nil : info.type.implicitDefault.map { (i, $0) }
        }
    }

    public var propertyCount: Int { properties.count }

    func setImplicitDefaults(of object: ObjectBase) {
        for (column, set) in implicitDefaults { set(object, column) }
    }

    /// Its type as a file would describe it.
    var schema: TypeSchema {
        TypeSchema(
            name: name, isEmbedded: isEmbedded, superclass: superclass?._$model.name,
            properties: properties.map { info in
                PropertySchema(
                    name: info.storedName, kind: info.type.kind, isOptional: info.type.isOptional,
                    shape: info.type.schemaShape(info),
                    target: (info.origin ?? info.type.target)?._$model.name, isPrimaryKey: info.isPrimaryKey,
                    index: info.index, isUnique: info.isUnique,
                    deleteRule: info.deleteRule ?? .nullify)
            }, indexes: indexes)
    }

    func property(named name: String) -> Int? {
        properties.firstIndex { $0.name == name }
    }
}

private enum ModelNumbers {
    private static let last = Atomic<Int>(-1)
    static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}

/// One property of a model, without its Swift type.
struct _PropertyInfo: Sendable {
    var name: String
    var storedName: String
    var type: _PropertyType
    var isPrimaryKey = false
    var index: IndexKind?
    var isUnique = false
    var deleteRule: DeleteRule?
    var hasDefault = false
    /// For inverses: the class and property whose links are followed back.
    var origin: ObjectBase.Type?
    var originProperty: String?
    /// Nil for an inverse, which is not coded.
    var coding: _PropertyCoding?

    /// What files call the property that an inverse follows back. One that is not there is left to the schema to complain about.
    var storedOrigin: String {
        let name = originProperty ?? ""
        return origin?._$model.properties.first { $0.name == name }?.storedName ?? name
    }
}

/// The type of a property as storage sees it.
public struct _PropertyType: Sendable {
    enum Shape: Sendable, Hashable { case single, list, set, map, inverse }

    var kind: ValueKind
    var isOptional = false
    var shape = Shape.single
    var key: ValueKind?
    var target: ObjectBase.Type?
    /// Sets the default of a property that declares none, where that is not zero.
    var implicitDefault: (@Sendable (ObjectBase, Int) -> Void)?
    /// Whether a stored value is one that the Swift type can read; nil where every value is.
    var accepts: (@Sendable (Value) -> Bool)?
    /// Whether values are of a custom type that is stored as an embedded object.
    var isProjection = false
    /// The collection of an object's property; nil for a single value.
    var collection: (@Sendable (ObjectBase, Int) -> any _OwnedCollection)?
    /// Whether nothing can be shown in place of a stored value that cannot be read, unless the property has a default.
    var lacksFallback: (@Sendable () -> Bool)?

    var isInverse: Bool { shape == .inverse }

    func schemaShape(_ info: _PropertyInfo) -> PropertySchema.Shape {
        switch shape {
        case .single: .single
        case .list: .list
        case .set: .set
        case .map: .map(key: key ?? .string)
        case .inverse: .inverse(of: info.storedOrigin)
        }
    }
}
