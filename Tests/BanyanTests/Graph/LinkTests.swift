import Banyan
import Testing

/// Ways an owner can link to a hound, and how often it then stands in the inverse.
enum Way: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case toOne, list, listTwice, set, map, mapTwice
    var testDescription: String { rawValue }

    func link(_ owner: Owner, to hound: Hound) {
        switch self {
        case .toOne: owner.favourite = hound
        case .list: owner.hounds.append(hound)
        case .listTwice:
            owner.hounds.append(hound)
            owner.hounds.insert(hound, at: 0)
        case .set:
            owner.walked.insert(hound)
            owner.walked.insert(hound)
        case .map: owner.byName["one"] = hound
        case .mapTwice:
            owner.byName["one"] = hound
            owner.byName["two"] = hound
        }
    }

    func unlink(_ owner: Owner, from hound: Hound) {
        switch self {
        case .toOne: owner.favourite = nil
        case .list, .listTwice: owner.hounds.removeAll { $0 == hound }
        case .set: owner.walked.remove(hound)
        case .map, .mapTwice: for key in ["one", "two"] { owner.byName[key] = nil }
        }
    }

    func inverse(_ hound: Hound) -> LinkingObjects<Owner> {
        switch self {
        case .toOne: hound.favouriteOf
        case .list, .listTwice: hound.owners
        case .set: hound.walkers
        case .map, .mapTwice: hound.namers
        }
    }

    var times: Int { self == .listTwice || self == .mapTwice ? 2 : 1 }
}

