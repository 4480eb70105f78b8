import BanyanCore
import Foundation
import Testing

@Suite struct QueryPlanTests {
    @Test(arguments: [
        ("", "all objects of Person"),
        ("age > 3", "page scan of Person for age > 3"),
        ("id == 5", "lookup of 1 value in the primary key Person.id"),
        ("id == nil", "lookup of 1 value in the primary key Person.id"),
        ("id IN {1, 2, 3, 2}", "lookup of 3 values in the primary key Person.id"),
        ("id == 1 OR id == 5 OR id IN {5, 6}", "lookup of 3 values in the primary key Person.id"),
        ("id == 1 OR name == 'a'", "page scan of Person for id == 1 OR name == \"a\""),
        ("name == 'a'", "lookup of 1 value in the index of Person.name"),
        ("name ==[c] 'a'", "page scan of Person for name ==[c] \"a\""),
        ("name != 'a'", "page scan of Person for name != \"a\""),
        ("NOT (name == 'a')", "page scan of Person for NOT (name == \"a\")"),
        ("name BEGINSWITH 'a'", "page scan of Person for name BEGINSWITH \"a\""),
        ("id BETWEEN {4, 4}", "lookup of 1 value in the primary key Person.id"),
        ("id > 3.5 AND id < 4.5", "page scan of Person for id > 3.5 AND id < 4.5"),
        ("dog.name == 'a'", "page scan of Person for dog.name == \"a\""),
        ("uid == '6F9619FF-8B86-D011-B42D-00CF4FC964FF'", "lookup of 1 value in the index of Person.uid"),
        (
            "name == 'a' AND age > 3",
            "lookup of 1 value in the index of Person.name, then the rest of name == \"a\" AND age > 3"
        ),
        (
            "name == 'a' AND id == 3",
            "the shortest of: lookup of 1 value in the index of Person.name, then the rest of name == \"a\" AND id == 3; "
                + "lookup of 1 value in the primary key Person.id, then the rest of name == \"a\" AND id == 3"
        ),
        (
            "age > 3 SORT(name ASC) LIMIT(5) OFFSET(2)",
            "page scan of Person for age > 3; sorted by name ASC, the first 7 kept, 2 left out"
        ),
        ("LIMIT(5)", "all objects of Person; up to 5 objects"),
    ])
    func `explain says which index serves`(text: String, explanation: String) throws {
        let layout = try StoreLayout(QueryWorld.schema)
        #expect(try PredicateParser.query(text, on: "Person").plan(on: layout).explain() == explanation)
    }

    @Test(arguments: [
        ("name BEGINSWITH 'a'", "lookup of a prefix in the index of Person.name"),
        ("nick ==[c] 'a'", "page scan of Person for nick ==[c] \"a\""),
        ("score > 3 AND score <= 9.5", "lookup of a range in the index of Person.score"),
        ("id BETWEEN {4, 9}", "lookup of a range in the index of Person.id"),
        ("born == nil", "lookup of 1 value in the index of Person.born"),
        ("short IN {1, 2}", "lookup of 2 values in the index of Person.short"),
        (
            "flag == true AND tiny IN {1, 2} AND born > '2026-01-01'",
            "lookup of 2 ranges in the index of Person.flag, tiny, born"
        ),
        (
            "name == 'a' AND age > 3 AND score > 1",
            "the shortest of: lookup of a range in the index of Person.score, then the rest of name == \"a\" AND age > 3 "
                + "AND score > 1; lookup of a range in the index of Person.name, age, then the rest of name == \"a\" AND "
                + "age > 3 AND score > 1"
        ),
        (
            "name BEGINSWITH 'a' SORT(name, age)",
            "lookup of a prefix in the index of Person.name; sorted by name ASC, age ASC, read off the index of "
                + "Person.name, age"
        ),
        ("SORT(score DESC)", "all objects of Person; sorted by score DESC, read off the index of Person.score"),
        (
            "SORT(name ASC, age ASC)",
            "all objects of Person; sorted by name ASC, age ASC, read off the index of Person.name, age"
        ),
        ("SORT(name ASC, age DESC)", "all objects of Person; sorted by name ASC, age DESC"),
        (
            "short > 3 SORT(short) LIMIT(2)",
            "lookup of a range in the index of Person.short; sorted by short ASC, the first 2 kept, read off the index of "
                + "Person.short"
        ),
        ("nick CONTAINS 'a' SORT(score)", "page scan of Person for nick CONTAINS \"a\"; sorted by score ASC"),
        (
            "nick CONTAINS 'a' SORT(score) LIMIT(2)",
            "page scan of Person for nick CONTAINS \"a\"; sorted by score ASC, the first 2 kept, or read off the index of "
                + "Person.score"
        ),
    ])
    func `explain says what ordered indexes serve`(text: String, explanation: String) throws {
        let layout = try StoreLayout(QueryWorld.schema(.ordered))
        #expect(try PredicateParser.query(text, on: "Person").plan(on: layout).explain() == explanation)
    }

