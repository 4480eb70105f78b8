import BanyanCore
import Foundation
import Testing

/// One object, one property, one comparison.
@Suite struct ValueComparisonTests {
    private func holds(_ text: String, _ property: PropertySchema, _ value: Value) throws -> Bool {
        let layout = try StoreLayout(Schema(types: [TypeSchema(name: "Thing", properties: [property])]))
        let workspace = Workspace(Version.empty(layout))
        let transaction = workspace.begin()
        let id = transaction.create(0)
        transaction.initializeIndexes(id)
        transaction.setValue(id, 0, value)
        #expect(transaction.fault == nil)
        return try PredicateParser.query(text, on: "Thing").plan(on: layout).count(in: workspace.view) == 1
    }

    private func holds(_ text: String, _ value: Value, _ kind: ValueKind) throws -> Bool {
        try holds(text, PropertySchema(name: "v", kind: kind, isOptional: true), value)
    }

    @Test(
        arguments: [
            // The text of a number takes the precision of the property.
            ("v == 0.1", .double(0.1), .double, true),
            ("v == 0.1", .float(0.1), .float, true),
            ("v == 0.1", .decimal128("0.1"), .decimal128, true),
            ("v == 0.10", .decimal128("0.1"), .decimal128, true),
            ("v > 0.1", .double(0.1.nextUp), .double, true),
            ("v > 0.1", .double(0.1), .double, false),
            ("v >= 0.1", .float(0.1), .float, true),
            // Fractions against integers.
            ("v > 2.5", .int(3), .int, true),
            ("v > 2.5", .int(2), .int, false),
            ("v >= 2.5", .int(2), .int8, false),
            ("v < 2.5", .int(2), .int16, true),
            ("v <= -2.5", .int(-3), .int32, true),
            ("v <= -2.5", .int(-2), .int, false),
            ("v == 2.5", .int(2), .int, false),
            ("v != 2.5", .int(2), .int, true),
            ("v == 2.0", .int(2), .int, true),
            ("v IN {1.5, 2.0}", .int(2), .int, true),
            ("v BETWEEN {1.5, 2.5}", .int(2), .int, true),
            // Beyond the range of the kind.
            ("v < 1000", .int(127), .int8, true),
            ("v > 1000", .int(127), .int8, false),
            ("v != 1000", .int(127), .int8, true),
            ("v < 1e300", .int(.max), .int, true),
            ("v > -1e300", .int(.min), .int, true),
            ("v <= 9223372036854775807", .int(.max), .int, true),
            ("v > 9223372036854775806", .int(.max), .int, true),
            ("v >= 9223372036854775808", .int(.max), .int, false),
            ("v == 9007199254740993", .double(9007199254740992), .double, false),
            ("v < 9007199254740993", .double(9007199254740992), .double, true),
            ("v > 9007199254740993", .double(9007199254740994), .double, true),
            ("v < inf", .double(.greatestFiniteMagnitude), .double, true),
            ("v > inf", .double(.infinity), .double, false),
            ("v >= inf", .double(.infinity), .double, true),
            ("v == -inf", .float(-.infinity), .float, true),
            // Zeros and NaN.
            ("v == 0", .double(-0.0), .double, true),
            ("v < 0", .double(-0.0), .double, false),
            ("v == nan", .double(.nan), .double, true),
            ("v != nan", .double(.nan), .double, false),
            ("v < 5", .double(.nan), .double, false),
            ("v > 5", .double(.nan), .double, false),
            ("v != 5", .double(.nan), .double, true),
            ("v >= nan", .double(.nan), .double, true),
            ("v > nan", .double(5), .double, false),
            ("v == nan", .decimal128("NaN"), .decimal128, true),
            ("v < 5", .decimal128("NaN"), .decimal128, false),
            ("v IN {nan, 1}", .double(.nan), .double, true),
            // Nil.
            ("v == nil", .null, .int, true),
            ("v != nil", .null, .int, false),
            ("v != 5", .null, .int, true),
            ("v == 5", .null, .int, false),
            ("v < 5", .null, .int, false),
            ("v >= 0", .null, .int, false),
            ("NOT (v >= 0)", .null, .int, true),
            ("v IN {nil}", .null, .string, true),
            ("v IN {1, 2}", .null, .int, false),
            ("v BEGINSWITH ''", .null, .string, false),
            ("v == false", .null, .bool, false),
            ("v != true", .null, .bool, true),
            // Decimals.
            ("v > '12.50'", .decimal128("12.51"), .decimal128, true),
            ("v == 12.5", .decimal128("12.50"), .decimal128, true),
            ("v < 1", .decimal128("-1E+6000"), .decimal128, true),
            ("v > 3", .decimal128("3.000000000000000000000000000000001"), .decimal128, true),
        ] as [(String, Value, ValueKind, Bool)])
    func `numbers and nil`(text: String, value: Value, kind: ValueKind, expected: Bool) throws {
        #expect(try holds(text, value, kind) == expected)
    }

