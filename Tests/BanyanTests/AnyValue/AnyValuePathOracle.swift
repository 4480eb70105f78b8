import Banyan
import Foundation

/// A path to AnyValues: as a typed query says it, as the string language does, and in plain Swift.
struct CratePath: Sendable {
    let text: String
    let query: @Sendable (Query<Crate>) -> Query<AnyValue>
    /// What it reaches. Nothing is one nil, unless the path goes through several values.
    let reach: @Sendable (PlainCrate, [Int: PlainCrate]) -> [PlainAny?]

    init(
        _ text: String, _ query: @escaping @Sendable (Query<Crate>) -> Query<AnyValue>,
        _ reach: @escaping @Sendable (PlainCrate, [Int: PlainCrate]) -> [PlainAny?]
    ) {
        (self.text, self.query, self.reach) = (text, query, reach)
    }

    static let all: [CratePath] = [
        CratePath("data", { $0.data }) { crate, _ in [crate.data] },
        CratePath("tag", { $0.tag }) { crate, _ in [crate.tag] },
        CratePath("data['a']", { $0.data["a"] }) { crate, _ in [crate.data["a"]] },
        CratePath("data['a']['b']", { $0.data["a"]["b"] }) { crate, _ in [crate.data["a"]?["b"]] },
        CratePath("data[0]", { $0.data[0] }) { crate, _ in [crate.data[0]] },
        CratePath("data[FIRST]", { $0.data.first }) { crate, _ in [crate.data[0]] },
        CratePath("data[last]", { $0.data.last }) { crate, _ in [crate.data.last] },
        CratePath("data['a'][0]['b']", { $0.data["a"][0]["b"] }) { crate, _ in [crate.data["a"]?[0]?["b"]] },
        CratePath("data[1]['a'][LAST]", { $0.data[1]["a"].last }) { crate, _ in [crate.data[1]?["a"]?.last] },
        CratePath("data[99]", { $0.data[-1] }) { _, _ in [nil] },
        CratePath("data[*]", { $0.data.any }) { crate, _ in crate.data.contents ?? [] },
        CratePath("data[*][*]", { $0.data.any.any }) { crate, _ in
            (crate.data.contents ?? []).flatMap { $0.contents ?? [] }
        },
        CratePath("data.@values['a']", { $0.data.any["a"] }) { crate, _ in
            (crate.data.contents ?? []).map { $0["a"] }
        },
        CratePath("data['a key of more than fifteen bytes'][*]", { $0.data[CrateWorld.keys[2]].any }) { crate, _ in
            crate.data[CrateWorld.keys[2]]?.contents ?? []
        },
        CratePath("items", { $0.items.any }) { crate, _ in crate.items },
        CratePath("items[0]", { $0.items[0] }) { crate, _ in [crate.items.first] },
        CratePath("items[LAST]", { $0.items.last }) { crate, _ in [crate.items.last] },
        CratePath("items[1]['a']", { $0.items[1]["a"] }) { crate, _ in
            [crate.items.count > 1 ? crate.items[1]["a"] : nil]
        },
        CratePath("items[*]['a']", { $0.items.any["a"] }) { crate, _ in crate.items.map { $0["a"] } },
        CratePath("items[*][*]", { $0.items.any.any }) { crate, _ in crate.items.flatMap { $0.contents ?? [] } },
        CratePath("kinds[*]", { $0.kinds.any }) { crate, _ in crate.kinds.map { .leaf($0) } },
        CratePath("notes['a']", { $0.notes["a"] }) { crate, _ in [crate.notes["a"]] },
        CratePath("notes['b']['a']", { $0.notes["b"]["a"] }) { crate, _ in [crate.notes["b"]?["a"]] },
        CratePath("notes[*]", { $0.notes.values }) { crate, _ in Array(crate.notes.values) },
        CratePath("notes.@values[0]", { $0.notes.values[0] }) { crate, _ in crate.notes.values.map { $0[0] } },
        CratePath("rows[1]", { $0.rows[1] }) { crate, _ in [crate.rows[1]] },
        CratePath("rows[1][0]", { $0.rows[1][0] }) { crate, _ in [crate.rows[1]?[0]] },
        CratePath("next.data['a']", { $0.next.data["a"] }) { crate, all in [crate.next.flatMap { all[$0] }?.data["a"]]
        },
        CratePath("next.next.data[*]", { $0.next.next.data.any }) { crate, all in
            crate.next.flatMap { all[$0] }?.next.flatMap { all[$0] }?.data.contents ?? []
        },
        CratePath("next.items[0]", { $0.next.items[0] }) { crate, all in
            [crate.next.flatMap { all[$0] }?.items.first]
        },
        CratePath("crates.data['a']", { $0.crates.data["a"] }) { crate, all in
            crate.crates.map { all[$0]?.data["a"] }
        },
        CratePath("crates[0].data[0]", { $0.crates[0].data[0] }) { crate, all in
            [crate.crates.first.flatMap { all[$0] }?.data[0]]
        },
        CratePath("crates.notes['a'][*]", { $0.crates.notes["a"].any }) { crate, all in
            crate.crates.flatMap { all[$0]?.notes["a"]?.contents ?? [] }
        },
    ]
}

