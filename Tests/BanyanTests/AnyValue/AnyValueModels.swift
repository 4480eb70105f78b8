import Banyan
import Foundation

@Model class Bag: Object {
    @Persisted var value: AnyValue
    @Persisted var second: AnyValue
    @Persisted var list: List<AnyValue>
    @Persisted var set: MutableSet<AnyValue>
    @Persisted var map: Map<String, AnyValue>
    @Persisted var numbered: Map<Int, AnyValue>
    @Persisted(indexed: true) var tag: AnyValue
    @Persisted var part: AnyPart?
}

@Model class AnyPart: EmbeddedObject {
    @Persisted var value: AnyValue
    @Persisted var parts: List<AnyPart>
}

@Model class Critter: Object {
    @Persisted var name = ""
    @Persisted(originProperty: "value") var bags: LinkingObjects<Bag>
    @Persisted(originProperty: "list") var listed: LinkingObjects<Bag>
    @Persisted(originProperty: "set") var inSets: LinkingObjects<Bag>
    @Persisted(originProperty: "map") var mapped: LinkingObjects<Bag>

    convenience init(_ name: String) {
        self.init()
        self.name = name
    }
}

@Model class Setting: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var value: AnyValue = "at first"
    @Persisted var values: List<AnyValue>

    convenience init(_ id: Int, _ value: AnyValue) {
        self.init()
        self.id = id
        self.value = value
    }
}

let bagModels: [ObjectBase.Type] = [Bag.self, AnyPart.self, Critter.self, Setting.self]

extension AnyValue {
    /// What it holds, all the way down, with the kind of everything.
    var shown: String {
        switch self {
        case .none: "none"
        case .bool(let v): "bool \(v)"
        case .int(let v): "int \(v)"
        case .float(let v): "float \(v.bitPattern)"
        case .double(let v): "double \(v.bitPattern)"
        case .string(let v): "string \(v.count):\(v)"
        case .data(let v): "data \(v.base64EncodedString())"
        case .date(let v): "date \(v.timeIntervalSinceReferenceDate.bitPattern)"
        case .object(let v):
            "object " + ((v as? Critter)?.name ?? (v as? Setting).map { "\($0.id)" } ?? "\(type(of: v))")
        case .objectId(let v): "objectId \(v)"
        case .decimal128(let v): "decimal128 \(v)"
        case .duration(let v): "duration \(v.attoseconds)"
        case .uuid(let v): "uuid \(v)"
        case .list(let v): v.shown
        case .dictionary(let v): v.shown
        }
    }
}

extension List<AnyValue> {
    var shown: String { "[" + map(\.shown).joined(separator: ", ") + "]" }
}

extension Map<String, AnyValue> {
    var shown: String { "{" + map { "\($0.key): \($0.value.shown)" }.joined(separator: ", ") + "}" }
}

/// Values of every kind that is no link and no collection, at the edges of each.
enum ScalarAnyValue: CaseIterable, Sendable {
    case none, yes, no, zero, one, lowest, highest, float, nan, double, infinity, empty, short, fourteen, fifteen,
        sixteen
    case long, unicode, noBytes, bytes, manyBytes, date, objectId, decimal, duration, uuid

    var value: AnyValue {
        switch self {
        case .none: .none
        case .yes: true
        case .no: false
        case .zero: 0
        case .one: 1
        case .lowest: .int(.min)
        case .highest: .int(.max)
        case .float: .float(-1.5)
        case .nan: .double(.nan)
        case .double: 0.1
        case .infinity: .double(-.infinity)
        case .empty: ""
        case .short: "a"
        case .fourteen: .string(String(repeating: "x", count: 14))
        case .fifteen: .string(String(repeating: "y", count: 15))
        case .sixteen: .string(String(repeating: "z", count: 16))
        case .long: .string(String(repeating: "long ", count: 5000))
        case .unicode: "zoë \u{0} 🦆 in the middle of it"
        case .noBytes: .data(Data())
        case .bytes: .data(Data([0, 255, 0]))
        case .manyBytes: .data(Data(repeating: 7, count: 100_000))
        case .date: .date(Date(timeIntervalSinceReferenceDate: 1234.5678))
        case .objectId: .objectId("507f1f77bcf86cd799439011")
        case .decimal: .decimal128("-12.340")
        case .duration: .duration(Duration(attoseconds: -1_500_000_000_000_000_001))
        case .uuid: .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255)))
        }
    }
}