    @Test(arguments: [
        ("v == 'abc'", "abc", true),
        ("v == 'abc'", "ABC", false),
        ("v ==[c] 'abc'", "ABC", true),
        ("v ==[c] 'É'", "é", true),
        ("v ==[c] 'e'", "é", false),
        ("v ==[d] 'e'", "é", true),
        ("v ==[cd] 'CAFE'", "café", true),
        ("v !=[cd] 'CAFE'", "café", false),
        ("v IN[c] {'x', 'STRASSE'}", "straße", true),
        ("v CONTAINS[c] 'ΟΔΟΣ'", "μία οδος", true),
        ("v BEGINSWITH 'fifteen bytes..'", "fifteen bytes..", true),
        ("v BEGINSWITH 'fifteen bytes..'", "fifteen bytes.. and more", true),
        ("v BEGINSWITH 'fifteen bytes.. and more'", "fifteen bytes..", false),
        ("v BEGINSWITH 'a\\0'", "a", false),
        ("v BEGINSWITH 'a\\0'", "a\0b", true),
        ("v ENDSWITH 'b'", "ab", true),
        ("v ENDSWITH 'ab'", "b", false),
        ("v ENDSWITH ''", "", true),
        ("v CONTAINS 'ö'", "schön", true),
        ("v CONTAINS 'needle'", String(repeating: "need", count: 60) + "needle", true),
        ("v CONTAINS 'needle'", String(repeating: "need", count: 60) + "needl", false),
        ("v CONTAINS 'ab'", "b", false),
        ("v < 'b'", "a", true),
        ("v < 'b'", "é", false),
        ("v BETWEEN {'a', 'b'}", "b", true),
        ("v BETWEEN {'a', 'b'}", "ba", false),
        ("v >= 'sixteen bytes...'", "sixteen bytes...", true),
        ("v LIKE 'a?c'", "abc", true),
        ("v LIKE 'a?c'", "a日c", true),
        ("v LIKE 'a?c'", "ac", false),
        ("v LIKE '*b*'", "abc", true),
        ("v LIKE '*'", "", true),
        ("v LIKE 'a*b*c'", "a-b-b-c", true),
        ("v LIKE 'a*b*c'", "a-b-b-d", false),
        ("v LIKE 'a\\\\*'", "a*", true),
        ("v LIKE 'a\\\\*'", "ab", false),
        ("v LIKE[c] 'A*'", "abc", true),
        ("v LIKE[cd] 'CAF?'", "café", true),
    ])
    func `texts`(text: String, value: String, expected: Bool) throws {
        #expect(try holds(text, .string(value), .string) == expected)
    }

    @Test func `a wildcard that almost matches everywhere is not slow`() throws {
        let text = String(repeating: "a", count: 20_000)
        #expect(try !holds("v LIKE '" + String(repeating: "a*", count: 50) + "b'", .string(text), .string))
    }

