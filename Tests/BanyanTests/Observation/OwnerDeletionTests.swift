import Banyan
import Testing

@Suite("Observers of what belongs to an object that is deleted")
struct OwnerDeletionTests {
    private func filled() throws -> (Graph, Owner) {
        let graph = try kinGraph()
        let owner = try graph.added(Owner(1)) {
            $0.hounds.append(objectsIn: [Hound("a"), Hound("b")])
            $0.walked.insert(Hound("c"))
            $0.byName["x"] = Hound("d")
            $0.byName.updateValue(nil, forKey: "y")
            $0.tags = ["t", "u"]
            $0.friend = $0
            $0.formerAbodes.append(Abode("Oslo"))
        }
        return (graph, owner)
    }

    @Test("Lists, sets, maps, inverses and results among them tell that everything is gone, and are heard of no more")
    func told() throws {
        let (graph, owner) = try filled()
        let log = Log()
        var keys: [String] = []
        let tokens = [
            owner.hounds.observe { log.add(Told($0)) }, owner.walked.observe { log.add(Told($0)) },
            owner.tags.observe { log.add(Told($0)) }, owner.formerAbodes.observe { log.add(Told($0)) },
            owner.friendOf.observe { log.add(Told($0)) },
            owner.hounds.where { $0.name == "b" }.observe { log.add(Told($0)) },
            AnyObjectCollection(owner.hounds).observe { log.add(Told($0)) },
            owner.byName.observe { change in
                if case .update(let map, let deletions, let insertions, let modifications) = change {
                    keys.append("\(map.count): -\(deletions) +\(insertions) ~\(modifications)")
                }
            },
        ]
        _ = log.take()
        try graph.write {
            owner.hounds.append(Hound("e"))
            owner.hounds[0].name = "changed"
            graph.delete(owner)
        }
        func gone(_ positions: [Int]) -> Told {
            .update(count: 0, deletions: positions, insertions: [], modifications: [])
        }
        #expect(
            log.take() == [gone([0, 1]), gone([0]), gone([0, 1]), gone([0]), gone([0]), gone([0]), gone([0, 1])])
        #expect(keys == [#"0: -["x", "y"] +[] ~[]"#])
        try graph.added(Owner(1)) { $0.hounds.append(Hound("new")) }
        try graph.write { graph.deleteAll() }
        #expect(log.take().isEmpty && keys.count == 1)
        withExtendedLifetime(tokens) {}
    }

    @Test("Empty ones tell it too, once")
    func empty() throws {
        let graph = try kinGraph()
        let owner = try graph.added(Owner(1))
        let log = Log()
        var told = 0
        let tokens = [
            owner.hounds.observe { log.add(Told($0)) }, owner.walked.observe { log.add(Told($0)) },
            owner.friendOf.observe { log.add(Told($0)) },
            owner.byName.observe { if case .update(let map, _, _, _) = $0, map.isInvalidated { told += 1 } },
        ]
        _ = log.take()
        try graph.write { graph.delete(owner) }
        let gone = Told.update(count: 0, deletions: [], insertions: [], modifications: [])
        #expect(log.take() == [gone, gone, gone] && told == 1)
        withExtendedLifetime(tokens) {}
    }

    @Test("A list within an AnyValue that is replaced tells that it is gone")
    func nested() throws {
        let graph = Graph(try Store(.init(models: bagModels)))
        let bag = try graph.added(Bag()) { $0.value = [1, 2, 3] }
        let log = Log()
        let list = try #require(bag.value.listValue)
        let token = list.observe { log.add(Told($0)) }
        _ = log.take()
        try graph.write { bag.value = 5 }
        #expect(log.take() == [.update(count: 0, deletions: [0, 1, 2], insertions: [], modifications: [])])
        #expect(list.isInvalidated)
        withExtendedLifetime(token) {}
    }
}
