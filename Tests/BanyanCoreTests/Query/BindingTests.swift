import BanyanCore
import Foundation
import Testing

@Suite struct BindingTests {
    let layout: StoreLayout

    init() throws { layout = try StoreLayout(QueryWorld.schema) }

    @Test(
        arguments: [
            ("aeg > 3", 1, "Person has no property 'aeg'", "Write 'age' if that is meant"),
            ("active AND dog.nmae == 'x'", 12, "Dog has no property 'nmae'", "Write 'name' if that is meant"),
            ("dog.zzzzzz == 'x'", 1, "Dog has no property 'zzzzzz'", "It has: name, age, weights, owners"),
            ("age == 'x'", 1, "'age' is Int; it cannot be compared with a string", nil),
            ("name == 5", 1, "'name' is String; it cannot be compared with a number", nil),
            ("age > 1 AND name > nil", 13, "'name' is String; nil can be compared with == and != only", nil),
            ("active > true", 1, "'active' is Bool; it can be compared with ==, != and IN only", nil),
            (
                "active == 1", 1, "'active' is Bool; it cannot be compared with a number",
                "Compare it with true or false"
            ),
            ("age", 1, "'age' is Int; it cannot be compared with a Bool", nil),
            ("age BEGINSWITH '1'", 1, "'age' is Int; BEGINSWITH looks into texts", nil),
            ("age ==[c] 1", 1, "'age' is Int; [c] is for strings", nil),
            ("name >[c] 'a'", 1, "'name' is String; [c] does not go with >", nil),
            ("name.length > 3", 1, "'name' is String, so nothing can follow it in 'name.length'", nil),
            (
                "born > 'yesterday'", 1,
                "'born' is Date?; 'yesterday' is not an ISO 8601 date such as '2024-02-29' or '2024-02-29T18:30:00.25Z'",
                nil
            ),
            (
                "uid == 'x'", 1,
                "'uid' is UUID; 'x' is not a UUID such as '6F9619FF-8B86-D011-B42D-00CF4FC964FF'", nil
            ),
            (
                "dog == 'Rex'", 1, "'dog' is Dog?; it cannot be compared with a string",
                "Compare one of its properties, or ask for nil"
            ),
            ("dog == O'0:1'", 1, "'dog' is Dog?; it never links to Person", nil),
            ("dog > dog", 1, "'dog > dog' compares Object with Object, which have no order", nil),
            ("age == name", 1, "'age == name' compares Int with String, which never are equal", nil),
            ("ANY age > 3", 5, "ANY needs a path through a collection", nil),
            (
                "friends.name == clubs.title", 17, "'friends.name' and 'clubs.title' both lead through collections",
                "Compare one of them with a property of the object, or use SUBQUERY"
            ),
            ("score.@count > 1", 1, "'score' is Double; @count needs a path through a collection", nil),
            ("friends.name.@sum > 1", 1, "'friends.name' is String; @sum needs numbers", nil),
            ("friends.age.@count > 1", 1, "'friends.age' is Int; @count needs a collection at the path's end", nil),
            ("friends.@count == 'x'", 1, "'friends.@count' is Int; it cannot be compared with a string", nil),
            ("tags['x'] == 'y'", 1, "'tags[\"x\"]' asks for the keys of something that is not a map", nil),
            (
                "friends CONTAINS 'x'", 1, "'friends' is List<Person>; CONTAINS looks into texts",
                "Use IN to ask for a member"
            ),
            ("'a' BEGINSWITH name", 16, "BEGINSWITH needs the property on its left and the value on its right", nil),
            (
                "SUBQUERY(dog, $d, $d.age > 1).@count > 0", 10, "'dog' is Dog?; SUBQUERY needs a collection of objects",
                nil
            ),
            (
                "age > 1 SORT(friends.age)", 14, "'friends.age' is Int; objects are sorted by one value each",
                "Sort by friends.age.@count, or by @min, @max, @sum or @avg of its values"
            ),
            ("age > 1 SORT(dog)", 14, "'dog' is a link, and objects have no order", "Sort by one of their properties"),
        ] as [(String, Int, String, String?)])
    func `what does not fit is refused with the reason and the column`(
        text: String, column: Int, message: String, remedy: String?
    ) throws {
        let parsed = try PredicateParser.query(text, on: "Person")
        let error = #expect(throws: BanyanError.self) { try parsed.plan(on: layout) }
        #expect(error?.code == .invalidQuery)
        #expect(error?.message.hasPrefix("\(message) at column \(column)\n") == true, "\(error?.message ?? "")")
        if let remedy { #expect(error?.remedy == remedy) }
    }

    @Test func `constants alone are refused`() {
        for text in ["1 == 1", "1 IN {1}", "'a' == nil"] {
            #expect(throws: BanyanError.self) {
                try PredicateParser.query(text, on: "Person").plan(on: layout)
            }
        }
    }

    @Test func `an unknown type is named with the ones there are`() {
        let error = #expect(throws: BanyanError.self) { try QueryPlan(Query("Persn"), layout) }
        #expect(error?.code == .unknownType)
        #expect(error?.remedy == "The types are: Person, Dog, Address, Club")
    }

    @Test func `public names are mapped to stored ones, along the whole path`() throws {
        let names: NameMapping = { type, name in ["Person.years": "age", "Dog.title": "name"]["\(type).\(name)"] }
        let query = try PredicateParser.query("years > 3 AND dog.title == 'x' AND age < 9 SORT(years)", on: "Person")
        let plan = try query.plan(on: layout, names: names)
        #expect(
            plan.predicate.paths.map { $0.steps.map(\.column) }.sorted { $0.count < $1.count } == [[3], [3], [17, 0]])
        #expect(throws: BanyanError.self) { try query.plan(on: layout) }
    }

    @Test(arguments: [
        ("age > 3 SORT(name)", false), ("friends.@count > 3 AND tags == 'a'", false), ("clubs.@count > 0", false),
        ("dog == nil", false), ("friends.age > 3", true), ("age > 3 SORT(dog.name)", true),
        ("SUBQUERY(friends, $f, $f.age > 3).@count > 1", true), ("clubs.founder != nil", true),
    ])
    func `a plan tells whether it reads other objects, of the same type too`(text: String, expected: Bool) throws {
        #expect(try PredicateParser.query(text, on: "Person").plan(on: layout).readsOtherObjects == expected)
    }

    @Test func `paths of subqueries begin where the outer one does`() throws {
        let predicate = try PredicateParser.predicate("SUBQUERY(friends, $f, $f.dog.age > 1).@count > 0")
        let paths = try CompiledPredicate(predicate, on: QueryWorld.person, layout).paths
        #expect(paths.map { "\($0.written)" } == ["friends", "friends.dog.age"])
        #expect(paths.allSatisfy { $0.steps[0].table == QueryWorld.person && $0.isToMany })
    }
}