    @Test(arguments: [
        ("2024-02-29", 730_857_600.0),
        ("2024-02-29T18:30:00Z", 730_924_200),
        ("2024-02-29T18:30:00.25Z", 730_924_200.25),
        ("2024-02-29 18:30", 730_924_200),
        ("2024-02-29T20:30:00+02:00", 730_924_200),
        ("2024-02-29T13:00-0530", 730_924_200),
        ("2001-01-01", 0),
        ("2000-12-31T23:59:59.5Z", -0.5),
        ("1970-01-01", -978_307_200),
        ("0001-01-01", -63_113_904_000),
    ])
    func `dates are read exactly`(text: String, seconds: Double) throws {
        #expect(ISODate.date(text) == Date(timeIntervalSinceReferenceDate: seconds))
        #expect(try holds("v == '\(text)'", .date(Date(timeIntervalSinceReferenceDate: seconds)), .date))
        #expect(try !holds("v > '\(text)'", .date(Date(timeIntervalSinceReferenceDate: seconds)), .date))
    }

    @Test(arguments: [
        "2024-02-30", "2023-02-29", "2024-13-01", "2024-1-01", "2024-01-01T24:00", "2024-01-01T10", "2024-01-01T10:60",
        "2024-01-01T10:00:00.", "2024-01-01T10:00:00+1", "24-01-01", "0000-01-01", "2024-01-01Z10:00", "",
    ])
    func `what is not a date is none`(text: String) {
        #expect(ISODate.date(text) == nil)
    }

    @Test func `dates print to the bit`() {
        var random = QueryRandom(seed: 9)
        for _ in 0..<5000 {
            let date = Date(timeIntervalSinceReferenceDate: Double.random(in: -6e10...2.5e11, using: &random))
            let text = Literal.text(of: .date(date))
            #expect(Literal.value(of: String(text.dropFirst().dropLast()), as: .date) == .date(date), "\(text)")
        }
        #expect(Literal.text(of: .date(Date(timeIntervalSinceReferenceDate: -1e-20))) == "T\"-1e-20\"")
        #expect(Literal.text(of: .date(Date(timeIntervalSinceReferenceDate: 1e12))) == "T\"1000000000000.0\"")
        #expect(Literal.text(of: .date(Date(timeIntervalSinceReferenceDate: .infinity))) == "T\"inf\"")
    }

    @Test func `numbers of different kinds compare exactly`() throws {
        let properties = [
            PropertySchema(name: "i", kind: .int), PropertySchema(name: "d", kind: .double),
            PropertySchema(name: "m", kind: .decimal128),
        ]
        let layout = try StoreLayout(Schema(types: [TypeSchema(name: "Thing", properties: properties)]))
        let cases: [(Int64, Double, Decimal128, String)] = [
            (9_007_199_254_740_993, 9_007_199_254_740_992, "9007199254740992", "i > d AND i > m AND d == m"),
            (.max, 0x1p63, "9223372036854775807", "i < d AND i == m AND m < d"),
            (.min, -0x1p63, "-9223372036854775808", "i == d AND i == m AND d == m"),
            (0, 0.1, "0.1", "d > m AND i < d"),
            (0, -0.1, "-0.1", "d < m AND i > d"),
            (0, -0.1, "0", "d < m"),
            (0, 0.1, "-1E+400", "d > m"),
            (0, 0.1, "1E-400", "d > m"),
            (0, 0.1, "1E+400", "d < m"),
            (0, 0.1, "-Infinity", "d > m"),
            (0, 0.3, "0.3", "d < m"),
            (0, 0.1, "0.1000000000000000055511151231257827", "d > m"),
            (0, 0.1, "0.1000000000000000055511151231257828", "d < m"),
            (0, .leastNonzeroMagnitude, "4.940656458412465441765687928682214E-324", "d < m"),
            (0, .leastNonzeroMagnitude, "4.940656458412465441765687928682213E-324", "d > m"),
            (0, .greatestFiniteMagnitude, "1.797693134862315708145274237317044E+308", "d < m"),
            (0, -.greatestFiniteMagnitude, "-1.797693134862315708145274237317044E+308", "d > m"),
            (0, -0.0, "-0", "d == m AND i == d"),
            (0, .infinity, "Infinity", "d == m AND i < m"),
            (0, .nan, "NaN", "d == m AND NOT (d < i) AND NOT (d > i) AND d != i"),
        ]
        for (i, d, m, text) in cases {
            let workspace = Workspace(Version.empty(layout))
            let transaction = workspace.begin()
            let id = transaction.create(0)
            transaction.setValue(id, 0, .int(i))
            transaction.setValue(id, 1, .double(d))
            transaction.setValue(id, 2, .decimal128(m))
            let plan = try PredicateParser.query(text, on: "Thing").plan(on: layout)
            #expect(plan.count(in: workspace.view) == 1, "\(i) \(d) \(m): \(text)")
        }
    }

