import Banyan
import Testing

@Model private class Chained: Object {
    @Persisted var list: List<Chained>
    @Persisted var set: MutableSet<Chained>
    @Persisted var map: Map<String, Chained?>
    @Persisted var link: Chained?
}

@Suite("Long chains through collections")
struct LongChainTests {
    enum Way: CaseIterable { case list, set, map, all }

    private func hang(_ next: Chained, on object: Chained, _ way: Way, _ i: Int) {
        switch way {
        case .list: object.list.append(next)
        case .set: object.set.insert(next)
        case .map: object.map["next"] = next
        case .all:
            switch i % 4 {
            case 0: object.list.append(next)
            case 1: object.set.insert(next)
            case 2: object.map["next"] = next
            default: object.link = next
            }
        }
    }

    @Test("Unmanaged objects that hold each other are let go without recursion", arguments: Way.allCases)
    func lettingGo(_ way: Way) {
        weak var last: Chained?
        do {
            var first = Chained()
            last = first
            for i in 0..<200_000 {
                let object = Chained()
                hang(first, on: object, way, i)
                first = object
            }
            #expect(last != nil)
        }
        #expect(last == nil)
    }

    @Test("A collection that somebody holds keeps its objects", arguments: Way.allCases.dropLast())
    func held(_ way: Way) {
        var owner: Chained? = Chained()
        hang(Chained(), on: owner!, way, 0)
        let (list, set, map) = (owner!.list, owner!.set, owner!.map)
        owner = nil
        #expect(list.count + set.count + map.count == 1)
        #expect(list.first != nil || set.first != nil || map["next"] as? Chained != nil)
    }

    @Test("An object that somebody holds keeps what hangs on it")
    func heldObject() {
        var owner: Chained? = Chained()
        let middle = Chained()
        middle.list.append(Chained())
        owner!.list.append(middle)
        owner = nil
        #expect(middle.list.count == 1)
        #expect(middle.list.first?.list.isEmpty == true)
    }

    @Test("A map filled before it is added holds every key, in order, and links back")
    func filledMap() throws {
        let graph = Graph(try Store(.init(models: [Chained.self])))
        let owner = Chained()
        let target = Chained()
        for i in (0..<3_000).shuffled() { owner.map["key \(i)"] = i % 3 == 0 ? nil : i % 3 == 1 ? target : Chained() }
        for i in 0..<1_000 { owner.map.updateValue(nil, forKey: "nil \(i)") }
        let count = owner.map.count
        let keys = owner.map.keys
        try graph.write { try graph.add(owner) }
        #expect(owner.map.count == count)
        #expect(owner.map.keys == keys)
        #expect(owner.map["nil 7"] == .some(nil))
        #expect(owner.map["key 4"]??.isSameObject(as: target) == true)
        try graph.write { graph.delete(target) }
        #expect(owner.map.count == count)
        #expect(owner.map["key 4"] == .some(nil))
    }
}
