import BanyanCore
import Testing

@Suite struct AnyValueBindingTests {
    private static let schema = Schema(types: [
        TypeSchema(
            name: "Thing",
            properties: [
                PropertySchema(name: "data", kind: .any),
                PropertySchema(name: "items", kind: .any, shape: .list),
                PropertySchema(name: "kinds", kind: .any, shape: .set),
                PropertySchema(name: "notes", kind: .any, shape: .map(key: .string)),
                PropertySchema(name: "rows", kind: .any, shape: .map(key: .int)),
                PropertySchema(name: "names", kind: .string, shape: .list),
                PropertySchema(name: "things", kind: .object, shape: .list, target: "Thing"),
                PropertySchema(name: "number", kind: .int),
            ])
    ])
    let layout: StoreLayout

    init() throws { layout = try StoreLayout(Self.schema.withNestedValues) }

    @Test(arguments: [
        ("data[ 'a' ] == 1", "data[\"a\"] == 1"),
        ("data['a'][0]['b'] == 1", "data[\"a\"][0][\"b\"] == 1"),
        ("data[first] == data[Last]", "data[FIRST] == data[LAST]"),
        ("ALL data[*][*] == 1", "ALL data[*][*] == 1"),
        ("data.@values.@values == 1", "data[*][*] == 1"),
        ("data['a'].@keys CONTAINS 'b'", "data[\"a\"].@keys CONTAINS \"b\""),
        ("data[SIZE] > 1", "data.@count > 1"),
        ("data['a'].@size > 1", "data[\"a\"].@count > 1"),
        ("data[*].@type == 'string'", "data[*].@type == \"string\""),
        ("things[0].notes['a'][3] == nil", "things[0].notes[\"a\"][3] == nil"),
        ("rows[-1] == 1", "rows[-1] == 1"),
        ("data['a'].@sum > items.@max", "data[\"a\"].@sum > items.@max"),
        ("names[LAST] BEGINSWITH[c] 'a'", "names[LAST] BEGINSWITH[c] \"a\""),
    ])
    func `paths into values are read, printed in one form that reads back the same, and bound`(
        text: String, printed: String
    ) throws {
        let predicate = try PredicateParser.predicate(text)
        #expect(predicate.description == printed)
        #expect(try PredicateParser.predicate(printed) == predicate)
        _ = try PredicateParser.query(text, on: "Thing").plan(on: layout)
    }

    @Test func `keys and indexes may be arguments`() throws {
        let predicate = try PredicateParser.predicate("data[%@][%@] == %@", values: [.string("a"), .int(2), .int(3)])
        #expect(predicate.description == "data[\"a\"][2] == 3")
    }

    @Test(arguments: [
        ("data[] == 1", 6, "expected a key, an index, FIRST, LAST, SIZE or *, found ']'"),
        ("data[a] == 1", 6, "expected a key, an index, FIRST, LAST, SIZE or *, found 'a'"),
        ("data['a' == 1", 10, "expected ']', found '=='"),
        ("data[%@] == 1", 6, "there is no argument for '%@'"),
        ("data.@sum[SIZE] == 1", 11, "a second aggregate in one path"),
    ])
    func `what is wrong in brackets is shown`(text: String, column: Int, message: String) throws {
        let error = #expect(throws: BanyanError.self) { try PredicateParser.predicate(text) }
        #expect(error?.message.hasPrefix("\(message) at column \(column)\n") == true, "\(error?.message ?? "")")
    }

