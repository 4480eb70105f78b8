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
        var plan: QueryPlan?
        var slots: [UInt32] = []
        var stamp: UInt64 = 0
    }

    init(_ graph: Graph) {
        self.init(graph, BanyanCore.Query(Element._$model.name))
    }

    private init(_ graph: Graph, _ query: BanyanCore.Query) {
        self.graph = graph
        self.query = query
    }

    /// The query ready to run. Reading with a class or a property that is not in the schema is a mistake no running program
    /// should make.
    func plan() -> QueryPlan {
        if let plan = found.plan { return plan }
        do throws(BanyanError) {
            _ = try graph.binder(Element.self)
            let plan = try QueryPlan(query, graph.workspace.layout)
            found.plan = plan
            return plan
        } catch {
            fatalError("\(error)")
        }
    }

    /// The slots selected, in order.
    func slots() -> [UInt32] {
        let stamp = graph.workspace.changeStamp()
        if found.stamp != stamp {
            found.slots = plan().slots(in: graph.workspace.view)
            found.stamp = stamp
        }
        return found.slots
    }

    func object(_ slot: UInt32) -> Element {
        graph.instance(Element.self, ObjectRef(table: plan().table, slot: Int(slot)))
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

// MARK: - As a collection

extension Results: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    /// O(1) for all objects of a type and for what an index answers.
    public var count: Int {
        found.stamp == graph.workspace.changeStamp() ? found.slots.count : plan().count(in: graph.workspace.view)
    }
    public var isEmpty: Bool { count == 0 }
    public var first: Element? { slots().first.map { object($0) } }
    public var last: Element? { slots().last.map { object($0) } }

    public subscript(position: Int) -> Element { object(slots()[position]) }

    /// Goes through what is selected now, whatever changes meanwhile. Objects deleted meanwhile are left out.
    public func makeIterator() -> AnyIterator<Element> {
        let (slots, table, graph) = (slots(), plan().table, graph)
        let workspace = graph.workspace
        // A version keeps the identities by itself; inside a write a slot may be freed and used again, so they are taken down.
        let start = workspace.transaction == nil ? workspace.version : nil
        let ids = start == nil ? slots.map { workspace.view.id(ObjectRef(table: table, slot: Int($0))) } : []
        var next = 0
        return AnyIterator {
            while next < slots.count {
                let id = start?.view.id(ObjectRef(table: table, slot: Int(slots[next]))) ?? ids[next]
                next += 1
                if let page = workspace.locate(id) { return graph.instance(Element.self, id, page) }
            }
            return nil
        }
    }
}

// MARK: - Aggregates

extension Results {
    /// The sum of a property; nil values are left out.
    public func sum<Value: AdditiveArithmetic>(of keyPath: KeyPath<Element, Value>) -> Value {
        reduce(.zero) { $0 + $1[keyPath: keyPath] }
    }

    public func average<Value: BinaryInteger>(of keyPath: KeyPath<Element, Value>) -> Double? {
        isEmpty ? nil : Double(reduce(0) { $0 + Int64($1[keyPath: keyPath]) }) / Double(count)
    }

    public func average(of keyPath: KeyPath<Element, Double>) -> Double? {
        isEmpty ? nil : sum(of: keyPath) / Double(count)
    }

    public func min<Value: Comparable>(of keyPath: KeyPath<Element, Value>) -> Value? {
        lazy.map { $0[keyPath: keyPath] }.min()
    }

    public func max<Value: Comparable>(of keyPath: KeyPath<Element, Value>) -> Value? {
        lazy.map { $0[keyPath: keyPath] }.max()
    }
}
