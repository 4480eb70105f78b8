/// Finds embedded objects that no top-level object owns, directly or through others: those that own each other in a circle.
///
/// What was found to be owned is remembered, so that asking for every object of a graph is O(objects) however deep they nest.
package struct OwnerWalk {
    private let view: GraphView
    private var owned: Set<ObjectRef> = []

    package init(_ view: GraphView) { self.view = view }

    /// Whether the object's owners lead to a top-level object. Each of them must have an owner.
    package mutating func isOwned(_ ref: ObjectRef) -> Bool {
        var path: Set<ObjectRef> = []
        var next = ref
        while view.layout.tables[next.table].type.isEmbedded, !owned.contains(next) {
            guard path.insert(next).inserted, let owner = view.owner(of: next) else { return false }
            next = owner
        }
        owned.formUnion(path)
        return true
    }
}

extension GraphView {
    /// The object that holds an embedded one; one of them, if a damaged file says that there are several.
    package func owner(of ref: ObjectRef) -> ObjectRef? {
        let table = layout.tables[ref.table]
        for column in table.inverseColumns {
            let sources = sources(ref, backlinkColumn: column)
            guard !sources.isEmpty else { continue }
            return ObjectRef(table: table.columns[column].otherTable, slot: sources.slot(at: 0))
        }
        return nil
    }
}
