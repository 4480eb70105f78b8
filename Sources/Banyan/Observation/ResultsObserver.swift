import BanyanCore

extension Results {
    /// Calls `block` at once with the results as they are, and after each commit that changes which objects they hold, their
    /// order, or one of the objects (or what it links to, up to four links away). On the isolation that asks, in order of the
    /// commits. Ends when the token is dropped.
    public func observe(
        isolation: isolated (any Actor)? = #isolation, _ block: @escaping (CollectionChange<Results<Element>>) -> Void
    ) -> NotificationToken {
        guard !graph.isFrozen else { fatalError("frozen results never change: observe the live ones") }
        let observer = ResultsObserver(self, block)
        block(.initial(self))
        return graph.addObserver(observer, isolation)
    }
}

/// Keeps the slots of observed results and what changes them.
private final class ResultsObserver<Element: Object>: GraphObserver {
    private let results: Results<Element>
    private let block: (CollectionChange<Results<Element>>) -> Void
    private let plan: QueryPlan
    private var slots: [UInt32]

    init(_ results: Results<Element>, _ block: @escaping (CollectionChange<Results<Element>>) -> Void) {
        self.results = results
        self.block = block
        plan = results.plan()
        slots = results.slots()
    }

    func tell(_ graph: Graph, _ change: GraphChange) -> Bool {
        let modified = DeepChanges(change, into: plan.table).modified()
        let own = change.touched(plan.table)
        let replaced = Set(
            own.filter { !change.after.view.contains($0) || !change.before.view.contains($0) }.map(\.slot))
        let queryMayDiffer = !own.isEmpty || !plan.dependencies.isDisjoint(with: change.tables)
        guard queryMayDiffer || !modified.isEmpty else { return true }

        let new = queryMayDiffer ? updated(own, change) : slots
        let difference = SlotDifference(from: slots, to: new, replaced: replaced, modified: modified)
        slots = new
        if !difference.isEmpty {
            block(
                .update(
                    results, deletions: difference.deletions, insertions: difference.insertions,
                    modifications: difference.modifications))
        }
        return true
    }

    /// The slots after the change. Where the query looks at nothing but the objects themselves and keeps their own order, only
    /// the touched ones are looked at again.
    private func updated(_ touched: Set<ObjectID>, _ change: GraphChange) -> [UInt32] {
        let view = change.after.view
        guard plan.isLocal else { return plan.slots(in: view) }
        let touchedSlots = Set(touched.map(\.slot))
        let coming = touchedSlots.sorted().filter { slot in
            let ref = ObjectRef(table: plan.table, slot: Int(slot))
            return view.isPresent(ref) && plan.matches(ref, in: view)
        }
        var result: [UInt32] = []
        result.reserveCapacity(slots.count + coming.count)
        var next = coming.makeIterator()
        var pending = next.next()
        for slot in slots where !touchedSlots.contains(slot) {
            while let due = pending, due < slot {
                result.append(due)
                pending = next.next()
            }
            result.append(slot)
        }
        while let due = pending {
            result.append(due)
            pending = next.next()
        }
        return result
    }
}

/// Which objects of one table count as modified: those that changed themselves, and those that reach a changed object by up to
/// four links, found backwards through the inverse links.
struct DeepChanges {
    private let change: GraphChange
    private let table: Int
    private static let levels = 4

    init(_ change: GraphChange, into table: Int) {
        self.change = change
        self.table = table
    }

    func modified() -> Set<UInt32> {
        let view = change.after.view
        var seen: Set<ObjectRef> = []
        var frontier: [ObjectRef] = []
        for set in change.changeSets {
            set.forEachObject { object in
                let own = set.after.lineage.layout.tables[Int(object.id.table)].propertyCount
                guard object.kind == .modified, object.columns.contains(where: { $0 < own }), view.contains(object.id),
                    seen.insert(object.id.ref).inserted
                else { return }
                frontier.append(object.id.ref)
            }
        }
        for _ in 0..<Self.levels where !frontier.isEmpty {
            var sources: [ObjectRef] = []
            for ref in frontier {
                for column in view.layout.tables[ref.table].inverseColumns {
                    view.forEachSource(ref, backlinkColumn: column) { source, _ in
                        if seen.insert(source).inserted { sources.append(source) }
                        return true
                    }
                }
            }
            frontier = sources
        }
        return Set(seen.lazy.filter { $0.table == table }.map { UInt32($0.slot) })
    }
}

extension GraphChange {
    /// Every table that was touched.
    var tables: Set<Int> { Set(changeSets.flatMap { $0.tables.map(\.table) }) }
}

extension QueryPlan {
    /// The slots selected, in order.
    func slots(in view: GraphView) -> [UInt32] {
        var result: [UInt32] = []
        forEach(in: view) { ref in
            result.append(UInt32(truncatingIfNeeded: ref.slot))
            return true
        }
        return result
    }

    /// Whether each object is in or out by itself, in slot order.
    var isLocal: Bool { order == nil && limit == nil && offset == 0 && !readsOtherObjects }

    /// Other tables whose changes can change the result.
    var dependencies: Set<Int> {
        let paths = predicate.paths + (order?.paths ?? [])
        return Set(paths.flatMap { $0.steps.map(\.table) }).subtracting([table])
    }
}
