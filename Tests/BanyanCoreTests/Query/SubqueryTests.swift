import BanyanCore
import Testing

/// Variables of SUBQUERY: each is the object its own one is about, wherever it stands.
@Suite struct SubqueryTests {
    private static let (person, dog) = (0, 1)
    private static let schema = Schema(types: [
        TypeSchema(
            name: "Person",
            properties: [
                PropertySchema(name: "name", kind: .string),
                PropertySchema(name: "age", kind: .int),
                PropertySchema(name: "dogs", kind: .object, shape: .list, target: "Dog"),
                PropertySchema(name: "friends", kind: .object, shape: .list, target: "Person"),
            ]),
        TypeSchema(
            name: "Dog",
            properties: [
                PropertySchema(name: "name", kind: .string),
                PropertySchema(name: "age", kind: .int),
                PropertySchema(name: "weights", kind: .int, shape: .list),
                PropertySchema(name: "owners", kind: .object, shape: .inverse(of: "dogs"), target: "Person"),
            ]),
    ])

    /// People and dogs in plain Swift, and the same in a graph.
    private final class World {
        struct Dog {
            var name: String
            var age: Int64
            var weights: [Int64]
        }
        struct Person {
            var name: String
            var age: Int64
            var dogs: [Int]
            var friends: [Int]
        }
        var people: [Person] = []
        var dogs: [Dog] = []
        let layout: StoreLayout
        let workspace: Workspace

