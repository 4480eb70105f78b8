import Banyan
import Testing

@Suite("The rules of embedded objects, wherever their owner has them")
struct EmbeddedRuleTests {
    private func world(_ place: EmbeddedPlace) throws -> (graph: Graph, owner: Owner, abode: Abode) {
        let graph = try kinGraph()
        let owner = try graph.added(Owner(1)) { place.put(EmbeddedPlace.furnished("Oslo"), $0) }
        return (graph, owner, try #require(place.get(owner)))
    }

    @Test(
        "They are there in every situation, know who holds them, and link to others", arguments: EmbeddedPlace.allCases)
    func situations(_ place: EmbeddedPlace) async throws {
        for situation in Situation.allCases {
            try await situation.show(Owner.self) {
                let owner = Owner(1)
                place.put(EmbeddedPlace.furnished("Oslo"), owner)
                return owner
            } spoil: { owner in
                place.get(owner)?.city = "spoiled"
                place.get(owner)?.rooms.removeAll()
                place.get(owner)?.guest = nil
                place.put(Abode("other"), owner)
                place.put(nil, owner)
            } check: { owner in
                let abode = try #require(place.get(owner))
                #expect(
                    EmbeddedPlace.everything(abode).map(\.city)
                        == ["Oslo", "Oslo cellar", "Oslo hall", "Oslo attic", "Oslo chest"])
                #expect(abode.guest?.name == "Oslo guest")
                guard owner.graph != nil else { return #expect(place.holders(abode).isEmpty) }
                #expect(place.holders(abode) == [try #require(place.holder(owner))])
                #expect(abode.guest?.hosts.first == abode && abode.inner?.outer.first == abode)
            }
        }
    }

    @Test(
        "Another in its place deletes it with all it holds; taking that back brings all back",
        arguments: EmbeddedPlace.allCases)
    func replacing(_ place: EmbeddedPlace) throws {
        let (graph, owner, abode) = try world(place)
        let old = EmbeddedPlace.everything(abode)
        let guest = try #require(abode.guest)
        let new = EmbeddedPlace.furnished("Bergen")
        graph.undoing {
            graph.retracting {
                place.put(Abode("short-lived"), owner)
                #expect(old.allSatisfy { $0.isInvalidated })
            }
            #expect(old.allSatisfy { !$0.isInvalidated } && place.get(owner) == abode)
            place.put(new, owner)
            #expect(old.allSatisfy { $0.isInvalidated } && guest.hosts.isEmpty)
        }
        #expect(old.allSatisfy { !$0.isInvalidated } && new.isInvalidated && place.get(owner) == abode)
        #expect(Array(guest.hosts) == [abode])
        let newer = EmbeddedPlace.furnished("Bergen")
        try graph.write { place.put(newer, owner) }
        #expect(old.allSatisfy { $0.isInvalidated } && !guest.isInvalidated && guest.hosts.isEmpty)
        #expect(place.get(owner) == newer && newer.graph === graph && newer.rooms.last?.inner?.city == "Bergen chest")
    }

    @Test("Itself in its place is nothing", arguments: EmbeddedPlace.allCases)
    func itself(_ place: EmbeddedPlace) throws {
        let (graph, owner, abode) = try world(place)
        let before = graph.sequence
        try graph.write {
            place.put(abode, owner)
            place.put(place.get(owner), owner)
        }
        #expect(graph.sequence == before && place.get(owner) == abode)
    }

    @Test("Whoever takes it away deletes it with all it holds", arguments: EmbeddedPlace.allCases)
    func removing(_ place: EmbeddedPlace) throws {
        let (graph, owner, abode) = try world(place)
        let all = EmbeddedPlace.everything(abode)
        try graph.write { place.put(nil, owner) }
        #expect(all.allSatisfy { $0.isInvalidated } && place.get(owner) == nil)
    }

    @Test("It goes with its owner, and its place is empty when it is deleted itself", arguments: EmbeddedPlace.allCases)
    func deleting(_ place: EmbeddedPlace) throws {
        let (graph, owner, abode) = try world(place)
        let all = EmbeddedPlace.everything(abode)
        graph.undoing {
            graph.delete(owner)
            #expect(all.allSatisfy { $0.isInvalidated })
        }
        #expect(all.allSatisfy { !$0.isInvalidated })
        try graph.write { graph.delete(abode) }
        #expect(all.allSatisfy { $0.isInvalidated } && place.get(owner) == nil)
        #expect(place != .map || owner.namedAbodes.contains(key: "here"))
        #expect(owner.formerAbodes.isEmpty && owner.abode?.rooms.isEmpty != false)
    }

    @Test("A second owner fails the write, wherever either of them has it", arguments: EmbeddedPlace.allCases)
    func secondOwner(_ place: EmbeddedPlace) throws {
        for other in EmbeddedPlace.allCases {
            let (graph, owner, abode) = try world(place)
            let second = try graph.added(Owner(2)) { $0.abode = Abode("its own") }
            let managed = graph.fault { _ in other.put(abode, second) }
            #expect(managed?.code == .secondOwner, "\(other)")
            #expect(managed?.location.property != nil && managed?.location.object != nil)
            let unmanaged = graph.fault { graph in
                let third = Owner(3)
                other.put(abode, third)
                try graph.add(third)
            }
            #expect(unmanaged?.code == .secondOwner, "\(other)")
            #expect(place.get(owner) == abode && second.abode?.city == "its own")
            #expect(graph.objects(Owner.self).count == 2)
        }
    }

    @Test(
        "An update with .modified changes it where it is, and writes only what differs",
        arguments: EmbeddedPlace.allCases)
    func updateModified(_ place: EmbeddedPlace) throws {
        let (graph, owner, abode) = try world(place)
        let guest = try #require(abode.guest)
        let all = EmbeddedPlace.everything(abode)
        func again(_ city: String) -> Owner {
            let owner = Owner(1)
            let new = EmbeddedPlace.furnished(city)
            new.guest = guest
            place.put(new, owner)
            return owner
        }
        let before = graph.sequence
        try graph.write { try graph.add(again("Oslo"), update: .modified) }
        #expect(graph.sequence == before)
        try graph.write { try graph.add(again("Rome"), update: .modified) }
        #expect(all.allSatisfy { !$0.isInvalidated } && place.get(owner) == abode)
        #expect(all.map(\.city) == ["Rome", "Rome cellar", "Rome hall", "Rome attic", "Rome chest"])
        // Fewer, and more.
        let changed = again("Rome")
        place.get(changed)?.inner = nil
        place.get(changed)?.rooms.removeLast()
        try graph.write { try graph.add(changed, update: .modified) }
        #expect(EmbeddedPlace.everything(abode).map(\.city) == ["Rome", "Rome hall"])
        #expect(all[1].isInvalidated && all[4].isInvalidated && !all[2].isInvalidated)
        try graph.write { try graph.add(again("Rome"), update: .modified) }
        #expect(EmbeddedPlace.everything(abode).count == 5 && place.get(owner) == abode)
        try graph.write { try graph.add(Owner(1), update: .modified) }
        #expect(abode.isInvalidated && place.get(owner) == nil)
    }

    @Test("An update with .all puts another in its place", arguments: EmbeddedPlace.allCases)
    func updateAll(_ place: EmbeddedPlace) throws {
        let (graph, owner, abode) = try world(place)
        let all = EmbeddedPlace.everything(abode)
        let again = Owner(1)
        place.put(EmbeddedPlace.furnished("Oslo"), again)
        try graph.write { try graph.add(again, update: .all) }
        #expect(all.allSatisfy { $0.isInvalidated })
        #expect(place.get(owner).map { EmbeddedPlace.everything($0).count } == 5)
    }

    @Test("Deleting what it links to clears the link, and no more", arguments: EmbeddedPlace.allCases)
    func links(_ place: EmbeddedPlace) throws {
        let (graph, owner, abode) = try world(place)
        try graph.write { graph.delete(graph.objects(Hound.self)) }
        #expect(abode.guest == nil && place.get(owner) == abode)
        try graph.write { abode.guest = Hound("next") }
        #expect(graph.objects(Hound.self).first?.hosts.first == abode)
    }

    @Test("Queries and orders go through it")
    func queries() throws {
        let graph = try kinGraph()
        try graph.write {
            for (i, city) in ["Oslo", "Bergen", "Rome"].enumerated() {
                let owner = Owner(i)
                owner.abode = EmbeddedPlace.furnished(city)
                owner.formerAbodes.append(Abode("old \(city)"))
                try graph.add(owner)
            }
            try graph.add(Owner(9))
        }
        let owners = graph.objects(Owner.self)
        #expect(owners.where { $0.abode.city == "Rome" }.map(\.id) == [2])
        #expect(owners.where { $0.abode.inner.city == "Oslo cellar" }.map(\.id) == [0])
        #expect(owners.where { $0.formerAbodes.city == "old Bergen" }.map(\.id) == [1])
        #expect(owners.where { $0.abode.rooms.city == "Rome attic" }.map(\.id) == [2])
        #expect(owners.where { $0.abode != nil }.sorted(by: \.abode?.city).map(\.id) == [1, 0, 2])
        #expect(try owners.filter("abode.guest.name == 'Oslo guest'").map(\.id) == [0])
    }
}
