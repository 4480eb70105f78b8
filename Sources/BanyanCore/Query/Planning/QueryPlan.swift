/// A query ready to run on any version of the graph.
package struct QueryPlan: Sendable {
    package let table: Int
    /// The tables it goes over.
    package let span: TableSpan
    /// By place in the span.
    private let predicates: [CompiledPredicate]
    /// Nil when the objects come in the order of their slots.
    package let order: SortOrder?
    package let limit: Int?
    package let offset: Int
    /// Nil when objects with the same values are all kept.
    package let distinct: DistinctValues?
    /// An index that has the objects in order already.
    let indexOrder: IndexOrder?
    /// By place in the span, where it is of several tables, all of which have such an index, and nothing else is
    /// asked for.
    let indexOrders: [IndexOrder]
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
        let span = layout.span(table, includingSubtypes: query.includesSubtypes)
        self.span = span
        let predicate = try CompiledPredicate(binding: query.predicate, on: table, layout, names)
        var predicates = [predicate]
        for subtype in span.tables.dropFirst() {
            predicates.append(try CompiledPredicate(binding: query.predicate, on: subtype, layout, names))
        }
        self.predicates = predicates
        order = query.sort.isEmpty ? nil : try SortOrder(binding: query.sort, on: span, layout, names)
        indexOrder = span.isSingle ? order.flatMap { predicate.indexOrder($0, on: layout.tables[table]) } : nil
        indexOrders = span.isSingle ? [] : order.map { Self.indexOrders($0, predicates, span, layout) } ?? []
        distinct = try DistinctValues(binding: query.distinct, on: span, layout, names)
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
        paths.contains { $0.steps.count > 1 }
    }

    /// What predicate and order read, from objects of the span on.
    package var paths: [ResolvedPath] {
        predicates.flatMap(\.paths) + (order?.paths ?? []) + (distinct?.paths ?? [])
    }

    /// The predicate as it is bound to the type itself.
    package var predicate: CompiledPredicate { predicates[0] }

    // MARK: - Running

    /// How many objects there are, limit and offset applied.
    package func count(in view: GraphView) -> Int {
        if limit == 0 { return 0 }
        if distinct != nil { return slots(in: view).count }
        let left = max(0, predicates.reduce(0) { $0 + $1.count(in: view) } - offset)
        return min(left, limit ?? left)
    }

    /// Whether there is none. What order they would come in does not matter.
    package func isEmpty(in view: GraphView) -> Bool {
        limit == 0
            || (offset == 0 ? predicates.allSatisfy { $0.first(in: view) == nil } : count(in: view) == 0)
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
        if order == nil, limit == nil, offset == 0, distinct == nil, span.isSingle {
            return predicate.objects(in: view)
        }
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
        if distinct != nil {
            for member in slots(in: view, atMost: most) where try !body(span.ref(member)) { return }
            return
        }
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
        if order == nil, span.isSingle { return try predicate.forEach(in: view, take) }
        let (last, overflow) = limit.addingReportingOverflow(offset)
        for member in members(in: view, atMost: limit == .max || overflow ? nil : last) {
            guard try take(span.ref(member)) else { return }
        }
    }

    /// Whether one object satisfies the predicate; order, limit and offset play no part.
    package func matches(_ ref: ObjectRef, in view: GraphView) -> Bool {
        if span.isSingle { return predicate.matches(ref, in: view) }
        return span.tables.firstIndex(of: ref.table).map { predicates[$0].matches(ref, in: view) } ?? false
    }

    /// See `CompiledPredicate.aggregate`. Order, limit and offset play no part.
    package func aggregate(
        _ aggregate: Aggregate, of operand: Operand, in view: GraphView, names: NameMapping? = nil
    ) throws(BanyanError) -> Value {
        if aggregate == .count { return .int(Int64(predicates.reduce(0) { $0 + $1.count(in: view) })) }
        var sum = try predicate.accumulator(aggregate, of: operand, view.layout, names)
        for predicate in predicates {
            // The columns of a supertype stand where they stand there.
            predicate.accumulate(into: &sum, in: view)
        }
        return sum.result
    }

    /// What satisfies the predicate, and in which pages, with the members of their first slots.
    func forEachPage(
        in view: GraphView, reading read: (column: Column, width: Int)? = nil,
        _ body: (_ page: UnsafeRawPointer, _ mask: UInt64, _ base: Int) -> Void
    ) {
        for (place, predicate) in predicates.enumerated() {
            predicate.forEachPage(in: view, reading: read) { page, mask, base in
                body(page, mask, span.base(base, at: place))
                return true
            }
        }
    }

    /// The members of the objects that satisfy the predicate, ascending; of more than `most` only the first.
    func unsorted(in view: GraphView, atMost most: Int?) -> [UInt32] {
        if span.isSingle { return predicate.slots(in: view, atMost: most) }
        let members = span.merged(predicates.map { $0.slots(in: view, atMost: most) })
        return most.map { Array(members.prefix($0)) } ?? members
    }

    /// In words: which index serves, what is tested, how it is sorted.
    package func explain() -> String {
        var text = predicate.explanation(type: type)
        if !span.isSingle { text += ", and the same of \(span.tables.count - 1) types that inherit from it" }
        if order != nil {
            text += "; sorted by " + sort.map(\.description).joined(separator: ", ")
            if let limit { text += ", the first \(offset + limit) kept" }
            text += indexOrder?.explanation(isLimited: limit != nil) ?? ""
        } else if let limit {
            text += "; up to \(limit) objects"
        }
        if let distinct { text += "; one of each \(distinct.written)" }
        if offset > 0 { text += ", \(offset) left out" }
        return text
    }
}
