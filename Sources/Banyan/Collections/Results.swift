public import BanyanCore

/// The objects of a type that a query selects: lazy and live.
///
/// Nothing is looked up until it is asked for, and what was looked up is kept until the graph moves or is changed. The order
/// is unspecified unless the results are sorted, but stable between commits.
public struct Results<Element: ObjectBase> {
    // What takes work is done there, once for all types.
    @usableFromInline let source: ResultsSource

    /// The graph they are of.
    public var graph: Graph { source.graph }

    /// Whether they stand at one version for good.
    public var isFrozen: Bool { graph.isFrozen }

    /// The same results at this version for good.
    public func freeze() -> Results { isFrozen ? self : Results(source.counterpart(in: graph.freeze())) }

    /// The live results, for the isolation that asks, in a graph of their own; the same when they are live. Nil when the store is
    /// gone.
    public func thaw() -> Results? { isFrozen ? graph.thaw().map { Results(source.counterpart(in: $0)) } : self }

    init(_ graph: Graph, includingSubclasses: Bool) {
        var query = BanyanCore.Query(Element._$model.name)
        query.includesSubtypes = includingSubclasses
        self.init(ResultsSource(graph, Element.self, query))
    }

    init(_ source: ResultsSource) { self.source = source }

    func plan() -> QueryPlan { source.plan() }

    // MARK: - Faults

    /// Why the query cannot be answered; nil when it can.
    ///
    /// The closures of `where` and `sorted` do not throw. What they can get wrong is a computed property, which is not stored,
    /// or a comparison of two paths through collections. Results of such a query are empty; in a write, building or reading
    /// them fails the transaction, and `write` throws this.
    public var fault: BanyanError? { source.fault() }

    /// The same results, if the query can be answered.
    ///
    /// ```swift
    /// let adults = try graph.objects(Person.self).where { $0.age >= 18 }.checked()
    /// ```
    /// - Throws: ``fault``.
    public func checked() throws(BanyanError) -> Results {
        if let fault { throw fault }
        return self
    }

    // MARK: - Narrowing

    /// Those that satisfy a condition as well.
    ///
    /// ```swift
    /// graph.objects(Person.self).where { $0.age > 30 && $0.name.starts(with: "A") }
    /// ```
    public func `where`(_ condition: (Query<Element>) -> Query<Bool>) -> Results {
        let root = Query<Element>(.root, .root(graph))
        let predicate = condition(root).predicate
        return Results(source.narrowed(predicate, fault: root.scope.faults.first))
    }

    /// Those that satisfy a condition in the string language as well. Names are those of the class.
    ///
    /// ```swift
    /// try results.filter("age > 30 AND name BEGINSWITH %@", prefix)
    /// try results.filter("%K IN %@", "owner.name", ["Ada", "Bo"])
    /// ```
    /// `%@` stands for the next argument: a value that a property can have, or nil; after IN and BETWEEN also an array of such.
    /// `%K` stands for the next one as a path: names of properties with dots between them, or a key path. What comes from
    /// users belongs into arguments, never into the text: see <doc:Querying>.
    ///
    /// - Throws: `invalidQuery`, naming the column of the text, for what is not of the language, not in the schema, or does not
    ///   fit; and where there are more or fewer arguments than the text takes.
    public func filter(_ condition: String, _ arguments: Any?...) throws(BanyanError) -> Results {
        try filter(condition, arguments: arguments)
    }

    /// The same with the arguments in an array.
    public func filter(_ condition: String, arguments: [Any?]) throws(BanyanError) -> Results {
        Results(try source.filtered(condition, graph.arguments(arguments)))
    }

    /// The same with arguments by name: `filter("age > $limit", arguments: ["limit": 30])`.
    public func filter(_ condition: String, arguments: [String: Any?]) throws(BanyanError) -> Results {
        Results(try source.filtered(condition, graph.arguments(arguments)))
    }

    /// The same objects in the order of a property, which may stand behind links: `sorted(by: \.name)`.
    public func sorted<Value>(by keyPath: KeyPath<Element, Value>, ascending: Bool = true) -> Results {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }

