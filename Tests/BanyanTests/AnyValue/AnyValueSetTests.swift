import Banyan
import Testing

@Suite("Sets of AnyValues with links, while nobody manages them")
struct AnyValueSetTests {
    private func graph() throws -> Graph { Graph(try Store(.init(models: bagModels))) }

    @Test("An object that is added to a graph meanwhile stays the one in the set")
    func becomingManaged() throws {
        let graph = try graph()
        let critters = (0..<20).map { Critter("\($0)") }
        let set = MutableSet<AnyValue>(critters.map { .object($0) } + [1, "one"])
        try graph.write { for critter in critters.dropFirst(5) { try graph.add(critter) } }
        for critter in critters {
            #expect(set.contains(.object(critter)) && set.index(of: .object(critter)) != nil)
            #expect(!set.insert(.object(critter)))
        }
        let other = try #require(graph.objects(Critter.self).first)
        #expect(other !== critters[5] && set.contains(.object(other)) && !set.insert(.object(other)))
        #expect(set.count == 22 && set.contains(1) && set.contains("one") && !set.contains(.object(Critter("0"))))
        #expect(set.remove(.object(other)) && !set.contains(.object(other)) && set.count == 21)
        for critter in critters where critter.name != other.name { #expect(set.remove(.object(critter))) }
        #expect(set.count == 2 && Array(set) == [1, "one"])
    }

    @Test("Objects that stand in the same place of two stores are two objects")
    func twoStores() throws {
        let (here, there) = (try graph(), try graph())
        let (a, b) = (try here.added(Critter("a")), try there.added(Critter("b")))
        #expect(a.objectID == b.objectID)
        let set = MutableSet<AnyValue>([.object(a)])
        #expect(!set.contains(.object(b)) && set.index(of: .object(b)) == nil)
        #expect(set.insert(.object(b)) && set.count == 2)
        #expect(set.remove(.object(a)) && set.contains(.object(b)) && !set.contains(.object(a)))
        let list = List<AnyValue>([.object(a)])
        #expect(!list.contains(.object(b)) && list.index(of: .object(b)) == nil && list.contains(.object(a)))
        list.append(.object(b))
        #expect(list.index(of: .object(b)) == 1 && list.distinct().count == 2)
    }

    @Test("A frozen object is another one than the live one, as elsewhere")
    func frozen() throws {
        let graph = try graph()
        let critter = try graph.added(Critter("a"))
        let set = MutableSet<AnyValue>([.object(critter)])
        #expect(!set.contains(.object(critter.freeze())) && set.insert(.object(critter.freeze())))
    }

    @Test("A set that becomes managed has what it had")
    func adopted() throws {
        let graph = try graph()
        let (known, fresh) = (try graph.added(Critter("known")), Critter("fresh"))
        let bag = Bag()
        bag.set.insert(objectsIn: [.object(known), .object(fresh), 2, 1])
        try graph.write {
            try graph.add(fresh)
            #expect(bag.set.contains(.object(fresh)))
            try graph.add(bag)
        }
        #expect(bag.set.count == 4 && bag.set.contains(.object(fresh)) && bag.set.contains(.object(known)))
        #expect(graph.objects(Critter.self).count == 2 && fresh.inSets.count == 1)
    }

    @Test("Lists in an unmanaged set are told apart as the values they are, when their owner becomes managed too")
    func lists() throws {
        let graph = try graph()
        let bag = Bag()
        bag.list.append(objectsIn: [1, 2])
        let set = MutableSet<AnyValue>([.list(bag.list), .dictionary(["a": 1])])
        try graph.write { try graph.add(bag) }
        #expect(set.contains(.list(bag.list)) && !set.insert(.list(bag.list)))
        #expect(set.count == 2 && set.remove(.list(bag.list)) && set.count == 1)
    }
}
