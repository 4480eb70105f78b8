extension ChangeSet {
    /// The AnyValue properties that hold the lists and dictionaries in which the commit changed something, by the
    /// objects they belong to: to whoever looks at an object, such a change is one of its property. O(nested values
    /// that changed × depth).
    package func nestedChanges() -> [ObjectID: Set<Int>] {
        let view = after.view
        guard let table = view.layout.nestedTable, let changes = tables.first(where: { $0.table == table }) else {
            return [:]
        }
        var result: [ObjectID: Set<Int>] = [:]
        forEachObject(of: changes) { object in
            guard object.kind == .modified,
                object.columns.contains(where: { $0 < view.layout.tables[table].propertyCount }),
                let holder = view.holder(of: object.id.ref)
            else { return }
            result[view.id(holder.owner), default: []].insert(holder.column)
        }
        return result
    }
}
