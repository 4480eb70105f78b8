import Banyan
import Testing

@Suite("AnyValue: inverses of nested links")
struct AnyValueInverseTests {
    private static let everywhere = "value: A A A, list: A A, map: A, parts: 2"

    private static func crate(_ nut: Ware, _ bolt: Ware) -> Crate {
        let crate = Crate("A")
        crate.value = [.object(nut), ["k": .object(nut), "l": [[.object(nut)]]], .object(bolt)]
        crate.list.append(objectsIn: [.object(nut), 1, [["deep": .object(nut)]]])
        crate.map["m"] = [.object(nut)]
        crate.part = CratePart()
        crate.part?.value = ["x": .object(nut), "y": [.object(nut)]]
        return crate
    }

    @Test("They tell who holds the outermost value, as often as it holds the object", arguments: Situation.managed)
    func counts(_ situation: Situation) async throws {
        try await situation.show(Crate.self, crateModels) {
            Self.crate(Ware("nut"), Ware("bolt"))
        } spoil: { crate in
            let nut = crate.list[0]
            crate.value[1]?["l"] = AnyValue.none
            crate.value[0] = [nut, nut]
            crate.list[2][0]?["deep"] = 7
            crate.map["m"]?.listValue?.append(nut)
            crate.part = nil
        } check: { crate in
            let nut = try #require(crate.list[0].object(Ware.self))
            let bolt = try #require(crate.value[2]?.object(Ware.self))
            #expect(nut.held == Self.everywhere)
            #expect(bolt.held == "value: A, list: , map: , parts: 0")
            #expect(nut.inValues.first == crate)
            #expect(nut.inValues.times(crate) == 3)
            #expect(nut.inParts.first == crate.part)
            // What is not there directly is found by the inverse, not by the list.
            #expect(!crate.list.contains(.object(bolt)))
        }
    }

    /// What is done to a crate as `crate` makes it, and who holds the nut then.
    static let steps: [(String, String, @Sendable (Crate, AnyValue) -> Void)] = [
        ("an element added", "value: A A A A, list: A A, map: A, parts: 2", { $0.value.listValue?.append($1) }),
        (
            "one added far inside", "value: A A A A, list: A A, map: A, parts: 2",
            { $0.value[1]?["l"]?[0]?[0] = [$1, $1] }
        ),
        ("one removed", "value: A A, list: A A, map: A, parts: 2", { crate, _ in crate.value[1]?["k"] = nil }),
        ("one replaced", "value: A A, list: A A, map: A, parts: 2", { crate, _ in crate.value[0] = "no more" }),
        ("a list removed", "value: A A, list: A A, map: A, parts: 2", { crate, _ in crate.value[1]?["l"] = nil }),
        ("all of a list", "value: , list: A A, map: A, parts: 2", { crate, _ in crate.value.listValue?.removeAll() }),
        ("the value", "value: , list: A A, map: A, parts: 2", { crate, _ in crate.value = 5 }),
        ("by itself", "value: A, list: A A, map: A, parts: 2", { $0.value = $1 }),
        ("by another", "value: A A, list: A A, map: A, parts: 2", { $0.value = [$1, ["z": [$1]]] }),
        ("by a copy", "value: A, list: A A, map: A, parts: 2", { crate, _ in crate.value = crate.map["m"] ?? .none }),
        ("a range", "value: A A A, list: , map: A, parts: 2", { crate, _ in crate.list.removeSubrange(0..<3) }),
        ("moved", "value: A A A, list: A A, map: A, parts: 2", { crate, _ in crate.list.move(from: 2, to: 0) }),
        ("a key", "value: A A A, list: A A, map: , parts: 2", { crate, _ in crate.map["m"] = nil }),
        ("a part", "value: A A A, list: A A, map: A, parts: 0", { crate, _ in crate.part = nil }),
        ("a part's", "value: A A A, list: A A, map: A, parts: 1", { crate, _ in crate.part?.value["y"] = 1 }),
    ]

