import BanyanCore
import Foundation
import Testing

@Suite struct PredicateParserTests {
    @Test(arguments: [
        ("age > 30", "age > 30"),
        ("age>30&&active==true", "age > 30 AND active == true"),
        ("age = 1 or age <> 2", "age == 1 OR age != 2"),
        ("age =< 1 AND age => 0", "age <= 1 AND age >= 0"),
        ("a == 1 OR b == 2 AND c == 3", "a == 1 OR b == 2 AND c == 3"),
        ("(a == 1 OR b == 2) AND c == 3", "(a == 1 OR b == 2) AND c == 3"),
        ("((a == 1))", "a == 1"),
        ("NOT a == 1 AND b == 2", "NOT (a == 1) AND b == 2"),
        ("!(a == 1 OR b == 2)", "NOT (a == 1 OR b == 2)"),
        ("!!a == 1", "a == 1"),
        ("active", "active == true"),
        ("not active and b", "NOT (active == true) AND b == true"),
        ("name == 'O\\'Neill'", "name == \"O'Neill\""),
        (#"name == "tab\tquote\"back\\ \u{1F333}""#, #"name == "tab\tquote\"back\\ 🌳""#),
        ("name beginswith[cd] 'é'", "name BEGINSWITH[cd] \"é\""),
        ("name ==[c] 'x'", "name ==[c] \"x\""),
        ("name LIKE 'a?*'", "name LIKE \"a?*\""),
        ("age IN {1, -2, 3.5}", "age IN {1, -2, 3.5}"),
        ("age IN {}", "age IN {}"),
        ("age NOT IN {1}", "NOT (age IN {1})"),
        ("age BETWEEN {1,5}", "age BETWEEN {1, 5}"),
        ("ANY dogs.name == 'Rex'", "ANY dogs.name == \"Rex\""),
        (
            "SOME dogs.age > 1 AND ALL dogs.age < 9 AND NONE dogs.age = 5",
            "ANY dogs.age > 1 AND ALL dogs.age < 9 AND NONE dogs.age == 5"
        ),
        ("dogs.@count > 2", "dogs.@count > 2"),
        ("dogs.@avg.age >= 1.5", "dogs.age.@avg >= 1.5"),
        ("dogs.age.@MAX == 3", "dogs.age.@max == 3"),
        ("fields['Homepage'] CONTAINS 'org'", "fields[\"Homepage\"] CONTAINS \"org\""),
        ("ANY fields.@allKeys == 'a'", "ANY fields.@keys == \"a\""),
        ("'Rex' IN dogs.name", "\"Rex\" IN dogs.name"),
        ("5 < age", "5 < age"),
        ("#in == 1 AND #'strange name' == 2", "#in == 1 AND #\"strange name\" == 2"),
        ("some == 1", "#some == 1"),
        ("any IN {1}", "#any IN {1}"),
        ("größe == 1", "größe == 1"),
        ("score == inf OR score == -Infinity", "score == inf OR score == -inf"),
        ("nick == nil AND blob != NULL", "nick == nil AND blob != nil"),
        ("blob == b64'AAEC'", "blob == b64\"AAEC\""),
        ("dog == O'1:7'", "dog == O\"1:7\""),
        ("amount > 0.10", "amount > 0.1"),
        ("amount > D'0.10'", "amount > D\"0.10\""),
        ("amount > F'0.1'", "amount > F\"0.1\""),
        ("amount > 0.12345678901234567890", "amount > 0.12345678901234567890"),
        ("id == 9223372036854775807", "id == 9223372036854775807"),
        ("id == 9223372036854775808", "id == 9223372036854775808"),
        (
            "SUBQUERY(dogs, $d, $d.age > 3 AND $d.name == 'x').@count > 0",
            "SUBQUERY(dogs, $x, age > 3 AND name == \"x\").@count > 0"
        ),
        ("TRUEPREDICATE AND falsepredicate", "TRUEPREDICATE AND FALSEPREDICATE"),
    ])
    func `texts are read, and printed in one form that reads back the same`(text: String, printed: String) throws {
        let predicate = try PredicateParser.predicate(text)
        #expect(predicate.description == printed)
        #expect(try PredicateParser.predicate(printed) == predicate)
    }

    @Test func `NaN is a number that can be asked for`() throws {
        #expect(try PredicateParser.predicate("score == NaN").description == "score == nan")
    }

    @Test(arguments: [
        ("", 1, "expected a property or a value, found the end"),
        ("age >", 6, "expected a property or a value, found the end"),
        ("age 30", 5, "expected a comparison such as == or IN, found the number 30"),
        ("age > 30 name", 10, "expected AND, OR or the end, found 'name'"),
        ("age > 30 AND", 13, "expected a property or a value, found the end"),
        ("(age > 30", 10, "expected ')', found the end"),
        ("age > 30)", 9, "expected AND, OR or the end, found ')'"),
        ("age IN {1, }", 12, "expected a value, found '}'"),
        ("age IN 5", 8, "IN takes values in braces or a collection"),
        ("age BETWEEN {1}", 13, "BETWEEN takes two values in braces"),
        ("age == {1, 2}", 8, "== takes one value, not several"),
        ("name == 'open", 9, "the string is not closed"),
        ("name == 'a\\q'", 11, "an unknown escape"),
        ("name ==[x] 'a'", 9, "'x' is not an option: c ignores case, d diacritics"),
        ("age > 3x", 8, "a number runs into 'x'"),
        ("age ~ 3", 5, "the character '~' has no meaning here"),
        ("dogs.@mode.age > 1", 6, "'@mode' is not known"),
        ("@count > 1", 1, "expected a property or a value, found '@count'"),
        ("a. == 1", 4, "expected a property name, found '=='"),
        ("name MATCHES '.*'", 6, "MATCHES is not supported"),
        ("NOT", 4, "expected a condition, found the end"),
        ("age == %@", 8, "there is no argument for '%@'"),
        ("age == %d", 8, "'%' is followed by neither '@' nor 'K'"),
        ("日本 == 'ä' AND ~", 15, "the character '~' has no meaning here"),
        ("SUBQUERY(dogs, $d, $d.age > 3) > 1", 32, "expected .@count after SUBQUERY(…)"),
        ("blob == b64'?'", 9, "not valid Base64"),
    ])
    func `errors name the column and what was expected there`(text: String, column: Int, message: String) throws {
        let error = #expect(throws: BanyanError.self) { try PredicateParser.predicate(text) }
        #expect(error?.code == .invalidQuery)
        #expect(error?.message.hasPrefix("\(message) at column \(column)\n") == true, "\(error?.message ?? "")")
    }

    @Test func `an error shows the line with a caret under the place`() {
        let error = #expect(throws: BanyanError.self) { try PredicateParser.predicate("age IN {1, }") }
        #expect(
            "\(error!)" == """
                expected a value, found '}' at column 12
                    age IN {1, }
                               ^ here.
                """)
    }

