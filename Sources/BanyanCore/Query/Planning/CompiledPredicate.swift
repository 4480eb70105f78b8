/// A predicate ready to run on any version of the graph: the way to the objects worth testing, and the tests.
package struct CompiledPredicate: Sendable {
    package let table: Int
    /// What it reads, starting at objects of `table`: its value for an object changes only when one of these does.
    package let paths: [ResolvedPath]
    private let filter: any PageFilter
    private let lookups: [(lookup: Lookup, rest: (any PageFilter)?)]
    /// Those not worth a look for finding objects included: an order may want one of them.
    private let allLookups: [Lookup]
    /// Whether it is true of every object.
    package let isEverything: Bool
    /// As it was asked for; put into words only when somebody wants to read them.
    private let source: Predicate

    init(_ predicate: BoundPredicate, on table: Int, _ layout: StoreLayout, source: Predicate) {
        let compiler = Compiler(layout: layout)
        self.table = table
        paths = predicate.paths
        filter = compiler.filter(predicate)
        allLookups = AccessPlanner(layout: layout, table: table).lookups(predicate)
        lookups = AccessPlanner.best(of: allLookups).map { ($0, $0.rest.map(compiler.filter)) }
        if case .constant(true) = predicate { isEverything = true } else { isEverything = false }
        self.source = source
    }

    /// Binds a predicate to a schema.
    /// - Throws: `invalidQuery` for what the schema does not have or cannot compare.
    package init(
        _ predicate: Predicate, on table: Int, _ layout: StoreLayout, names: NameMapping? = nil
    ) throws(BanyanError) {
        do throws(BindingProblem) {
            try self.init(binding: predicate, on: table, layout, names)
        } catch {
            throw error.asError
        }
    }

    init(
        binding predicate: Predicate, on table: Int, _ layout: StoreLayout, _ names: NameMapping?
    ) throws(BindingProblem) {
        let bound = try Binder(layout: layout, names: names).bind(predicate, on: table)
        self.init(bound, on: table, layout, source: predicate)
    }

    // MARK: - One object

    /// Whether an object is there and satisfies the predicate.
    package func matches(_ ref: ObjectRef, in view: GraphView) -> Bool {
        guard ref.table == table, let page = view.page(table, slot: ref.slot) else { return false }
        let slot = ref.slot & Page.slotMask
        return Page.present(page) &>> UInt64(slot) & 1 != 0
            && (isEverything || filter.accepts(page, slot, QueryView(view)))
    }

    // MARK: - All objects

    /// How many objects satisfy it. O(1) for all of a table and for a lookup alone; else O(objects worth testing).
    package func count(in view: GraphView) -> Int {
        if isEverything { return view.count(table) }
        if let best = bestLookup(view, isCounting: true), best.rest == nil {
            return best.postings.reduce(0) { $0 + $1.count }
        }
        var count = 0
        forEachPage(in: view) { _, mask, _ in
            count &+= mask.nonzeroBitCount
            return true
        }
        return count
    }

    /// The first object in slot order.
    package func first(in view: GraphView) -> ObjectRef? {
        var first: ObjectRef?
        forEach(in: view) { ref in
            first = ref
            return false
        }
        return first
    }

    /// All objects that satisfy it, in slot order.
    package func objects(in view: GraphView) -> [ObjectRef] {
        var refs: [ObjectRef] = []
        if let best = bestLookup(view), best.rest == nil {
            refs.reserveCapacity(best.postings.reduce(0) { $0 + $1.count })
            best.postings.forEachSlot(below: view.slotLimit(table)) { slot in
                refs.append(ObjectRef(table: table, slot: slot))
                return true
            }
            return refs
        }
        forEachPage(in: view) { _, mask, base in
            var rest = mask
            while rest != 0 {
                refs.append(ObjectRef(table: table, slot: base &+ rest.trailingZeroBitCount))
                rest &= rest &- 1
            }
            return true
        }
        return refs
    }

    /// Calls `body` with each object that satisfies it, in slot order. Return false to stop. `body` must not change the
    /// graph.
    package func forEach(in view: GraphView, _ body: (ObjectRef) throws -> Bool) rethrows {
        if let best = bestLookup(view), best.rest == nil {
            // Nothing to test: the pages need not be touched.
            return try best.postings.forEachSlot(below: view.slotLimit(table)) {
                try body(ObjectRef(table: table, slot: $0))
            }
        }
        try forEachPage(in: view) { _, mask, base in
            var rest = mask
            while rest != 0 {
                guard try body(ObjectRef(table: table, slot: base &+ rest.trailingZeroBitCount)) else { return false }
                rest &= rest &- 1
            }
            return true
        }
    }

    /// Calls `body` with each page that has objects that satisfy it, their mask, and the slot of the page's first
    /// object.
    func forEachPage(
        in view: GraphView, reading read: (column: Column, width: Int)? = nil,
        _ body: (_ page: UnsafeRawPointer, _ mask: UInt64, _ base: Int) throws -> Bool
    ) rethrows {
        var runner = BatchRunner(view, reading: read)
        defer { runner.free() }
        if let best = bestLookup(view) {
            try runner.run(best.postings, table, best.rest, body)
        } else {
            try runner.scan(table, isEverything ? nil : filter, body)
        }
    }

    // MARK: - Planning

    /// What the index answers when nothing is left to test.
    func postings(in view: GraphView) -> [IndexedSlots]? {
        guard let best = bestLookup(view), best.rest == nil else { return nil }
        return best.postings
    }

    /// The lookup that finds the fewest objects; nil when a scan is better than any.
    ///
    /// - Parameter isCounting: whether the slots themselves are not asked for.
    private func bestLookup(
        _ view: GraphView, isCounting: Bool = false
    ) -> (postings: [IndexedSlots], rest: (any PageFilter)?)? {
        if lookups.isEmpty { return nil }
        var best: (count: Int, postings: [IndexedSlots], rest: (any PageFilter)?)?
        for (lookup, rest) in lookups {
            guard let postings = lookup.slots(in: view) else { continue }
            let count = postings.reduce(0) { $0 + $1.count }
            if best == nil || count < best.unsafelyUnwrapped.count { best = (count, postings, rest) }
        }
        guard let best else { return nil }
        // Following many postings to their pages costs more than going through all pages once. So does putting the slots of a
        // long range in order, which whoever only counts need not.
        let isInOrder = isCounting || best.postings.count == 1 && best.postings[0].isAscending
        if best.rest != nil || !isInOrder, best.count > view.count(table) / 8 { return nil }
        return (best.postings, best.rest)
    }

    /// About how many objects must be looked at to find all.
    func worthTesting(in view: GraphView) -> Int {
        bestLookup(view, isCounting: true).map { $0.postings.reduce(0) { $0 + $1.count } } ?? view.count(table)
    }

    func indexOrder(_ order: SortOrder, on type: TableLayout) -> IndexOrder? {
        IndexOrder(order, allLookups, isEverything: isEverything, on: type)
    }

    /// Which index serves, or that all pages are read, and what is tested.
    package func explanation(type: String) -> String {
        if isEverything { return "all objects of \(type)" }
        guard !lookups.isEmpty else { return "page scan of \(type) for \(source)" }
        let ways = lookups.map { found in
            "lookup of \(found.lookup.description)" + (found.rest == nil ? "" : ", then the rest of \(source)")
        }
        return ways.count == 1 ? ways[0] : "the shortest of: " + ways.joined(separator: "; ")
    }
}
