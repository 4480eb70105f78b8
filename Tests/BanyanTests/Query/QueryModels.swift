import Banyan
import Foundation

enum Grade: String, PersistableEnum { case good, fair, poor }

/// Everything a condition can look at.
@Model class Item: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var name = ""
    @Persisted(indexed: true) var group = 0
    @Persisted var flag = false
    @Persisted var small: Int8 = 0
    @Persisted var amount: Int?
    @Persisted var price = 0.0
    @Persisted var ratio: Float?
    @Persisted var note: String?
    @Persisted var day = Date(timeIntervalSinceReferenceDate: 0)
    @Persisted var grade = Grade.good
    @Persisted var maybe: Grade?
    @Persisted var decimal = Decimal128(0)
    @Persisted var parent: Item?
    @Persisted var place: Abode?
    @Persisted var parts: List<Item>
    @Persisted var numbers: List<Int>
    @Persisted var words: MutableSet<String>
    @Persisted(originProperty: "parent") var children: LinkingObjects<Item>
}

/// What an item is in plain Swift.
struct PlainItem: Equatable {
    var id: Int
    var name = ""
    var group = 0
    var flag = false
    var small: Int8 = 0
    var amount: Int?
    var price = 0.0
    var ratio: Float?
    var note: String?
    var day = Date(timeIntervalSinceReferenceDate: 0)
    var grade = Grade.good
    var maybe: Grade?
    var decimal = Decimal128(0)
    var parent: Int?
    var city: String?
    var parts: [Int] = []
    var numbers: [Int] = []
    var words: Set<String> = []
}

/// A store of random items, and the same items in plain Swift.
final class ItemWorld {
    let store: Store
    let graph: Graph
    private(set) var plain: [Int: PlainItem] = [:]
    private var random: SplitMix
    private var nextID = 0

    static let names = [
        "", "a", "ab", "Ada", "ada", "Bo", "é", "e\u{301}", "a name of more than fifteen bytes", "a name, longer still",
    ]

    init(_ count: Int, seed: UInt64) throws {
        random = SplitMix(seed: seed)
        store = try Store(.init(models: [Item.self]))
        graph = Graph(store)
        try graph.write { for _ in 0..<count { try addOne() } }
    }

    func plain(_ id: Int) -> PlainItem? { plain[id] }

    func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    private func item(_ id: Int) -> Item? { graph.object(ofType: Item.self, forPrimaryKey: id) }

    func addOne() throws {
        let item = Item()
        item.id = nextID
        nextID += 1
        try graph.add(item)
        plain[item.id] = PlainItem(id: item.id)
        for _ in 0..<6 { try changeOne(item) }
    }

    /// A random change of an item that is there, or the deletion of one.
    func step() throws {
        let kind = number(0..<10)
        guard let id = plain.keys.sorted().randomElement(using: &random), let item = item(id), kind > 1 else {
            return try addOne()
        }
        if kind == 2 {
            graph.delete(item)
            plain[id] = nil
            for other in plain.keys {
                if plain[other]?.parent == id { plain[other]?.parent = nil }
                plain[other]?.parts.removeAll { $0 == id }
            }
        } else {
            try changeOne(item)
        }
    }

    private func changeOne(_ item: Item) throws {
        guard var new = plain[item.id] else { return }
        let ids = plain.keys.sorted()
        switch number(0..<16) {
        case 0: new.name = Self.names.randomElement(using: &random) ?? ""
        case 1: new.group = number(-3..<4)
        case 2: new.flag.toggle()
        case 3: new.small = Int8(number(-128..<128))
        case 4: new.amount = number(0..<3) == 0 ? nil : number(-50..<50)
        case 5: new.price = Double(number(-100..<100)) / 8
        case 6: new.ratio = number(0..<3) == 0 ? nil : Float(number(-9..<9)) / 2
        case 7: new.note = number(0..<3) == 0 ? nil : Self.names.randomElement(using: &random)
        case 8: new.day = Date(timeIntervalSinceReferenceDate: Double(number(-5..<5)) * 86_400)
        case 9: new.grade = Grade.allCases.randomElement(using: &random) ?? .good
        case 10: new.maybe = number(0..<3) == 0 ? nil : Grade.allCases.randomElement(using: &random)
        case 11: new.decimal = Decimal128(number(-20..<20))
        case 12: new.parent = number(0..<4) == 0 ? nil : ids.randomElement(using: &random)
        case 13: new.city = number(0..<4) == 0 ? nil : Self.names.randomElement(using: &random)
        case 14: new.parts = (0..<number(0..<4)).compactMap { _ in ids.randomElement(using: &random) }
        default:
            new.numbers = (0..<number(0..<4)).map { _ in number(-3..<4) }
            new.words = Set((0..<number(0..<4)).map { _ in Self.names.randomElement(using: &random) ?? "" })
        }
        plain[item.id] = new
        item.name = new.name
        item.group = new.group
        item.flag = new.flag
        item.small = new.small
        item.amount = new.amount
        item.price = new.price
        item.ratio = new.ratio
        item.note = new.note
        item.day = new.day
        item.grade = new.grade
        item.maybe = new.maybe
        item.decimal = new.decimal
        item.parent = new.parent.flatMap { self.item($0) }
        if new.city != item.place?.city {
            item.place = new.city.map { Abode($0) }
        }
        if item.parts.map(\.id) != new.parts { item.parts = List(new.parts.compactMap { self.item($0) }) }
        if Array(item.numbers) != new.numbers { item.numbers = List(new.numbers) }
        if Set(item.words) != new.words { item.words = MutableSet(new.words) }
    }
}

/// A generator whose run can be repeated.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// A condition as a query and as a Swift closure.
struct Condition {
    var text: String
    var query: (Query<Item>) -> Query<Bool>
    var oracle: (PlainItem, [Int: PlainItem]) -> Bool

    init(
        _ text: String, _ query: @escaping (Query<Item>) -> Query<Bool>,
        _ oracle: @escaping (PlainItem, [Int: PlainItem]) -> Bool
    ) {
        self.text = text
        self.query = query
        self.oracle = oracle
    }
}
