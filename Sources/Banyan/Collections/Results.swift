public import BanyanCore

/// The objects of a type that a query selects: lazy and live.
///
/// Nothing is looked up until it is asked for, and what was looked up is kept until the graph moves or is changed. The order
/// is unspecified unless the results are sorted, but stable between commits.
public struct Results<Element: Object> {
    let graph: Graph
    var query: BanyanCore.Query
    private let found = Found()

    /// What was looked up last, and under which change stamp of the graph.
    private final class Found {
        @exclusivity(unchecked) var access: Access?
        @exclusivity(unchecked) var slots: [UInt32] = []
        /// Whether `slots` are all there are, or only the first ones.
        @exclusivity(unchecked) var isComplete = false
        /// 0, which no graph has, until something is looked up.
        @exclusivity(unchecked) var stamp: UInt64 = 0
        @exclusivity(unchecked) var count = 0
        @exclusivity(unchecked) var countStamp: UInt64 = 0
    }

    /// How the objects are found.
    private enum Access {
        case lookup(DirectLookup)
        case plan(QueryPlan)
    }

    init(_ graph: Graph) {
        self.init(graph, BanyanCore.Query(Element._$model.name))
    }

    private init(_ graph: Graph, _ query: BanyanCore.Query) {
        self.graph = graph
        self.query = query
    }

    // MARK: - Looking up

    /// Reading with a class or a property that is not in the schema is a mistake no running program should make.
    private func binder() -> TableBinder {
        do throws(BanyanError) { return try graph.binder(Element.self) } catch { fatalError("\(error)") }
    }

    /// The query ready to run.
    func plan() -> QueryPlan {
        if case .plan(let plan) = found.access { return plan }
        _ = binder()
        do throws(BanyanError) { return try QueryPlan(query, graph.workspace.layout) } catch { fatalError("\(error)") }
    }

    private func access() -> Access {
        if let access = found.access { return access }
        let access = DirectLookup(query, binder().layout).map { Access.lookup($0) } ?? .plan(plan())
        found.access = access
        return access
    }

    /// All slots selected, in order.
    func slots() -> [UInt32] { slots(atLeast: .max) }

    /// The first slots selected, in order; fewer than `wanted` only where there are no more.
    private func slots(atLeast wanted: Int) -> [UInt32] {
        let stamp = graph.workspace.changeStamp()
        if found.stamp == stamp, found.isComplete || found.slots.count >= wanted { return found.slots }
        // Who asks for the first ones often wants no others: only when they do not suffice all are put in order.
        let most = found.stamp != stamp && wanted <= Self.firstOnes ? Self.firstOnes : nil
        let view = graph.workspace.view
        switch access() {
        case .lookup(let lookup): found.slots = lookup.slots(in: view, atMost: most)
        case .plan(let plan): found.slots = plan.slots(in: view, atMost: most)
        }
        found.isComplete = most.map { found.slots.count < $0 } ?? true
        found.stamp = stamp
        return found.slots
    }

    private static var firstOnes: Int { 256 }

    /// Whether nothing is left out and nothing moved: the objects of a type as they stand in their table.
    var isWholeTable: Bool { query.predicate == .constant(true) && query.sort.isEmpty }

    var table: Int { binder().table }

    /// O(1) for all objects of a type and for what an index answers.
    public var count: Int {
        let stamp = graph.workspace.changeStamp()
        if found.stamp == stamp, found.isComplete { return found.slots.count }
        if found.countStamp == stamp { return found.count }
        let view = graph.workspace.view
        switch access() {
        case .lookup(let lookup): found.count = lookup.postings(in: view).count
        case .plan(let plan): found.count = plan.count(in: view)
        }
        found.countStamp = stamp
        return found.count
    }

    /// The slot of the first object. No more is looked at than it takes to find it.
    private func firstSlot() -> Int? {
        if found.stamp == graph.workspace.changeStamp() { return found.slots.first.map { Int($0) } }
        let view = graph.workspace.view
        if isWholeTable {
            var first: Int?
            view.forEachObject(table) { _, _, slot in
                first = slot
                return false
            }
            return first
        }
        switch access() {
        case .lookup(let lookup):
            let postings = lookup.postings(in: view)
            return postings.isEmpty ? nil : postings.slot(at: 0)
        case .plan(let plan): return plan.first(in: view)?.slot
        }
    }

    /// No more is looked at than it takes to find one.
    public var isEmpty: Bool {
        if found.stamp == graph.workspace.changeStamp() { return found.slots.isEmpty }
        if isWholeTable { return graph.workspace.view.count(table) == 0 }
        switch access() {
        case .lookup(let lookup): return lookup.postings(in: graph.workspace.view).isEmpty
        case .plan(let plan): return plan.isEmpty(in: graph.workspace.view)
        }
    }

    public var first: Element? { firstSlot().map { object($0) } }

    public subscript(position: Int) -> Element { object(Int(slots(atLeast: position + 1)[position])) }

    private func object(_ slot: Int) -> Element {
        graph.instance(Element.self, ObjectRef(table: table, slot: slot))
    }

    // MARK: - Narrowing

    /// Those that satisfy a condition as well.
    ///
    /// ```swift
    /// graph.objects(Person.self).where { $0.age > 30 && $0.name.starts(with: "A") }
    /// ```
    public func `where`(_ condition: (Query<Element>) -> Query<Bool>) -> Results {
        let root = Query<Element>(.root, graph)
        return narrowed(condition(root).predicate)
    }

    /// Those that satisfy a condition in the string language as well: `filter("age > 30 AND name BEGINSWITH 'A'")`. Names are
    /// stored names.
    ///
    /// - Throws: `invalidQuery`, naming the column of the text.
    public func filter(_ condition: String) throws(BanyanError) -> Results {
        narrowed(try PredicateParser.predicate(condition, values: []))
    }

    private func narrowed(_ predicate: Predicate) -> Results {
        var query = query
        query.predicate = query.predicate == .constant(true) ? predicate : query.predicate && predicate
        return Results(graph, query)
    }

    /// The same objects in the order of a property, which may stand behind links: `sorted(by: \.name)`.
    public func sorted<Value>(by keyPath: KeyPath<Element, Value>, ascending: Bool = true) -> Results {
        do throws(BanyanError) {
            let steps = try KeyPathTracer.properties(keyPath, graph).map {
                PropertyPath.Step.property($0.info.storedName)
            }
            var query = query
            query.sort = [SortKey(PropertyPath(steps: steps), ascending: ascending)]
            return Results(graph, query)
        } catch {
            fatalError("\(error)")
        }
    }

    /// How the query will be answered: by which index, or by a scan.
    public func explain() -> String { plan().explain() }
}