    /// The same objects in order: the first descriptor decides, the next among equals, and so on.
    ///
    /// - Throws: nothing where all of them are key paths; `invalidQuery` where a text names what is not there, or has no order.
    public func sorted<S: Sequence, Failure>(by descriptors: S) throws(Failure) -> Results
    where S.Element == SortDescriptor<Failure> {
        var query = source.query
        do throws(BanyanError) {
            query.sort = []
            for descriptor in descriptors { query.sort.append(try descriptor.key()) }
            let results = Results(source.with(query))
            // The compiler has checked the others, but for computed properties.
            if Failure.self != Never.self { try results.source.check() }
            return results
        } catch {
            guard let failure = error as? Failure else { return Results(source.failed(error)) }
            throw failure
        }
    }

    /// The same objects in the order of a property, by its name and those on the way to it: `"owner.name"`.
    ///
    /// - Throws: `invalidQuery` for what is not there, or has no order.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true) throws(BanyanError) -> Results {
        try sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }

    /// The same objects in the order of what a closure says of each, as that of `where` does, which may be what the values
    /// behind a collection amount to.
    ///
    /// ```swift
    /// graph.objects(Person.self).sorted(ascending: false) { $0.dogs.count }
    /// ```
    public func sorted<Value>(ascending: Bool = true, by value: (Query<Element>) -> Query<Value>) -> Results {
        let root = Query<Element>(.root, .root(graph))
        var query = source.query
        let value = value(root)
        query.sort = [SortKey(value.operand, ascending: ascending)]
        if case .predicate = value.node {
            root.scope.faults.note(
                BanyanError(
                    .invalidQuery, "objects are sorted by a value, not by a condition",
                    remedy: "Sort by a property, or by what a collection amounts to"))
        }
        return Results(root.scope.faults.first.map { source.failed($0) } ?? source.with(query))
    }

    /// The first objects, at most so many; a negative number counts as 0. As in SQL, limit and offset come after conditions
    /// and order, in whatever order they are called, and the last limit counts.
    public func limit(_ count: Int) -> Results { Results(source.cut(limit: count)) }

    /// The objects without so many at the start; a negative number counts as 0. Comes before the limit.
    public func offset(_ count: Int) -> Results { Results(source.cut(offset: count)) }

    /// Of objects that have the same values in all of these properties the first: `distinct(by: [\.name])`. They may stand behind
    /// to-one links.
    public func distinct<S: Sequence>(by keyPaths: S) -> Results where S.Element == PartialKeyPath<Element> {
        var paths: [PropertyPath] = []
        do throws(BanyanError) {
            for keyPath in keyPaths { paths.append(try SortDescriptor(keyPath: keyPath).path()) }
            return distinct(by: paths)
        } catch {
            return Results(source.failed(error))
        }
    }

    /// The same by names.
    ///
    /// - Throws: `invalidQuery` for what is not there.
    public func distinct<S: Sequence>(by keyPaths: S) throws(BanyanError) -> Results where S.Element == String {
        let results = distinct(by: keyPaths.map { PropertyPath($0) })
        try results.source.check()
        return results
    }

    private func distinct(by paths: [PropertyPath]) -> Results {
        var query = source.query
        query.distinct = paths
        return Results(source.with(query))
    }

    /// How the query will be answered: by which index, or by a scan.
    public func explain() -> String { plan().explain() }
}

extension Results: Hashable {
    /// Whether they are the same query on the same objects of the same store, at the same version where frozen. To compare the
    /// objects, use `elementsEqual`.
    public static func == (a: Results, b: Results) -> Bool {
        guard a.source.query == b.source.query, a.source.scope == b.source.scope, a.graph.lineage === b.graph.lineage
        else { return false }
        guard a.isFrozen || b.isFrozen else { return true }
        return a.isFrozen && b.isFrozen && a.graph.workspace.version === b.graph.workspace.version
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(source.query)
        hasher.combine(source.scope)
    }
}
