import BanyanCore
import Testing

@testable import Banyan

/// Wholesale assignment to a map, of what the map holds already.
@Suite("Maps given their own contents")
struct MapReassignmentTests {
    /// What becomes of a map with a, b and c: keys with the names of their new values.
    private static let plans: [[(String, String)]] = [
        [("a", "b"), ("b", "a"), ("c", "c")], [("a", "b"), ("b", "c"), ("c", "a")], [("a", "c")], [("b", "a")],
        [("x", "a"), ("y", "b"), ("z", "c")], [("a", "b"), ("b", "new"), ("d", "c")],
        [("c", "a"), ("a", "new"), ("x", "b")], [("b", "b"), ("x", "new"), ("y", "a")],
        [("a", "a"), ("b", "b"), ("c", "c")], [], [("a", "a"), ("a", "b")], [("a", "c"), ("b", "a"), ("a", "b")],
    ]
    private static let before = ["a": "a", "b": "b", "c": "c"]

    private enum Form: CaseIterable {
        case replaceAll, property, merge, byName, dynamic
    }

    private func world() throws -> (CollectionFixture, [String: Toy]) {
        let fixture = try CollectionFixture()
        var toys: [String: Toy] = [:]
        try fixture.graph.write {
            for name in Self.before.keys.sorted() {
                let toy = Toy(name)
                fixture.kennel.toyMap[name] = toy
                toys[name] = toy
            }
        }
        return (fixture, toys)
    }

    private func names(_ map: Map<String, Toy?>) -> [String: String] { map.mapValues { $0?.name ?? "nil" } }

    private func set(_ form: Form, _ fixture: CollectionFixture, _ entries: [(key: String, value: Toy?)]) throws {
        let values = Dictionary(entries.map { ($0.key, $0.value as Any) }, uniquingKeysWith: { _, last in last })
        switch form {
        case .replaceAll: fixture.kennel.toyMap.replaceAll(with: entries)
        case .property:
            let contents = Map<String, Toy?>()
            for (key, value) in entries { contents.updateValue(value, forKey: key) }
            fixture.kennel.toyMap = contents
        case .merge: fixture.kennel.toyMap.merge(entries)
        case .byName: fixture.kennel["toyMap"] = values
        case .dynamic:
            let kennel = try #require(try fixture.graph.dynamicObjects("Kennel").first)
            try kennel.setValue(values, forKey: "toyMap")
        }
    }

