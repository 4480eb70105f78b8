import Banyan
import Testing

@Suite("None under a key")
struct AnyValueNoneTests {
    private func both(_ body: (Bag) throws -> Void) throws {
        let bag = Bag()
        try body(bag)
        let graph = Graph(try Store(.init(models: bagModels)))
        let managed = try graph.added(Bag())
        try graph.write { try body(managed) }
    }

    @Test("Assigning .none to a key stores it; assigning nil removes the key")
    func map() throws {
        try both { bag in
            let map = bag.map
            map["a"] = 1
            map["a"] = .none
            #expect(map.keys == ["a"] && map["a"] == .some(.none) && map["b"] == nil)
            map["a"] = nil
            #expect(map.isEmpty)
            let some: AnyValue? = .int(3)
            map["a"] = some
            map["b"] = "text"
            map["c"] = [1, nil]
            map["d"] = AnyValue.none
            map["e"] = .string("x")
            #expect(map.count == 5 && map["a"] == 3 && map["a"]?.intValue == 3 && map["d"]?.isNone == true)
            let none: AnyValue? = nil
            map["a"] = none
            #expect(map.keys == ["b", "c", "d", "e"] && map["z", default: 7] == 7)
            bag.numbered[1] = .none
            #expect(bag.numbered[1] == .some(.none) && bag.numbered.count == 1)
        }
    }

    @Test("The same of a dictionary within an AnyValue")
    func nested() throws {
        try both { bag in
            bag.value = ["a": ["b": 1]]
            bag.value["a"]?["b"] = .none
            bag.value["c"] = .none
            #expect(bag.value["a"]?["b"] == .some(.none) && bag.value["c"] == .some(.none))
            bag.value["a"]?["b"] = nil
            bag.value["c"] = 5
            #expect(bag.value["a"]?["b"] == nil && bag.value["c"] == 5 && bag.value["a"]?.dictionaryValue?.count == 0)
            bag.list.append(1)
            bag.list[0] = .none
            #expect(bag.list[0].isNone)
        }
    }
}
