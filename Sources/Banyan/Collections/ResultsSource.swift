import BanyanCore

/// What results are without their type: a query on a graph, and what was looked up for it.
@usableFromInline
final class ResultsSource {
    let graph: Graph
    let type: ObjectBase.Type
    /// That of the type.
    private let binder: TableBinder
    let query: BanyanCore.Query
    /// Nil where all objects of the type are looked at.
    let scope: ResultsScope?

    // What was looked up last, and under which change stamp of the graph. No access to these can overlap another: each lasts for
    // a line of the functions below.
    @exclusivity(unchecked) private var knownAccess: Access?
    @exclusivity(unchecked) private var knownSpan: TableSpan?
    @exclusivity(unchecked) private var knownSlots: [UInt32] = []
    /// Whether these are all there are, or only the first ones.
    @exclusivity(unchecked) private var isComplete = false
    /// 0, which no graph has, until something is looked up.
    @exclusivity(unchecked) private var stamp: UInt64 = 0
    @exclusivity(unchecked) private var knownCount = 0
    @exclusivity(unchecked) private var countStamp: UInt64 = 0

    /// How the objects are found.
    private enum Access {
        case lookup(DirectLookup)
        case plan(QueryPlan)
    }

    /// What is wrong with the query, as whoever built it found out, or as it turned out when it was to be run. There are no
    /// objects then.
    @exclusivity(unchecked) private var knownFault: BanyanError?

    init(
        _ graph: Graph, _ type: ObjectBase.Type, _ query: BanyanCore.Query, among scope: ResultsScope? = nil,
        fault: BanyanError? = nil
    ) {
        self.graph = graph
        self.type = type
        do throws(BanyanError) {
            binder = try graph.binder(for: type)
            self.query = query
            self.scope = scope
            knownFault = fault
        } catch {
            // Of a class that is not in the schema there are no objects. What finds none of another one stands in for it.
            binder = graph.binding.binders[0]
            self.query = BanyanCore.Query(binder.layout.type.name, .constant(false))
            self.scope = nil
            knownFault = error
        }
        if let knownFault { graph.fail(knownFault) }
    }

    /// The same query on another graph.
    func counterpart(in graph: Graph) -> ResultsSource {
        ResultsSource(graph, type, query, among: scope, fault: knownFault)
    }

    /// Another query on the same objects.
    func with(_ query: BanyanCore.Query) -> ResultsSource {
        ResultsSource(graph, type, query, among: scope, fault: knownFault)
    }

    /// A query that cannot be answered: there are no objects, and in a write the transaction fails.
    func failed(_ fault: BanyanError) -> ResultsSource {
        var query = query
        query.predicate = .constant(false)
        return ResultsSource(graph, type, query, among: scope, fault: knownFault ?? fault)
    }

    /// Those of the same objects that satisfy a condition as well.
    func narrowed(_ predicate: Predicate, fault: BanyanError? = nil) -> ResultsSource {
        if let fault { return failed(fault) }
        var query = query
        if case .constant(true) = query.predicate {
            query.predicate = predicate
        } else {
            query.predicate = query.predicate && predicate
        }
        return with(query)
    }

    /// So many of the same objects at most, or without so many at their start.
    func cut(limit: Int? = nil, offset: Int? = nil) -> ResultsSource {
        var query = query
        if let limit { query.limit = max(0, limit) }
        if let offset { query.offset = max(0, offset) }
        return with(query)
    }

    // MARK: - Looking up

    /// The query ready to run; of one that cannot be run one that finds nothing.
    func plan() -> QueryPlan {
        failWrite()
        if case .plan(let plan) = knownAccess { return plan }
        let layout = graph.workspace.layout
        let plan: QueryPlan
        do throws(BanyanError) { plan = try QueryPlan(query, layout) } catch {
            if knownFault == nil { knownFault = error }
            failWrite()
            plan = emptyPlan(layout)
        }
        if knownAccess == nil { knownAccess = .plan(plan) }
        return plan
    }

    private func emptyPlan(_ layout: StoreLayout) -> QueryPlan {
        var nothing = BanyanCore.Query(query.type, .constant(false))
        nothing.includesSubtypes = query.includesSubtypes
        do throws(BanyanError) { return try QueryPlan(nothing, layout) } catch {
            preconditionFailure("the type is in the schema, and nothing else is asked for: \(error)")
        }
    }

    /// Throws for a query that cannot be run: one that names a property that is not there, or compares what cannot be compared.
    func check() throws(BanyanError) {
        if let fault = fault() { throw fault }
    }

    /// What is wrong with the query, if anything is. Asking does not fail a transaction.
    func fault() -> BanyanError? {
        if knownFault == nil, knownAccess == nil, lookup() == nil {
            do throws(BanyanError) { knownAccess = .plan(try QueryPlan(query, graph.workspace.layout)) } catch {
                knownFault = error
            }
        }
        return knownFault
    }

    private func lookup() -> DirectLookup? { span.isSingle ? DirectLookup(query, binder.layout) : nil }

    /// Reading what cannot be answered fails the transaction there is.
    @inline(__always)
    private func failWrite() {
        if let knownFault { graph.fail(knownFault) }
    }

