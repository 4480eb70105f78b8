import Banyan
import Foundation
import Testing

@Model class Zoo: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var keeper: ZooKeeper?
    @Persisted var keepers: List<ZooKeeper>
    @Persisted var byName: Map<String, ZooKeeper?>
    @Persisted var gate: ZooGate?
    @Persisted var gates: List<ZooGate>
    @Persisted var moods: List<ZooMood>
    @Persisted var mood: ZooMood?
    @Persisted var tags: MutableSet<String>
    @Persisted var extra: AnyValue
}

@Model class ZooKeeper: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var zoos: List<Zoo>
}

@Model class ZooGate: EmbeddedObject {
    @Persisted var width = 1
}

enum ZooMood: Int, PersistableEnum { case calm, wild }

/// What `create` takes for a property is what setting it by its name takes.
@Suite("Values for properties by their names")
struct NamedValuesTests {
    private func graph() throws -> Graph { Graph(try Store(.init(models: [Zoo.self]))) }

    /// Calls `body` with an unmanaged object, and with a managed one inside a write.
    private func both(_ body: (Zoo) throws -> Void) throws {
        try body(Zoo())
        let graph = try graph()
        let zoo = try graph.added(Zoo())
        try graph.write { try body(zoo) }
    }

    static let values: [String: any Sendable] = [
        "keeper": ["name": "Ada"],
        "keepers": [["name": "Bob"], ["Cy", [[String: Int]]()] as [any Sendable]] as [any Sendable],
        "byName": ["d": ["name": "Dee"]], "gate": ["width": 3], "gates": [["width": 4], [5]] as [any Sendable],
        "moods": [1, 0],
        "mood": 1, "tags": ["a", "b", "a"], "extra": ["list": [1, 2]],
    ]

    @Test("Dictionaries and arrays make objects, links, embedded objects and contents, as `create` does")
    func values() throws {
        func check(_ zoo: Zoo) {
            #expect(zoo.keeper?.name == "Ada" && zoo.keepers.map(\.name) == ["Bob", "Cy"])
            #expect(zoo.byName["d"]??.name == "Dee" && zoo.gate?.width == 3 && zoo.gates.map(\.width) == [4, 5])
            #expect(Array(zoo.moods) == [.wild, .calm] && zoo.mood == .wild && Set(zoo.tags) == ["a", "b"])
            #expect(zoo.extra["list"]?[1] == 2)
        }
        try both { zoo in
            for (name, value) in Self.values { try zoo.setValue(value, forKey: name) }
            check(zoo)
        }
        try both { zoo in
            for (name, value) in Self.values { zoo[name] = value }
            check(zoo)
        }
        let graph = try graph()
        try graph.write { check(try graph.create(Zoo.self, value: Self.values)) }
        try graph.write {
            graph.deleteAll()
            try graph.add([Zoo()])
            for name in ["gate", "mood", "moods", "gates", "tags", "extra"] {
                try graph.objects(Zoo.self).setValue(Self.values[name], forKey: name)
            }
        }
        let zoo = try #require(graph.objects(Zoo.self).first)
        #expect(zoo.gate?.width == 3 && zoo.gates.count == 2 && zoo.mood == .wild && zoo.tags.count == 2)
    }

    @Test("Enums are read as cases, and set as cases or as what they are stored as, alone and in collections")
    func enums() throws {
        try both { zoo in
            for value in [ZooMood.wild, 1] as [Any] {
                zoo.mood = nil
                zoo["mood"] = value
                #expect(zoo["mood"] as? ZooMood == .wild)
                zoo.moods.removeAll()
                zoo["moods"] = [value, ZooMood.calm]
                #expect((zoo["moods"] as? List<ZooMood>).map(Array.init) == [.wild, .calm])
            }
        }
    }

    @Test("Objects that are there are linked, and an empty list empties")
    func links() throws {
        let graph = try graph()
        let zoo = try graph.added(Zoo())
        try graph.write {
            let keeper = try graph.create(ZooKeeper.self, value: ["name": "Ada"])
            zoo["keepers"] = [keeper, ["name": "Bob"], keeper]
            #expect(zoo.keepers.map(\.name) == ["Ada", "Bob", "Ada"] && graph.objects(ZooKeeper.self).count == 2)
            zoo["keepers"] = [Any]()
            #expect(zoo.keepers.isEmpty)
        }
    }

    @Test(
        "What does not fit is found before anything is made, and names the path",
        arguments: [
            ("keepers", [["name": 5]] as any Sendable, "Zoo.keepers[0].name"),
            ("gate", ["width": "x"], "Zoo.gate.width"),
            ("moods", [1, 7], "Zoo.moods[1]"), ("keeper", ["nope": 1], "Zoo.keeper"),
        ])
    func misfits(_ name: String, _ value: any Sendable, _ path: String) throws {
        try both { zoo in
            let error = #expect(throws: BanyanError.self) { try zoo.setValue(value, forKey: name) }
            #expect(error?.message.contains("'\(path)'") == true, "\(error.map { "\($0)" } ?? "")")
            #expect(zoo.keepers.isEmpty && zoo.gate == nil && zoo.moods.isEmpty && zoo.keeper == nil)
            #expect(zoo.graph?.objects(ZooKeeper.self).isEmpty ?? true)
        }
    }

    @Test("A key that is taken fails the write, and so does another key for the object itself")
    func keys() throws {
        let graph = try graph()
        let zoo = try graph.added(Zoo())
        try graph.write { try graph.create(ZooKeeper.self, value: ["name": "Ada"]) }
        #expect(graph.fault { _ in zoo["keepers"] = [["name": "Bob"], ["name": "Ada"]] }?.code == .duplicateKey)
        #expect(graph.fault { _ in zoo["id"] = "seven" }?.code == .invalidValue)
        #expect(graph.objects(ZooKeeper.self).count == 1 && zoo.keepers.isEmpty)
    }
}
