import Banyan
import Foundation

/// Everything a path through AnyValues can begin at.
@Model class Coffer: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var data: AnyValue
    @Persisted(indexed: true) var tag: AnyValue
    @Persisted var items: List<AnyValue>
    @Persisted var kinds: MutableSet<AnyValue>
    @Persisted var notes: Map<String, AnyValue>
    @Persisted var rows: Map<Int, AnyValue>
    @Persisted var numbers: List<Int>
    @Persisted var next: Coffer?
    @Persisted var coffers: List<Coffer>
}

/// What an AnyValue holds, in plain Swift.
indirect enum PlainAny {
    case leaf(AnyValue)
    case list([PlainAny])
    case dictionary([String: PlainAny])

    var value: AnyValue {
        switch self {
        case .leaf(let value): value
        case .list(let values): .fromArray(values.map(\.value))
        case .dictionary(let values): .fromDictionary(values.mapValues(\.value))
        }
    }

    /// Nil for `.none` too: to a query they are the same.
    var leaf: AnyValue? { if case .leaf(let value) = self, !value.isNone { value } else { nil } }

    var isNothing: Bool { if case .leaf(let value) = self { value.isNone } else { false } }

    subscript(key: String) -> PlainAny? {
        if case .dictionary(let values) = self { values[key] } else { nil }
    }
    subscript(index: Int) -> PlainAny? {
        if case .list(let values) = self, values.indices.contains(index) { values[index] } else { nil }
    }
    var last: PlainAny? { if case .list(let values) = self { values.last } else { nil } }

    /// What is in a list or a dictionary; nil for what is neither.
    var contents: [PlainAny]? {
        switch self {
        case .leaf: nil
        case .list(let values): values
        case .dictionary(let values): values.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    var keys: [String] { if case .dictionary(let values) = self { Array(values.keys) } else { [] } }

    /// What `@type` calls it.
    var type: String {
        switch self {
        case .list: "list"
        case .dictionary: "dictionary"
        case .leaf(let value):
            switch value {
            case .none: "none"
            case .bool: "bool"
            case .int: "int"
            case .float: "float"
            case .double: "double"
            case .decimal128: "decimal128"
            case .duration: "duration"
            case .string: "string"
            case .data: "data"
            case .date: "date"
            case .uuid: "uuid"
            default: "\(value)"
            }
        }
    }
}

/// A coffer in plain Swift.
struct PlainCoffer {
    var data = PlainAny.leaf(nil)
    var tag = PlainAny.leaf(nil)
    var items: [PlainAny] = []
    var kinds: [AnyValue] = []
    var notes: [String: PlainAny] = [:]
    var rows: [Int: PlainAny] = [:]
    var numbers: [Int] = []
    var next: Int?
    var coffers: [Int] = []
}

/// A graph of random coffers, and the same in plain Swift.
struct CofferWorld {
    var plain: [Int: PlainCoffer] = [:]
    private var random: SplitMix

    /// Numbers that are equal although they are of different kinds, and texts of all lengths.
    static var leaves: [AnyValue] {
        [
            nil, true, false, 0, 1, 2, 3, -1, 1.0, 2.5, .float(2.5), .float(0.1), 0.1, .decimal128("0.1"),
            .decimal128(3),
            .double(.nan), "", "a", "apple", "Apple", "1", "a text of more than fifteen bytes, with an apple in it",
            .data(Data([1, 2])), .date(Date(timeIntervalSinceReferenceDate: 5)),
            .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
        ]
    }
    static let keys = ["a", "b", "a key of more than fifteen bytes"]

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
    mutating func leaf() -> AnyValue { Self.leaves[number(0..<Self.leaves.count)] }
    private mutating func key() -> String { Self.keys[number(0..<Self.keys.count)] }

    private mutating func value(_ depth: Int = 3) -> PlainAny {
        switch number(0..<(depth > 0 ? 6 : 2)) {
        case 2, 3: return .list((0..<number(0..<4)).map { _ in value(depth - 1) })
        case 4, 5:
            var values: [String: PlainAny] = [:]
            for _ in 0..<number(0..<4) { values[key()] = value(depth - 1) }
            return .dictionary(values)
        default: return .leaf(leaf())
        }
    }

    /// Inside a write.
    mutating func add(_ count: Int, to graph: Graph) throws {
        for _ in 0..<count {
            let id = (plain.keys.max() ?? -1) + 1
            plain[id] = PlainCoffer()
            try graph.add(Coffer(value: ["id": id]))
            for _ in 0..<9 { try change(id, in: graph) }
        }
    }

    /// Inside a write: changes, also deep inside values, and deletions.
    mutating func step(_ graph: Graph) throws {
        guard let id = plain.keys.sorted().randomElement(using: &random), number(0..<9) > 0 else {
            return try add(1, to: graph)
        }
        if number(0..<12) == 0, let coffer = graph.object(ofType: Coffer.self, forPrimaryKey: id) {
            graph.delete(coffer)
            plain[id] = nil
            for other in plain.keys {
                if plain[other]?.next == id { plain[other]?.next = nil }
                plain[other]?.coffers.removeAll { $0 == id }
            }
        } else {
            try change(id, in: graph)
        }
    }

    private mutating func change(_ id: Int, in graph: Graph) throws {
        guard var new = plain[id], let coffer = graph.object(ofType: Coffer.self, forPrimaryKey: id) else { return }
        let ids = plain.keys.sorted()
        switch number(0..<12) {
        case 0, 1:
            new.data = value()
            coffer.data = new.data.value
        case 2: changeInside(&new.data, coffer.data)
        case 3:
            new.tag = value(1)
            coffer.tag = new.tag.value
        case 4:
            new.items = (0..<number(0..<4)).map { _ in value() }
            coffer.items = List(new.items.map(\.value))
        case 5:
            guard !new.items.isEmpty else { break }
            let index = number(0..<new.items.count)
            changeInside(&new.items[index], coffer.items[index])
        case 6:
            coffer.kinds.removeAll()
            new.kinds = []
            for _ in 0..<number(0..<4) {
                let leaf = leaf()
                if coffer.kinds.insert(leaf) { new.kinds.append(leaf) }
            }
        case 7:
            new.notes[key()] = value()
            for (key, value) in new.notes { coffer.notes[key] = value.value }
        case 8:
            guard let (key, old) = new.notes.sorted(by: { $0.key < $1.key }).first, let live = coffer.notes[key] else {
                break
            }
            var inner = old
            changeInside(&inner, live)
            new.notes[key] = inner
        case 9:
            new.rows[number(0..<3)] = value(2)
            new.numbers = (0..<number(0..<4)).map { _ in number(-2..<4) }
            for (key, value) in new.rows { coffer.rows[key] = value.value }
            coffer.numbers = List(new.numbers)
        case 10:
            new.next = number(0..<4) == 0 ? nil : ids.randomElement(using: &random)
            coffer.next = new.next.flatMap { graph.object(ofType: Coffer.self, forPrimaryKey: $0) }
        default:
            new.coffers = (0..<number(0..<4)).compactMap { _ in ids.randomElement(using: &random) }
            coffer.coffers = List(new.coffers.compactMap { graph.object(ofType: Coffer.self, forPrimaryKey: $0) })
        }
        plain[id] = new
    }

    /// Changes a live list or dictionary where it stands.
    private mutating func changeInside(_ plain: inout PlainAny, _ live: AnyValue) {
        switch plain {
        case .leaf: break
        case .list(var values):
            guard let list = live.listValue else { return }
            if !values.isEmpty, number(0..<3) > 0 {
                let index = number(0..<values.count)
                if number(0..<2) == 0 {
                    values[index] = .leaf(leaf())
                    list[index] = values[index].value
                } else {
                    changeInside(&values[index], list[index])
                }
            } else {
                values.append(value(1))
                list.append(values[values.count - 1].value)
            }
            plain = .list(values)
        case .dictionary(var values):
            guard let map = live.dictionaryValue else { return }
            let key = key()
            if var inner = values[key], let live = map[key], number(0..<2) == 0 {
                changeInside(&inner, live)
                values[key] = inner
            } else {
                values[key] = .leaf(leaf())
                map[key] = values[key]?.value
            }
            plain = .dictionary(values)
        }
    }
}
