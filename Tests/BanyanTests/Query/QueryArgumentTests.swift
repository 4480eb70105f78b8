import Banyan
import Foundation
import Testing

/// Texts of queries with arguments, which are values whatever they look like.
@Suite("Arguments of string queries")
struct QueryArgumentTests {
    private func items() throws -> Results<Item> {
        let graph = Graph(try Store(.init(models: [Item.self, Abode.self])))
        try graph.write {
            for i in 0..<6 {
                let item = Item()
                (item.id, item.name, item.group) = (i, ["Ada", "Bo", "x' OR name != '"][i % 3], i % 2)
                (item.amount, item.price, item.ratio) = (i == 0 ? nil : i, Double(i) / 10, Float(i) / 10)
                (item.decimal, item.flag, item.note) = (Decimal128(i) / 10, i > 3, i == 1 ? "note" : nil)
                (item.grade, item.maybe) = (i == 2 ? .fair : .good, i == 3 ? .poor : nil)
                item.day = Date(timeIntervalSinceReferenceDate: Double(i))
                try graph.add(item)
                item.parent = i > 0 ? graph.objects(Item.self)[i - 1] : nil
                item.parts.append(objectsIn: Array(graph.objects(Item.self).prefix(i)))
                item.words.insert("w\(i)")
                item.numbers.append(i)
            }
        }
        return graph.objects(Item.self)
    }

    @Test("Values of every type stand for themselves")
    func values() throws {
        let items = try items()
        func found(_ text: String, _ arguments: Any?...) throws -> [Int] {
            let found = try items.filter(text, arguments: arguments).map(\.id)
            #expect(try items.graph.dynamicObjects("Item").filter(text, arguments: arguments).count == found.count)
            return found
        }
        #expect(try found("name == %@ AND id > %@", "Ada", 1) == [3])
        #expect(try found("amount == %@", nil) == [0])
        #expect(try found("amount == %@", Int?.none) == [0])
        #expect(try found("amount == %@", Optional(2)) == [2])
        #expect(try found("price == %@", 0.3) == [3])
        #expect(try found("ratio == %@", 0.3) == [3])
        #expect(try found("ratio == %@", Float(0.3)) == [3])
        #expect(try found("decimal == %@", Decimal128("0.3")) == [3])
        #expect(try found("decimal == %@", 0.3) == [3])
        #expect(try found("id == %@", Int8(3)) == [3])
        #expect(try found("id == %@", UInt(3)) == [3])
        #expect(try found("id == %@", NSNumber(value: 3)) == [3])
        #expect(try found("flag == %@", true) == [4, 5])
        #expect(try found("grade == %@", Grade.fair) == [2])
        #expect(try found("maybe == %@", Grade.poor) == [3])
        #expect(try found("day == %@", Date(timeIntervalSinceReferenceDate: 2)) == [2])
        #expect(try found("parent == %@", items[2]) == [3])
        #expect(try found("parent == %@", items.graph.dynamicObjects("Item")[2]) == [3])
        #expect(try found("%@ IN parts", items[4]) == [5])
        #expect(try found("name BEGINSWITH[c] %@", "a") == [0, 3])
        #expect(try found("name LIKE %@", "A?a") == [0, 3])
        #expect(try found("id == %@", AnyValue.int(4)) == [4])
        #expect(try found("%@ < id", 4) == [5])
    }

    @Test("Several values stand after IN and BETWEEN, alone or among others")
    func several() throws {
        let items = try items()
        #expect(try items.filter("id IN %@", [1, 3, 99]).map(\.id) == [1, 3])
        #expect(try items.filter("id IN %@", Set([1, 3])).map(\.id) == [1, 3])
        #expect(try items.filter("id IN %@", 2...3).map(\.id) == [2, 3])
        #expect(try items.filter("amount IN %@", [1, nil]).map(\.id) == [0, 1])
        #expect(try items.filter("id IN {%@, 5, $x}".replacing("$x", with: "%@"), 1, 2).map(\.id) == [1, 2, 5])
        #expect(try items.filter("id BETWEEN %@", [2, 4]).map(\.id) == [2, 3, 4])
        #expect(try items.filter("id BETWEEN {%@, %@}", 2, 3).map(\.id) == [2, 3])
        #expect(try items.filter("id IN %@", items[5].numbers).map(\.id) == [5])
        #expect(try items.filter("parent IN %@", Array(items.prefix(2))).map(\.id) == [1, 2])
        #expect(try items.filter("id IN %@", [Int]()).isEmpty)
    }

    @Test("%K is a path, by names or by a key path, and what its end amounts to")
    func paths() throws {
        let items = try items()
        #expect(try items.filter("%K == %@", "name", "Bo").map(\.id) == [1, 4])
        #expect(try items.filter("%K == %@", "parent.parent.id", 1).map(\.id) == [3])
        #expect(try items.filter("%K == %@", \Item.parent?.id, 1).map(\.id) == [2])
        #expect(try items.filter("parent.%K == %@", \Item.name, "Bo").map(\.id) == [2, 5])
        #expect(try items.filter("%K > %@", "parts.@count", 4).map(\.id) == [5])
        #expect(try items.filter("%K == 3", "parts.id.@max").map(\.id) == [4])
        #expect(try items.filter("ANY %K == %@", "parts.id", 4).map(\.id) == [5])
    }

