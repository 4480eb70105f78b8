import Banyan
import Foundation
import Testing

@Suite("AnyValue: lists and dictionaries")
struct AnyValueNestedTests {
    private static let long = String(repeating: "a long text ", count: 10)
    private static var sample: AnyValue {
        ["list": [1, "two", 3.0, [true, nil], .string(long)], "map": ["a": ["b": ["c": 1]]], "none": nil]
    }
    private static let shown =
        "{list: [int 1, string 3:two, double \(3.0.bitPattern), [bool true, none], string 120:\(long)], "
        + "map: {a: {b: {c: int 1}}}, none: none}"

    @Test("They are the same wherever one looks", arguments: Situation.allCases)
    func contents(_ situation: Situation) async throws {
        try await situation.show(Bag.self, bagModels) {
            let bag = Bag()
            bag.value = Self.sample
            bag.list.append(objectsIn: [Self.sample, 1, [Self.sample]])
            bag.map["x"] = Self.sample
            bag.part = AnyPart()
            bag.part?.value = Self.sample
            return bag
        } spoil: {
            $0.value["list"]?[3] = 7
            $0.value["map"]?["a"]?["b"]?["d"] = "more"
            $0.list[2][0]?["list"]?.listValue?.removeAll()
            $0.map["x"]?["none"] = [1, 2, 3]
            $0.part?.value = 5
        } check: {
            #expect($0.value.shown == Self.shown)
            #expect($0.list.shown == "[\(Self.shown), int 1, [\(Self.shown)]]")
            #expect($0.map.shown == "{x: \(Self.shown)}")
            #expect($0.part?.value.shown == Self.shown)
            #expect($0.value["list"]?[3]?[0] == true)
            #expect($0.value["map"]?["a"]?["b"]?["c"]?.intValue == 1)
        }
    }

    @Test("They are live, and what is done to them is stored", arguments: [false, true])
    func live(_ isCheckpointed: Bool) async throws {
        let directory = ScratchDirectory()
        let store = try await Store.open(.init(directory: directory.path, models: bagModels))
        let graph = Graph(store)
        let bag = try graph.added(Bag()) {
            $0.value = [1, ["a": 2]]
            $0.map["m"] = [:]
        }
        if isCheckpointed { try await store.checkpoint() }
        let list = try #require(bag.value.listValue)
        let inner = try #require(bag.value[1]?.dictionaryValue)
        #expect(list.graph != nil && inner.graph != nil)
        try graph.write {
            list.append("end")
            inner["b"] = .string(Self.long)
            inner["a"] = [1, [2]]
            bag.map["m"]?["k"] = [.none]
        }
        let expected = "[int 1, {a: [int 1, [int 2]], b: string 120:\(Self.long)}, string 3:end]"
        #expect(bag.value.shown == expected)
        #expect(list == bag.value.listValue)
        try graph.write {
            list.move(from: 2, to: 0)
            list.insert(contentsOf: [[0], [1]], at: 1)
            list.remove(at: 1)
            inner["a"]?.listValue?[1] = ["x": ["y"]]
            bag.map["m"]?["k"] = nil
        }
        graph.undoing {
            list.removeAll()
            inner["z"] = 1
            bag.value = .none
        }
        try graph.write { list.reverse() }
        let after = "[{a: [int 1, {x: [string 1:y]}], b: string 120:\(Self.long)}, int 1, [int 1], string 3:end]"
        #expect(bag.value.shown == after)
        #expect(bag.map.shown == "{m: {}}")
        try await store.close()
        let reopened = try await Store.open(.init(directory: directory.path, models: bagModels))
        #expect(Graph(reopened).objects(Bag.self).first?.value.shown == after)
        #expect(Graph(reopened).objects(Bag.self).first?.map.shown == "{m: {}}")
        try await reopened.close()
    }

    @Test("Assigning one elsewhere copies it, and assigning it to itself does nothing")
    func copies() throws {
        let graph = Graph(try Store(.init(models: bagModels)))
        let bag = try graph.added(Bag()) { $0.value = [1, [2]] }
        let list = try #require(bag.value.listValue)
        try graph.write {
            bag.value = bag.value
            bag.second = bag.value
            bag.list.append(bag.value)
            bag.list.append(bag.value[1] ?? .none)
            list.append(.list(list))
        }
        #expect(!list.isInvalidated)
        #expect(bag.value.shown == "[int 1, [int 2], [int 1, [int 2]]]")
        try graph.write {
            bag.second[0] = "other"
            bag.list[0][1]?[0] = "third"
        }
        #expect(bag.value.shown == "[int 1, [int 2], [int 1, [int 2]]]")
        #expect(bag.second.shown == "[string 5:other, [int 2]]")
        #expect(bag.list.shown == "[[int 1, [string 5:third]], [int 2]]")
    }

