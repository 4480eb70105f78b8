import Banyan
import Testing

@Suite("AnyValue: observing what holds nested values")
struct AnyValueObservationTests {
    private func crate(_ graph: Graph) throws -> Crate {
        try graph.added(Crate("A")) {
            $0.value = [1, ["a": 2, "deep": [[3]]]]
            $0.list.append(objectsIn: [0, [1, [2]], ["k": [3]]])
            $0.map["m"] = [[4]]
            $0.map["n"] = 5
            $0.part = CratePart()
            $0.part?.value = ["p": [6]]
        }
    }

    /// A change within each property, what the crate's observer is told, and what the results are.
    private static let changes: [@Sendable (Crate) -> Void] = [
        { $0.value.listValue?.append(9) }, { $0.value[1]?["a"] = 9 },
        { $0.value[1]?["deep"]?[0]?.listValue?.removeAll() },
    ]

    @Test("A change inside is a change of the property: the old contents frozen, the new ones live", arguments: 0..<3)
    func object(_ index: Int) throws {
        let graph = Graph(try Store(.init(models: crateModels)))
        let crate = try crate(graph)
        let old = crate.value.shown
        var told: [String] = []
        var before: AnyValue?
        let token = crate.observe { (change: ObjectChange<Crate>) in
            guard case .change(_, let properties) = change else { return told.append("deleted") }
            for property in properties {
                before = property.oldValue as? AnyValue
                let after = property.newValue as? AnyValue
                told.append("\(property.name): \(before?.shown ?? "nil") → \(after?.shown ?? "nil")")
                #expect(before?.listValue?.isFrozen != false && after?.listValue?.isFrozen != true)
                #expect(after == nil || after == crate.value)
            }
        }
        graph.undoing { Self.changes[index](crate) }
        try graph.write { graph.retracting { Self.changes[index](crate) } }
        #expect(told.isEmpty)
        let commit = try graph.commit { _ in Self.changes[index](crate) }
        let new = crate.value.shown
        #expect(told == ["value: \(old) → \(new)"])
        try graph.write { try graph.undo(commit) }
        #expect(told == ["value: \(old) → \(new)", "value: \(new) → \(old)"])
        told = []
        try graph.write { crate.value = 7 }
        #expect(told == ["value: \(old) → int 7"])
        #expect(before?.listValue?.isFrozen == true)
        told = []
        try graph.write { crate.name = "B" }
        #expect(told.count == 1 && told[0].hasPrefix("name"))
        withExtendedLifetime(token) {}
    }

    @Test("A list and a map of AnyValues are properties that changed; an embedded object tells its own")
    func collections() throws {
        let graph = Graph(try Store(.init(models: crateModels)))
        let crate = try crate(graph)
        let part = try #require(crate.part)
        let log = Log()
        var parts: [String] = []
        let tokens = [
            crate.observe { (change: ObjectChange<Crate>) in log.add(Told(change)) },
            part.observe { (change: ObjectChange<CratePart>) in
                guard case .change(_, let properties) = change else { return }
                parts += properties.map { "\($0.name) \(($0.newValue as? AnyValue)?.shown ?? "nil")" }
            },
        ]
        try graph.write { crate.list[1][1]?[0] = "new" }
        #expect(log.take() == [.changed(["list: nil → nil"])])
        try graph.write { crate.map["m"]?[0]?.listValue?.append("new") }
        #expect(log.take() == [.changed(["map: nil → nil"])])
        #expect(parts.isEmpty)
        try graph.write { crate.part?.value["p"]?.listValue?.removeAll() }
        #expect(parts == ["value {p: []}"])
        #expect(log.take().isEmpty)
        withExtendedLifetime(tokens) {}
    }