    @Test(arguments: [1, 2, 3] as [UInt64], QueryWorld.Indexes.allCases)
    func `lookups find what scans find`(seed: UInt64, indexes: QueryWorld.Indexes) throws {
        let world = try QueryWorld(seed: seed, persons: 300, indexes: indexes)
        let oracle = QueryOracle(world: world)
        var random = QueryRandom(seed: seed)
        let everyone = world.refs(QueryWorld.person)
        for _ in 0..<200 {
            let kinds: [(PropertyPath, ValueKind)] = [
                ("id", .int), ("name", .string), ("uid", .uuid), ("level", .int), ("flag", .bool),
            ]
            let (path, kind) = random.pick(kinds)
            func constant() -> Value { random.chance(1, in: 6) ? .null : ValuePool.value(kind, &random) }
            var predicate: BanyanCore.Predicate
            switch random.next() % 3 {
            case 0: predicate = .compare(path, .equal, constant())
            case 1:
                let values = (0..<5).map { _ in constant() }
                predicate = .comparison(Comparison(.path(path), .isIn, .values(values)))
            default: predicate = .or((0..<4).map { _ in .compare(path, .equal, constant()) })
            }
            if random.chance(1, in: 2) { predicate = predicate && .compare("age", .greater, .int(2)) }
            let query = try QueryPlan(Query("Person", predicate), world.layout)
            #expect(query.explain().contains("lookup"))
            #expect(query.objects(in: world.view) == everyone.filter { oracle.matches(predicate, $0) }, "\(predicate)")
            #expect(query.count(in: world.view) == query.objects(in: world.view).count)
        }
    }

    @Test func `limit and offset without an order stop early and count right`() throws {
        let world = try QueryWorld(seed: 4, persons: 200)
        let all = try QueryPlan(Query("Person"), world.layout).objects(in: world.view)
        #expect(all == world.refs(QueryWorld.person))
        for (limit, offset) in [(0, 0), (1, 0), (5, 3), (1000, 0), (3, 1000), (1000, 50)] {
            let plan = try QueryPlan(Query("Person", limit: limit, offset: offset), world.layout)
            let expected = Array(all.dropFirst(offset).prefix(limit))
            #expect(plan.objects(in: world.view) == expected)
            #expect(plan.count(in: world.view) == expected.count)
        }
        var seen = 0
        try QueryPlan(Query("Person"), world.layout).forEach(in: world.view) { _ in
            seen += 1
            return seen < 3
        }
        #expect(seen == 3)
    }

    @Test func `an empty table answers every query`() throws {
        let layout = try StoreLayout(QueryWorld.schema)
        let view = Version.empty(layout)
        for text in ["", "age > 3", "id == 3", "SORT(name)", "name == 'a' SORT(age) LIMIT(3)"] {
            let plan = try PredicateParser.query(text, on: "Person").plan(on: layout)
            #expect(plan.count(in: view.view) == 0)
            #expect(plan.objects(in: view.view).isEmpty)
            #expect(plan.first(in: view.view) == nil)
        }
    }

    @Test func `objects that are not there, or of another type, do not match`() throws {
        let world = try QueryWorld(seed: 4, persons: 20)
        let everything = try CompiledPredicate(.constant(true), on: QueryWorld.person, world.layout)
        let here = Set(world.refs(QueryWorld.person))
        for slot in 0..<200 {
            let ref = ObjectRef(table: QueryWorld.person, slot: slot)
            #expect(everything.matches(ref, in: world.view) == here.contains(ref))
        }
        #expect(!everything.matches(ObjectRef(table: QueryWorld.dog, slot: 0), in: world.view))
    }

    @Test func `an object can be asked for by a link to it`() throws {
        let world = try QueryWorld(seed: 6, persons: 60)
        let oracle = QueryOracle(world: world)
        for dog in world.refs(QueryWorld.dog).prefix(10) {
            let predicates: [BanyanCore.Predicate] = [
                .compare("dog", .equal, .object(dog)), .compare("dog", .notEqual, .object(dog)),
                .compare("kennel", .equal, .object(dog)), .compare("pets", .equal, .object(dog), quantifier: .all),
                .comparison(Comparison(.value(.object(dog)), .isIn, .path("friends.dog"))),
            ]
            for predicate in predicates {
                let expected = world.refs(QueryWorld.person).filter { oracle.matches(predicate, $0) }
                let plan = try QueryPlan(Query("Person", predicate), world.layout)
                #expect(plan.objects(in: world.view) == expected, "\(predicate)")
            }
        }
    }