    @Test("They follow every change, and what takes it back", arguments: steps.indices)
    func changes(_ index: Int) async throws {
        let (name, expected, change) = Self.steps[index]
        let directory = ScratchDirectory()
        let store = try await Store.open(.init(directory: directory.path, models: crateModels))
        let graph = Graph(store)
        let nut = Ware("nut")
        let crate = try graph.added(Self.crate(nut, Ware("bolt")))
        let frozen = nut.freeze()
        graph.undoing { change(crate, .object(nut)) }
        #expect(nut.held == Self.everywhere, "\(name), rolled back")
        try graph.write {
            graph.retracting {
                change(crate, .object(nut))
                #expect(nut.held == expected, "\(name), in a savepoint")
            }
            #expect(nut.held == Self.everywhere, "\(name), after the savepoint")
        }
        let fork = Graph(store.fork())
        let commit = try graph.commit { _ in change(crate, .object(nut)) }
        #expect(nut.held == expected, "\(name)")
        #expect(frozen.held == Self.everywhere, "\(name), frozen")
        #expect(fork.objects(Ware.self).first { $0.name == "nut" }?.held == Self.everywhere, "\(name), forked")
        try graph.write { try graph.undo(commit) }
        #expect(nut.held == Self.everywhere, "\(name), undone")
        try graph.write { change(crate, .object(nut)) }
        try await store.close()
        let replayed = try await Store.open(.init(directory: directory.path, models: crateModels))
        #expect(Graph(replayed).objects(Ware.self).first { $0.name == "nut" }?.held == expected, "\(name), replayed")
        try await replayed.checkpoint()
        try await replayed.close()
        let loaded = try await Store.open(.init(directory: directory.path, models: crateModels))
        let seen = Graph(loaded).objects(Ware.self).first { $0.name == "nut" }
        #expect(seen?.held == expected, "\(name), from a snapshot")
        // Nothing is left that does not go.
        try Graph(loaded).write { graph in graph.delete(graph.objects(Crate.self)) }
        let after = Graph(loaded).objects(Ware.self).first { $0.name == "nut" }
        #expect(after?.held == "value: , list: , map: , parts: 0", "\(name), without the crate")
        try await loaded.close()
    }

    @Test("Deleting the object clears the links of both kinds", arguments: [false, true])
    func deletion(_ isUndone: Bool) throws {
        let graph = Graph(try Store(.init(models: crateModels)))
        let (nut, bolt) = (Ware("nut"), Ware("bolt"))
        let crate = try graph.added(Self.crate(nut, bolt)) { $0.value = [$0.value, .object(nut), .object(bolt)] }
        let other = try graph.added(Crate("B")) { $0.value = .object(nut) }
        let before = crate.value.description
        let commit = try graph.commit { $0.delete(nut) }
        #expect(other.value == .none)
        #expect(crate.list.count == 3 && crate.list[0] == .none)
        #expect(bolt.held == "value: A A, list: , map: , parts: 0")
        if isUndone {
            try graph.write { try graph.undo(commit) }
            let back = try #require(graph.objects(Ware.self).first { $0.name == "nut" })
            #expect(back.held == "value: A A A A B, list: A A, map: A, parts: 2")
            #expect(crate.value.description.count == before.count)
        }
        try graph.write { graph.deleteAll() }
        #expect(graph.objects(Crate.self).isEmpty)
    }

    @Test("A change of them is told: to results that hold the owner, and to those of the object")
    func notification() throws {
        let graph = Graph(try Store(.init(models: crateModels)))
        let nut = try graph.added(Ware("nut"))
        let crate = try graph.added(Crate("A")) { $0.value = [[1]] }
        let log = Log()
        let tokens = [
            nut.inValues.where { $0.name != "" }.observe { log.add(Told($0)) },
            graph.objects(Ware.self).where { $0.inValues.count > 0 }.observe { log.add(Told($0)) },
        ]
        #expect(log.take() == [.initial(0), .initial(0)])
        try graph.write { crate.value[0]?.listValue?.append(.object(nut)) }
        let coming = Told.update(count: 1, deletions: [], insertions: [0], modifications: [])
        #expect(log.take() == [coming, coming])
        graph.undoing { crate.value = 1 }
        #expect(log.take().isEmpty)
        try graph.write { crate.value[0]?[1] = 2 }
        let going = Told.update(count: 0, deletions: [0], insertions: [], modifications: [])
        #expect(log.take() == [going, going])
        withExtendedLifetime(tokens) {}
    }

    @Test("Queries through them find what is held far inside")
    func queries() throws {
        let graph = Graph(try Store(.init(models: crateModels)))
        let (nut, bolt) = (Ware("nut"), Ware("bolt"))
        try graph.added(Self.crate(nut, bolt))
        #expect(graph.objects(Ware.self).where { $0.inValues.count == 3 }.map(\.name) == ["nut"])
        #expect(graph.objects(Ware.self).where { $0.inValues.name == "A" }.count == 2)
    }
}