    @Test("Results tell a modification of the owner, however deep the change", arguments: [1, 3, 90])
    func results(_ depth: Int) throws {
        let graph = Graph(try Store(.init(models: crateModels)))
        var value: AnyValue = [0]
        for _ in 1..<depth { value = [value] }
        let crate = try graph.added(Crate("A")) { $0.value = value }
        try graph.added(Crate("B")) { $0.value = [[1]] }
        let log = Log()
        let tokens = [
            graph.objects(Crate.self).observe { log.add(Told($0)) },
            graph.objects(Crate.self).sorted(by: \.name, ascending: false).observe { log.add(Told($0)) },
        ]
        _ = log.take()
        var inner = crate.value
        while let next = inner[0], next.listValue != nil { inner = next }
        try graph.write { inner.listValue?.append(1) }
        #expect(
            log.take() == [
                .update(count: 2, deletions: [], insertions: [], modifications: [0]),
                .update(count: 2, deletions: [], insertions: [], modifications: [1]),
            ])
        graph.undoing { inner.listValue?.append(1) }
        #expect(log.take().isEmpty)
        try graph.write {
            inner.listValue?.append(2)
            graph.delete(crate)
        }
        #expect(
            log.take() == [
                .update(count: 1, deletions: [0], insertions: [], modifications: []),
                .update(count: 1, deletions: [1], insertions: [], modifications: []),
            ])
        withExtendedLifetime(tokens) {}
    }

    @Test("A list of AnyValues tells which element it was in; so does one that is nested, and a map")
    func elements() throws {
        let graph = Graph(try Store(.init(models: crateModels)))
        let crate = try crate(graph)
        let nested = try #require(crate.value.listValue)
        let log = Log()
        var keys: [String] = []
        let tokens = [
            crate.list.observe { log.add(Told($0)) },
            nested.observe { log.add(Told($0)) },
            crate.map.observe { change in
                if case .update(_, let gone, let new, let modified) = change { keys += gone + new + modified }
            },
        ]
        _ = log.take()
        try graph.write { crate.list[2]["k"]?.listValue?.append("new") }
        #expect(log.take() == [.update(count: 3, deletions: [], insertions: [], modifications: [2])])
        try graph.write { crate.value[1]?["deep"]?[0]?[0] = "new" }
        #expect(log.take() == [.update(count: 2, deletions: [], insertions: [], modifications: [1])])
        try graph.write { crate.map["m"]?[0]?[0] = "new" }
        #expect(keys == ["m"])
        #expect(log.take().isEmpty)
        try graph.write {
            crate.list.remove(at: 0)
            crate.list[0][0] = "first"
        }
        #expect(log.take() == [.update(count: 2, deletions: [0], insertions: [], modifications: [1])])
        withExtendedLifetime(tokens) {}
    }

    @Test("Objects in AnyValues are told of like linked ones, and numbers that look like links are not")
    func linked() throws {
        let graph = Graph(try Store(.init(models: crateModels)))
        let (nut, bolt) = (Ware("nut"), Ware("bolt"))
        let crate = try graph.added(Crate("A")) {
            $0.list.append(objectsIn: [1, .object(nut), [[.object(bolt)]], .int(2 << 32), .int(3 << 32 | 1)])
        }
        let log = Log()
        let tokens = [
            crate.list.observe { log.add(Told($0)) }, graph.objects(Crate.self).observe { log.add(Told($0)) },
        ]
        _ = log.take()
        try graph.write { nut.name = "renamed" }
        #expect(
            log.take() == [
                .update(count: 5, deletions: [], insertions: [], modifications: [1]),
                .update(count: 1, deletions: [], insertions: [], modifications: [0]),
            ])
        try graph.write { bolt.name = "renamed" }
        #expect(
            log.take() == [
                .update(count: 5, deletions: [], insertions: [], modifications: [2]),
                .update(count: 1, deletions: [], insertions: [], modifications: [0]),
            ])
        try graph.added(Ware("of nobody"))
        #expect(log.take().isEmpty)
        withExtendedLifetime(tokens) {}
    }

    @Test("Commits elsewhere come merged, and those that touch nothing of it are not told")
    func merged() throws {
        let store = try Store(.init(models: crateModels))
        let (here, there) = (Graph(store), Graph(store))
        let crate = try crate(here)
        there.refresh()
        let other = try #require(there.objects(Crate.self).first)
        let log = Log()
        let token = here.objects(Crate.self).observe { log.add(Told($0)) }
        _ = log.take()
        try there.write { other.value[1]?["a"] = 1 }
        try there.write { other.value[1]?["deep"] = [["another"]] }
        try there.write { other.value[1]?["deep"]?[0]?[0] = "and another" }
        here.refresh()
        #expect(log.take() == [.update(count: 1, deletions: [], insertions: [], modifications: [0])])
        #expect(crate.value[1]?["deep"]?.shown == "[[string 11:and another]]")
        try there.added(Ware("nut"))
        here.refresh()
        #expect(log.take().isEmpty)
        withExtendedLifetime(token) {}
    }
}
