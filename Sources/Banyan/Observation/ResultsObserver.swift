import BanyanCore

extension Results {
    /// Calls `block` at once with the results as they are, and after each commit that changes which objects they hold, their
    /// order, or one of the objects (or what it links to, up to four links away). On the isolation that asks, in order of the
    /// commits. Ends when the token is dropped, and for results among the objects of a collection when its owner is deleted:
    /// that is told as the deletion of everything they held.
    public func observe(
        isolation: isolated (any Actor)? = #isolation, _ block: @escaping (CollectionChange<Results<Element>>) -> Void
    ) -> NotificationToken {
        guard !graph.isFrozen else { fatalError("frozen results never change: observe the live ones") }
        let kept = KeptResults(plan(), graph.workspace.version, among: source.scope)
        block(.initial(self))
        return graph.addObserver(ResultsObserver(results: self, kept: kept, block: block), isolation)
    }
}

private struct ResultsObserver<Element: ObjectBase>: GraphObserver {
    let results: Results<Element>
    let kept: KeptResults
    let block: (CollectionChange<Results<Element>>) -> Void

    var tables: Set<Int> { kept.tables }

    func tell(_ graph: Graph, _ change: GraphChange) -> Bool {
        let difference = kept.follow(change)
        let isOver = kept.isOver(change)
        if !difference.isEmpty || isOver {
            block(
                .update(
                    results, deletions: difference.deletions, insertions: difference.insertions,
                    modifications: difference.modifications))
        }
        return !isOver
    }
}

/// What a query selected when its observer was told last, kept in the form that a change costs least.
final class KeptResults {
    private enum Form {
        case ranked(RankedSlots)
        case ordered(OrderedSlots)
        /// Looked up again each time: what an object is to the query depends on others.
        case looked([UInt32])
    }

    private let plan: QueryPlan
    private let scope: ResultsScope?
    private var form: Form
    /// Where something must change for the results to differ, or an object in them to be modified.
    let tables: Set<Int>
    /// Other tables than those of the objects, on whose changes depends which objects are selected.
    private let dependencies: Set<Int>

    init(_ plan: QueryPlan, _ version: Version, among scope: ResultsScope? = nil) {
        self.plan = plan
        self.scope = scope
        let layout = version.lineage.layout
        dependencies = plan.dependencies(layout).union(scope.map { [Int($0.owner.table)] } ?? [])
        tables = DeepChanges.tables(reaching: plan.span.tables, layout).union(dependencies)
        guard scope == nil, plan.distinct == nil else {
            form = .looked(Self.slots(plan, scope, in: version.view))
            return
        }
        let slots = plan.slots(in: version.view)
        if plan.readsOtherObjects || plan.limit != nil || plan.offset > 0 {
            form = .looked(slots)
        } else if let order = plan.order {
            form = .ordered(OrderedSlots(slots, order))
        } else {
            form = .ranked(RankedSlots(slots))
        }
    }

    private static func slots(_ plan: QueryPlan, _ scope: ResultsScope?, in view: GraphView) -> [UInt32] {
        scope.map { plan.slots(among: $0.refs(in: view), in: view) } ?? plan.slots(in: view)
    }

    /// Whether the collection they were chosen from is no longer there.
    func isOver(_ change: GraphChange) -> Bool { scope.map { !change.after.view.contains($0.owner) } ?? false }

    /// Moves on to the version after a change, and returns what became of the results.
    func follow(_ change: GraphChange) -> SlotDifference {
        let view = change.after.view
        let isSelected = { [plan] (slot: UInt32) in
            plan.matches(plan.span.ref(slot), in: view)
        }
        let touched = change.touched(plan.span)
        let modified = change.modified(plan.span)
        switch form {
        case .ranked(var slots):
            form = .looked([])
            defer { form = .ranked(slots) }
            return slots.follow(touched, modified, isSelected: isSelected)
        case .ordered(var slots):
            form = .looked([])
            defer { form = .ordered(slots) }
            let unsettled = slots.unsettled(change) { [plan] in plan.matches(plan.span.ref($0), in: $1) }
            if unsettled.count <= 64 + slots.slots.count / 16 { return slots.follow(change, unsettled, isSelected) }
            // Many at once are sorted faster than they are put in one by one.
            let old = slots.slots
            slots.replace(by: plan.slots(in: view))
            return SlotDifference(
                from: old, to: slots.slots, replaced: touched.replaced, modified: modified, unsettled: Set(unsettled))
        case .looked(let old):
            let mayDiffer = !touched.slots.isEmpty || !dependencies.isDisjoint(with: change.tables)
            let new = mayDiffer ? Self.slots(plan, scope, in: view) : old
            form = .looked(new)
            return SlotDifference(
                from: old, to: new, replaced: touched.replaced, modified: modified, unsettled: Set(touched.slots))
        }
    }
}

extension QueryPlan {
    /// Other tables whose changes can change the result.
    fileprivate func dependencies(_ layout: StoreLayout) -> Set<Int> {
        let tables = paths.flatMap { $0.steps.flatMap { layout.hierarchy.subtypes[$0.table] } }
        return Set(tables).subtracting(span.tables)
    }
}