    @Test func `a long text is cut around the place`() {
        let text = String(repeating: "age == 1 AND ", count: 100) + "~" + String(repeating: " AND age == 1", count: 100)
        let error = #expect(throws: BanyanError.self) { try PredicateParser.predicate(text) }
        let lines = error!.message.split(separator: "\n")
        #expect(lines[0].hasSuffix("at column 1301"))
        #expect(lines[1].count < 110)
        #expect(lines[1].hasPrefix("    …") && lines[1].dropFirst(lines[2].count - "^ here".count).first == "~")
    }

    @Test(arguments: ["(", "NOT (", "!("])
    func `hostile nesting is an error, not a crash`(opening: String) {
        let text = String(repeating: opening, count: 100_000) + "a == 1" + String(repeating: ")", count: 100_000)
        let error = #expect(throws: BanyanError.self) { try PredicateParser.predicate(text) }
        #expect(error?.message.contains("nested more than") == true)
    }

    @Test func `long chains and rows of negations need no depth`() throws {
        let chain = Array(repeating: "a == 1", count: 50_000).joined(separator: " OR ")
        guard case .or(let parts) = try PredicateParser.predicate(chain) else {
            Issue.record("not a disjunction")
            return
        }
        #expect(parts.count == 50_000)
        let negated = try PredicateParser.predicate(String(repeating: "!", count: 100_001) + "a == 1")
        #expect("\(negated)" == "NOT (a == 1)")
    }

