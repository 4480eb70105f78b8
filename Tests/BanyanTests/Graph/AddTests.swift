import Banyan
import Foundation
import Testing

@Model class Link: Object {
    @Persisted var number = 0
    @Persisted var next: Link?
    @Persisted(originProperty: "next") var previous: LinkingObjects<Link>
}

@Model class Matryoshka: EmbeddedObject {
    @Persisted var depth = 0
    @Persisted var inner: Matryoshka?
}
@Model class Shelf: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var doll: Matryoshka?
}

@Suite("Adding objects")
struct AddTests {
    @Test("Adding makes the same instance managed, with everything reachable from it")
    func reach() throws {
        let graph = try kinGraph()
        let owner = Owner(1, "Ada")
        let hounds = (0..<5).map { Hound("hound \($0)") }
        owner.favourite = hounds[0]
        owner.hounds.append(hounds[1])
        owner.walked.insert(hounds[2])
        owner.byName["three"] = hounds[3]
        owner.abode = Abode("Oslo")
        owner.abode?.guest = hounds[4]
        owner.abode?.inner = Abode("cellar")
        try graph.write { try graph.add(owner) }
        #expect(owner.graph === graph)
        for hound in hounds { #expect(hound.graph === graph && !hound.isInvalidated) }
        #expect(graph.objects(Hound.self).count == 5)
        #expect(owner.abode?.inner?.city == "cellar")
        #expect(owner.abode?.graph === graph)
        #expect(owner.favourite == hounds[0])
        #expect(owner.byName["three"] == hounds[3])
    }

    @Test("Adding again does nothing")
    func idempotent() throws {
        let graph = try kinGraph()
        let owner = try graph.added(Owner(1))
        let before = graph.sequence
        try graph.write {
            try graph.add(owner)
            try graph.add([owner, owner], update: .all)
        }
        #expect(graph.sequence == before)
        #expect(graph.objects(Owner.self).count == 1)
    }

    @Test("Cycles end")
    func cycles() throws {
        let graph = try kinGraph()
        let (a, b) = (Owner(1, "a"), Owner(2, "b"))
        a.friend = b
        b.friend = a
        try graph.write { try graph.add(a) }
        #expect(a.friend == b && b.friend == a)
        #expect(a.friendOf.count == 1 && b.friendOf.first == a)
        let c = Owner(3, "c")
        c.friend = c
        try graph.write { try graph.add(c) }
        #expect(c.friend == c && c.friendOf.count == 1)
        #expect(graph.objects(Owner.self).count == 3)
    }

    @Test("A chain of 200,000 linked objects is added, and needs no stack")
    func longChain() throws {
        let store = try Store(.init(models: [Link.self]))
        let graph = Graph(store)
        try graph.write {
            let first = Link()
            var last = first
            for i in 1..<200_000 {
                let next = Link()
                next.number = i
                last.next = next
                last = next
            }
            try graph.add(first)
        }
        #expect(graph.objects(Link.self).count == 200_000)
        var link = graph.objects(Link.self).where { $0.number == 0 }.first
        for i in 0..<100 {
            #expect(link?.number == i)
            link = link?.next
        }
        #expect(graph.objects(Link.self).where { $0.number == 199_999 }.first?.previous.first?.number == 199_998)
    }

    @Test("A chain of 200,000 unmanaged objects is dropped, and needs no stack")
    func longChainDropped() {
        var first: Link? = Link()
        var last = first
        for _ in 1..<200_000 {
            let next = Link()
            last?.next = next
            last = next
        }
        weak let end = last
        last = nil
        #expect(end != nil)
        first = nil
        #expect(end == nil)
        _ = first
    }

    @Test("Embedded objects nested 50,000 deep are added and deleted with their owner")
    func deepEmbedded() throws {
        let graph = Graph(try Store(.init(models: [Shelf.self])))
        try graph.write {
            let shelf = Shelf()
            var doll: Matryoshka?
            for depth in 0..<50_000 {
                let outer = Matryoshka()
                outer.depth = depth
                outer.inner = doll
                doll = outer
            }
            shelf.doll = doll
            doll = nil
            try graph.add(shelf)
        }
        let shelf = try #require(graph.objects(Shelf.self).first)
        #expect(shelf.doll?.depth == 49_999)
        #expect(shelf.doll?.inner?.inner?.depth == 49_997)
        let inner = try #require(shelf.doll?.inner)
        try graph.write { graph.delete(shelf) }
        #expect(inner.isInvalidated)
    }

    @Test("Setting a property of a managed object to an unmanaged one adds it")
    func bySetting() throws {
        let graph = try kinGraph()
        let owner = try graph.added(Owner(1))
        let (a, b, c) = (Hound("a"), Hound("b"), Hound("c"))
        try graph.write {
            owner.favourite = a
            owner.hounds.append(b)
            owner.byName["c"] = c
        }
        #expect([a, b, c].allSatisfy { $0.graph === graph })
        #expect(graph.objects(Hound.self).count == 3)
    }

    @Test("An object of another graph, even of the same store, is refused", arguments: [false, true])
    func foreign(_ isSameStore: Bool) throws {
        let store = try Store(.init(models: kinfolk))
        let here = Graph(store)
        let there = Graph(isSameStore ? store : try Store(.init(models: kinfolk)))
        let owner = try here.added(Owner(1))
        let stranger = try there.added(Hound("stranger"))
        #expect(here.fault { try $0.add(stranger) }?.code == .foreignObject)
        #expect(here.fault { _ in owner.favourite = stranger }?.code == .foreignObject)
        #expect(here.fault { _ in owner.hounds.append(stranger) }?.code == .foreignObject)
        let fault = here.fault {
            let other = Owner(2)
            other.favourite = stranger
            try $0.add(other)
        }
        #expect(fault?.code == .foreignObject)
        #expect(fault?.location.type == "Hound")
        #expect(here.objects(Owner.self).count == 1)
        #expect(owner.favourite == nil && owner.hounds.isEmpty)
    }

    @Test("A deleted object is refused")
    func deleted() throws {
        let graph = try kinGraph()
        let owner = try graph.added(Owner(1))
        let hound = try graph.added(Hound("gone"))
        try graph.write { graph.delete(hound) }
        #expect(graph.fault { try $0.add(hound) }?.code == .invalidatedObject)
        #expect(graph.fault { _ in owner.favourite = hound }?.code == .invalidatedObject)
        #expect(graph.fault { _ in owner.hounds.append(hound) }?.code == .invalidatedObject)
        #expect(owner.favourite == nil)
    }

    @Test("A class that is not in the store's schema is refused by name")
    func unknown() throws {
        let graph = try kinGraph()
        let fault = graph.fault { try $0.add(Link()) }
        #expect(fault?.code == .unknownType)
        #expect(fault?.location.type == "Link")
    }

    @Test("A failed add of a large graph leaves nothing behind, and the store works on")
    func partial() throws {
        let graph = try kinGraph()
        try graph.added(Owner(500, "there"))
        let owners = (0..<1000).map { Owner($0, "owner \($0)") }
        for (a, b) in zip(owners, owners.dropFirst()) {
            a.friend = b
            a.hounds.append(Hound("hound of \(a.id)"))
        }
        #expect(graph.fault { try $0.add(owners[0]) }?.code == .duplicateKey)
        #expect(graph.objects(Owner.self).count == 1)
        #expect(graph.objects(Hound.self).isEmpty)
        #expect(graph.object(ofType: Owner.self, forPrimaryKey: 500)?.name == "there")
        try graph.added(Owner(0))
        #expect(graph.objects(Owner.self).count == 2)
    }

    @Test("Adding outside a write throws")
    func outside() throws {
        let graph = try kinGraph()
        let error = #expect(throws: BanyanError.self) { try graph.add(Owner(1)) }
        #expect(error?.code == .notInWrite)
    }
}
