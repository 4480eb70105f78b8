import BanyanCore

/// The graph as anybody would write it who needed it right and not fast: a dictionary of objects, each an array of
/// values. Inverse links are not kept but found by looking at every link there is.
struct Model {
    struct Entry {
        var key: Value
        var value: Value
    }

    enum Property {
        case single(Value)
        case list([Value])
        /// Ascending.
        case set([Value])
        /// Ascending by key.
        case map([Entry])
        /// Nothing is stored.
        case inverse
    }

    struct Object {
        /// By property number.
        var properties: [Property]
    }

    private(set) var objects: [ObjectID: Object] = [:]
    /// Which object a link leads to.
    private(set) var live: [ObjectRef: ObjectID] = [:]
    /// What has been written since `settle`, by object and property; what was created or deleted is there too.
    private(set) var touched: [ObjectID: Set<Int>] = [:]
    /// How often anything was written.
    private(set) var writes = 0

    /// Forgets what was written.
    mutating func settle() { touched = [:] }

    // MARK: Reading

    func contains(_ id: ObjectID) -> Bool { objects[id] != nil }

    subscript(_ id: ObjectID, _ column: Int) -> Property? { objects[id]?.properties[column] }

    func count(_ table: Int) -> Int { objects.keys.count { Int($0.table) == table } }

    static func schema(_ table: Int) -> TypeSchema { RichSchema.schema.types[table] }

    static func property(_ id: ObjectID, _ column: Int) -> PropertySchema { schema(Int(id.table)).properties[column] }

    func ids(of table: Int) -> [ObjectID] { objects.keys.filter { Int($0.table) == table } }

    /// The object with a primary key, other than `except`.
    func find(_ table: Int, key: Value, except: ObjectID? = nil) -> ObjectID? {
        guard let column = Self.schema(table).primaryKey else { return nil }
        // A key is unique among all types that share it.
        let top = RichSchema.subtypes.indices.first { RichSchema.isSubtype(table, of: $0) } ?? table
        return objects.first { id, object in
            guard RichSchema.isSubtype(Int(id.table), of: top), id != except,
                case .single(let value) = object.properties[column]
            else {
                return false
            }
            return value.compare(key) == 0
        }?.key
    }

    // MARK: Links

    /// One property that holds links.
    struct LinkColumn: Hashable {
        var table: Int
        var column: Int
        var target: Int
        var isEmbedded: Bool
        var rule: DeleteRule

        /// Whether the target goes with the object that holds the link.
        var isOwning: Bool { isEmbedded || rule == .cascade }
    }

    static let linkColumns: [LinkColumn] = RichSchema.schema.types.enumerated().flatMap { table, type in
        type.properties.enumerated().compactMap { column, property in
            guard property.kind.isLink, !property.isInverse,
                let target = property.target.flatMap(RichSchema.schema.table)
            else { return nil }
            return LinkColumn(
                table: table, column: column, target: target, isEmbedded: property.kind == .embedded,
                rule: property.deleteRule)
        }
    }

    static let linkColumnsByTable: [[LinkColumn]] = RichSchema.schema.types.indices.map { table in
        linkColumns.filter { $0.table == table }
    }

    /// The objects a property links to, duplicates and all.
    static func targets(_ property: Property) -> [ObjectRef] {
        func ref(_ value: Value) -> ObjectRef? { if case .object(let ref) = value { ref } else { nil } }
        return switch property {
        case .single(let value): ref(value).map { [$0] } ?? []
        case .list(let values), .set(let values): values.compactMap(ref)
        case .map(let entries): entries.compactMap { ref($0.value) }
        case .inverse: []
        }
    }

    /// Who links where through a property, and how often: by target, then by source. A look at every object.
    typealias Inverses = [LinkColumn: [ObjectRef: [ObjectRef: Int]]]

    func inverses() -> Inverses {
        var result: Inverses = [:]
        for (id, object) in objects {
            for link in Self.linkColumnsByTable[Int(id.table)] {
                for target in Self.targets(object.properties[link.column]) {
                    result[link, default: [:]][target, default: [:]][id.ref, default: 0] += 1
                }
            }
        }
        return result
    }

    /// How many links lead to an embedded object.
    func owners(of target: ObjectRef) -> Int {
        var count = 0
        for (id, object) in objects {
            for link in Self.linkColumnsByTable[Int(id.table)] where RichSchema.isSubtype(target.table, of: link.target)
            {
                count += Self.targets(object.properties[link.column]).count { $0 == target }
            }
        }
        return count
    }

    // MARK: Writing

    mutating func insert(_ id: ObjectID, key: Value?) {
        let type = Self.schema(Int(id.table))
        let properties = type.properties.map { property -> Property in
            switch property.shape {
            case .single where property.isPrimaryKey: .single(key ?? .null)
            case .single: .single(.initial(property.kind, isOptional: property.isOptional))
            case .list: .list([])
            case .set: .set([])
            case .map: .map([])
            case .inverse: .inverse
            }
        }
        objects[id] = Object(properties: properties)
        writes += 1
        live[id.ref] = id
        touched[id, default: []] = []
    }

    mutating func set(_ id: ObjectID, _ column: Int, _ property: Property) {
        objects[id]?.properties[column] = property
        note(id, column)
    }

    /// Counts a property as written.
    mutating func note(_ id: ObjectID, _ column: Int) {
        writes += 1
        touched[id, default: []].insert(column)
    }

    /// Takes an object away with everything it owns; every link to any of them is cleared. If a link from elsewhere denies that,
    /// nothing goes, and the answer is false.
    @discardableResult
    mutating func delete(_ id: ObjectID) -> Bool {
        var going: Set<ObjectID> = []
        var pending = [id]
        while let id = pending.popLast() {
            guard let object = objects[id], going.insert(id).inserted else { continue }
            for link in Self.linkColumnsByTable[Int(id.table)] where link.isOwning {
                pending += Self.targets(object.properties[link.column]).compactMap { live[$0] }
            }
        }
        for (holder, object) in objects where !going.contains(holder) {
            for link in Self.linkColumnsByTable[Int(holder.table)] where link.rule == .deny {
                let targets = Self.targets(object.properties[link.column])
                if targets.contains(where: { live[$0].map(going.contains) ?? false }) { return false }
            }
        }
        for id in going {
            objects[id] = nil
            writes += 1
            live[id.ref] = nil
            touched[id, default: []] = []
        }
        for id in going { unlink(id.ref) }
        return true
    }

    private mutating func unlink(_ ref: ObjectRef) {
        for (owner, object) in objects {
            for link in Self.linkColumnsByTable[Int(owner.table)] where RichSchema.isSubtype(ref.table, of: link.target)
            {
                guard Self.targets(object.properties[link.column]).contains(ref) else { continue }
                let isOther: (Value) -> Bool = { !$0.isIdentical(to: .object(ref)) }
                switch object.properties[link.column] {
                case .single: set(owner, link.column, .single(.null))
                case .list(let values): set(owner, link.column, .list(values.filter(isOther)))
                case .set(let values): set(owner, link.column, .set(values.filter(isOther)))
                case .map(let entries):
                    set(
                        owner, link.column,
                        .map(entries.map { isOther($0.value) ? $0 : Entry(key: $0.key, value: .null) }))
                case .inverse: break
                }
            }
        }
    }
}