/// A condition on one value: as a typed query says it, as the string language does, and in plain Swift.
struct LeafCondition: Sendable {
    let text: String
    let query: @Sendable (Query<AnyValue>) -> Query<Bool>
    let holds: @Sendable (PlainAny?) -> Bool

    init(
        _ text: String, _ query: @escaping @Sendable (Query<AnyValue>) -> Query<Bool>,
        _ holds: @escaping @Sendable (PlainAny?) -> Bool
    ) {
        (self.text, self.query, self.holds) = (text, query, holds)
    }

    private static func string(_ value: PlainAny?) -> String? { value?.leaf?.stringValue }

    private static func number(_ value: PlainAny?) -> Double? {
        switch value?.leaf {
        case .int(let value): Double(value)
        case .float(let value): Double(value)
        case .double(let value): value
        case .decimal128(let value): value.doubleValue
        default: nil
        }
    }

    static let all: [LeafCondition] = [
        LeafCondition("== 1", { $0 == 1 }) { number($0) == 1 },
        LeafCondition("!= 1", { $0 != 1 }) { number($0) != 1 },
        LeafCondition("== 2.5", { $0 == 2.5 }) { number($0) == 2.5 },
        LeafCondition("< 2", { $0 < 2 }) { number($0).map { $0 < 2 } ?? false },
        LeafCondition(">= 2.5", { $0 >= .decimal128("2.5") }) { number($0).map { $0 >= 2.5 } ?? false },
        LeafCondition("== 'a'", { $0 == "a" }) { string($0) == "a" },
        LeafCondition("== '1'", { $0 == "1" }) { string($0) == "1" },
        LeafCondition("> 'a'", { $0 > "a" }) { string($0).map { $0 > "a" } ?? false },
        LeafCondition("== true", { $0 == true }) { $0?.leaf?.boolValue == true },
        LeafCondition("== nil", { $0 == nil }) { $0?.isNothing ?? true },
        LeafCondition("!= nil", { $0 != .none }) { !($0?.isNothing ?? true) },
        LeafCondition("IN {1, 'apple', false}", { $0.in([1, "apple", false]) }) {
            number($0) == 1 || string($0) == "apple" || $0?.leaf?.boolValue == false
        },
        LeafCondition("IN {}", { $0.in([]) }) { _ in false },
        LeafCondition("CONTAINS 'apple'", { $0.contains("apple") }) { string($0)?.contains("apple") ?? false },
        LeafCondition("BEGINSWITH[c] 'AP'", { $0.starts(with: "AP", options: .caseInsensitive) }) {
            string($0)?.lowercased().hasPrefix("ap") ?? false
        },
        LeafCondition("ENDSWITH 'e'", { $0.ends(with: "e") }) { string($0)?.hasSuffix("e") ?? false },
        LeafCondition("LIKE 'a*it'", { $0.like("a*it") }) {
            string($0).map { $0.hasPrefix("a") && $0.hasSuffix("it") } ?? false
        },
        LeafCondition("== 'APPLE'", { $0.equals("APPLE") }) { string($0) == "APPLE" },
        LeafCondition("==[c] 'APPLE'", { $0.equals("APPLE", options: .caseInsensitive) }) {
            string($0)?.lowercased() == "apple"
        },
    ]

    /// Those that only the string language has.
    static let types: [LeafCondition] =
        ["none", "bool", "int", "double", "string", "list", "dictionary", "uuid"].map { name in
            LeafCondition(".@type == '\(name)'", { $0 == nil }) { ($0?.type ?? "none") == name }
        } + [
            LeafCondition(".@type != 'string'", { $0 == nil }) { $0?.type != "string" },
            LeafCondition(".@type IN {'numeric', 'list'}", { $0 == nil }) {
                ["int", "float", "double", "decimal128", "list"].contains($0?.type ?? "none")
            },
            LeafCondition(".@type == 'collection'", { $0 == nil }) { $0?.contents != nil },
        ]
}