    @Test(
        arguments: [
            (
                "number > 1 AND data.name == 1", 16, "'data' is AnyValue, so nothing can follow it in 'data.name'",
                "Write data[\"name\"] for the key of a dictionary"
            ),
            ("data[0].name == 1", 1, "'data[0]' is AnyValue, so nothing can follow it in 'data[0].name'", nil),
            (
                "items['a'] == 1", 1, "'items' is List<AnyValue>, whose elements are found by index",
                "Write items[*][\"a\"] to look into each of them"
            ),
            ("names['a'] == 'x'", 1, "'names' is List<String>, whose elements are found by index", nil),
            ("kinds[0] == 1", 1, "'kinds[0]' asks for the keys of something that is not a map", nil),
            ("notes[0] == 1", 1, "the keys of 'notes' are String", nil),
            ("notes[FIRST] == 1", 1, "'notes[FIRST]' asks for the keys of something that is not a map", nil),
            ("rows['a'] == 1", 1, "the keys of 'rows' are Int", nil),
            ("number[0] == 1", 1, "'number[0]' asks for the keys of something that is not a map", nil),
            ("data[-1] == 1", 1, "an index in 'data[-1]' is below 0", "Write [LAST] for the last element"),
            ("data[1.5] == 1", 1, "1.5 in 'data[1.5]' is neither a key nor an index", nil),
            ("number.@type == 'int'", 1, "@type stands at the end of a path to an AnyValue", nil),
            ("data.@type['a'] == 'int'", 1, "@type stands at the end of a path to an AnyValue", nil),
            ("data.@type == 'colour'", 1, "there is no type 'colour' of AnyValues", nil),
            ("data.@type == 1", 1, "'data.@type' is compared with the name of a type", nil),
            ("data.@type < 'int'", 1, "'data.@type' can be compared with ==, != and IN only", nil),
            (
                "data.@type == items[0].@type", 1, "'data.@type' is compared with the names of types, and nothing else",
                nil
            ),
            (
                "number > 1 SORT(data.@type)", 17, "'data.@type' is compared with the names of types, and nothing else",
                nil
            ),
            (
                "number > 1 SORT(data[*])", 17, "'data[*]' is AnyValue; objects are sorted by one value each", nil
            ),
            ("data CONTAINS 1", 1, "'data' is AnyValue; CONTAINS looks into texts", nil),
        ] as [(String, Int, String, String?)])
    func `what does not fit is refused with the reason and the column`(
        text: String, column: Int, message: String, remedy: String?
    ) throws {
        let parsed = try PredicateParser.query(text, on: "Thing")
        let error = #expect(throws: BanyanError.self) { try parsed.plan(on: layout) }
        #expect(error?.code == .invalidQuery)
        #expect(error?.message.hasPrefix("\(message) at column \(column)\n") == true, "\(error?.message ?? "")")
        if let remedy { #expect(error?.remedy == remedy) }
    }

    @Test func `hostile paths are an error, not a crash`() throws {
        let text = "data" + String(repeating: "[0]", count: 100_000) + " == 1"
        let error = #expect(throws: BanyanError.self) {
            try PredicateParser.query(text, on: "Thing").plan(on: layout)
        }
        #expect(error?.message.hasPrefix("a path of more than 250 steps") == true)
    }

    @Test func `an object of no type that is there is equal to nothing`() throws {
        let workspace = Workspace(Version.empty(layout))
        _ = workspace.begin().create(0)
        let plan = try PredicateParser.query("data == O'99:1' OR data IN {O'99:1'}", on: "Thing").plan(on: layout)
        #expect(plan.count(in: workspace.view) == 0)
    }

    @Test func `a schema without a place for nested values says so`() throws {
        let layout = try StoreLayout(Self.schema)
        let error = #expect(throws: BanyanError.self) {
            try PredicateParser.query("data['a'] == 1", on: "Thing").plan(on: layout)
        }
        #expect(error?.message.hasPrefix("the AnyValues of this schema hold no lists and dictionaries") == true)
    }

    @Test func `what hangs on other objects is known to who watches a query`() throws {
        func tables(_ text: String) throws -> Set<Int> {
            let plan = try PredicateParser.query(text, on: "Thing").plan(on: layout)
            return Set(plan.paths.flatMap { $0.steps.map(\.table) })
        }
        let nested = try #require(layout.nestedTable)
        for text in ["data['a'] == 1", "data[*] == 1", "data.@count == 1", "data.@sum == 1", "ALL data.@keys == 'a'"] {
            #expect(try tables(text) == [0, nested], "\(text)")
        }
        #expect(try tables("data == 1 AND items[0] == 1 AND notes['a'].@type == 'int'") == [0])
    }
}
