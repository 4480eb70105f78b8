import Banyan
import Foundation
import Testing

private enum E8: Int8, PersistableEnum, CaseIterable { case a = -128, b = 127, zero = 0 }
private enum E16: Int16, PersistableEnum { case a = -32768, b = 32767, zero = 0 }
private enum E32: Int32, PersistableEnum { case a = -5, b = 2_147_483_647, zero = 0 }
private enum E64: Int64, PersistableEnum { case a = -9_223_372_036_854_775_808, b = 1, zero = 0 }
private enum EInt: Int, PersistableEnum, MapKey { case a = -1, b = 1, zero = 0 }
private enum EFloat: Float, PersistableEnum { case a = -1.5, b = 2.25, zero = 0 }
private enum EDouble: Double, PersistableEnum { case a = 1e300, b = 2.5, zero = 0 }
private enum EString: String, PersistableEnum, MapKey { case a = "a text of more than fifteen bytes", b, zero = "" }
/// A raw type that no literal makes.
private enum EDate: PersistableEnum {
    case a, b, zero
    var rawValue: Date {
        switch self {
        case .a: Date(timeIntervalSinceReferenceDate: 1)
        case .b: Date(timeIntervalSinceReferenceDate: 2)
        case .zero: Date(timeIntervalSinceReferenceDate: 0)
        }
    }
    init?(rawValue: Date) {
        guard let found = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = found
    }
}

@Model private class Enums: Object {
    @Persisted(primaryKey: true) var key = EInt.b
    @Persisted var e8: E8
    @Persisted(indexed: true) var e16: E16
    @Persisted(indexed: .ordered) var e32 = E32.b
    @Persisted var e64: E64
    @Persisted var eFloat: EFloat
    @Persisted var eDouble: EDouble
    @Persisted(indexed: true) var eString: EString
    @Persisted var eDate: EDate
    @Persisted var o8: E8?
    @Persisted var o64: E64?
    @Persisted var oFloat: EFloat?
    @Persisted var oString: EString?
    @Persisted var oDate: EDate?
    @Persisted var list: List<E16>
    @Persisted var optionals: List<EString?>
    @Persisted var set: MutableSet<EDouble>
    @Persisted var dates: MutableSet<EDate>
    @Persisted var map: Map<EString, E32>
    @Persisted var byInt: Map<EInt, EFloat?>
}

@Suite("Enums of every raw type")
struct EnumTests {
    private func make() -> Enums {
        let object = Enums()
        object.key = .a
        (object.e8, object.e16, object.e32, object.e64) = (.b, .b, .a, .b)
        (object.eFloat, object.eDouble, object.eString, object.eDate) = (.b, .b, .b, .b)
        (object.o8, object.o64, object.oFloat, object.oString, object.oDate) = (.b, .b, .b, .b, .b)
        object.list.append(objectsIn: [.b, .a, .b])
        object.optionals.append(objectsIn: [.a, nil, .zero])
        object.set.insert(objectsIn: [.a, .zero, .b])
        object.dates.insert(objectsIn: [.b, .a])
        object.map[.a] = .b
        object.byInt[.zero] = .a
        object.byInt.updateValue(nil, forKey: .a)
        return object
    }

    @Test("Values come back, in properties and in collections", arguments: Situation.allCases)
    func values(_ situation: Situation) async throws {
        try await situation.show(
            Enums.self, make: make,
            spoil: {
                $0.eString = .zero; $0.list.removeAll()
            }
        ) { object in
            #expect(object.key == .a)
            #expect(object.e8 == .b && object.e16 == .b && object.e32 == .a && object.e64 == .b)
            #expect(object.eFloat == .b && object.eDouble == .b && object.eString == .b && object.eDate == .b)
            #expect(object.o8 == .b && object.o64 == .b && object.oFloat == .b && object.oString == .b)
            #expect(object.oDate == .b)
            #expect(Array(object.list) == [.b, .a, .b] && Array(object.optionals) == [.a, nil, .zero])
            #expect(Array(object.set) == [.zero, .b, .a] && Array(object.dates) == [.a, .b])
            #expect(object.map[.a] == .b && object.map[.b] == nil)
            #expect(object.byInt[.zero] == .a && object.byInt[.a] == .some(nil) && object.byInt.keys == [.a, .zero])
        }
    }

    @Test("A property without a default starts with the first case, or nil", arguments: Situation.allCases)
    func defaults(_ situation: Situation) async throws {
        try await situation.show(Enums.self, make: { Enums() }) { object in
            #expect(object.key == .b && object.e8 == .a && object.e16 == .a && object.e32 == .b && object.e64 == .a)
            #expect(object.eFloat == .a && object.eDouble == .a && object.eString == .a && object.eDate == .a)
            #expect(object.o8 == nil && object.oString == nil && object.oDate == nil)
        }
    }

    @Test("Queries compare with cases and with raw values")
    func queries() throws {
        let graph = Graph(try Store(.init(models: [Enums.self])))
        let object = try graph.added(make())
        let other = try graph.added(Enums())
        let all = graph.objects(Enums.self)
        #expect(graph.object(ofType: Enums.self, forPrimaryKey: EInt.a) == object)
        #expect(Array(all.where { $0.e16 == .b && $0.eString == .b && $0.eDate == .b }) == [object])
        #expect(Array(all.where { $0.e32.rawValue < 0 }) == [object])
        #expect(Array(all.where { $0.eString.rawValue.starts(with: "a text") }) == [other])
        #expect(Array(all.where { $0.oString.rawValue == "b" }) == [object])
        #expect(Array(all.where { $0.o8 == nil }) == [other])
        #expect(Array(all.where { $0.eDouble.in([.b, .zero]) }) == [object])
        #expect(Array(all.where { $0.list.contains(.a) && $0.set.contains(.a) }) == [object])
    }
}
