import Banyan
import Foundation

private let epoch = Date(timeIntervalSinceReferenceDate: 0)
private let long = "a name of more than fifteen bytes"

/// Text is compared byte by byte, not by what it looks like.
private func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
private func isLess(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }

extension Condition {
    static func scalars() -> [Condition] {
        var list: [Condition] = []
        list.add("group ==", { $0.group == 2 }) { item, _ in item.group == 2 }
        list.add("group !=", { $0.group != 2 }) { item, _ in item.group != 2 }
        list.add("group <", { $0.group < 0 }) { item, _ in item.group < 0 }
        list.add("group >= and <=", { $0.group >= -1 && $0.group <= 2 }) { item, _ in (-1...2).contains(item.group) }
        list.add("group in", { $0.group.in([1, -3, 7]) }) { item, _ in [1, -3, 7].contains(item.group) }
        list.add("group in range", { $0.group.contains(-1...1) }) { item, _ in (-1...1).contains(item.group) }
        list.add("group in half-open range", { $0.group.contains(-1..<1) }) { item, _ in (-1..<1).contains(item.group) }
        list.add("bare flag", { $0.flag }) { item, _ in item.flag }
        list.add("not flag", { !$0.flag }) { item, _ in !item.flag }
        list.add("small >", { $0.small > 0 }) { item, _ in item.small > 0 }
        list.add("small ==", { $0.small == -128 || $0.small == 127 }) { item, _ in
            item.small == -128 || item.small == 127
        }
        list.add("amount == nil", { $0.amount == nil }) { item, _ in item.amount == nil }
        list.add("amount != nil", { $0.amount != nil }) { item, _ in item.amount != nil }
        list.add("amount >", { $0.amount > 3 }) { item, _ in item.amount.map { $0 > 3 } ?? false }
        list.add("amount !=", { $0.amount != 3 }) { item, _ in item.amount != 3 }
        list.add("price", { $0.price <= 1.5 }) { item, _ in item.price <= 1.5 }
        list.add("ratio", { $0.ratio == 1.5 || $0.ratio < -1 }) { item, _ in
            item.ratio == 1.5 || item.ratio.map { $0 < -1 } ?? false
        }
        list.add("day", { $0.day < epoch }) { item, _ in item.day < epoch }
        list.add("day in range", { $0.day.contains(epoch...epoch.addingTimeInterval(90_000)) }) { item, _ in
            (epoch...epoch.addingTimeInterval(90_000)).contains(item.day)
        }
        list.add("grade", { $0.grade == .fair }) { item, _ in item.grade == .fair }
        list.add("grade in", { $0.grade.in([.fair, .poor]) }) { item, _ in item.grade != .good }
        list.add("maybe nil", { $0.maybe == nil || $0.maybe == .poor }) { item, _ in
            item.maybe == nil || item.maybe == .poor
        }
        list.add("decimal", { $0.decimal >= 3 }) { item, _ in item.decimal >= 3 }
        list.add("columns", { $0.id > $0.group }) { item, _ in item.id > item.group }
        list.add("id", { $0.id == 17 }) { item, _ in item.id == 17 }
        return list
    }

    static func texts() -> [Condition] {
        var list: [Condition] = []
        list.add("name ==", { $0.name == "ada" }) { item, _ in bytes(item.name) == bytes("ada") }
        list.add("name == long", { $0.name == long }) { item, _ in item.name == long }
        list.add("name ==, precomposed", { $0.name == "é" }) { item, _ in bytes(item.name) == bytes("é") }
        list.add("name !=", { $0.name != "" }) { item, _ in item.name != "" }
        list.add("name <", { $0.name < "b" }) { item, _ in isLess(item.name, "b") }
        list.add("name in", { $0.name.in(["Bo", long, "?"]) }) { item, _ in item.name == "Bo" || item.name == long }
        list.add("name starts", { $0.name.starts(with: "a") }) { item, _ in item.name.utf8.first == UInt8(ascii: "a") }
        list.add("name ends", { $0.name.ends(with: "bytes") }) { item, _ in item.name.hasSuffix("bytes") }
        list.add("name contains", { $0.name.contains("name") }) { item, _ in item.name.contains("name") }
        list.add("name like", { $0.name.like("a*s") }) { item, _ in item.name.hasPrefix("a") && item.name.hasSuffix("s")
        }
        list.add("name ==, any case", { $0.name.equals("ADA", options: .caseInsensitive) }) { item, _ in
            item.name.lowercased() == "ada"
        }
        list.add("note == nil", { $0.note == nil }) { item, _ in item.note == nil }
        list.add("note ==", { $0.note == "ab" }) { item, _ in item.note == "ab" }
        list.add("note contains", { $0.note.contains("name") }) { item, _ in item.note?.contains("name") ?? false }
        return list
    }