    private func access() -> Access {
        if let knownAccess { return knownAccess }
        let access = lookup().map { Access.lookup($0) } ?? .plan(plan())
        knownAccess = access
        return access
    }

    /// All members selected, in order: slots, where there is one table.
    func slots() -> [UInt32] { slots(atLeast: .max) }

    /// The first slots selected, in order; fewer than `wanted` only where there are no more.
    private func slots(atLeast wanted: Int) -> [UInt32] {
        failWrite()
        let stamp = graph.workspace.changeStamp()
        if self.stamp == stamp, isComplete || knownSlots.count >= wanted { return knownSlots }
        // Who asks for the first ones often wants no others: only when they do not suffice all are put in order.
        let most = self.stamp != stamp && wanted <= Self.firstOnes ? Self.firstOnes : nil
        let view = graph.workspace.view
        if let scope {
            knownSlots = slots(among: scope, in: view)
            isComplete = true
            self.stamp = stamp
            return knownSlots
        }
        switch access() {
        case .lookup(let lookup): knownSlots = lookup.slots(in: view, atMost: most)
        case .plan(let plan): knownSlots = plan.slots(in: view, atMost: most)
        }
        isComplete = most.map { knownSlots.count < $0 } ?? true
        self.stamp = stamp
        return knownSlots
    }

    private static var firstOnes: Int { 256 }

    private func slots(among scope: ResultsScope, in view: GraphView) -> [UInt32] {
        // As reading the collection itself would.
        if !view.contains(scope.owner) { graph.reportInvalidated(scope.owner, scope.column) }
        return plan().slots(among: scope.refs(in: view), in: view)
    }

    /// Whether nothing is left out and nothing moved: the objects of a type as they stand in its only table.
    var isWholeTable: Bool {
        guard scope == nil, query.distinct.isEmpty, case .constant(true) = query.predicate else { return false }
        return query.sort.isEmpty && query.limit == nil && query.offset == 0 && span.isSingle
    }

    /// Whether the predicate alone says which objects there are.
    var isWholeQuery: Bool {
        knownFault == nil && scope == nil && query.distinct.isEmpty && query.limit == nil && query.offset == 0
    }

    var table: Int { binder.table }

    /// The tables the objects stand in: that of the type, and those of the types that inherit from it.
    var span: TableSpan {
        if let knownSpan { return knownSpan }
        let span = graph.workspace.layout.span(binder.table, includingSubtypes: query.includesSubtypes)
        knownSpan = span
        return span
    }

    /// O(1) for all objects of a type and for what an index answers.
    @usableFromInline var count: Int {
        failWrite()
        let stamp = graph.workspace.changeStamp()
        if self.stamp == stamp, isComplete { return knownSlots.count }
        if countStamp == stamp { return knownCount }
        if scope != nil { return slots().count }
        let view = graph.workspace.view
        switch access() {
        case .lookup(let lookup): knownCount = lookup.postings(in: view).count
        case .plan(let plan): knownCount = plan.count(in: view)
        }
        countStamp = stamp
        return knownCount
    }

    /// The first object. No more is looked at than it takes to find it.
    private func firstObject() -> ObjectRef? {
        failWrite()
        if scope != nil { return slots().first.map { span.ref($0) } }
        if stamp == graph.workspace.changeStamp() { return knownSlots.first.map { span.ref($0) } }
        let view = graph.workspace.view
        if isWholeTable {
            var first: ObjectRef?
            let table = table
            view.forEachObject(table) { _, _, slot in
                first = ObjectRef(table: table, slot: slot)
                return false
            }
            return first
        }
        switch access() {
        case .lookup(let lookup):
            let postings = lookup.postings(in: view)
            return postings.isEmpty ? nil : ObjectRef(table: lookup.table, slot: postings.slot(at: 0))
        case .plan(let plan): return plan.first(in: view)
        }
    }

    /// No more is looked at than it takes to find one.
    @usableFromInline var isEmpty: Bool {
        failWrite()
        if scope != nil { return slots().isEmpty }
        if stamp == graph.workspace.changeStamp() { return knownSlots.isEmpty }
        if isWholeTable { return graph.workspace.view.count(table) == 0 }
        switch access() {
        case .lookup(let lookup): return lookup.postings(in: graph.workspace.view).isEmpty
        case .plan(let plan): return plan.isEmpty(in: graph.workspace.view)
        }
    }

    @usableFromInline
    func first() -> ObjectBase? { firstObject().map { graph.instance(type, $0) } }

    @usableFromInline
    func object(at position: Int) -> ObjectBase {
        let slots = slots(atLeast: max(0, position) &+ 1)
        guard slots.indices.contains(position) else {
            reportBounds(outOfBounds(position, count: count, "results have", "object"))
            return graph.missing(type)
        }
        return graph.instance(type, span.ref(slots[position]))
    }

    /// Inside a write an index that is not there fails the transaction; elsewhere it traps, as with an array.
    func reportBounds(_ message: String) {
        guard graph.workspace.transaction != nil else { fatalError(message) }
        graph.fail(BanyanError(.outOfBounds, message, at: .init(type: binder.layout.type.name)))
    }
}
