import BanyanCore
import Foundation
import Testing

@Suite struct SortTests {
    static let keys: [SortKey] = [
        SortKey("id"), SortKey("name"), SortKey("nick"), SortKey("age"), SortKey("tiny"), SortKey("short"),
        SortKey("medium"), SortKey("score"), SortKey("ratio"), SortKey("active"), SortKey("flag"), SortKey("born"),
        SortKey("uid"), SortKey("oid"), SortKey("amount"), SortKey("blob"), SortKey("dog.name"), SortKey("dog.age"),
        SortKey("address.city"), SortKey("address.zip"), SortKey(.aggregate(.count, "friends")),
        SortKey(.aggregate(.maximum, "friends.age")), SortKey(.aggregate(.average, "numbers")),
    ]

    /// Nil first, NaN before every number, the rest by value.
    private func isBefore(_ a: Value, _ b: Value, _ oracle: QueryOracle) -> Int {
        func rank(_ value: Value) -> Int {
            switch value {
            case .null: 0
            case .double(let v) where v.isNaN: 1
            case .float(let v) where v.isNaN: 1
            case .decimal128(let v) where v.isNaN: 1
            case .bool(let v): v ? 3 : 2
            default: 2
            }
        }
        if rank(a) != rank(b) { return rank(a) - rank(b) }
        return rank(a) < 2 ? 0 : oracle.order(a, b) ?? 0
    }

    /// Ranges, equality and limits over every kind of ordered index, alone and together, in all directions.
    @Test(arguments: [(11, 40), (12, 300), (13, 900)] as [(UInt64, Int)])
    func `what an ordered index gives is what filtering and sorting give`(seed: UInt64, persons: Int) throws {
        let world = try QueryWorld(seed: seed, persons: persons, indexes: .ordered)
        world.commit()
        #expect(world.view._invariantCheck().isEmpty)
        let oracle = QueryOracle(world: world)
        var maker = RandomPredicate(random: QueryRandom(seed: seed))
        let everyone = world.refs(QueryWorld.person)
        let orders: [[PropertyPath]] = [
            ["id"], ["name"], ["nick"], ["age"], ["tiny"], ["score"], ["ratio"], ["active"], ["flag"], ["born"],
            ["uid"],
            ["oid"], ["level"], ["name", "age"], ["flag", "tiny", "born"], ["tiny", "born"], ["born"],
            ["active", "nick"],
            ["score", "id"], ["name", "level"],
        ]
        var walks = 0
        for _ in 0..<300 {
            let order = maker.random.pick(orders)
            let isAscending = maker.random.chance(1, in: 2)
            let keys = order.map { SortKey($0, ascending: isAscending) }
            // Conditions on few properties, so that several meet on one.
            let names = order.map(\.description) + [maker.random.pick(["flag", "active", "level", "oid", "tiny"])]
            let subjects = RandomPredicate.scalars.filter { names.contains("\($0.operand)") }
            let conditions = (0..<Int.random(in: 0...3, using: &maker.random)).map { _ in
                BanyanCore.Predicate.comparison(maker.constantComparison(maker.random.pick(subjects)))
            }
            let limit = maker.random.chance(1, in: 2) ? nil : maker.random.pick([0, 1, 3, 20, persons])
            let query = Query(
                "Person", .and(conditions), sort: keys, limit: limit, offset: maker.random.pick([0, 0, 2]))
            let plan = try QueryPlan(query, world.layout)
            if plan.explain().contains("read off") { walks += 1 }
            let all = sorted(everyone.filter { oracle.matches(query.predicate, $0) }, keys, oracle)
            let expected = Array(all.dropFirst(query.offset).prefix(limit ?? .max))
            #expect(plan.objects(in: world.view) == expected, "\(query): \(plan.explain())")
            #expect(plan.count(in: world.view) == expected.count, "\(query): \(plan.explain())")
            #expect(plan.first(in: world.view) == expected.first, "\(query): \(plan.explain())")
            let unsorted = try QueryPlan(Query("Person", query.predicate), world.layout)
            #expect(unsorted.objects(in: world.view) == all.sorted(), "\(unsorted.explain())")
        }
        #expect(walks > 150)
    }

    private func sorted(_ refs: [ObjectRef], _ keys: [SortKey], _ oracle: QueryOracle) -> [ObjectRef] {
        let values = Dictionary(
            uniqueKeysWithValues: refs.map { ref in (ref, keys.map { oracle.values($0.operand, ref)[0] }) })
        return refs.enumerated().sorted { a, b in
            for (i, key) in keys.enumerated() {
                let order = isBefore(values[a.element]![i], values[b.element]![i], oracle)
                if order != 0 { return key.isAscending == (order < 0) }
            }
            return a.offset < b.offset
        }.map(\.element)
    }

