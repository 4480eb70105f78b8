import BanyanCore

/// Holds what a view reads against what the model says.
struct GraphComparison {
    let view: GraphView
    let model: Model

    init(_ view: GraphView, _ model: Model) {
        self.view = view
        self.model = model
    }

    /// What was written since the model was settled.
    func compareTouched() throws { try compare(Set(model.touched.keys)) }

    /// Everything: every object, every index, every inverse, and the invariants.
    func compareAll(_ inverses: Model.Inverses? = nil, inTransaction: Bool = false) throws {
        var count = 0
        for table in view.layout.tables.indices {
            var seen: Set<ObjectID> = []
            view.forEachObject(table) { _, _, slot in
                seen.insert(view.id(ObjectRef(table: table, slot: slot)))
                return true
            }
            for id in seen where !model.contains(id) { throw Failure("\(id) is there, and should not be") }
            try require(
                seen.count == view.count(table), "\(view.count(table)) objects are counted, and \(seen.count) are there"
            )
            count += seen.count
        }
        try require(count == model.objects.count, "\(count) objects, expected \(model.objects.count)")
        try compare(Set(model.objects.keys))
        try compare(inverses: inverses ?? model.inverses())
        let problems = view._invariantCheck(inTransaction: inTransaction)
        try require(problems.isEmpty, "invariants: " + problems.joined(separator: "; "))
    }

    func compare(_ ids: Set<ObjectID>) throws {
        for id in ids {
            guard let object = model.objects[id] else {
                try require(!view.contains(id), "\(id) is still there")
                continue
            }
            try require(view.contains(id), "\(id) is not there")
            try require(view.id(id.ref) == id, "the link to \(id) leads to \(view.id(id.ref))")
            for (column, property) in object.properties.enumerated() { try compare(id, column, property) }
        }
    }

    // MARK: One property

    private func compare(_ id: ObjectID, _ column: Int, _ property: Model.Property) throws {
        switch property {
        case .single(let value):
            let found = view.value(id.ref, column)
            try require(found.isIdentical(to: value), "\(place(id, column)) is \(found.brief), expected \(value.brief)")
            try compareIndex(id, column, value)
        case .list(let values), .set(let values):
            try compareElements(id, column, values.count) { (.null, values[$0]) }
        case .map(let entries):
            try compareElements(id, column, entries.count) { (entries[$0].key, entries[$0].value) }
        case .inverse: break
        }
    }

    private func compareElements(
        _ id: ObjectID, _ column: Int, _ count: Int, _ expected: (Int) -> (key: Value, value: Value)
    ) throws {
        let c = CollectionRef(id.ref, column)
        let found = view.elementCount(c)
        try require(found == count, "\(place(id, column)) has \(found) elements, expected \(count)")
        guard count > 0 else { return }
        let element = view.elementLayout(c)
        var i = 0
        try view.forEachElement(c) { keyCell, valueCell in
            let (key, value) = expected(i)
            let foundKey = element.key.map { Value(keyCell, $0) } ?? .null
            let foundValue = Value(valueCell, element.kind)
            guard foundKey.isIdentical(to: key), foundValue.isIdentical(to: value) else {
                throw Failure(
                    "\(place(id, column)) has \(foundKey.brief): \(foundValue.brief) at \(i), "
                        + "expected \(key.brief): \(value.brief)")
            }
            i += 1
            return true
        }
        try require(i == count, "\(place(id, column)) gives \(i) of \(count) elements")
        // One element by its rank, and in sets and maps its rank by itself.
        let rank = count / 2
        let (key, value) = view.element(c, at: rank)
        try require(
            key.isIdentical(to: expected(rank).key) && value.isIdentical(to: expected(rank).value),
            "\(place(id, column)) has another element at \(rank) than in passing")
        if case .list = Model.property(id, column).shape { return }
        let cells = view.elementCell(c, at: rank)
        let ranked = view.rank(of: element.key == nil ? cells.value : cells.key, in: c)
        try require(
            ranked == rank,
            "\(place(id, column)): the element at \(rank) is found at \(ranked.map(String.init) ?? "no rank")")
    }

    /// The object is found by its value, where there is an index.
    private func compareIndex(_ id: ObjectID, _ column: Int, _ value: Value) throws {
        let property = Model.property(id, column)
        if property.isPrimaryKey {
            let found = view.find(Int(id.table), key: value)
            try require(
                found == id, "the key \(value.brief) finds \(found.map(\.description) ?? "nothing"), expected \(id)")
        }
        if property.isIndexed {
            let found = view.indexed(Int(id.table), column, view.cell(id.ref, column))?.times(Int(id.slot))
            try require(found == 1, "\(place(id, column)) = \(value.brief) is in the index \(found ?? 0) times")
        }
    }

    // MARK: Inverses

    /// Every inverse of every object.
    func compare(inverses: Model.Inverses) throws {
        for id in model.objects.keys {
            for (hidden, link) in Self.hiddenColumns[Int(id.table)] {
                let expected = inverses[link][id.ref] ?? [:]
                let counts = view.sources(id.ref, backlinkColumn: hidden)
                if counts.isEmpty, expected.isEmpty { continue }
                var found: [ObjectRef: Int] = [:]
                view.forEachSource(id.ref, backlinkColumn: hidden) { source, times in
                    found[source] = times
                    return true
                }
                guard found == expected, counts.total == expected.values.reduce(0, +) else {
                    throw Failure(
                        "\(id) is linked from \(place(Model.linkColumns[link])) by \(text(found)), "
                            + "expected \(text(expected))")
                }
            }
        }
    }

    /// By table: its hidden columns, and the link column each is the inverse of.
    static let hiddenColumns: [[(hidden: Int, link: Int)]] = {
        RichSchema.layout.tables.map { table in
            table.inverseColumns.compactMap { hidden in
                let info = table.columns[hidden]
                return Model.linkColumns.first { $0.table == info.otherTable && $0.column == info.otherColumn }
                    .map { (hidden, $0.index) }
            }
        }
    }()

    // MARK: Words

    private func text(_ counts: [ObjectRef: Int]) -> String {
        let items = counts.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key.table):\($0.key.slot)" }
        return items.isEmpty ? "nothing" : items.joined(separator: ", ")
    }

    private func place(_ link: Model.LinkColumn) -> String { place(table: link.table, link.column) }

    private func place(_ id: ObjectID, _ column: Int) -> String { "\(place(table: Int(id.table), column)) of \(id)" }

    private func place(table: Int, _ column: Int) -> String {
        let type = Model.schema(table)
        return "\(type.name).\(type.properties[column].name)[\(column)]"
    }
}
