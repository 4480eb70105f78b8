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

    @Test(arguments: [(1, 20), (2, 150), (3, 700)] as [(UInt64, Int)])
    func `objects come in the order a plain stable sort gives`(seed: UInt64, persons: Int) throws {
        let world = try QueryWorld(seed: seed, persons: persons)
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
    @Test(arguments: ["n ASC", "n DESC", "s ASC", "s DESC", "k ASC, n DESC", "k DESC, s ASC", "o ASC, n ASC", "o DESC"])
    func `the first of many are the first of all`(sort: String) throws {
        let properties = [
            PropertySchema(name: "n", kind: .int), PropertySchema(name: "s", kind: .string),
            PropertySchema(name: "k", kind: .int), PropertySchema(name: "o", kind: .double, isOptional: true),
        ]
        let layout = try StoreLayout(Schema(types: [TypeSchema(name: "Thing", properties: properties)]))
        let workspace = Workspace(Version.empty(layout))
        let transaction = workspace.begin()
        var random = QueryRandom(seed: 8)
        for _ in 0..<20_000 {
            let id = transaction.create(0)
            transaction.setValue(id, 0, .int(Int64(random.next() % 1000)))
            transaction.setValue(id, 1, .string("a common prefix \(random.next() % 5000)"))
            transaction.setValue(id, 2, .int(Int64(random.next() % 3)))
            transaction.setValue(id, 3, random.chance(1, in: 3) ? .null : .double(Double(random.next() % 100)))
        }
        let all = try PredicateParser.query("SORT(\(sort))", on: "Thing").plan(on: layout).objects(in: workspace.view)
        for limit in [1, 10, 511, 600, 5000] {
            let text = "SORT(\(sort)) LIMIT(\(limit)) OFFSET(3)"
            let some = try PredicateParser.query(text, on: "Thing").plan(on: layout).objects(in: workspace.view)
            #expect(some == Array(all[3..<(limit + 3)]), "\(limit)")
        }
    }
}