    @Test func `a tree that was built too deep is refused when it is bound`() throws {
        var predicate = BanyanCore.Predicate.compare("age", .equal, .int(1))
        for i in 0..<1000 { predicate = i % 2 == 0 ? .and([predicate]) : .or([predicate]) }
        let layout = try StoreLayout(QueryWorld.schema)
        let error = #expect(throws: BanyanError.self) {
            try CompiledPredicate(predicate, on: QueryWorld.person, layout)
        }
        #expect(error?.code == .invalidQuery)
    }

    @Test func `arguments stand for values and paths`() throws {
        let predicate = try PredicateParser.predicate(
            "%K BEGINSWITH %@ AND dogs.%K IN %@ AND age IN {%@, 2}",
            arguments: QueryArguments([
                .operand(.value(.string("address.city"))), .operand(.value(.string("Os'lo"))), .operand(.path("age")),
                .operand(.values([.int(1), .int(2)])), .operand(.value(.int(7))),
            ]))
        #expect("\(predicate)" == "address.city BEGINSWITH \"Os'lo\" AND dogs.age IN {1, 2} AND age IN {7, 2}")
        #expect(throws: BanyanError.self) { try PredicateParser.predicate("age == 1", values: [.int(1)]) }
        #expect(throws: BanyanError.self) { try PredicateParser.predicate("%K == 1", values: [.int(1)]) }
    }

    @Test(arguments: [
        (
            "age > 1 SORT(name ASC, dog.age DESC) LIMIT(10) OFFSET(5)",
            "age > 1 SORT(name ASC, dog.age DESC) LIMIT(10) OFFSET(5)"
        ),
        ("sort(name)", "TRUEPREDICATE SORT(name ASC)"),
        ("", "TRUEPREDICATE"),
        ("LIMIT(3)", "TRUEPREDICATE LIMIT(3)"),
        ("active SORT(friends.@count descending)", "active == true SORT(friends.@count DESC)"),
        ("limit == 3 AND sort == 1", "#limit == 3 AND #sort == 1"),
    ])
    func `clauses after the predicate`(text: String, printed: String) throws {
        let query = try PredicateParser.query(text, on: "Person").query
        #expect(query.description == printed)
        #expect(try PredicateParser.query(printed, on: "Person").query == query)
    }

    @Test(arguments: [
        ("age > 1 LIMIT(x)", 15), ("age > 1 LIMIT(-1)", 15), ("LIMIT(1) LIMIT(2)", 10), ("SORT()", 6),
        ("SORT(name UP)", 11), ("LIMIT(1) age > 1", 10),
    ])
    func `errors in clauses name the column`(text: String, column: Int) {
        let error = #expect(throws: BanyanError.self) { try PredicateParser.query(text, on: "Person") }
        #expect(error?.message.contains("at column \(column)\n") == true, "\(error?.message ?? "")")
    }

    @Test func `random bytes never crash the parser`() {
        var random = QueryRandom(seed: 5)
        let pieces = [
            "age", "name", ".", "(", ")", "{", "}", "[", "]", "'", "\"", "\\", "==", ">", "IN", "ANY", "NOT", "AND",
            "%@", "$x",
            "SUBQUERY", "@count", "#", "1", "1.5e", "-", "SORT", "LIMIT", ",", " ", "é", "\0", "b64'", "T'", "O'",
        ]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0..<12, using: &random)).map { _ in random.pick(pieces) }.joined()
            do throws(BanyanError) {
                let query = try PredicateParser.query(text, on: "Person").query
                let printed = query.description
                let again = try PredicateParser.query(printed, on: "Person").query
                #expect(again.description == printed, "\(text)")
            } catch {
                #expect(error.code == .invalidQuery)
            }
        }
    }
}
