import Banyan
import Testing

@Suite("Adding with an update policy")
struct UpdatePolicyTests {
    static let policies: [UpdatePolicy] = [.modified, .all]

    private func filled() throws -> (Graph, Owner) {
        let graph = try kinGraph()
        let owner = try graph.added(Owner(1, "before")) {
            $0.age = 30
            $0.favourite = Hound("old favourite")
            $0.hounds.append(Hound("first"))
            $0.tags.insert("old tag")
            $0.byName["x"] = Hound("x")
            $0.abode = Abode("Oslo")
            $0.formerAbodes.append(Abode("Rome"))
        }
        return (graph, owner)
    }

    @Test(
        "The object that has the key takes the new values, and the instance becomes a handle of it", arguments: policies
    )
    func values(_ policy: UpdatePolicy) throws {
        let (graph, owner) = try filled()
        let update = Owner(1, "after")
        update.hounds.append(Hound("second"))
        update.hounds.append(Hound("third"))
        update.tags.insert("new tag")
        try graph.write { try graph.add(update, update: policy) }
        #expect(graph.objects(Owner.self).count == 1)
        #expect(update == owner && update.objectID == owner.objectID)
        #expect(owner.name == "after" && owner.age == 0)
        #expect(owner.favourite == nil)
        #expect(owner.hounds.map(\.name) == ["second", "third"])
        #expect(Array(owner.tags) == ["new tag"])
        #expect(owner.byName.isEmpty)
        #expect(owner.abode == nil)
        #expect(owner.formerAbodes.isEmpty)
    }

    @Test("The policy reaches linked objects, through cycles", arguments: policies)
    func links(_ policy: UpdatePolicy) throws {
        let (graph, owner) = try filled()
        let other = try graph.added(Owner(2, "other before"))
        let (one, two) = (Owner(1, "one"), Owner(2, "two"))
        one.friend = two
        two.friend = one
        try graph.write { try graph.add(one, update: policy) }
        #expect(graph.objects(Owner.self).count == 2)
        #expect(owner.name == "one" && other.name == "two")
        #expect(owner.friend == other && other.friend == owner)
        #expect(owner.friendOf.count == 1)
    }

    @Test("Two unmanaged objects with one key become one object with the values of the second", arguments: policies)
    func twice(_ policy: UpdatePolicy) throws {
        let graph = try kinGraph()
        let (a, b) = (Owner(1, "a"), Owner(1, "b"))
        try graph.write { try graph.add([a, b], update: policy) }
        #expect(graph.objects(Owner.self).map(\.name) == ["b"])
        #expect(a == b)
    }

    @Test("An embedded object is changed in place under .modified and replaced under .all", arguments: policies)
    func embedded(_ policy: UpdatePolicy) throws {
        let (graph, owner) = try filled()
        let home = try #require(owner.abode)
        let update = Owner(1, "after")
        update.abode = Abode("Bergen")
        try graph.write { try graph.add(update, update: policy) }
        #expect(owner.abode?.city == "Bergen")
        #expect(home.isInvalidated == (policy == .all))
        if policy == .modified { #expect(home.city == "Bergen") }
    }

    @Test("An update under .modified that differs in nothing is no commit")
    func nothing() throws {
        let graph = try kinGraph()
        func make() -> Owner {
            let owner = Owner(1, "a name that is longer than fifteen bytes")
            owner.age = 3
            owner.tags.insert("tag")
            owner.abode = Abode("Oslo")
            return owner
        }
        try graph.added(make())
        let before = graph.sequence
        try graph.write { try graph.add(make(), update: .modified) }
        #expect(graph.sequence == before)
        #expect(graph.objects(Owner.self).first?.abode?.city == "Oslo")
    }

    @Test("An index follows an update", arguments: policies)
    func index(_ policy: UpdatePolicy) throws {
        let (graph, owner) = try filled()
        try graph.write { try graph.add(Owner(1, "after, and rather longer than before"), update: policy) }
        #expect(graph.objects(Owner.self).where { $0.name == "before" }.isEmpty)
        #expect(graph.objects(Owner.self).where { $0.name == "after, and rather longer than before" }.first == owner)
    }

    @Test("An update that is rolled back leaves the object as it was", arguments: policies)
    func rollback(_ policy: UpdatePolicy) throws {
        let (graph, owner) = try filled()
        let home = owner.abode
        graph.undoing { try graph.add(Owner(1, "after"), update: policy) }
        #expect(owner.name == "before" && owner.age == 30)
        #expect(owner.favourite?.name == "old favourite")
        #expect(owner.hounds.map(\.name) == ["first"])
        #expect(owner.abode == home && home?.city == "Oslo")
        #expect(owner.formerAbodes.first?.city == "Rome")
    }

    @Test("A new key is added under every policy", arguments: policies + [.error])
    func new(_ policy: UpdatePolicy) throws {
        let (graph, _) = try filled()
        try graph.write { try graph.add(Owner(9, "new"), update: policy) }
        #expect(graph.object(ofType: Owner.self, forPrimaryKey: 9)?.name == "new")
        #expect(graph.objects(Owner.self).count == 2)
    }
}