        init(seed: UInt64) throws {
            layout = try StoreLayout(SubqueryTests.schema)
            workspace = Workspace(Version.empty(layout))
            var random = QueryRandom(seed: seed)
            let transaction = workspace.begin()
            for i in 0..<12 {
                let weights = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                    Int64.random(in: 0...6, using: &random)
                }
                dogs.append(Dog(name: "d\(i % 4)", age: Int64.random(in: 0...6, using: &random), weights: weights))
                let id = transaction.create(SubqueryTests.dog)
                transaction.setValue(id, 0, .string(dogs[i].name))
                transaction.setValue(id, 1, .int(dogs[i].age))
                transaction.listInsert(id, 2, at: 0, weights.map { .int($0) } as [Value])
            }
            for _ in 0..<20 { _ = transaction.create(SubqueryTests.person) }
            for i in 0..<20 {
                let dogs = (0..<12).shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random))
                let friends = (0..<20).shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
                people.append(
                    Person(
                        name: "d\(i % 5)", age: Int64.random(in: 0...6, using: &random), dogs: Array(dogs),
                        friends: Array(friends)))
                let ref = ObjectRef(table: SubqueryTests.person, slot: i)
                let id = workspace.view.id(ref)
                transaction.setValue(id, 0, .string(people[i].name))
                transaction.setValue(id, 1, .int(people[i].age))
                transaction.listInsert(
                    id, 2, at: 0, dogs.map { Value.object(ObjectRef(table: SubqueryTests.dog, slot: $0)) })
                transaction.listInsert(
                    id, 3, at: 0, friends.map { Value.object(ObjectRef(table: SubqueryTests.person, slot: $0)) })
            }
            if let fault = transaction.fault { throw fault }
        }

        func found(_ text: String) throws -> [Int] {
            let parsed = try PredicateParser.query(text, on: "Person")
            let slots = try parsed.plan(on: layout).slots(in: workspace.view).map(Int.init)
            // What is printed reads back, and finds the same.
            let printed = "\(parsed.query.predicate)"
            let again = try PredicateParser.query(printed, on: "Person")
            #expect(again.query.predicate == parsed.query.predicate, "\(printed)")
            return slots
        }

        func owners(_ dog: Int) -> [Person] { people.filter { $0.dogs.contains(dog) } }
        func dogs(_ person: Person) -> [Dog] { person.dogs.map { dogs[$0] } }
    }

    private func check(
        _ text: String, _ isMeant: (World, World.Person) -> Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var found = 0
        for seed in 1...6 as ClosedRange<UInt64> {
            let world = try World(seed: seed)
            let expected = world.people.indices.filter { isMeant(world, world.people[$0]) }
            #expect(try world.found(text) == expected, "\(text)", sourceLocation: sourceLocation)
            found += expected.count
        }
        // It would say nothing if nobody, or everybody, were found.
        #expect(found > 0 && found < 120, "\(found)", sourceLocation: sourceLocation)
    }

    @Test func `the object around is compared with the one inside`() throws {
        try check("SUBQUERY(dogs, $d, SUBQUERY($d.owners, $o, $o.age > $d.age).@count > 0).@count > 0") {
            world, person in
            person.dogs.contains { dog in world.owners(dog).contains { $0.age > world.dogs[dog].age } }
        }
        try check("SUBQUERY(dogs, $d, SUBQUERY($d.owners, $o, $d.age > $o.age).@count > 1).@count > 0") {
            world, person in
            person.dogs.contains { dog in world.owners(dog).count { $0.age < world.dogs[dog].age } > 1 }
        }
        try check("SUBQUERY(dogs, $d, SUBQUERY($d.owners, $o, $o.name == $d.name).@count == 1).@count > 0") {
            world, person in
            person.dogs.contains { dog in world.owners(dog).count { $0.name == world.dogs[dog].name } == 1 }
        }
    }

    @Test func `names of variables do not matter, and a nearer one hides one further out`() throws {
        try check("SUBQUERY(dogs, $a, SUBQUERY($a.owners, $b, $a.age == $b.age).@count > 0).@count > 0") {
            world, person in
            person.dogs.contains { dog in world.owners(dog).contains { $0.age == world.dogs[dog].age } }
        }
        try check("SUBQUERY(dogs, $x, SUBQUERY($x.owners, $x, $x.age > 3 AND age < 6).@count > 0).@count > 0") {
            world, person in
            person.dogs.contains { dog in world.owners(dog).contains { $0.age > 3 && $0.age < 6 } }
        }
    }

    @Test func `a constant is compared with the object around, which is tested once for all inside`() throws {
        try check("SUBQUERY(dogs, $d, SUBQUERY($d.owners, $o, $d.age > 4 OR $o.age == 1).@count > 0).@count > 0") {
            world, person in
            person.dogs.contains { dog in
                world.owners(dog).contains { world.dogs[dog].age > 4 || $0.age == 1 }
            }
        }
        try check(
            "SUBQUERY(dogs, $d, SUBQUERY($d.owners, $o, NOT ANY $d.weights > 3 AND $o.age > 2).@count > 0).@count > 0"
        ) { world, person in
            person.dogs.contains { dog in
                world.owners(dog).contains { !world.dogs[dog].weights.contains { $0 > 3 } && $0.age > 2 }
            }
        }
    }

    @Test func `collections and sums of the object around are compared with the one inside`() throws {
        try check("SUBQUERY(dogs, $d, SUBQUERY($d.owners, $o, ANY $d.weights == $o.age).@count > 0).@count > 0") {
            world, person in
            person.dogs.contains { dog in
                world.owners(dog).contains { world.dogs[dog].weights.contains($0.age) }
            }
        }
        try check(
            "SUBQUERY(dogs, $d, SUBQUERY($d.owners, $o, $d.weights.@sum > $o.age AND $d.weights.@count < $o.dogs.@count)"
                + ".@count > 0).@count > 0"
        ) { world, person in
            person.dogs.contains { dog in
                world.owners(dog).contains {
                    world.dogs[dog].weights.reduce(0, +) > $0.age && world.dogs[dog].weights.count < $0.dogs.count
                }
            }
        }
    }

    @Test func `three deep, each variable is its own object`() throws {
        try check(
            "SUBQUERY(friends, $f, SUBQUERY($f.dogs, $d, SUBQUERY($f.friends, $g, $g.age > $d.age AND $f.age > $d.age)"
                + ".@count > 0).@count > 0).@count > 0"
        ) { world, person in
            person.friends.contains { friend in
                let f = world.people[friend]
                return world.dogs(f).contains { d in
                    f.friends.contains { world.people[$0].age > d.age && f.age > d.age }
                }
            }
        }
        try check(
            "SUBQUERY(friends, $f, SUBQUERY($f.friends, $g, SUBQUERY($g.dogs, $d, $d.age == $f.age AND $d.age != $g.age)"
                + ".@count == SUBQUERY($f.dogs, $e, $e.age > $g.age).@count).@count > 0).@count > 0"
        ) { world, person in
            person.friends.contains { friend in
                let f = world.people[friend]
                return f.friends.contains { other in
                    let g = world.people[other]
                    return world.dogs(g).count { $0.age == f.age && $0.age != g.age }
                        == world.dogs(f).count { $0.age > g.age }
                }
            }
        }
    }

    @Test func `the same after a commit, one by one`() throws {
        let text = "SUBQUERY(dogs, $d, SUBQUERY($d.owners, $o, $o.age > $d.age).@count > 0).@count > 0"
        let world = try World(seed: 3)
        let plan = try PredicateParser.query(text, on: "Person").plan(on: world.layout)
        let found = plan.slots(in: world.workspace.view)
        _ = world.workspace.commit(sequence: 1, time: 0)
        #expect(plan.slots(in: world.workspace.view) == found)
        for slot in 0..<20 as Range<UInt32> {
            let ref = ObjectRef(table: Self.person, slot: Int(slot))
            #expect(plan.matches(ref, in: world.workspace.view) == found.contains(slot))
        }
        // Whoever watches the query is told of the dogs, and of their owners.
        #expect(Set(plan.paths.flatMap { $0.steps.map(\.table) }) == [Self.person, Self.dog])
    }

    @Test(arguments: [
        ("SUBQUERY(dogs, $d, $zzz.age > 3).@count > 0", 20, "there is no '$zzz' here"),
        ("$d.age > 3", 1, "there is no '$d' here"),
        ("SUBQUERY(dogs, $d, $d.age > 1).@count > 0 AND $d.age > 1", 47, "there is no '$d' here"),
        ("SUBQUERY(dogs, $d, SUBQUERY($e.owners, $e, $e.age > 1).@count > 0).@count > 0", 29, "there is no '$e' here"),
        (
            "SUBQUERY(dogs, $d, SUBQUERY($d.owners, $o, $o.age > $d.size).@count > 0).@count > 0", 53,
            "Dog has no property 'size'"
        ),
        (
            "SUBQUERY(dogs, $d, SUBQUERY($d.owners, $o, $o.weights > 1).@count > 0).@count > 0", 44,
            "Person has no property 'weights'"
        ),
        ("SUBQUERY(dogs, $d, $d > 1).@count > 0", 23, "expected '.', found '>'"),
        ("SUBQUERY(dogs, $, $d > 1).@count > 0", 16, "expected a name after '$'"),
        ("SUBQUERY(dogs, d, d.age > 1).@count > 0", 16, "expected a variable such as $x, found 'd'"),
    ])
    func `what is no variable here is an error with its column`(text: String, column: Int, message: String) throws {
        let error = #expect(throws: BanyanError.self) {
            try PredicateParser.query(text, on: "Person").plan(on: StoreLayout(Self.schema))
        }
        #expect(error?.code == .invalidQuery)
        #expect(error?.message.hasPrefix("\(message) at column \(column)\n") == true, "\(error?.message ?? "")")
    }
}
