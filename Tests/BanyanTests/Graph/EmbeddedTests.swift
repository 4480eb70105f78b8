import Banyan
import Testing

@Suite("Embedded objects")
struct EmbeddedTests {
    private func owner(_ graph: Graph, _ id: Int = 1) throws -> Owner {
        try graph.added(Owner(id)) {
            let abode = Abode("Oslo")
            abode.inner = Abode("cellar")
            abode.inner?.inner = Abode("box")
            abode.rooms.append(Abode("hall"))
            abode.rooms.append(Abode("attic"))
            abode.guest = Hound("guest")
            $0.abode = abode
        }
    }

    @Test(
        "They nest to any depth, hold lists and links, and are there wherever their owner is",
        arguments: Situation.allCases)
    func nesting(_ situation: Situation) async throws {
        try await situation.show(Owner.self) {
            let owner = Owner(1)
            let abode = Abode("Oslo")
            abode.inner = Abode("cellar")
            abode.inner?.inner = Abode("box")
            abode.rooms.append(Abode("hall"))
            abode.guest = Hound("guest")
            owner.abode = abode
            owner.formerAbodes.append(Abode("Rome"))
            owner.namedAbodes["summer"] = Abode("Capri")
            return owner
        } spoil: {
            $0.abode?.city = "spoiled"
            $0.abode?.inner = nil
            $0.formerAbodes.removeAll()
            $0.namedAbodes["summer"] = Abode("spoiled")
            $0.abode = Abode("another")
        } check: {
            #expect($0.abode?.city == "Oslo")
            #expect($0.abode?.inner?.inner?.city == "box")
            #expect($0.abode?.rooms.map(\.city) == ["hall"])
            #expect($0.abode?.guest?.name == "guest")
            #expect($0.formerAbodes.map(\.city) == ["Rome"])
            #expect($0.namedAbodes["summer"]??.city == "Capri")
        }
    }

    @Test("Assigning another deletes the one replaced, with all it holds, and rolling back brings them back")
    func replacing() throws {
        let graph = try kinGraph()
        let owner = try owner(graph)
        let old = try #require(owner.abode)
        let inner = try #require(old.inner?.inner)
        let room = try #require(old.rooms.first)
        let guest = try #require(old.guest)
        let new = Abode("Bergen")
        graph.undoing {
            owner.abode = new
            #expect(old.isInvalidated && inner.isInvalidated && room.isInvalidated)
        }
        #expect(owner.abode == old && inner.city == "box" && room.city == "hall")
        #expect(new.isInvalidated)
        let newer = Abode("Trondheim")
        try graph.write { owner.abode = newer }
        #expect(old.isInvalidated && inner.isInvalidated && room.isInvalidated)
        #expect(!guest.isInvalidated)
        #expect(owner.abode == newer && newer.graph === graph)
        #expect(newer.tenants.first == owner)
    }

    @Test("Nil deletes it")
    func nilDeletes() throws {
        let graph = try kinGraph()
        let owner = try owner(graph)
        let old = try #require(owner.abode)
        try graph.write { owner.abode = nil }
        #expect(old.isInvalidated && owner.abode == nil)
    }

    @Test("Assigning itself is nothing")
    func selfAssignment() throws {
        let graph = try kinGraph()
        let owner = try owner(graph)
        let home = try #require(owner.abode)
        let before = graph.sequence
        try graph.write {
            owner.abode = home
            owner.abode = owner.abode
            home.inner = home.inner
        }
        #expect(graph.sequence == before)
        #expect(owner.abode == home && !home.isInvalidated && home.inner?.city == "cellar")
    }

    @Test("A second owner fails the transaction, whatever holds it", arguments: 0..<6)
    func secondOwner(_ way: Int) throws {
        let graph = try kinGraph()
        let first = try owner(graph)
        let second = try owner(graph, 2)
        let home = try #require(first.abode)
        let fault = graph.fault { graph in
            switch way {
            case 0: second.abode = home
            case 1: second.formerAbodes.append(home)
            case 2: second.namedAbodes["x"] = home
            case 3: first.formerAbodes.append(home)
            case 4: home.inner?.inner = home
            default:
                let third = Owner(3)
                third.abode = home
                try graph.add(third)
            }
        }
        #expect(fault?.code == .secondOwner)
        #expect(fault?.location.type == (way == 4 ? "Abode" : "Owner"))
        #expect(fault?.location.property != nil)
        #expect(first.abode == home && home.city == "Oslo")
        #expect(second.abode?.city == "Oslo" && second.formerAbodes.isEmpty && second.namedAbodes.isEmpty)
        #expect(home.inner?.inner?.city == "box")
        #expect(graph.objects(Owner.self).count == 2)
    }

    @Test("Two unmanaged owners of one embedded object cannot both be added")
    func sharedUnmanaged() throws {
        let graph = try kinGraph()
        let shared = Abode("shared")
        let (a, b) = (Owner(1), Owner(2))
        a.abode = shared
        b.abode = shared
        #expect(graph.fault { try $0.add([a, b]) }?.code == .secondOwner)
        #expect(graph.objects(Owner.self).isEmpty)
    }

    @Test("Deleting the owner deletes what it owns, recursively")
    func cascade() throws {
        let graph = try kinGraph()
        let owner = try owner(graph)
        try graph.write {
            owner.formerAbodes.append(Abode("Rome"))
            owner.namedAbodes["summer"] = Abode("Capri")
        }
        let abode = try #require(owner.abode)
        let owned = [
            abode, try #require(abode.inner?.inner), try #require(abode.rooms.last),
            try #require(owner.formerAbodes.first),
            try #require(owner.namedAbodes["summer"] ?? nil),
        ]
        let guest = try #require(abode.guest)
        try graph.write { graph.delete(owner) }
        #expect(owned.allSatisfy { $0.isInvalidated })
        #expect(!guest.isInvalidated)
        #expect(guest.favouriteOf.isEmpty)
    }

    @Test("Leaving its list or its map deletes it")
    func leaving() throws {
        let graph = try kinGraph()
        let owner = try owner(graph)
        let (a, b, c) = (Abode("a"), Abode("b"), Abode("c"))
        try graph.write {
            owner.formerAbodes.append(a)
            owner.formerAbodes.append(b)
            owner.namedAbodes["c"] = c
        }
        try graph.write { owner.formerAbodes.remove(at: 0) }
        #expect(a.isInvalidated && !b.isInvalidated)
        try graph.write { owner.formerAbodes[0] = Abode("d") }
        #expect(b.isInvalidated)
        try graph.write { owner.namedAbodes["c"] = nil }
        #expect(c.isInvalidated)
    }

    @Test("Deleting it clears its place")
    func deleting() throws {
        let graph = try kinGraph()
        let owner = try owner(graph)
        let abode = try #require(owner.abode)
        try graph.write { graph.delete(abode) }
        #expect(owner.abode == nil && abode.isInvalidated)
    }

    @Test("One that was let go in a write can be given no new place")
    func reuse() throws {
        let graph = try kinGraph()
        let owner = try owner(graph)
        let other = try self.owner(graph, 2)
        let home = try #require(owner.abode)
        let fault = graph.fault { _ in
            owner.abode = nil
            other.abode = home
        }
        #expect(fault?.code == .invalidatedObject)
        #expect(owner.abode == home && other.abode?.city == "Oslo")
    }
}
