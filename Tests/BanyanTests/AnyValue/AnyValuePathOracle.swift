import Banyan
import Foundation

/// A path to AnyValues: as a typed query says it, as the string language does, and in plain Swift.
struct CofferPath: Sendable {
    let text: String
    let query: @Sendable (Query<Coffer>) -> Query<AnyValue>
    /// What it reaches. Nothing is one nil, unless the path goes through several values.
    let reach: @Sendable (PlainCoffer, [Int: PlainCoffer]) -> [PlainAny?]

    init(
        _ text: String, _ query: @escaping @Sendable (Query<Coffer>) -> Query<AnyValue>,
        _ reach: @escaping @Sendable (PlainCoffer, [Int: PlainCoffer]) -> [PlainAny?]
    ) {
        (self.text, self.query, self.reach) = (text, query, reach)
    }

    static let all: [CofferPath] = [
        CofferPath("data", { $0.data }) { coffer, _ in [coffer.data] },
        CofferPath("tag", { $0.tag }) { coffer, _ in [coffer.tag] },
        CofferPath("data['a']", { $0.data["a"] }) { coffer, _ in [coffer.data["a"]] },
        CofferPath("data['a']['b']", { $0.data["a"]["b"] }) { coffer, _ in [coffer.data["a"]?["b"]] },
        CofferPath("data[0]", { $0.data[0] }) { coffer, _ in [coffer.data[0]] },
        CofferPath("data[FIRST]", { $0.data.first }) { coffer, _ in [coffer.data[0]] },
        CofferPath("data[last]", { $0.data.last }) { coffer, _ in [coffer.data.last] },
        CofferPath("data['a'][0]['b']", { $0.data["a"][0]["b"] }) { coffer, _ in [coffer.data["a"]?[0]?["b"]] },
        CofferPath("data[1]['a'][LAST]", { $0.data[1]["a"].last }) { coffer, _ in [coffer.data[1]?["a"]?.last] },
        CofferPath("data[99]", { $0.data[-1] }) { _, _ in [nil] },
        CofferPath("data[*]", { $0.data.any }) { coffer, _ in coffer.data.contents ?? [] },
        CofferPath("data[*][*]", { $0.data.any.any }) { coffer, _ in
            (coffer.data.contents ?? []).flatMap { $0.contents ?? [] }
        },
        CofferPath("data.@values['a']", { $0.data.any["a"] }) { coffer, _ in
            (coffer.data.contents ?? []).map { $0["a"] }
        },
        CofferPath("data['a key of more than fifteen bytes'][*]", { $0.data[CofferWorld.keys[2]].any }) { coffer, _ in
            coffer.data[CofferWorld.keys[2]]?.contents ?? []
        },
        CofferPath("items", { $0.items.any }) { coffer, _ in coffer.items },
        CofferPath("items[0]", { $0.items[0] }) { coffer, _ in [coffer.items.first] },
        CofferPath("items[LAST]", { $0.items.last }) { coffer, _ in [coffer.items.last] },
        CofferPath("items[1]['a']", { $0.items[1]["a"] }) { coffer, _ in
            [coffer.items.count > 1 ? coffer.items[1]["a"] : nil]
        },
        CofferPath("items[*]['a']", { $0.items.any["a"] }) { coffer, _ in coffer.items.map { $0["a"] } },
        CofferPath("items[*][*]", { $0.items.any.any }) { coffer, _ in coffer.items.flatMap { $0.contents ?? [] } },
        CofferPath("kinds[*]", { $0.kinds.any }) { coffer, _ in coffer.kinds.map { .leaf($0) } },
        CofferPath("notes['a']", { $0.notes["a"] }) { coffer, _ in [coffer.notes["a"]] },
        CofferPath("notes['b']['a']", { $0.notes["b"]["a"] }) { coffer, _ in [coffer.notes["b"]?["a"]] },
        CofferPath("notes[*]", { $0.notes.values }) { coffer, _ in Array(coffer.notes.values) },
        CofferPath("notes.@values[0]", { $0.notes.values[0] }) { coffer, _ in coffer.notes.values.map { $0[0] } },
        CofferPath("rows[1]", { $0.rows[1] }) { coffer, _ in [coffer.rows[1]] },
        CofferPath("rows[1][0]", { $0.rows[1][0] }) { coffer, _ in [coffer.rows[1]?[0]] },
        CofferPath("next.data['a']", { $0.next.data["a"] }) { coffer, all in
            [coffer.next.flatMap { all[$0] }?.data["a"]]
        },
        CofferPath("next.next.data[*]", { $0.next.next.data.any }) { coffer, all in
            coffer.next.flatMap { all[$0] }?.next.flatMap { all[$0] }?.data.contents ?? []
        },
        CofferPath("next.items[0]", { $0.next.items[0] }) { coffer, all in
            [coffer.next.flatMap { all[$0] }?.items.first]
        },
        CofferPath("coffers.data['a']", { $0.coffers.data["a"] }) { coffer, all in
            coffer.coffers.map { all[$0]?.data["a"] }
        },
        CofferPath("coffers[0].data[0]", { $0.coffers[0].data[0] }) { coffer, all in
            [coffer.coffers.first.flatMap { all[$0] }?.data[0]]
        },
        CofferPath("coffers.notes['a'][*]", { $0.coffers.notes["a"].any }) { coffer, all in
            coffer.coffers.flatMap { all[$0]?.notes["a"]?.contents ?? [] }
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
