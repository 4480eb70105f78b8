import Banyan
import Testing

@Suite("AnyValue: links")
struct AnyValueLinkTests {
    @Test("An object comes along with what holds it, and its inverses know", arguments: Situation.managed)
    func links(_ situation: Situation) async throws {
        try await situation.show(Bag.self, bagModels) {
            let bag = Bag()
            let (rex, tom) = (Critter("Rex"), Critter("Tom"))
            bag.value = .object(rex)
            bag.list.append(objectsIn: [.object(rex), 1, .object(rex), .object(tom)])
            bag.set.insert(.object(tom))
            bag.set.insert(.object(tom))
            bag.map["a"] = .object(rex)
            bag.second = [["deep": .object(tom)], .object(Setting(5, "inner"))]
            return bag
        } spoil: { bag in
            bag.value = .none
            bag.list.removeAll()
            bag.set.removeAll()
            bag.map["a"] = 3
            bag.second = 2
        } check: { bag in
            #expect(bag.value.shown == "object Rex")
            #expect(bag.list.shown == "[object Rex, int 1, object Rex, object Tom]")
            #expect(bag.set.map(\.shown) == ["object Tom"])
            #expect(bag.second.shown == "[{deep: object Tom}, object 5]")
            let (rex, tom) = (bag.value.object(Critter.self), bag.list[3].object(Critter.self))
            #expect(rex?.bags.count == 1)
            #expect(rex?.bags.first == bag)
            #expect(rex?.listed.count == 2)
            #expect(rex?.mapped.count == 1)
            #expect(tom?.inSets.count == 1)
            #expect(tom?.bags.isEmpty == true)
            #expect(bag.list.index(of: bag.value) == 0)
            #expect(bag.set.contains(bag.list[3]))
        }
    }

    @Test("Deleting an object leaves nothing in its place", arguments: [false, true])
    func deletion(_ isReopened: Bool) async throws {
        let directory = ScratchDirectory()
        let store = try await Store.open(.init(directory: directory.path, models: bagModels))
        let graph = Graph(store)
        let bag = Bag()
        let (rex, tom) = (Critter("Rex"), Critter("Tom"))
        try graph.write {
            bag.value = .object(rex)
            bag.tag = .object(rex)
            bag.list.append(objectsIn: [.object(rex), 1, .object(tom), .object(rex), "x"])
            bag.set.insert(objectsIn: [.object(rex), 1, .object(tom)])
            bag.map["a"] = .object(rex)
            bag.map["b"] = .object(tom)
            bag.second = [.object(rex), ["k": .object(rex), "t": .object(tom)], [.object(rex)]]
            bag.part = AnyPart()
            bag.part?.value = .object(rex)
            try graph.add(bag)
        }
        let frozen = graph.freeze().objects(Bag.self).first
        graph.undoing { graph.delete(rex) }
        #expect(bag.value.shown == "object Rex")
        #expect(rex.listed.count == 2)
        try graph.write { graph.delete(rex) }
        func check(_ bag: Bag?) {
            #expect(bag?.value.shown == "none")
            #expect(bag?.list.shown == "[none, int 1, object Tom, none, string 1:x]")
            #expect(bag?.set.map(\.shown) == ["int 1", "object Tom"])
            #expect(bag?.map.shown == "{a: none, b: object Tom}")
            #expect(bag?.second.shown == "[none, {k: none, t: object Tom}, [none]]")
            #expect(bag?.part?.value.shown == "none")
            #expect(bag?.graph?.objects(Bag.self).where { $0.tag == nil }.count == 1)
        }
        check(bag)
        #expect(frozen?.second.shown == "[object Rex, {k: object Rex, t: object Tom}, [object Rex]]")
        #expect(frozen?.value.object(Critter.self)?.bags.count == 1)
        if isReopened { try await store.checkpoint() }
        try await store.close()
        let reopened = try await Store.open(.init(directory: directory.path, models: bagModels))
        let seen = Graph(reopened).objects(Bag.self).first
        check(seen)
        #expect(seen?.list[2].object(Critter.self)?.listed.count == 1)
        try await reopened.close()
    }

    @Test("Deleting what holds them leaves the objects and takes the links")
    func deletionOfTheOwner() throws {
        let graph = Graph(try Store(.init(models: bagModels)))
        let rex = Critter("Rex")
        let bag = try graph.added(Bag()) {
            $0.value = .object(rex)
            $0.list.append(.object(rex))
            $0.second = [[.object(rex)]]
        }
        #expect(rex.bags.count == 1)
        try graph.write { graph.delete(bag) }
        #expect(rex.bags.isEmpty && rex.listed.isEmpty)
        #expect(graph.objects(Critter.self).count == 1)
        try graph.write { graph.deleteAll() }
        #expect(graph.objects(Critter.self).isEmpty)
    }

    @Test("An object of another store cannot be linked to")
    func foreign() throws {
        let graph = Graph(try Store(.init(models: bagModels)))
        let other = Graph(try Store(.init(models: bagModels)))
        let rex = try other.added(Critter("Rex"))
        let bag = try graph.added(Bag())
        #expect(graph.fault { _ in bag.value = .object(rex) }?.code == .foreignObject)
        #expect(graph.fault { _ in bag.value = [[.object(rex)]] }?.code == .foreignObject)
        let mine = try graph.added(Critter("Tom"))
        try graph.write { graph.delete(mine) }
        #expect(graph.fault { _ in bag.list.append(.object(mine)) }?.code == .invalidatedObject)
        #expect(bag.value == .none)
    }

    @Test("Cycles through AnyValues end")
    func cycles() throws {
        let graph = Graph(try Store(.init(models: bagModels)))
        let (a, b) = (Setting(1, .none), Setting(2, .none))
        a.value = .object(b)
        b.value = [.object(a), .object(b)]
        try graph.write { try graph.add(a) }
        #expect(graph.objects(Setting.self).count == 2)
        #expect(a.value.object(Setting.self) == b)
        #expect(b.value[0]?.object(Setting.self) == a)
        try graph.write { graph.delete(b) }
        #expect(a.value == .none)
    }

    @Test("A chain of a hundred thousand unmanaged objects comes and goes")
    func longChain() throws {
        let graph = Graph(try Store(.init(models: bagModels)))
        func chain() -> Setting {
            var head = Setting(0, .none)
            for i in 1..<100_000 { head = Setting(i, .object(head)) }
            return head
        }
        _ = chain()
        let head = chain()
        try graph.write { try graph.add(head) }
        #expect(graph.objects(Setting.self).count == 100_000)
        #expect(head.value.object(Setting.self)?.id == 99_998)
    }
}