    @Test("Embedded objects stand under their new keys, and what is left out is deleted", arguments: plans.indices)
    func permuted(_ number: Int) throws {
        let plan = Self.plans[number]
        // The last entry of a key counts.
        let wanted = Dictionary(plan, uniquingKeysWith: { _, last in last })
        for form in Form.allCases {
            let (fixture, old) = try world()
            let (graph, map) = (fixture.graph, fixture.kennel.toyMap)
            func entries() -> [(key: String, value: Toy?)] { plan.map { (key: $0, value: old[$1] ?? Toy($1)) } }
            var told: [String] = []
            let token = map.observe { change in
                if case .update(_, let deletions, let insertions, let modifications) = change {
                    told =
                        deletions.sorted().map { "-\($0)" } + insertions.sorted().map { "+\($0)" }
                        + modifications.sorted().map { "*\($0)" }
                }
            }
            defer { token.invalidate() }
            graph.undoing { map.replaceAll(with: entries()) }
            #expect(names(map) == Self.before)
            let isPartial = form == .merge
            if isPartial, wanted.values.contains(where: { old[$0] != nil && wanted[$0] == nil }) {
                // It would be under two keys.
                #expect(graph.fault { _ in map.merge(entries()) }?.code == .secondOwner)
                #expect(names(map) == Self.before)
                continue
            }
            let commit = try graph.commit { _ in try set(form, fixture, entries()) }
            var expected = isPartial ? Self.before : [:]
            expected.merge(wanted) { $1 }
            #expect(names(map) == expected, "\(form)")
            for (name, toy) in old {
                #expect(toy.isInvalidated == !expected.values.contains(name), "\(form) \(name)")
                if let key = expected.first(where: { $0.value == name })?.key { #expect(map[key] == toy) }
            }
            #expect(graph.workspace.view._invariantCheck() == [], "\(form)")
            let removed = Self.before.keys.filter { expected[$0] == nil }.sorted().map { "-\($0)" }
            let added = expected.keys.filter { Self.before[$0] == nil }.sorted().map { "+\($0)" }
            let changed = Self.before.keys.filter { expected[$0] != nil && expected[$0] != $0 }.sorted()
            #expect(told == removed + added + changed.map { "*\($0)" }, "\(form)")
            if !commit.isEmpty { try graph.write { try graph.undo(commit) } }
            #expect(names(map) == Self.before, "\(form)")
            #expect(graph.workspace.view._invariantCheck() == [], "\(form)")
        }
    }

    @Test("It is all there after closing and opening again", arguments: [false, true])
    func reopened(_ withCheckpoint: Bool) async throws {
        for plan in Self.plans {
            let directory = ScratchDirectory()
            let store = try await Store.open(.init(directory: directory.path, models: [Kennel.self]))
            try await store.write { graph in
                let kennel = Kennel()
                for name in Self.before.keys { kennel.toyMap[name] = Toy(name) }
                try graph.add(kennel)
            }
            if withCheckpoint { try await store.checkpoint() }
            try await store.write { graph in
                let map = try #require(graph.objects(Kennel.self).first).toyMap
                let old = map.mapValues { $0 }
                map.replaceAll(with: plan.map { (key: $0, value: (old[$1] ?? nil) ?? Toy($1)) })
            }
            try await store.close()
            let reopened = try await Store.open(.init(directory: directory.path, models: [Kennel.self]))
            let graph = Graph(reopened)
            let wanted = Dictionary(plan, uniquingKeysWith: { _, last in last })
            #expect(names(try #require(graph.objects(Kennel.self).first).toyMap) == wanted)
            #expect(graph.workspace.view._invariantCheck() == [])
            try await reopened.close()
        }
    }

    @Test("Lists in AnyValues are there under their new keys after closing and opening again")
    func reopenedAnyValues() async throws {
        for plan in Self.plans {
            let directory = ScratchDirectory()
            let store = try await Store.open(.init(directory: directory.path, models: crateModels))
            try await store.write { graph in
                let crate = Crate("one")
                for name in Self.before.keys { crate.map[name] = [.string(name), [.string(name)]] }
                try graph.add(crate)
            }
            try await store.write { graph in
                let map = try #require(graph.objects(Crate.self).first).map
                let old = map.mapValues { $0 }
                map.replaceAll(with: plan.map { (key: $0, value: old[$1] ?? [.string($1), [.string($1)]]) })
            }
            try await store.close()
            let reopened = try await Store.open(.init(directory: directory.path, models: crateModels))
            let graph = Graph(reopened)
            let map = try #require(graph.objects(Crate.self).first).map
            let wanted = Dictionary(plan, uniquingKeysWith: { _, last in last })
            #expect(map.keys == wanted.keys.sorted())
            for (key, name) in wanted { #expect(map[key] == [.string(name), [.string(name)]]) }
            #expect(graph.workspace.view._invariantCheck() == [])
            try await reopened.close()
        }
    }

    @Test("An unmanaged map takes its own contents in another order")
    func unmanaged() {
        let map = Map<String, Toy?>()
        let (a, b) = (Toy("a"), Toy("b"))
        map.replaceAll(with: [(key: "a", value: a), (key: "b", value: b), (key: "c", value: Toy("c"))])
        map.replaceAll(with: [(key: "a", value: b), (key: "x", value: a)])
        #expect(names(map) == ["a": "b", "x": "a"])
        map.merge([(key: "a", value: a), (key: "x", value: b)])
        #expect(names(map) == ["a": "a", "x": "b"])
    }

    @Test("The same object under two keys fails the write")
    func twice() throws {
        let (fixture, old) = try world()
        for form in Form.allCases {
            let error = fixture.graph.fault { _ in
                try set(form, fixture, [(key: "x", value: old["a"]), (key: "y", value: old["a"])])
            }
            #expect(error?.code == .secondOwner, "\(form)")
            #expect(names(fixture.kennel.toyMap) == Self.before)
        }
    }

    @Test("Lists and dictionaries in the AnyValues of a map go to other keys with all they hold")
    func anyValues() throws {
        let graph = Graph(try Store(.init(models: crateModels)))
        let crate = try graph.added(Crate("one")) {
            $0.map["a"] = [1, ["deep"]]
            $0.map["b"] = ["k": .object(Ware("inner"))]
            $0.map["c"] = "text"
        }
        let map = crate.map
        let (a, b) = (try #require(map["a"]), try #require(map["b"]))
        let inner = try #require(a.listValue?[1])
        let commit = try graph.commit { _ in
            map.replaceAll(with: [
                (key: "b", value: a), (key: "x", value: b), (key: "y", value: a), (key: "z", value: inner),
            ])
        }
        #expect(map.keys == ["b", "x", "y", "z"])
        #expect(map["b"] == [1, ["deep"]] && map["y"] == [1, ["deep"]] && map["z"] == ["deep"])
        #expect(
            a.listValue?.isInvalidated == false && a.listValue?.count == 2 && b.dictionaryValue?.isInvalidated == false)
        #expect(map["x"]?.dictionaryValue?["k"]?.object(Ware.self)?.name == "inner")
        #expect(graph.workspace.view._invariantCheck() == [])
        try graph.write { try graph.undo(commit) }
        #expect(map["a"] == [1, ["deep"]] && map.keys == ["a", "b", "c"] && map["c"] == "text")
        #expect(graph.objects(Ware.self).first?.inMaps.count == 1)
        #expect(graph.workspace.view._invariantCheck() == [])
        // What stays behind cannot go: it is copied.
        try graph.write { map.merge([(key: "d", value: a), (key: "b", value: a), (key: "a", value: "new")]) }
        #expect(map["a"] == "new" && map["b"] == [1, ["deep"]] && map["d"] == [1, ["deep"]])
        #expect(graph.workspace.view._invariantCheck() == [])
    }
}