    static func paths() -> [Condition] {
        var list: [Condition] = []
        list.add("parent == nil", { $0.parent == nil }) { item, _ in item.parent == nil }
        list.add("parent.group", { $0.parent.group == 1 }) { item, all in item.parent.flatMap { all[$0] }?.group == 1 }
        list.add("parent.parent.flag", { $0.parent.parent.flag == true }) { item, all in
            item.parent.flatMap { all[$0] }?.parent.flatMap { all[$0] }?.flag == true
        }
        list.add("parent.group == nil", { $0.parent.group == nil }) { item, all in
            item.parent.flatMap { all[$0] } == nil
        }
        list.add("parent.price != nil", { $0.parent.price != nil }) { item, all in
            item.parent.flatMap { all[$0] } != nil
        }
        list.add("parent.name", { $0.parent.name == "Ada" }) { item, all in
            item.parent.flatMap { all[$0] }?.name == "Ada"
        }
        list.add("place.city", { $0.place.city == "ab" }) { item, _ in item.city == "ab" }
        list.add("place == nil", { $0.place == nil }) { item, _ in item.city == nil }
        list.add("any part", { $0.parts.group == 2 }) { item, all in item.parts.contains { all[$0]?.group == 2 } }
        list.add("any part's parent", { $0.parts.parent.flag == true }) { item, all in
            item.parts.contains { all[$0]?.parent.flatMap { all[$0] }?.flag == true }
        }
        list.add("count", { $0.parts.count >= 2 }) { item, _ in item.parts.count >= 2 }
        list.add("no parts", { $0.parts.count == 0 }) { item, _ in item.parts.isEmpty }
        list.add("numbers contain", { $0.numbers.contains(2) }) { item, _ in item.numbers.contains(2) }
        list.add("numbers' sum", { $0.numbers.sum > 2 }) { item, _ in item.numbers.reduce(0, +) > 2 }
        list.add("numbers' max", { $0.numbers.max == 3 }) { item, _ in item.numbers.max() == 3 }
        list.add("numbers' min", { $0.numbers.min < 0 }) { item, _ in item.numbers.min().map { $0 < 0 } ?? false }
        list.add("words contain", { $0.words.contains("Ada") }) { item, _ in item.words.contains("Ada") }
        list.add("words' count", { $0.words.count > 1 }) { item, _ in item.words.count > 1 }
        list.add("children", { $0.children.count > 0 }) { item, all in all.values.contains { $0.parent == item.id } }
        list.add("any child", { $0.children.group == 1 }) { item, all in
            all.values.contains { $0.parent == item.id && $0.group == 1 }
        }
        return list
    }

    static func quantified() -> [Condition] {
        var list: [Condition] = []
        list.add("all numbers", { $0.numbers.all > 0 }) { item, _ in item.numbers.allSatisfy { $0 > 0 } }
        list.add("all numbers !=", { $0.numbers.all != 2 }) { item, _ in item.numbers.allSatisfy { $0 != 2 } }
        list.add("no number", { $0.numbers.none == 2 }) { item, _ in !item.numbers.contains(2) }
        list.add("no number in", { $0.numbers.none.in([1, 2]) }) { item, _ in
            !item.numbers.contains { [1, 2].contains($0) }
        }
        list.add("any number", { $0.numbers.any < 0 }) { item, _ in item.numbers.contains { $0 < 0 } }
        list.add("numbers above the group", { $0.numbers.all > $0.group }) { item, _ in
            item.numbers.allSatisfy { $0 > item.group }
        }
        list.add("a group below all numbers", { $0.group < $0.numbers.all }) { item, _ in
            item.numbers.allSatisfy { $0 > item.group }
        }
        list.add("no word", { $0.words.none.starts(with: "a") }) { item, _ in
            !item.words.contains { $0.utf8.first == UInt8(ascii: "a") }
        }
        list.add("all parts", { $0.parts.all.group > 0 }) { item, all in
            item.parts.allSatisfy { all[$0].map { $0.group > 0 } ?? false }
        }
        list.add("all parts' flags", { $0.parts.all.flag }) { item, all in
            item.parts.allSatisfy { all[$0]?.flag == true }
        }
        list.add("no part's parent", { $0.parts.none.parent.flag == true }) { item, all in
            !item.parts.contains { all[$0]?.parent.flatMap { all[$0] }?.flag == true }
        }
        list.add("all of the parts' numbers", { $0.parts.numbers.all < 2 }) { item, all in
            item.parts.flatMap { all[$0]?.numbers ?? [] }.allSatisfy { $0 < 2 }
        }
        list.add("all children", { $0.children.all.group == 1 }) { item, all in
            all.values.allSatisfy { $0.parent != item.id || $0.group == 1 }
        }
        list.add("no child", { $0.children.none.name == "Ada" }) { item, all in
            !all.values.contains { $0.parent == item.id && $0.name == "Ada" }
        }
        return list
    }

    static func all() -> [Condition] { scalars() + texts() + paths() + quantified() }

    static func && (a: Condition, b: Condition) -> Condition {
        Condition("(\(a.text)) && (\(b.text))", { a.query($0) && b.query($0) }) { a.oracle($0, $1) && b.oracle($0, $1) }
    }
    static func || (a: Condition, b: Condition) -> Condition {
        Condition("(\(a.text)) || (\(b.text))", { a.query($0) || b.query($0) }) { a.oracle($0, $1) || b.oracle($0, $1) }
    }
    static prefix func ! (a: Condition) -> Condition {
        Condition("!(\(a.text))", { !a.query($0) }) { !a.oracle($0, $1) }
    }
}

extension [Condition] {
    fileprivate mutating func add(
        _ text: String, _ query: @escaping (Query<Item>) -> Query<Bool>,
        _ oracle: @escaping (PlainItem, [Int: PlainItem]) -> Bool
    ) {
        append(Condition(text, query, oracle))
    }
}