    @Test(arguments: [
        ("age", Aggregate.sum), ("age", .average), ("age", .minimum), ("age", .maximum), ("score", .sum),
        ("level", .sum),
        ("level", .average), ("medium", .sum), ("ratio", .maximum), ("amount", .sum), ("amount", .average),
        ("name", .minimum), ("born", .maximum), ("dog.age", .sum), ("friends.@count", .sum), ("numbers.@sum", .average),
        ("id", .count),
    ])
    func `aggregates over results`(text: String, aggregate: Aggregate) throws {
        let world = try QueryWorld(seed: 12, persons: 150)
        let oracle = QueryOracle(world: world)
        guard case .comparison(let parsed) = try PredicateParser.predicate("\(text) == nil") else { return }
        for filter in [
            "", "age > 2", "active AND age > 200", "score > 0.2 AND score < 100 AND ratio > -10 AND ratio < 100",
        ] {
            let query = try PredicateParser.query(filter, on: "Person").query
            let compiled = try CompiledPredicate(query.predicate, on: QueryWorld.person, world.layout)
            let result = try compiled.aggregate(aggregate, of: parsed.left, in: world.view)
            let refs = world.refs(QueryWorld.person).filter { oracle.matches(query.predicate, $0) }
            let values = refs.map { oracle.values(parsed.left, $0)[0] }.filter { !$0.isNull }
            if aggregate == .count {
                #expect(result == .int(Int64(refs.count)))
            } else if aggregate == .minimum || aggregate == .maximum {
                let isWanted = values.allSatisfy { value in
                    guard let order = oracle.order(result, value) else { return true }
                    return aggregate == .minimum ? order <= 0 : order >= 0
                }
                #expect(isWanted && result.isNull == values.isEmpty, "\(result)")
            } else {
                let sum = values.reduce(0.0) { $0 + number($1) }
                let expected = aggregate == .sum ? sum : sum / Double(values.count)
                if aggregate == .average, values.isEmpty {
                    #expect(result == .null)
                } else {
                    let got = number(result)
                    #expect(
                        got.isNaN && expected.isNaN || got == expected || abs(got - expected) < 1e-9,
                        "\(text) \(filter)")
                }
            }
        }
    }

    private func number(_ value: Value) -> Double {
        switch value {
        case .int(let v): Double(v)
        case .float(let v): Double(v)
        case .double(let v): v
        case .decimal128(let v): v.doubleValue
        default: .nan
        }
    }

    /// A club that lists a member twice is two links, and counts twice wherever the inverse is followed.
    @Test(arguments: [
        "clubs.@count == 3", "clubs.founder.age.@sum == 50", "clubs.members.@count == 7",
        "clubs.founder.age.@avg BETWEEN {16.6, 16.7}", "SUBQUERY(clubs, $c, $c.title == 'twice').@count == 2",
    ])
    func `duplicate links count as often as they are there`(text: String) throws {
        let layout = try StoreLayout(QueryWorld.schema)
        let workspace = Workspace(Version.empty(layout))
        let transaction = workspace.begin()
        let member = try transaction.create(QueryWorld.person, key: .int(1))
        let founders = try [20, 10].map { age in
            let founder = try transaction.create(QueryWorld.person, key: .int(Int64(age)))
            transaction.setValue(founder, 3, .int(Int64(age)))
            return founder
        }
        for (title, members, founder) in [
            ("twice", [member, member, founders[0]], founders[0]), ("once", [member], founders[1]),
        ] {
            let club = transaction.create(QueryWorld.club)
            transaction.setValue(club, 0, .string(title))
            transaction.listInsert(club, 1, at: 0, members.map { .object($0.ref) })
            transaction.setValue(club, 2, .object(founder.ref))
        }
        #expect(transaction.fault == nil)
        let query = try PredicateParser.query("id == 1 AND \(text)", on: "Person")
        #expect(try query.plan(on: layout).count(in: workspace.view) == 1)
    }

    @Test func `sums of integers do not overflow on the way`() throws {
        let layout = try StoreLayout(
            Schema(types: [TypeSchema(name: "Thing", properties: [PropertySchema(name: "n", kind: .int)])]))
        let workspace = Workspace(Version.empty(layout))
        let transaction = workspace.begin()
        for i in 0..<200 { transaction.setValue(transaction.create(0), 0, .int(i % 2 == 0 ? .max : .min)) }
        let all = try CompiledPredicate(.constant(true), on: 0, layout)
        #expect(try all.aggregate(.sum, of: .path("n"), in: workspace.view) == .int(-100))
        #expect(try all.aggregate(.average, of: .path("n"), in: workspace.view) == .double(-0.5))
        let positive = try CompiledPredicate(.compare("n", .greater, .int(0)), on: 0, layout)
        #expect(try positive.aggregate(.sum, of: .path("n"), in: workspace.view) == .int(.max))
        #expect(throws: BanyanError.self) { try all.aggregate(.sum, of: .path("m"), in: workspace.view) }
    }
}
