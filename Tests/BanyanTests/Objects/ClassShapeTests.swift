import Banyan
import Foundation
import Testing

@Model private class Hidden: Object { @Persisted var text = "hidden" }

enum Outer {
    @Model class Nested: Object {
        @Persisted var text = "nested"
        @Persisted var other: Nested?
    }
}

/// Has an initialiser of its own and properties that are not stored.
@Model final class Crafted: Object {
    @Persisted(primaryKey: true) var id = ""
    @Persisted var width = 1.0
    @Persisted var height = 1.0
    var notes: [String] = ["kept by the instance"]
    lazy var label = "label of \(id)"
    static let unit = "m"
    var area: Double { width * height }
    var half: Double {
        get { width / 2 }
        set { width = newValue * 2 }
    }

    init(id: String, width: Double) {
        super.init()
        self.id = id
        self.width = width
    }

    convenience init(square side: Double) {
        self.init(id: "square \(side)", width: side)
        height = side
    }
}

@Model class Creature: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = "creature"
    func speak() -> String { "…" }
}
@Model class Bird: Creature {
    @Persisted var wings = 2
    @Persisted var nest: Abode?
    override func speak() -> String { "\(name) sings with \(wings) wings" }
}
@Model class Parrot: Bird { @Persisted var words: List<String> }

@Model class OnlyInverses: Object { @Persisted(originProperty: "target") var from: LinkingObjects<PointsThere> }
@Model class PointsThere: Object { @Persisted var target: OnlyInverses? }
@Model class Empty: Object {}

@Model class Renamed: Object {
    @Persisted(name: "stored_name") var name = "n"
    @Persisted(indexed: true, name: "größe") var size = 3
}

@Model class Wide: Object {
    @Persisted var a: Int8
    @Persisted var b: Bool
    @Persisted var c: ObjectId
    @Persisted var d: Bool?
    @Persisted var e: Int16?
    @Persisted var f: UUID?
    @Persisted var g: Float
    @Persisted var `class` = "reserved word"
    @Persisted var `größe` = 1.5
}

@Suite("Shapes of model classes")
struct ClassShapeTests {
    @Test("A class that is local to a function is a model", arguments: Situation.allCases)
    func local(_ situation: Situation) async throws {
        @Model class Local: Object {
            @Persisted var text = "local"
            @Persisted var next: Local?
        }
        try await situation.show(Local.self) {
            let object = Local()
            object.next = Local()
            return object
        } check: {
            #expect($0.text == "local")
        }
    }

    @Test("Two local classes of one name are two models of two stores")
    func twins() throws {
        func one() throws -> Int {
            @Model class Twin: Object { @Persisted var number = 1 }
            return try Graph(Store(.init(models: [Twin.self]))).added(Twin()).number
        }
        func two() throws -> String {
            @Model class Twin: Object { @Persisted var number = "two" }
            return try Graph(Store(.init(models: [Twin.self]))).added(Twin()).number
        }
        #expect(try one() == 1)
        #expect(try two() == "two")
    }

    @Test("A private class is a model", arguments: Situation.allCases)
    func privateClass(_ situation: Situation) async throws {
        try await situation.show(Hidden.self) {
            Hidden()
        } check: {
            #expect($0.text == "hidden")
        }
    }

    @Test("A nested class is a model", arguments: Situation.allCases)
    func nested(_ situation: Situation) async throws {
        try await situation.show(Outer.Nested.self) {
            let object = Outer.Nested()
            object.other = object
            return object
        } check: {
            #expect($0.text == "nested")
            #expect($0.other == $0)
            // An unmanaged object that holds itself would live for ever.
            if $0.graph == nil { $0.other = nil }
        }
    }

    @Test("Designated and convenience initialisers work", arguments: Situation.allCases)
    func initialisers(_ situation: Situation) async throws {
        try await situation.show(Crafted.self) {
            Crafted(square: 3)
        } check: {
            #expect($0.id == "square 3.0")
            #expect($0.area == 9)
            #expect($0.half == 1.5)
        }
        #expect(Crafted().width == 1)
    }