@Suite("Links and their inverses")
struct LinkTests {
    @Test("Every link stands in the inverse, as often as it links", arguments: Way.allCases, Situation.managed)
    func inverse(_ way: Way, _ situation: Situation) async throws {
        try await situation.show(Hound.self, [Hound.self, Owner.self]) {
            let hound = Hound("linked")
            return hound
        } check: { hound in
            #expect(way.inverse(hound).isEmpty)
        }
        try await situation.show(Owner.self) {
            let owner = Owner(1)
            way.link(owner, to: Hound("linked"))
            return owner
        } spoil: { owner in
            way.unlink(owner, from: try #require(owner.graph?.objects(Hound.self).first))
        } check: { owner in
            let hound = try #require(owner.graph?.objects(Hound.self).first)
            #expect(way.inverse(hound).count == way.times)
            #expect(way.inverse(hound).allSatisfy { $0 == owner })
            #expect(hound.favouriteOf.count == (way == .toOne ? 1 : 0))
        }
    }

    @Test("Inverses are empty while the object is unmanaged", arguments: Way.allCases)
    func unmanaged(_ way: Way) {
        let (owner, hound) = (Owner(1), Hound("linked"))
        way.link(owner, to: hound)
        #expect(way.inverse(hound).isEmpty)
        #expect(owner.friendOf.count == 0)
    }

    @Test("Taking a link away takes it out of the inverse, and rolling back puts it in again", arguments: Way.allCases)
    func unlinking(_ way: Way) throws {
        let graph = try kinGraph()
        let owner = try graph.added(Owner(1))
        let hound = try graph.added(Hound("linked"))
        try graph.write {
            way.link(owner, to: hound)
            #expect(way.inverse(hound).count == way.times)
        }
        graph.undoing {
            way.unlink(owner, from: hound)
            #expect(way.inverse(hound).isEmpty)
        }
        #expect(way.inverse(hound).count == way.times)
        try graph.write { way.unlink(owner, from: hound) }
        #expect(way.inverse(hound).isEmpty)
        #expect(!hound.isInvalidated && !owner.isInvalidated)
    }

    @Test("Deleting the target clears the link wherever it sits", arguments: Way.allCases, [1, 3, 100])
    func deletingTheTarget(_ way: Way, _ count: Int) throws {
        let graph = try kinGraph()
        let hound = try graph.added(Hound("linked"))
        let other = try graph.added(Hound("other"))
        let owners = (0..<count).map { Owner($0) }
        try graph.write {
            for owner in owners {
                try graph.add(owner)
                way.link(owner, to: hound)
                owner.hounds.append(other)
            }
        }
        #expect(way.inverse(hound).count == count * way.times)
        graph.undoing { graph.delete(hound) }
        #expect(way.inverse(hound).count == count * way.times)
        try graph.write { graph.delete(hound) }
        #expect(hound.isInvalidated)
        for owner in owners {
            #expect(owner.favourite == nil)
            #expect(owner.hounds.map(\.name) == ["other"])
            #expect(owner.walked.isEmpty)
            for (_, value) in owner.byName { #expect(value == nil) }
            #expect(owner.byName.count == (way == .map ? 1 : way == .mapTwice ? 2 : 0))
        }
        #expect(other.owners.count == count)
    }

    @Test("Deleting the source takes it out of the inverse", arguments: Way.allCases)
    func deletingTheSource(_ way: Way) throws {
        let graph = try kinGraph()
        let hound = try graph.added(Hound("linked"))
        let owners = (0..<3).map { Owner($0) }
        try graph.write {
            for owner in owners {
                try graph.add(owner)
                way.link(owner, to: hound)
            }
            graph.delete(owners[1])
            #expect(way.inverse(hound).count == 2 * way.times)
        }
        #expect(Set(way.inverse(hound)) == [owners[0], owners[2]])
        try graph.write { graph.delete(graph.objects(Owner.self)) }
        #expect(way.inverse(hound).isEmpty)
        #expect(!hound.isInvalidated)
    }

    @Test("A to-one link moves from one target to the other, in both inverses")
    func moves() throws {
        let graph = try kinGraph()
        let owner = try graph.added(Owner(1))
        let (a, b) = (Hound("a"), Hound("b"))
        try graph.write {
            owner.favourite = a
            owner.favourite = b
        }
        #expect(a.favouriteOf.isEmpty && b.favouriteOf.first == owner)
        let before = graph.sequence
        try graph.write { owner.favourite = b }
        #expect(graph.sequence == before)
        try graph.write { owner.favourite = a }
        #expect(a.favouriteOf.count == 1 && b.favouriteOf.isEmpty)
        try graph.write { owner.favourite = nil }
        #expect(a.favouriteOf.isEmpty && !a.isInvalidated)
    }

    @Test("An unmanaged object keeps what it links to alive, and lets it go")
    func ownership() {
        let owner = Owner(1)
        weak var hound: Hound?
        do {
            let made = Hound("kept")
            hound = made
            owner.favourite = made
        }
        #expect(hound?.name == "kept")
        #expect(owner.favourite === hound)
        owner.favourite = nil
        #expect(hound == nil)
    }

    @Test("A new object in a deleted one's place is another object")
    func successor() throws {
        let graph = try kinGraph()
        let old = try graph.added(Hound("old"))
        let id = try #require(old.objectID)
        try graph.write { graph.delete(old) }
        let new = try graph.added(Hound("new"))
        #expect(graph.object(Hound.self, id) == nil)
        #expect(old.isInvalidated && old != new && new.objectID != id)
        #expect(graph.object(Hound.self, try #require(new.objectID)) == new)
        #expect(graph.object(Owner.self, try #require(new.objectID)) == nil)
    }

    @Test("Ids that a rolled-back write gave out are never given out again")
    func rolledBackIDs() throws {
        let graph = try kinGraph()
        let ghost = Hound("ghost")
        graph.undoing { try graph.add(ghost) }
        let real = try graph.added(Hound("real"))
        #expect(ghost.isInvalidated && !real.isInvalidated && ghost != real)
        #expect(ghost.objectID != real.objectID)
    }

    @Test("deleteAll leaves nothing, and the store works on")
    func deleteAll() throws {
        let store = try Store(.init(models: kinfolk))
        let graph = Graph(store)
        func fill() throws {
            try graph.write {
                for i in 0..<200 {
                    let owner = Owner(i, "a name that is longer than fifteen bytes")
                    for way in Way.allCases { way.link(owner, to: Hound("\(way) \(i)")) }
                    owner.abode = Abode("Oslo")
                    owner.formerAbodes.append(Abode("Rome"))
                    try graph.add(owner)
                }
            }
        }
        try fill()
        graph.undoing { graph.deleteAll() }
        #expect(graph.objects(Owner.self).count == 200)
        try graph.write { graph.deleteAll() }
        #expect(graph.objects(Owner.self).isEmpty && graph.objects(Hound.self).isEmpty)
        #expect(graph.objects(Owner.self).where { $0.name == "a name that is longer than fifteen bytes" }.isEmpty)
        try fill()
        #expect(graph.objects(Owner.self).count == 200)
        #expect(graph.objects(Owner.self).where { $0.abode.city == "Oslo" }.count == 200)
    }

    @Test("Deleting a sequence deletes each object once")
    func deleteSequence() throws {
        let graph = try kinGraph()
        let hounds = (0..<4).map { Hound("\($0)") }
        try graph.write { try graph.add(hounds) }
        try graph.write { graph.delete([hounds[0], hounds[1], hounds[0]]) }
        #expect(graph.objects(Hound.self).count == 2)
        try graph.write { graph.delete(graph.objects(Hound.self).where { $0.name == "2" }) }
        #expect(graph.objects(Hound.self).map(\.name) == ["3"])
    }

    @Test("Equality: managed objects by identity in the store, frozen ones by version too, unmanaged ones by instance")
    func equality() throws {
        let store = try Store(.init(models: kinfolk))
        let graph = Graph(store)
        let owner = try graph.added(Owner(1))
        let again = try #require(graph.object(ofType: Owner.self, forPrimaryKey: 1))
        let elsewhere = try #require(Graph(store).object(ofType: Owner.self, forPrimaryKey: 1))
        #expect(owner !== again && owner == again && owner == elsewhere)
        #expect(Set([owner, again, elsewhere]).count == 1)
        let frozen = try #require(graph.freeze().objects(Owner.self).first)
        let frozenAgain = try #require(graph.freeze().objects(Owner.self).first)
        #expect(frozen == frozenAgain && frozen != owner && frozen.isSameObject(as: owner))
        try graph.write { owner.age = 1 }
        #expect(try #require(graph.freeze().objects(Owner.self).first) != frozen)
        #expect(Owner(1) != Owner(1))
        let forked = try #require(Graph(store.fork()).objects(Owner.self).first)
        #expect(forked != owner && !forked.isSameObject(as: owner))
    }
}