    @Test(arguments: [(1, 20), (2, 150), (3, 700)] as [(UInt64, Int)], QueryWorld.Indexes.allCases)
    func `objects come in the order a plain stable sort gives`(
        size: (seed: UInt64, persons: Int), indexes: QueryWorld.Indexes
    ) throws {
        let (seed, persons) = size
        let world = try QueryWorld(seed: seed, persons: persons, indexes: indexes)
        let oracle = QueryOracle(world: world)
        var random = QueryRandom(seed: seed)
        let everyone = world.refs(QueryWorld.person)
        for round in 0..<60 {
            var keys = (0..<Int.random(in: 1...3, using: &random)).map { _ in random.pick(Self.keys) }
            if round < Self.keys.count { keys = [Self.keys[round]] }
            for i in keys.indices { keys[i].isAscending = random.chance(1, in: 2) }
            let expected = sorted(everyone, keys, oracle)
            let plan = try QueryPlan(Query("Person", sort: keys), world.layout)
            #expect(plan.objects(in: world.view) == expected, "\(keys)")

            let limit = random.pick([0, 1, 2, 7, persons / 2, persons * 2])
            let offset = random.pick([0, 0, 1, 5])
            let query = Query("Person", sort: keys, limit: limit, offset: offset)
            let limited = try QueryPlan(query, world.layout)
            let slice = Array(expected.dropFirst(offset).prefix(limit))
            #expect(limited.objects(in: world.view) == slice, "\(query)")
            #expect(limited.count(in: world.view) == slice.count)
            #expect(limited.first(in: world.view) == slice.first)

            let order = try #require(plan.order)
            for (a, b) in zip(expected, expected.dropFirst()) {
                #expect(order.compare(a, in: world.view, b, in: world.view) <= 0)
            }
            var some = everyone.shuffled(using: &random).prefix(40).map { $0 }
            let shuffled = some
            order.sort(&some, in: world.view)
            #expect(some == sorted(shuffled, keys, oracle), "\(keys)")
        }
    }

    /// Texts of many lengths around the seven bytes of a level, with long common prefixes.
    @Test func `texts sort by their bytes however long they agree`() throws {
        let layout = try StoreLayout(
            Schema(types: [
                TypeSchema(
                    name: "Thing",
                    properties: [PropertySchema(name: "t", kind: .string), PropertySchema(name: "n", kind: .int)])
            ]))
        let workspace = Workspace(Version.empty(layout))
        let transaction = workspace.begin()
        var random = QueryRandom(seed: 3)
        var texts: [String] = []
        for _ in 0..<3000 {
            let text =
                String(repeating: "a", count: random.pick([0, 5, 6, 7, 8, 13, 14, 15, 21, 27, 28, 29, 35, 60]))
                + random.pick(["", "\0", "b", "é", "zz", "zzzzzzzzz"])
            texts.append(text)
            let id = transaction.create(0)
            transaction.setValue(id, 0, .string(text))
            transaction.setValue(id, 1, .int(Int64(random.next() % 3)))
        }
        for isAscending in [true, false] {
            for limit in [nil, 10, 500] {
                let query = Query(
                    "Thing", sort: [SortKey("t", ascending: isAscending), SortKey("n", ascending: false)], limit: limit)
                let found = try QueryPlan(query, layout).objects(in: workspace.view)
                let expected = texts.indices.map { (texts[$0], number($0, workspace.view), $0) }.sorted { a, b in
                    let (x, y) = (Array(a.0.utf8), Array(b.0.utf8))
                    if x != y { return x.lexicographicallyPrecedes(y) == isAscending }
                    return a.1 != b.1 ? a.1 > b.1 : a.2 < b.2
                }
                #expect(found.map(\.slot) == expected.map(\.2).prefix(limit ?? .max).map { $0 })
            }
        }
    }

    private func number(_ slot: Int, _ view: GraphView) -> Int64 {
        guard case .int(let value) = view.value(ObjectRef(table: 0, slot: slot), 1) else { return -1 }
        return value
    }

    /// The bar that a full buffer sets must not shut out what belongs in.
    @Test(
        arguments: ["n ASC", "n DESC", "s ASC", "s DESC", "k ASC, n DESC", "k DESC, s ASC", "o ASC, n ASC", "o DESC"],
        [nil, IndexKind.ordered])
    func `the first of many are the first of all`(sort: String, index: IndexKind?) throws {
        let properties = [
            PropertySchema(name: "n", kind: .int, index: index), PropertySchema(name: "s", kind: .string, index: index),
            PropertySchema(name: "k", kind: .int, index: index),
            PropertySchema(name: "o", kind: .double, isOptional: true, index: index),
        ]
        let layout = try StoreLayout(Schema(types: [TypeSchema(name: "Thing", properties: properties)]))
        let workspace = Workspace(Version.empty(layout))
        let transaction = workspace.begin()
        var random = QueryRandom(seed: 8)
        for _ in 0..<20_000 {
            let id = transaction.create(0)
            transaction.initializeIndexes(id)
            transaction.setValue(id, 0, .int(Int64(random.next() % 1000)))
            transaction.setValue(id, 1, .string("a common prefix \(random.next() % 5000)"))
            transaction.setValue(id, 2, .int(Int64(random.next() % 3)))
            transaction.setValue(id, 3, random.chance(1, in: 3) ? .null : .double(Double(random.next() % 100)))
        }
        let all = try PredicateParser.query("SORT(\(sort))", on: "Thing").plan(on: layout).objects(in: workspace.view)
        let order = try #require(PredicateParser.query("SORT(\(sort))", on: "Thing").plan(on: layout).order)
        #expect(all.count == 20_000)
        #expect(
            zip(all, all.dropFirst()).allSatisfy { a, b in
                let order = order.compare(a, in: workspace.view, b, in: workspace.view)
                return order < 0 || order == 0 && a < b
            })
        for limit in [1, 10, 511, 600, 5000] {
            let text = "SORT(\(sort)) LIMIT(\(limit)) OFFSET(3)"
            let some = try PredicateParser.query(text, on: "Thing").plan(on: layout).objects(in: workspace.view)
            #expect(some == Array(all[3..<(limit + 3)]), "\(limit)")
        }
    }
}