    @Test("What is not marked belongs to the instance alone and gets its own default in every other")
    func ignored() throws {
        let graph = Graph(try Store(.init(models: [Crafted.self])))
        let object = try graph.added(Crafted(id: "x", width: 2)) {
            $0.notes = ["changed"]
        }
        #expect(object.notes == ["changed"])
        #expect(object.label == "label of x")
        let other = try #require(graph.object(ofType: Crafted.self, forPrimaryKey: "x"))
        #expect(other == object)
        #expect(other.notes == ["kept by the instance"])
        let before = graph.sequence
        object.notes.append("outside a write")
        #expect(graph.sequence == before)
    }

    @Test("A computed property writes through to the stored one it is made of")
    func computed() throws {
        let store = try Store(.init(models: [Crafted.self]))
        let graph = Graph(store)
        let object = try graph.added(Crafted(id: "x", width: 2))
        try graph.write { object.half = 10 }
        #expect(object.width == 20)
        #expect(store.read { $0.objects(Crafted.self).first?.area } == 20)
    }

    @Test("A subclass stores its superclasses' properties and its own", arguments: Situation.allCases)
    func subclasses(_ situation: Situation) async throws {
        try await situation.show(Parrot.self) {
            let parrot = Parrot()
            parrot.id = 4
            parrot.name = "Flint"
            parrot.wings = 1
            parrot.words.append("pieces of eight")
            parrot.nest = Abode("mast")
            return parrot
        } check: {
            #expect($0.id == 4)
            #expect($0.speak() == "Flint sings with 1 wings")
            #expect(Array($0.words) == ["pieces of eight"])
            #expect($0.nest?.city == "mast")
        }
    }

    @Test("Superclass and subclass live in one store side by side")
    func hierarchy() throws {
        let graph = Graph(try Store(.init(models: [Creature.self, Bird.self, Parrot.self])))
        try graph.write {
            let (creature, bird, parrot) = (Creature(), Bird(), Parrot())
            (creature.id, bird.id, parrot.id) = (1, 2, 3)
            try graph.add(creature)
            try graph.add(bird)
            try graph.add(parrot)
        }
        #expect(graph.object(ofType: Bird.self, forPrimaryKey: 2)?.wings == 2)
        #expect(graph.object(ofType: Parrot.self, forPrimaryKey: 3)?.name == "creature")
        #expect(graph.objects(Parrot.self).where { $0.wings == 2 && $0.name == "creature" }.count == 1)
        #expect(graph.objects(Parrot.self).sorted(by: \.name).first?.id == 3)
    }

    @Test("A class may have only inverses, or nothing at all")
    func empties() throws {
        let graph = Graph(try Store(.init(models: [OnlyInverses.self, Empty.self])))
        let target = try graph.added(OnlyInverses())
        let empty = try graph.added(Empty())
        try graph.write {
            for _ in 0..<3 {
                let source = PointsThere()
                source.target = target
                try graph.add(source)
            }
        }
        #expect(target.from.count == 3)
        #expect(graph.objects(Empty.self).count == 1)
        try graph.write { graph.delete(empty) }
        #expect(empty.isInvalidated)
    }

    @Test(
        "Properties may have other stored names, reserved words and letters outside ASCII",
        arguments: Situation.allCases)
    func names(_ situation: Situation) async throws {
        try await situation.show(Wide.self) {
            let wide = Wide()
            wide.class = "first"
            wide.größe = 2.5
            wide.d = true
            return wide
        } check: {
            #expect($0.class == "first")
            #expect($0.größe == 2.5)
            #expect($0.d == true)
            #expect($0.e == nil && !$0.b)
        }
        let graph = Graph(try Store(.init(models: [Renamed.self])))
        let object = try graph.added(Renamed())
        #expect(graph.objects(Renamed.self).where { $0.name == "n" && $0.size == 3 }.first == object)
        #expect(try graph.objects(Renamed.self).filter("name == 'n' AND size == 3").first == object)
    }
}
