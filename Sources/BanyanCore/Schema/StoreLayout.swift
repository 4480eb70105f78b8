/// A schema made ready for storage: one layout a type, links paired with the columns that keep their inverses.
package final class StoreLayout: @unchecked Sendable {
    // Sound: everything is set in `init` and only read afterwards.
    package let schema: Schema
    package let tables: [TableLayout]
    package let hierarchy: Hierarchy
    /// Of the lists and dictionaries that AnyValues hold: see `NestedValues`.
    package let nestedTable: Int?
    package let plans: ColumnPlans
    /// For the hashes of its indexes: random, so that nobody can choose keys that collide.
    package let seed: UInt64
    private let names: [String: Int]
    /// By table: what a transaction needs for every page it copies, where nothing need be retained to read it.
    let storage: UnsafePointer<TableStorage>

    let tableCount: Int
    /// Whether some deletion takes more than clearing links and deleting embedded objects.
    let hasDeleteRules: Bool

    struct TableStorage {
        /// Bytes of a page, and of the table's header.
        let page: Int
        let header: Int
        let key: KeyAccess?
        /// All columns.
        let columns: Int
        /// The numbers of columns that hold links out of this type, of collections, and of the hidden ones that keep
        /// inverses, those of nested lists and dictionaries first.
        let links: UnsafeBufferPointer<Int>
        let collections: UnsafeBufferPointer<Int>
        let backlinks: UnsafeBufferPointer<Int>
        let hasIndexes: Bool
        /// Those of `links` whose targets are deleted with the object.
        let owning: UnsafeBufferPointer<Int>
        /// Those of `backlinks` that forbid to delete the object.
        let denying: UnsafeBufferPointer<Int>
        /// Those of `links` that must lead to an object.
        let required: UnsafeBufferPointer<Int>
        /// The place of the primary key's secondary index; -1 for none.
        let secondaryKeyIndex: Int
        /// So many pages the table may have (see `TableSpan.pageLimit`).
        let pageLimit: Int
    }

    /// Throws `invalidSchema` for a schema that does not hold together. Only tests choose the seed, to run again what failed.
    ///
    /// - Parameter names: What the program calls the properties of each type, where that is not what they are stored as.
    package init(
        _ schema: Schema, names propertyNames: [[String]]? = nil, seed: UInt64 = .random(in: .min ... .max)
    ) throws(BanyanError) {
        try schema.validate()
        self.schema = schema
        self.seed = seed
        names = Dictionary(uniqueKeysWithValues: schema.types.enumerated().map { ($1.name, $0) })
        let hierarchy = Hierarchy(schema)
        self.hierarchy = hierarchy
        let nestedTable = names[NestedValues.typeName]
        self.nestedTable = nestedTable

        func isIndexed(_ type: TypeSchema, _ property: PropertySchema) -> Bool {
            property.isIndexed || type.indexes.contains { $0.properties.contains(property.name) }
        }
        var columns = schema.types.map { type in
            type.properties.map { property in
                let isInverse = property.isInverse
                var layout = ColumnLayout(
                    role: isInverse ? .inverseProperty : .property, kind: property.kind,
                    isOptional: property.isOptional, shape: property.shape, isKey: property.isPrimaryKey,
                    index: property.index, isIndexed: isIndexed(type, property), otherTable: -1, otherColumn: -1,
                    element: nil)
                layout.deleteRule = property.deleteRule
                layout.isRequired = property.isRequiredLink
                switch property.shape {
                case .list, .set:
                    layout.element = ElementLayout(kind: property.kind, isOptional: property.isOptional)
                case .map(let key):
                    layout.element = ElementLayout(kind: property.kind, isOptional: property.isOptional, key: key)
                case .single, .inverse: break
                }
                return layout
            }
        }
        // Every link gets a hidden column at each type it may lead to.
        for (table, type) in schema.types.enumerated() {
            for (i, property) in type.properties.enumerated() where property.kind.mayLink && !property.isInverse {
                let ends: [Int]
                if property.kind == .any {
                    // Any object, and the nested values that it owns.
                    ends = schema.types.indices.filter { !schema.types[$0].isEmbedded || $0 == nestedTable }
                } else {
                    guard let name = property.target, let target = names[name] else { continue }
                    ends = hierarchy.subtypes[target]
                }
                for end in ends {
                    if end == ends.first {
                        columns[table][i].otherTable = end
                        columns[table][i].otherColumn = columns[end].count
                    } else {
                        columns[table][i].moreEnds.append(LinkEnd(table: end, column: columns[end].count))
                    }
                    columns[end].append(
                        ColumnLayout(
                            role: .backlink, kind: .int, isOptional: false, shape: .single, isKey: false,
                            isIndexed: false, otherTable: table, otherColumn: i, element: nil,
                            deleteRule: property.deleteRule,
                            isFromCollections: property.shape != .single || property.kind == .any))
                }
            }
        }
        for (table, type) in schema.types.enumerated() {
            for (i, property) in type.properties.enumerated() {
                guard case .inverse(let origin) = property.shape, let name = property.target, let source = names[name],
                    let column = schema.types[source].property(named: origin)
                else { continue }
                // The subtypes of the type the links come from have the same property, at the same place.
                for origin in hierarchy.subtypes[source] {
                    guard let end = columns[origin][column].ends.first(where: { $0.table == table }) else {
                        throw BanyanError(
                            .invalidSchema,
                            "is the inverse of '\(name).\(property.origin ?? "")', which links to another type",
                            at: .init(type: type.name, property: property.name))
                    }
                    if origin == source {
                        columns[table][i].otherTable = source
                        columns[table][i].otherColumn = end.column
                    } else {
                        columns[table][i].moreEnds.append(LinkEnd(table: origin, column: end.column))
                    }
                }
            }
        }
        var made: [Int: TableLayout] = [:]
        for table in hierarchy.fromTheTop {
            made[table] = TableLayout(
                table: table, type: schema.types[table], names: propertyNames?[table], columns: columns[table],
                seed: seed,
                inheriting: hierarchy.parents[table].flatMap { made[$0] })
        }
        tables = schema.types.indices.compactMap { made[$0] }
        plans = ColumnPlans(tables)
        let widths = hierarchy.widths
        let storage = UnsafeMutablePointer<TableStorage>.allocate(capacity: max(tables.count, 1))
        for (i, table) in tables.enumerated() {
            (storage + i).initialize(
                to: TableStorage(
                    page: table.page.size, header: table.headerSize, key: table.keyAccess,
                    columns: table.columns.count, links: .copy(of: table.linkColumns),
                    collections: .copy(of: table.collectionColumns),
                    backlinks: .copy(
                        of: table.inverseColumns.filter { table.columns[$0].otherTable == nestedTable }
                            + table.inverseColumns.filter { table.columns[$0].otherTable != nestedTable }),
                    hasIndexes: !table.indexes.isEmpty,
                    owning: .copy(
                        of: table.linkColumns.filter {
                            table.columns[$0].kind == .embedded || table.columns[$0].deleteRule == .cascade
                        }),
                    denying: .copy(of: table.inverseColumns.filter { table.columns[$0].deleteRule == .deny }),
                    required: .copy(of: table.linkColumns.filter { table.columns[$0].isRequired }),
                    secondaryKeyIndex: table.secondaryKeyIndex ?? -1,
                    pageLimit: TableSpan.pageLimit(ofWidth: widths[i])))
        }
        self.storage = UnsafePointer(storage)
        tableCount = tables.count
        hasDeleteRules = tables.contains { $0.columns.contains { $0.deleteRule != .nullify } }
    }

    deinit {
        for i in 0..<tableCount {
            let table = storage[i]
            for columns in [
                table.links, table.collections, table.backlinks, table.owning, table.denying, table.required,
            ] {
                columns.deallocate()
            }
        }
        storage.deallocate()
    }

    package func table(named name: String) -> TableLayout? {
        names[name].map { tables[$0] }
    }
}