    @Test(arguments: [true, false])
    func `a Double against decimals is the decimal that it prints as, and in AnyValues its exact value`(
        isAny: Bool
    ) throws {
        let property = PropertySchema(name: "v", kind: isAny ? .any : .decimal128)
        let layout = try StoreLayout(Schema(types: [TypeSchema(name: "Thing", properties: [property])]))
        let workspace = Workspace(Version.empty(layout))
        let transaction = workspace.begin()
        let id = transaction.create(0)
        func count(_ relation: Comparison.Operator) throws -> Int {
            let predicate = BanyanCore.Predicate.compare("v", relation, .double(0.1))
            return try CompiledPredicate(predicate, on: 0, layout).count(in: workspace.view)
        }
        // The Double nearest to 0.1 is 0.1000000000000000055511151231257827021181583404541015625.
        for (text, exactly, printed) in [
            ("0.1", -1, 0), ("0.100000000000000005", -1, 1), ("0.1000000000000000055511151231257827", -1, 1),
            ("0.1000000000000000055511151231257828", 1, 1), ("0.2", 1, 1), ("-0.1", -1, -1),
        ] {
            let order = isAny ? exactly : printed
            transaction.setValue(id, 0, .decimal128(try Decimal128(string: text)))
            #expect(try count(.less) == (order < 0 ? 1 : 0), "\(text)")
            #expect(try count(.equal) == (order == 0 ? 1 : 0), "\(text)")
            #expect(try count(.greaterOrEqual) == (order >= 0 ? 1 : 0), "\(text)")
        }
    }

    @Test(
        arguments: [
            ("v == 0.1", .double(0.1), true), ("v == 0.1", .decimal128("0.1"), false), ("v == 0.1", .float(0.1), false),
            ("v == 0.5", .float(0.5), true), ("v == 0.5", .decimal128("0.50"), true), ("v == 2.0", .int(2), true),
            ("v == -9223372036854775809", .int(.min), false), ("v == -9223372036854775809", .double(-0x1p63), false),
            ("v == 9223372036854775808", .double(0x1p63), true),
            ("v > 9007199254740992", .int(9_007_199_254_740_993), true),
            ("v IN {0.1, 3}", .decimal128("3.00"), true), ("v BETWEEN {0.1, 0.1}", .double(0.1), true),
            ("v BETWEEN {0.1, 0.1}", .decimal128("0.1"), false),
        ] as [(String, Value, Bool)])
    func `a number in a text finds AnyValues of that very value, as a literal of Swift does`(
        text: String, value: Value, expected: Bool
    ) throws {
        for isIndexed in [true, false] {
            let property = PropertySchema(name: "v", kind: .any, isIndexed: isIndexed)
            #expect(try holds(text, property, value) == expected)
        }
    }

    @Test(
        arguments: [
            ("v == 1E+400", .double(.infinity), .double, false), ("v > 1E+400", .double(.infinity), .double, true),
            ("v > 1e300", .float(.infinity), .float, true), ("v == 1e300", .float(.infinity), .float, false),
            ("v < 1e300", .float(.greatestFiniteMagnitude), .float, true),
            ("v < -1E+400", .double(-.infinity), .double, true), ("v == 1.5E+2", .int(150), .int, true),
            ("v == 1.5E+2", .double(150), .double, true), ("v == 1.5E+2", .decimal128("150"), .decimal128, true),
            ("v == 3.14159265358979323846", .double(.pi), .double, true),
        ] as [(String, Value, ValueKind, Bool)])
    func `numbers beyond a kind, and those with exponents`(
        text: String, value: Value, kind: ValueKind, expected: Bool
    ) throws {
        #expect(try holds(text, value, kind) == expected)
    }
}
