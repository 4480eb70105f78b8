import Banyan
import Foundation
import Testing

@Model class Portrait: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var rank: Rank?
    @Persisted var frame: PortraitFrame?
    @Persisted var next: Portrait?
    @Persisted var loose: Nail?
    @Persisted var others: List<Portrait>
    @Persisted var tags: MutableSet<String>
    @Persisted var sizes: Map<String, Int>
    @Persisted var extra: AnyValue
    @Persisted private var secret = "hunter2"
    @Persisted fileprivate var pin = 1234
    @Persisted(originProperty: "next") var before: LinkingObjects<Portrait>

    func know(_ word: String) { secret = word }
}

@Model class PortraitFrame: EmbeddedObject {
    @Persisted var wood = "oak"
    @Persisted var inner: PortraitFrame?
    @Persisted(originProperty: "frame") var portrait: LinkingObjects<Portrait>
}

@Model class Nail: Object {
    @Persisted var length = 3
}

@Model class Signed: Object, CustomStringConvertible {
    /// A stored property that has the name of what others print.
    @Persisted var debug = ""
    var description: String { "signed by hand" }
}

@Suite("What is printed")
struct DescriptionTests {
    private let models: [ObjectBase.Type] = [Portrait.self, Signed.self]

    private func make() -> Portrait {
        let portrait = Portrait()
        (portrait.id, portrait.name, portrait.rank) = (1, "Ada \"A\"", .high)
        portrait.frame = PortraitFrame()
        portrait.frame?.inner = PortraitFrame()
        portrait.next = portrait
        portrait.loose = Nail()
        portrait.others.append(objectsIn: [portrait, portrait])
        portrait.tags.insert("x")
        portrait.sizes["w"] = 3
        portrait.extra = ["a": [1, "b"]]
        portrait.know("hunter3")
        return portrait
    }

    @Test("An object prints as its properties, in every situation", arguments: Situation.allCases)
    func object(_ situation: Situation) async throws {
        try await situation.show(Portrait.self, models, make: make, spoil: { $0.name = "spoilt" }) { portrait in
            let nail = portrait.loose?.objectID.map { "\($0)" } ?? "unmanaged"
            let inverse = portrait.graph == nil ? "[]" : "[Portrait(id: 1)]"
            let expected =
                #"Portrait(id: 1, name: "Ada \"A\"", rank: 9223372036854775807, frame: PortraitFrame(wood: "oak", inner: "#
                + #"PortraitFrame(wood: "oak", inner: nil, portrait: []), portrait: \#(inverse)), next: Portrait(id: 1), "#
                + #"loose: Nail(\#(nail)), others: [Portrait(id: 1), Portrait(id: 1)], tags: ["x"], sizes: ["w": 3], "#
                + #"extra: ["a": [1, "b"]], before: \#(inverse))"#
            #expect("\(portrait)" == expected)
            #expect(String(describing: portrait) == expected && String(reflecting: portrait) == expected)
            #expect(!"\(portrait)".contains("hunter") && !"\(portrait)".contains("1234"))
        }
    }

    @Test("A class may say itself what it prints")
    func ownDescription() {
        #expect("\(Signed())" == "signed by hand")
    }

    @Test("A deleted object says so, and looking at it fails nothing")
    func deleted() throws {
        let graph = Graph(try Store(.init(models: models)))
        let portrait = try graph.added(make())
        #expect("\(portrait.extra)" == #"["a": [1, "b"]]"#)
        try graph.write {
            graph.delete(portrait)
            #expect("\(portrait)" == "Portrait(deleted)")
            #expect("\([portrait])" == "[Portrait(deleted)]")
        }
    }

