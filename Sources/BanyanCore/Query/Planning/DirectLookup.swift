/// A query that is one look into an index: all objects of a type with one value in one indexed property.
///
/// What most lookups are. Binding and planning them like any other query would cost several times what finding the object does;
/// what they find is the same.
package struct DirectLookup: Sendable {
    package let table: Int
    private let column: Int
    private let value: Value

    /// Nil for every other query, and where the property or the value is not what it takes: then planning has the last word.
    package init?(_ query: Query, _ type: TableLayout) {
        guard case .comparison(let comparison) = query.predicate, comparison.operator == .equal,
            comparison.options.isEmpty, comparison.quantifier == nil, query.sort.isEmpty, query.limit == nil,
            query.offset == 0, query.distinct.isEmpty, case .path(let path) = comparison.left, path.steps.count == 1,
            case .property(let name) = path.steps[0], case .value(let value) = comparison.right,
            let column = type.property(named: name),
            column == type.keyColumn || type.indexedColumns.contains(column)
        else { return nil }
        // Only where the value is one of the property's, and equal to itself alone.
        let kind = type.columns[column].kind
        guard kind.canBeKey, !value.isNull,
            kind.form == .text ? value.scalarKind == kind : value.cell(as: kind) != nil
        else { return nil }
        table = type.table
        self.column = column
        self.value = value
    }

    /// The objects. O(1) expected, O(log n) where the index is ordered.
    package func postings(in view: GraphView) -> IndexedSlots {
        let kind = view.layout.tables[table].columns[column].kind
        let found = value.withCell(as: kind) { cell in cell.flatMap { view.indexed(table, column, $0) } }
        return found ?? IndexedSlots.none
    }

    /// The slots, ascending; of more than `most` only the first.
    package func slots(in view: GraphView, atMost most: Int? = nil) -> [UInt32] {
        let postings = postings(in: view)
        let most = min(most ?? .max, postings.count)
        guard most > 0 else { return [] }
        return [UInt32](unsafeUninitializedCapacity: most) { slots, count in
            postings.forEach { slot in
                slots.initializeElement(at: count, to: UInt32(truncatingIfNeeded: slot))
                count += 1
                return count < most
            }
        }
    }
}
