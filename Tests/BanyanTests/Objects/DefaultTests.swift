import Banyan
import Foundation
import Synchronization
import Testing

/// Counts how often a default is evaluated.
private let evaluations = Atomic<Int>(0)

private func counted() -> Int { evaluations.add(1, ordering: .relaxed).newValue }

@Model class Counted: Object {
    @Persisted var number = counted()
    @Persisted var name = "none"
}

@Model class Declared: Object {
    @Persisted var int = 7
    @Persisted var negative: Int8 = -7
    @Persisted var text = "a default that is longer than fifteen bytes"
    @Persisted var optional: String? = "some"
    @Persisted var emptied: Int? = nil
    @Persisted var flag = true
    @Persisted var half = 0.5
    @Persisted var data = Data([1, 2, 3])
    @Persisted var weather = Weather.rainy
    @Persisted var rank: Rank? = .high
    @Persisted var decimal: Decimal128 = 12.5
    @Persisted var day = Date(timeIntervalSince1970: 86_400)
    @Persisted var numbers: List<Int> = [3, 1, 2]
    @Persisted var pet: Hound?
    @Persisted var home: Abode?
}

@Suite("Defaults")
struct DefaultTests {
    @Test("A declared default is what a new object starts with", arguments: Situation.allCases)
    func declared(_ situation: Situation) async throws {
        try await situation.show(Declared.self) {
            Declared()
        } check: {
            #expect($0.int == 7)
            #expect($0.negative == -7)
            #expect($0.text == "a default that is longer than fifteen bytes")
            #expect($0.optional == "some")
            #expect($0.emptied == nil)
            #expect($0.flag)
            #expect($0.half == 0.5)
            #expect($0.data == Data([1, 2, 3]))
            #expect($0.weather == .rainy)
            #expect($0.rank == .high)
            #expect($0.decimal == 12.5)
            #expect($0.day == Date(timeIntervalSince1970: 86_400))
            #expect(Array($0.numbers) == [3, 1, 2])
            #expect($0.pet == nil)
            #expect($0.home == nil)
        }
    }

    @Test("A default replaced by nil, false or zero stays replaced", arguments: Situation.allCases)
    func replaced(_ situation: Situation) async throws {
        try await situation.show(Declared.self) {
            let object = Declared()
            object.int = 0
            object.text = ""
            object.optional = nil
            object.flag = false
            object.rank = nil
            object.numbers.removeAll()
            return object
        } check: {
            #expect($0.int == 0)
            #expect($0.text == "")
            #expect($0.optional == nil)
            #expect(!$0.flag)
            #expect($0.rank == nil)
            #expect($0.numbers.isEmpty)
        }
    }

    @Test("Without a default, a property starts at zero, empty, now, fresh, or with the first case of its enum")
    func implicit() {
        let before = Date()
        let (a, b) = (Scalars(), Scalars())
        let after = Date()
        #expect(!a.bool && a.int == 0 && a.int8 == 0 && a.int16 == 0 && a.int32 == 0 && a.int64 == 0)
        #expect(a.float == 0 && a.double == 0 && a.string == "" && a.data.isEmpty)
        #expect(exactText(a.decimal) == exactText(Decimal128(0)))
        #expect(a.date >= before && a.date <= after)
        #expect(a.uuid != b.uuid)
        #expect(a.objectId != b.objectId)
        #expect(a.weather == .sunny && a.rank == .low && a.level == .ground)
    }

    @Test("An implicit default is stored with the object", arguments: Situation.managed)
    func implicitIsStored(_ situation: Situation) async throws {
        let made = Scalars()
        let contents = made.contents
        try await situation.show(Scalars.self) {
            let object = Scalars()
            object.date = made.date
            object.uuid = made.uuid
            object.objectId = made.objectId
            return object
        } check: {
            #expect($0.contents == contents)
        }
    }

    @Test("A default is evaluated once for each object that is created, never for one that is read")
    func evaluatedOnCreation() async throws {
        let start = evaluations.load(ordering: .relaxed)
        let store = try Store(.init(models: [Counted.self]))
        let graph = Graph(store)
        try graph.write { for _ in 0..<10 { try graph.add(Counted()) } }
        #expect(evaluations.load(ordering: .relaxed) == start + 10)
        for object in graph.objects(Counted.self) { _ = object.number }
        for object in Graph(store.fork()).objects(Counted.self) { _ = object.number }
        try graph.write { for object in graph.objects(Counted.self) { object.name = "named" } }
        #expect(evaluations.load(ordering: .relaxed) == start + 10)
        #expect(Set(graph.objects(Counted.self).map(\.number)).count == 10)
    }
}
