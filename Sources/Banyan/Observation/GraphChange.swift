import BanyanCore

/// The way from one version to a later one. What several observers ask of it is found out once.
final class GraphChange {
    let before: Version
    let after: Version
    let changeSets: [ChangeSet]
    /// Every table that was touched, and those of the objects in `nested`.
    let tables: Set<Int>
    /// The AnyValue properties in whose lists and dictionaries something changed. Their objects count as touched.
    let nested: [ObjectID: Set<Int>]

    /// What happened in one table.
    struct Touched {
        var ids: Set<ObjectID> = []
        /// Ascending.
        var slots: [UInt32] = []
        /// Slots that do not hold the same object before and after.
        var replaced: Set<UInt32> = []
    }
    private var touched: [Int: Touched] = [:]
    private var modified: [Int: Set<UInt32>]?

    init(before: Version, after: Version) {
        self.before = before
        self.after = after
        changeSets = before.changeSets(to: after)
        nested = changeSets.reduce(into: [:]) { $0.merge($1.nestedChanges()) { $0.union($1) } }
        tables = Set(changeSets.flatMap { $0.tables.map(\.table) } + nested.keys.map { Int($0.table) })
    }

    /// The objects of a table that some commit on the way touched.
    func touched(_ table: Int) -> Touched {
        if let known = touched[table] { return known }
        var result = Touched()
        for set in changeSets {
            for changes in set.tables where changes.table == table {
                set.forEachObject(of: changes) { result.ids.insert($0.id) }
            }
        }
        for id in nested.keys where Int(id.table) == table { result.ids.insert(id) }
        result.slots = Set(result.ids.map(\.slot)).sorted()
        for id in result.ids where !after.view.contains(id) || !before.view.contains(id) {
            result.replaced.insert(id.slot)
        }
        touched[table] = result
        return result
    }

    /// The same of the tables of a query, by members.
    func touched(_ span: TableSpan) -> Touched {
        if span.isSingle { return touched(span.tables[0]) }
        var result = Touched()
        for (place, table) in span.tables.enumerated() {
            let touched = touched(table)
            result.ids.formUnion(touched.ids)
            result.slots += touched.slots.map { span.member(slot: Int($0), at: place) }
            for slot in touched.replaced { result.replaced.insert(span.member(slot: Int(slot), at: place)) }
        }
        result.slots.sort()
        return result
    }

    /// The members of a query's tables whose objects count as modified.
    func modified(_ span: TableSpan) -> Set<UInt32> {
        if span.isSingle { return modified(span.tables[0]) }
        var result: Set<UInt32> = []
        for (place, table) in span.tables.enumerated() {
            for slot in modified(table) { result.insert(span.member(slot: Int(slot), at: place)) }
        }
        return result
    }

    /// The slots of a table whose objects count as modified.
    func modified(_ table: Int) -> Set<UInt32> {
        if let modified { return modified[table] ?? [] }
        var found: [Int: Set<UInt32>] = [:]
        for ref in DeepChanges.modified(self) { found[ref.table, default: []].insert(UInt32(ref.slot)) }
        modified = found
        return found[table] ?? []
    }
}

/// Which objects count as modified: those that changed themselves, and those that reach a changed object by up to four links,
/// found backwards through the inverse links. What is nested in an AnyValue is a part of the object that holds it.
enum DeepChanges {
    private static let levels = 4

    fileprivate static func modified(_ change: GraphChange) -> Set<ObjectRef> {
        let view = change.after.view
        let nestedTable = view.layout.nestedTable
        var seen: Set<ObjectRef> = []
        func see(_ ref: ObjectRef, _ frontier: inout [ObjectRef]) {
            var next = ref
            while seen.insert(next).inserted {
                guard next.table == nestedTable, let owner = view.owner(of: next) else { return frontier.append(next) }
                next = owner
            }
        }
        var frontier: [ObjectRef] = []
        for set in change.changeSets {
            set.forEachObject { object in
                let own = set.after.lineage.layout.tables[Int(object.id.table)].propertyCount
                guard object.kind == .modified, object.columns.contains(where: { $0 < own }), view.contains(object.id)
                else { return }
                see(object.id.ref, &frontier)
            }
        }
        for _ in 0..<levels where !frontier.isEmpty {
            var sources: [ObjectRef] = []
            for ref in frontier {
                for column in view.layout.tables[ref.table].inverseColumns {
                    view.forEachSource(ref, backlinkColumn: column) { source, _ in
                        see(source, &sources)
                        return true
                    }
                }
            }
            frontier = sources
        }
        return seen
    }

    /// The tables in which a change can modify an object of `tables`.
    static func tables(reaching tables: [Int], _ layout: StoreLayout) -> Set<Int> {
        var seen = Set(tables)
        var frontier = tables
        for _ in 0..<levels where !frontier.isEmpty {
            frontier = frontier.flatMap { table in
                layout.tables[table].linkColumns.flatMap { layout.tables[table].columns[$0].ends.map(\.table) }
            }.filter { seen.insert($0).inserted }
        }
        return seen
    }
}
