import BanyanCore

// What must hold when a transaction ends, and when a savepoint does: values that are not shared, links that are set.

extension Model {
    enum Violation: Hashable {
        /// Two objects have the same values in these properties.
        case shared(Set<ObjectID>, columns: [Int])
        case unset(ObjectID, column: Int)
    }

    /// By table: the properties, alone or together, whose values are not shared.
    private static let uniqueColumns: [[[Int]]] = RichSchema.schema.types.map { type in
        type.properties.indices.filter { type.properties[$0].isUnique }.map { [$0] }
            + type.indexes.filter(\.isUnique).map { $0.properties.compactMap(type.property) }
    }

    private static let requiredColumns: [[Int]] = RichSchema.schema.types.map { type in
        type.properties.indices.filter { type.properties[$0].isRequiredLink }
    }

    func violations() -> Set<Violation> {
        var result: Set<Violation> = []
        for table in RichSchema.schema.types.indices {
            let (unique, required) = (Self.uniqueColumns[table], Self.requiredColumns[table])
            guard !unique.isEmpty || !required.isEmpty else { continue }
            let ids = ids(of: table)
            for column in required {
                for id in ids where self[id, column]?.single?.isNull == true {
                    result.insert(.unset(id, column: column))
                }
            }
            for columns in unique {
                let rows = ids.map { id in (id: id, values: columns.compactMap { self[id, $0]?.single }) }
                    .filter { row in !row.values.contains(where: \.isNull) }
                for (i, a) in rows.enumerated() {
                    for b in rows[..<i] where zip(a.values, b.values).allSatisfy({ $0.compare($1) == 0 }) {
                        result.insert(.shared([a.id, b.id], columns: columns))
                    }
                }
            }
        }
        return result
    }
}
