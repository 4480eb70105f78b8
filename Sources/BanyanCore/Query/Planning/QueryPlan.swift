/// A query ready to run on any version of the graph.
package struct QueryPlan: Sendable {
    package let table: Int
    package let predicate: CompiledPredicate
    /// Nil when the objects come in the order of their slots.
    package let order: SortOrder?
    package let limit: Int?
    package let offset: Int
    /// An index that has the objects in order already.
    let indexOrder: IndexOrder?
    private let type: String
    private let sort: [SortKey]

    /// Binds a query to a schema.
    /// - Throws: `unknownType`; `invalidQuery` for what the schema does not have or cannot compare.
    package init(_ query: Query, _ layout: StoreLayout, names: NameMapping? = nil) throws(BanyanError) {
        guard layout.table(named: query.type) != nil else { throw Self.unknownType(query.type, layout) }
        do throws(BindingProblem) {
            try self.init(binding: query, layout, names)
        } catch {
            throw error.asError
        }
    }

    init(binding query: Query, _ layout: StoreLayout, _ names: NameMapping?) throws(BindingProblem) {
        guard let table = layout.table(named: query.type)?.table else {
            throw BindingProblem(nil, Self.unknownType(query.type, layout).message)
        }
        self.table = table
        let predicate = try CompiledPredicate(binding: query.predicate, on: table, layout, names)
        self.predicate = predicate
        order = query.sort.isEmpty ? nil : try SortOrder(binding: query.sort, on: table, layout, names)
        indexOrder = order.flatMap { predicate.indexOrder($0, on: layout.tables[table]) }
        limit = query.limit
        offset = query.offset
        type = query.type
        sort = query.sort
    }

    private static func unknownType(_ name: String, _ layout: StoreLayout) -> BanyanError {
        let known = layout.tables.map(\.type.name).joined(separator: ", ")
        return BanyanError(.unknownType, "there is no type '\(name)'", remedy: "The types are: \(known)")
    }

    /// Whether predicate or order look at more than the object itself: only then can a change of one object change what
    /// holds for another, of the same type perhaps (`friends.age`).
    package var readsOtherObjects: Bool {
        (predicate.paths + (order?.paths ?? [])).contains { $0.steps.count > 1 }
    }

    // MARK: - Running

    /// How many objects there are, limit and offset applied.
    package func count(in view: GraphView) -> Int {
        if limit == 0 { return 0 }
        let left = max(0, predicate.count(in: view) - offset)
        return min(left, limit ?? left)
    }

    /// Whether there is none. What order they would come in does not matter.
    package func isEmpty(in view: GraphView) -> Bool {
        limit == 0 || (offset == 0 ? predicate.first(in: view) == nil : count(in: view) == 0)
    }

    package func first(in view: GraphView) -> ObjectRef? {
        var first: ObjectRef?
        forEach(in: view, atMost: 1) { ref in
            first = ref
            return false
        }
        return first
    }

    /// The objects, in order.
    package func objects(in view: GraphView) -> [ObjectRef] {
        if order == nil, limit == nil, offset == 0 { return predicate.objects(in: view) }
        var refs: [ObjectRef] = []
        forEach(in: view) { ref in
            refs.append(ref)
            return true
        }
        return refs
    }

    /// Calls `body` with the objects in order. Return false to stop. `body` must not change the graph.
    /// - Complexity: without an order O(objects worth testing), and no more than it takes to reach the limit; with one
    ///   all objects are found and as many sorted as offset and limit ask for, unless an index has them in order.
    package func forEach(in view: GraphView, _ body: (ObjectRef) throws -> Bool) rethrows {
        try forEach(in: view, atMost: nil, body)
    }

    private func forEach(in view: GraphView, atMost most: Int?, _ body: (ObjectRef) throws -> Bool) rethrows {
        let limit = min(self.limit ?? .max, most ?? .max)
        guard limit > 0 else { return }
        var skipped = 0
        var taken = 0
        func take(_ ref: ObjectRef) throws -> Bool {
            if skipped < offset {
                skipped += 1
                return true
            }
            taken += 1
            return try body(ref) && taken < limit
        }
        guard let order else { return try predicate.forEach(in: view, take) }
        let (last, overflow) = limit.addingReportingOverflow(offset)
        for slot in sorted(by: order, in: view, atMost: limit == .max || overflow ? nil : last) {
            guard try take(ObjectRef(table: table, slot: Int(slot))) else { return }
        }
    }

    /// Whether one object satisfies the predicate; order, limit and offset play no part.
    package func matches(_ ref: ObjectRef, in view: GraphView) -> Bool { predicate.matches(ref, in: view) }

    /// In words: which index serves, what is tested, how it is sorted.
    package func explain() -> String {
        var text = predicate.explanation(type: type)
        if order != nil {
            text += "; sorted by " + sort.map(\.description).joined(separator: ", ")
            if let limit { text += ", the first \(offset + limit) kept" }
            text += indexOrder?.explanation(isLimited: limit != nil) ?? ""
        } else if let limit {
            text += "; up to \(limit) objects"
        }
        if offset > 0 { text += ", \(offset) left out" }
        return text
    }
}