    @Test("The text has an end, whatever there is", .timeLimit(.minutes(1)))
    func bounded() throws {
        let graph = Graph(try Store(.init(models: models)))
        let portrait = Portrait()
        portrait.name = String(repeating: "é", count: 1_000_000)
        for i in 0..<10_000 { portrait.tags.insert("\(i)") }
        portrait.others.append(objectsIn: repeatElement(portrait, count: 10_000))
        var frame = PortraitFrame()
        for _ in 0..<100 {
            let outer = PortraitFrame()
            outer.inner = frame
            frame = outer
        }
        portrait.frame = frame
        // A list that is in itself.
        let list = List<AnyValue>()
        list.append(objectsIn: repeatElement(.list(list), count: 20))
        #expect("\(AnyValue.list(list))".utf8.count < 10_000)
        #expect("\(portrait)".utf8.count < 10_000)
        try graph.added(portrait)
        #expect("\(portrait)".utf8.count < 10_000)
        #expect("\(portrait)".contains(", … 9990 more]"))
        try graph.write { for i in 1..<1_000 { try graph.add(make(i)) } }
        #expect("\(graph.objects(Portrait.self))".utf8.count < 100_000)
        #expect("\(portrait.others)".utf8.count < 100_000)
    }

    private func make(_ id: Int) -> Portrait {
        let portrait = make()
        portrait.id = id
        (portrait.next, portrait.extra) = (nil, .none)
        portrait.others.removeAll()
        return portrait
    }

    @Test("Objects that link to each other print, by their class and by its name")
    func circle() throws {
        let graph = Graph(try Store(.init(models: models)))
        let (a, b) = (make(1), make(2))
        (a.next, b.next) = (b, a)
        try graph.added(a)
        #expect("\(a)".contains("next: Portrait(id: 2)") && "\(b)".contains("next: Portrait(id: 1)"))
        let dynamic = try #require(try graph.dynamicObject(ofType: "Portrait", forPrimaryKey: 1))
        #expect("\(dynamic)" == "\(a)")
        #expect(try "\(graph.dynamicObjects("Portrait").first.map { "\($0)" } ?? "")".hasPrefix("Portrait(id: "))
    }

    @Test("Results, graphs and stores say what there is and how much")
    func results() async throws {
        let store = try Store(.init(models: [Nail.self]))
        let graph = Graph(store)
        #expect("\(graph.objects(Nail.self))" == "Results<Nail> of 0: []")
        try graph.write {
            for length in 1...12 {
                let nail = Nail()
                nail.length = length
                try graph.add(nail)
            }
        }
        #expect(
            "\(graph.objects(Nail.self).where { $0.length < 3 }.sorted(by: \.length))"
                == "Results<Nail> of 2: [Nail(length: 1), Nail(length: 2)]")
        #expect("\(graph.objects(Nail.self))".hasPrefix("Results<Nail> of 12: [Nail(length: "))
        #expect("\(graph.objects(Nail.self))".hasSuffix("… 2 more]"))
        #expect("\(store)" == "Store(in memory, commit: 1, Nail: 12)")
        #expect(
            "\(graph)" == "Graph(commit: 1, Nail: 12)" && "\(graph.freeze())" == "Graph(frozen, commit: 1, Nail: 12)")
        let directory = ScratchDirectory()
        let durable = try await Store.open(.init(directory: directory.path, models: [Nail.self]))
        #expect("\(durable)" == "Store(directory: \(directory.path.debugDescription), commit: 0, Nail: 0)")
        try await durable.close()
    }

    @Test("An error's localized description is its message, and what to do is its suggestion")
    func errors() throws {
        let graph = Graph(try Store(.init(models: models)))
        let error = #expect(throws: BanyanError.self) { try graph.write { try graph.write {} } }
        let plain: (any Error)? = error
        #expect(plain?.localizedDescription == "a write to this store is already running here.")
        #expect((plain as? any LocalizedError)?.recoverySuggestion == "Make one write of both.")
        let located = BanyanError(.io, "it broke", remedy: "Mend it", at: .init(file: "x"), cause: "worms")
        #expect((located as any Error).localizedDescription == "it broke (x): worms.")
        #expect("\(located)" == "it broke (x): worms. Mend it.")
    }
}