    @Test("They go with what holds them")
    func lifetime() throws {
        let graph = Graph(try Store(.init(models: bagModels)))
        let bag = try graph.added(Bag()) {
            $0.value = [[1]]
            $0.map["k"] = ["a": [2]]
            $0.list.append([3])
        }
        let inner = try #require(bag.value[0]?.listValue)
        let mapped = try #require(bag.map["k"]?["a"]?.listValue)
        let listed = try #require(bag.list[0].listValue)
        try graph.write {
            bag.value = 1
            bag.map["k"] = nil
            bag.list.removeLast()
        }
        #expect(inner.isInvalidated && mapped.isInvalidated && listed.isInvalidated)
        #expect(inner.isEmpty)
        #expect(graph.fault { _ in inner.append(1) }?.code == .invalidatedObject)
        let other = try graph.added(Bag()) { $0.value = ["a": [1]] }
        let gone = try #require(other.value["a"]?.listValue)
        try graph.write { graph.delete(other) }
        #expect(gone.isInvalidated)
        try graph.added(Bag()) { $0.list.append(objectsIn: [[1], ["a": [2]]]) }
        try graph.write { graph.deleteAll() }
        #expect(graph.objects(Bag.self).isEmpty)
    }

    @Test("They nest a hundred deep, and no deeper")
    func depth() throws {
        func nested(_ levels: Int) -> AnyValue {
            var value: AnyValue = "core"
            for level in 0..<levels { value = level.isMultiple(of: 2) ? [value] : ["k": value] }
            return value
        }
        let graph = Graph(try Store(.init(models: bagModels)))
        let bag = try graph.added(Bag()) { $0.value = nested(100) }
        var value = bag.value
        for level in (0..<100).reversed() { value = (level.isMultiple(of: 2) ? value[0] : value["k"]) ?? .none }
        #expect(value == "core")
        for change in [
            { bag.value = nested(101) }, { bag.list.append(nested(101)) }, { bag.map["a"] = nested(150) },
            { bag.value["k"] = nested(100) },
        ] as [() -> Void] {
            let fault = graph.fault { _ in change() }
            #expect(fault?.code == .limit)
            #expect(fault?.message.contains("100") == true)
        }
        // It may take another place as long as there is room below.
        try graph.write {
            bag.second = [nested(99)]
            bag.value = nested(50)
        }
        #expect(graph.fault { _ in bag.second[0]?[0] = nested(99) }?.code == .limit)
        try graph.write { bag.second[0] = nested(99) }
        let endless = List<AnyValue>()
        endless.append(.list(endless))
        endless.append(.list(endless))
        #expect(graph.fault { _ in bag.value = .list(endless) }?.code == .limit)
        endless.removeAll()
    }

    @Test("A set holds none of them")
    func sets() throws {
        let graph = Graph(try Store(.init(models: bagModels)))
        let bag = try graph.added(Bag())
        #expect(graph.fault { _ in bag.set.insert([1]) }?.code == .invalidValue)
        #expect(graph.fault { _ in bag.set.insert(["a": 1]) }?.code == .invalidValue)
        #expect(bag.set.isEmpty)
    }

    @Test("Undoing a commit brings them back, with what they linked to")
    func undo() throws {
        let graph = Graph(try Store(.init(models: bagModels)))
        let rex = Critter("Rex")
        let bag = try graph.added(Bag()) {
            $0.value = [1, ["a": .object(rex)]]
            $0.list.append(objectsIn: [2, .object(rex), [.object(rex)]])
        }
        let (value, list) = (bag.value.shown, bag.list.shown)
        for change in [
            { bag.value = 5 }, { bag.value = ["b": [7]] }, { bag.value[1]?["a"] = [[1]] }, { bag.list.removeAll() },
            { graph.delete(bag.list[1].object(Critter.self) ?? rex) }, { bag.list[2] = ["new": bag.value] },
        ] as [() -> Void] {
            let commit = try graph.commit { _ in change() }
            #expect(bag.value.shown != value || bag.list.shown != list)
            try graph.write { try graph.undo(commit) }
            #expect(bag.value.shown == value)
            #expect(bag.list.shown == list)
        }
        // In the list itself, and in the list within it.
        #expect(bag.list[1].object(Critter.self)?.listed.count == 2)
    }

    @Test("They can be observed like any other")
    func observation() throws {
        let graph = Graph(try Store(.init(models: bagModels)))
        let bag = try graph.added(Bag()) { $0.value = [1, ["a": 2]] }
        let list = try #require(bag.value.listValue)
        var insertions: [[Int]] = []
        let token = list.observe { change in
            if case .update(_, _, let inserted, _) = change { insertions.append(inserted) }
        }
        try graph.write { list.append(objectsIn: [3, 4]) }
        #expect(insertions == [[2, 3]])
        token.invalidate()
    }
}