    @Test("Arguments by name")
    func names() throws {
        let items = try items()
        #expect(try items.filter("id > $low AND id < $high", arguments: ["low": 1, "high": 4]).map(\.id) == [2, 3])
        #expect(try items.filter("id == $a OR amount == $a", arguments: ["a": 2]).map(\.id) == [2])
        #expect(
            try items.filter("id IN {$a, 5} OR id IN $b", arguments: ["a": 2, "b": [3, 4]]).map(\.id) == [2, 3, 4, 5])
        #expect(try items.filter("amount == $nothing", arguments: ["nothing": nil]).map(\.id) == [0])
        let text = "SUBQUERY(parts, $p, $p.id > $limit).@count > 1"
        #expect(try items.filter(text, arguments: ["limit": 2]).map(\.id) == [5])
    }

    @Test("What looks like a query in an argument is a value, and in %K the name of nothing")
    func injection() throws {
        let items = try items()
        let fromUser = "x' OR name != '"
        // Written into the text it finds what it should not; this is what arguments are for.
        #expect(try items.filter("name == '\(fromUser)'").count == 6)
        #expect(try items.filter("name == %@", fromUser).map(\.id) == [2, 5])
        #expect(try items.filter("name == $name", arguments: ["name": fromUser]).map(\.id) == [2, 5])
        #expect(try items.filter("name IN %@", [fromUser]).map(\.id) == [2, 5])
        for path in [
            "name == 'x' OR name", "name) OR (id", "", ".", "name.", "name..id", "@count", "%@", "$x", "name name",
        ] {
            #expect(throws: BanyanError.self) { try items.filter("%K == 1", path) }
        }
    }

    @Test("What does not fit is an error that names the column")
    func mistakes() throws {
        let items = try items()
        let cases: [(String, [Any?], Int, String)] = [
            ("name == %@", [], 9, "there is no argument for '%@'"),
            ("name == %@", ["a", "b"], 11, "2 arguments were given, and the text takes 1"),
            ("name == 'a'", ["a"], 12, "1 argument was given, and the text takes 0"),
            ("flag AND id == %@", ["a"], 10, "'id' is Int; it cannot be compared with a string"),
            ("id > 1 AND name == %@", [1], 12, "'name' is String; it cannot be compared with a number"),
            ("id > %@", [nil], 1, "'id' is Int; nil can be compared with == and != only"),
            ("id > 1 AND %K == 1", ["nme"], 12, "Item has no property 'nme'"),
            ("id > 1 AND %K == 1", [1], 12, "the argument for '%K' is not a path"),
            ("id > 1 AND %K == 1", [\Computing.number], 12, "Item has no property 'number'"),
            ("%K == 1", [\Computing.clamped], 1, "the key path"),
            ("id == %@", [[1, 2]], 7, "== takes one value, not several"),
            ("id IN %@", [1], 7, "IN takes values in braces or a collection"),
            ("id BETWEEN %@", [[1]], 12, "BETWEEN takes two values in braces"),
            ("name == %@", [URL(filePath: "/")], 9, "the argument is a URL, which no query compares with"),
            (
                "name IN %@", [["a", URL(filePath: "/")] as [Any]], 9,
                "the argument is a URL, which no query compares with"
            ),
            ("parent == %@", [Item()], 11, "the argument is an object that is not in this graph"),
            ("id IN {1, %@}", [\Item.id], 11, "the argument is not a value"),
        ]
        for (text, arguments, column, message) in cases {
            let error = #expect(throws: BanyanError.self) { try items.filter(text, arguments: arguments) }
            #expect(error?.code == .invalidQuery)
            let said = error?.message ?? ""
            #expect(said.hasPrefix(message) && said.contains(" at column \(column)\n"), "\(text): \(said)")
        }
    }

    @Test("A name that is not there, or not used, is an error")
    func missingNames() throws {
        let items = try items()
        for (text, arguments, column, message) in [
            ("id == $a", [:], 7, "there is no '$a' here"), ("id == $a", ["b": 1], 7, "there is no '$a' here"),
            ("id == $a", ["a": 1, "b": 2], 9, "there is no $b in the text"),
        ] as [(String, [String: Any?], Int, String)] {
            let error = #expect(throws: BanyanError.self) { try items.filter(text, arguments: arguments) }
            #expect(
                error?.message.hasPrefix(message) == true && error?.message.contains(" at column \(column)\n") == true)
        }
    }

    @Test("Collections of objects, maps and erased collections take arguments too")
    func collections() throws {
        let items = try items()
        #expect(try items[5].parts.filter("id > %@", 2).map(\.id) == [3, 4])
        #expect(try items[5].parts.filter("id > $x", arguments: ["x": 2]).count == 2)
        #expect(try items[0].children.filter("%K == %@", "id", 1).count == 1)
        #expect(try AnyObjectCollection(items).filter("id IN %@", [1, 2]).count == 2)
        #expect(try items.filter("id > %@", 1).filter("id < %@", 4).map(\.id) == [2, 3])
    }
}
