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
    struct LinkColumn {
        /// Among all of them.
        var index: Int
        var table: Int
        var column: Int
        var kind: ValueKind
        var rule: DeleteRule
        /// By table: whether it may lead to objects of it.
        var leads: [Bool]
    }

    static let linkColumns: [LinkColumn] = {
        let tables = RichSchema.schema.types.indices
        var result: [LinkColumn] = []
        for (table, type) in RichSchema.schema.types.enumerated() {
            for (column, property) in type.properties.enumerated() where property.kind.mayLink && !property.isInverse {
                let target = property.target.flatMap(RichSchema.schema.table)
                let leads = tables.map { other in
                    target.map { RichSchema.isSubtype(other, of: $0) } ?? RichSchema.mayBeInAny(other)
                }
                result.append(
                    LinkColumn(
                        index: result.count, table: table, column: column, kind: property.kind,
                        rule: property.deleteRule, leads: leads))
            }
        }
        return result
    }()

    static let linkColumnsByTable: [[LinkColumn]] = RichSchema.schema.types.indices.map { table in
        linkColumns.filter { $0.table == table }
    }

    /// The objects a property links to, duplicates and all.
    static func targets(_ property: Property) -> [ObjectRef] { values(property).compactMap(\.link) }

    /// The same, for where every object is looked at.
    private static func forEachTarget(_ property: Property, _ body: (ObjectRef) -> Void) {
        switch property {
        case .single(let value): if let link = value.link { body(link) }
        case .list(let values), .set(let values): for value in values { if let link = value.link { body(link) } }
        case .map(let entries): for entry in entries { if let link = entry.value.link { body(link) } }
        case .inverse: break
        }
    }

    static func values(_ property: Property) -> [Value] {
        switch property {
        case .single(let value): [value]
        case .list(let values), .set(let values): values
        case .map(let entries): entries.map(\.value)
        case .inverse: []
        }
    }

    /// What goes with an object: what it owns, and what its cascading links lead to.
    private func going(with id: ObjectID) -> [ObjectID] {
        guard let object = objects[id] else { return [] }
        return Self.linkColumnsByTable[Int(id.table)].flatMap { link in
            let values = Self.values(object.properties[link.column])
            return values.compactMap { link.rule == .cascade ? $0.link : $0.owned(by: link.kind) }
                .compactMap { live[$0] }
        }
    }

    /// Who links where, and how often: by link column, then by target, then by source. A look at every object.
    typealias Inverses = [[ObjectRef: [ObjectRef: Int]]]

    /// A link within lists and dictionaries of an AnyValue is one of theirs, and of the property that holds them.
    func inverses() -> Inverses {
        var result: Inverses = Array(repeating: [:], count: Self.linkColumns.count)
        for (id, object) in objects {
            for link in Self.linkColumnsByTable[Int(id.table)] {
                var inner: [ObjectRef] = []
                Self.forEachTarget(object.properties[link.column]) { target in
                    result[link.index][target, default: [:]][id.ref, default: 0] += 1
                    if target.table == RichSchema.nested, Int(id.table) != RichSchema.nested { inner.append(target) }
                }
                while let ref = inner.popLast() {
                    for property in live[ref].flatMap({ objects[$0]?.properties }) ?? [] {
                        Self.forEachTarget(property) { target in
                            if target.table == RichSchema.nested { return inner.append(target) }
                            result[link.index][target, default: [:]][id.ref, default: 0] += 1
                        }
                    }
                }
            }
        }
        return result
    }

    /// How deep a list or dictionary is within others, 1 for the outermost; 0 for what is none.
    func nestingDepth(_ id: ObjectID) -> Int {
        var depth = 0
        var current: ObjectID? = id
        while let id = current, Int(id.table) == RichSchema.nested {
            depth += 1
            current = holders(of: id.ref).first
        }
        return depth
    }

    /// How many lists and dictionaries there are within each other, from one inwards.
    func nestingHeight(_ ref: ObjectRef) -> Int {
        guard let id = live[ref], let object = objects[id] else { return 0 }
        let inner = object.properties.flatMap(Self.values).compactMap(\.nested)
        return 1 + (inner.map { nestingHeight($0) }.max() ?? 0)
    }

    /// Who holds an embedded object, or a list or dictionary; as often as it does.
    func holders(of target: ObjectRef) -> [ObjectID] {
        var result: [ObjectID] = []
        for (id, object) in objects {
            for link in Self.linkColumnsByTable[Int(id.table)] where link.leads[target.table] {
                Self.forEachTarget(object.properties[link.column]) { if $0 == target { result.append(id) } }
            }
        }
        return result
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
            guard contains(id), going.insert(id).inserted else { continue }
            pending += self.going(with: id)
        }
        for (holder, object) in objects where !going.contains(holder) {
            for link in Self.linkColumnsByTable[Int(holder.table)] where link.rule == .deny {
                let targets = Self.targets(object.properties[link.column])
                if targets.contains(where: { live[$0].map(going.contains) ?? false }) { return false }
            }
        }
        remove(going)
        return true
    }

    /// Takes these objects away, and nothing with them; every link to any of them is cleared.
    mutating func remove(_ going: Set<ObjectID>) {
        for id in going {
            objects[id] = nil
            writes += 1
            live[id.ref] = nil
            touched[id, default: []] = []
        }
        unlink(Set(going.map(\.ref)))
    }

    private mutating func unlink(_ refs: Set<ObjectRef>) {
        let isOther: (Value) -> Bool = { value in value.link.map { !refs.contains($0) } ?? true }
        let tables = Set(refs.map(\.table))
        let links = Self.linkColumnsByTable.map { $0.filter { link in tables.contains { link.leads[$0] } } }
        for (owner, object) in objects {
            for link in links[Int(owner.table)] {
                var isLinked = false
                Self.forEachTarget(object.properties[link.column]) { if refs.contains($0) { isLinked = true } }
                guard isLinked else { continue }
                switch object.properties[link.column] {
                case .single: set(owner, link.column, .single(.null))
                case .list(let values) where link.kind == .any:
                    set(owner, link.column, .list(values.map { isOther($0) ? $0 : .null }))
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
