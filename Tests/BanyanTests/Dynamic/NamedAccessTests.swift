import Banyan
import BanyanCore
import Foundation
import Testing

@Model class Named: Object {
    @Persisted var number = 0
    @Persisted var small: Int8 = 0
    @Persisted var ratio = 0.0
    @Persisted var isOn = false
    @Persisted var text = ""
    @Persisted var note: String?
    @Persisted var count: Int?
    @Persisted var bytes = Data()
    @Persisted var date = Date(timeIntervalSince1970: 0)
    @Persisted var uuid = UUID()
    @Persisted var colour = Colour.red
    @Persisted var former: Colour?
    @Persisted var dog: Dog?
    @Persisted var toy: Toy?
    @Persisted var numbers: List<Int>
    @Persisted var colours: MutableSet<Colour>
    @Persisted var scores: Map<String, Int>
    @Persisted var dogs: List<Dog>
}

@Suite("Properties by their names")
struct NamedAccessTests {
    private func graph() throws -> Graph { Graph(try Store(.init(models: [Named.self, Kennel.self]))) }

    /// Calls `body` with an unmanaged object, and with a managed one inside a write.
    private func both(_ body: (Named) throws -> Void) throws {
        try body(Named())
        let graph = try graph()
        let named = try graph.added(Named())
        try graph.write { try body(named) }
    }

    @Test("Each is read as it is in Swift, and set to it")
    func typed() throws {
        try both { named in
            named["number"] = 5
            named["small"] = Int8(-3)
            named["ratio"] = 2.5
            named["isOn"] = true
            named["text"] = "text"
            named["note"] = "note"
            named["bytes"] = Data([1])
            named["colour"] = Colour.blue
            named["former"] = Colour.green
            named["dog"] = Dog(1, "Rex")
            named["toy"] = Toy("ball")
            named["numbers"] = [1, 2]
            named["colours"] = [Colour.red]
            named["scores"] = ["a": 1]
            #expect(named.number == 5 && named.small == -3 && named.ratio == 2.5 && named.isOn && named.text == "text")
            #expect(named.note == "note" && named.bytes == Data([1]) && named.colour == .blue && named.former == .green)
            #expect(named.dog?.name == "Rex" && named.toy?.name == "ball" && Array(named.numbers) == [1, 2])
            #expect(Array(named.colours) == [.red] && named.scores["a"] == 1)
            #expect(
                named["number"] as? Int == 5 && named["colour"] as? Colour == .blue
                    && named["note"] as? String == "note")
            #expect((named["dog"] as? Dog)?.name == "Rex" && (named["numbers"] as? List<Int>)?.count == 2)
            named["note"] = nil
            named["former"] = nil
            named["dog"] = nil
            named["count"] = Optional<Int>.none as Any
            #expect(named.note == nil && named.former == nil && named.dog == nil && named["note"] == nil)
            #expect(named["count"] == nil && named["dog"] == nil)
        }
    }

    @Test("Values are converted to what the property holds, where they fit")
    func converted() throws {
        try both { named in
            try named.setValue(7, forKey: "small")
            try named.setValue(UInt8(9), forKey: "number")
            try named.setValue(3, forKey: "ratio")
            try named.setValue("green", forKey: "colour")
            try named.setValue("blue", forKey: "former")
            try named.setValue("0123", forKey: "text")
            let id = UUID()
            try named.setValue(id.uuidString, forKey: "uuid")
            #expect(named.small == 7 && named.number == 9 && named.ratio == 3 && named.colour == .green)
            #expect(named.former == .blue && named.text == "0123" && named.uuid == id)
        }
    }

    static let unfitting: [(name: String, value: (any Sendable)?)] = [
        ("number", "five"), ("number", nil), ("small", 300), ("text", 5), ("colour", "mauve"), ("former", 3),
        ("dog", "Rex"),
        ("numbers", ["x"]), ("numbers", 5), ("scores", [1]), ("isOn", "yes"),
    ]

    @Test("What does not fit is an error that names the property, and changes nothing", arguments: 0..<11)
    func misfits(_ index: Int) throws {
        let (name, value) = Self.unfitting[index]
        let unmanaged = Named()
        let error = #expect(throws: BanyanError.self) { try unmanaged.setValue(value, forKey: name) }
        #expect(error?.code == .invalidValue && error?.location.property == name && error?.location.type == "Named")
        let graph = try graph()
        let named = try graph.added(Named())
        let before = graph.sequence
        let fault = graph.fault { _ in named[name] = value }
        #expect(fault?.code == .invalidValue && fault?.location.property == name && fault?.location.object != nil)
        #expect(graph.sequence == before)
    }

    @Test("A name that is no property's, an inverse, a deleted object, no write: each is its own error")
    func errors() throws {
        let graph = try graph()
        let named = try graph.added(Named())
        let dog = try graph.added(Dog(1))
        func code(_ body: () throws -> Void) -> BanyanError.Code? {
            do {
                try body()
                return nil
            } catch {
                return (error as? BanyanError)?.code
            }
        }
        #expect(code { _ = try named.value(forKey: "nothing") } == .unknownProperty)
        #expect(code { try Named().setValue(1, forKey: "nothing") } == .unknownProperty)
        #expect(code { try named.setValue(1, forKey: "number") } == .notInWrite)
        #expect(code { try named.freeze().setValue(1, forKey: "number") } == .frozen)
        #expect(graph.fault { _ in named["nothing"] = 1 }?.code == .unknownProperty)
        #expect(graph.fault { _ in _ = named["nothing"] }?.code == .unknownProperty)
        #expect(graph.fault { _ in try dog.setValue([Kennel()], forKey: "kennels") }?.code == .invalidValue)
        #expect(graph.fault { _ in try dog.setValue(2, forKey: "id") }?.code == .primaryKeyChanged)
        try graph.write { graph.delete(named) }
        #expect(code { _ = try named.value(forKey: "number") } == .invalidatedObject)
        #expect(graph.fault { _ in named["number"] = 1 }?.code == .invalidatedObject)
    }

    @Test("Whole collections are read and set by name")
    func bulk() throws {
        let graph = try graph()
        let named = try graph.added(Named()) { named in
            named.dogs.append(objectsIn: (1...3).map { Dog($0, "dog \($0)") })
        }
        #expect(try named.dogs.value(forKey: "name").map { $0 as? String } == ["dog 1", "dog 2", "dog 3"])
        try graph.write { try graph.objects(Dog.self).setValue(4, forKey: "age") }
        #expect(named.dogs.allSatisfy { $0.age == 4 })
        #expect(throws: BanyanError.self) { try named.dogs.value(forKey: "nothing") }
        #expect(graph.fault { _ in try named.dogs.setValue("x", forKey: "age") }?.code == .invalidValue)
    }
}
