import Banyan
import Testing

@Suite("Observing results")
struct ResultsObservationTests {
    @Test("The initial results come at once; then each commit's exact positions")
    func exact() throws {
        let graph = try kinGraph()
        try graph.write { for i in 0..<5 { try graph.add(Owner(i)) } }
        let log = Log()
        let results = graph.objects(Owner.self).where { $0.age < 10 }.sorted(by: \.id)
        let token = results.observe { log.add(Told($0)) }
        #expect(log.take() == [.initial(5)])
        func owner(_ id: Int) throws -> Owner { try #require(graph.object(ofType: Owner.self, forPrimaryKey: id)) }

        try graph.write { try owner(2).name = "renamed" }
        #expect(log.take() == [.update(count: 5, deletions: [], insertions: [], modifications: [2])])
        try graph.write { try owner(1).age = 50 }
        #expect(log.take() == [.update(count: 4, deletions: [1], insertions: [], modifications: [])])
        try graph.write { try owner(1).age = 60 }
        #expect(log.take().isEmpty)
        try graph.write {
            try owner(1).age = 5
            try graph.add(Owner(9))
            graph.delete(try owner(0))
            try owner(3).name = "renamed as well"
        }
        #expect(log.take() == [.update(count: 5, deletions: [0], insertions: [0, 4], modifications: [2])])
        try graph.write { graph.deleteAll() }
        #expect(log.take() == [.update(count: 0, deletions: [0, 1, 2, 3, 4], insertions: [], modifications: [])])
        withExtendedLifetime(token) {}
    }

    @Test("An object that moves in the order is deleted and inserted")
    func moves() throws {
        let graph = try kinGraph()
        try graph.write { for i in 0..<5 { let owner = Owner(i); owner.age = i * 10; try graph.add(owner) } }
        let log = Log()
        let token = graph.objects(Owner.self).sorted(by: \.age).observe { log.add(Told($0)) }
        try graph.write { graph.object(ofType: Owner.self, forPrimaryKey: 0)?.age = 35 }
        #expect(log.take().last == .update(count: 5, deletions: [0], insertions: [3], modifications: []))
        try graph.write { graph.object(ofType: Owner.self, forPrimaryKey: 0)?.age = 36 }
        #expect(log.take() == [.update(count: 5, deletions: [], insertions: [], modifications: [3])])
        withExtendedLifetime(token) {}
    }

    @Test("A deletion and a creation in one commit are one deletion and one insertion; the slot rests")
    func replaced() throws {
        let graph = try kinGraph()
        let hounds = (0..<3).map { Hound("\($0)") }
        try graph.write { try graph.add(hounds) }
        let log = Log()
        let token = graph.objects(Hound.self).observe { log.add(Told($0)) }
        try graph.write {
            graph.delete(hounds[1])
            try graph.add(Hound("new"))
        }
        #expect(log.take().last == .update(count: 3, deletions: [1], insertions: [2], modifications: []))
        withExtendedLifetime(token) {}
    }

    @Test("A change of what an object links to modifies it, up to four links away, whatever holds the link")
    func deep() throws {
        let graph = try kinGraph()
        let (a, b, c, d, e, f) = (Owner(0), Owner(1), Owner(2), Owner(3), Owner(4), Owner(5))
        let hounds = (0..<4).map { Hound("\($0)") }
        try graph.write {
            try graph.add([a, b, c, d, e, f])
            (a.friend, b.friend, c.friend, d.friend, e.friend) = (b, c, d, e, f)
            a.favourite = hounds[0]
            b.hounds.append(hounds[1])
            c.walked.insert(hounds[2])
            d.byName["x"] = hounds[3]
            f.abode = Abode("Oslo")
        }
        let log = Log()
        let token = graph.objects(Owner.self).sorted(by: \.id).observe { log.add(Told($0)) }
        _ = log.take()
        try graph.write { hounds[0].name = "changed" }
        #expect(log.take() == [.update(count: 6, deletions: [], insertions: [], modifications: [0])])
        try graph.write { hounds[1].name = "changed" }
        #expect(log.take() == [.update(count: 6, deletions: [], insertions: [], modifications: [0, 1])])
        try graph.write { hounds[2].name = "changed" }
        #expect(log.take() == [.update(count: 6, deletions: [], insertions: [], modifications: [0, 1, 2])])
        try graph.write { hounds[3].name = "changed" }
        #expect(log.take() == [.update(count: 6, deletions: [], insertions: [], modifications: [0, 1, 2, 3])])
        try graph.write { f.abode?.city = "Bergen" }
        #expect(log.take() == [.update(count: 6, deletions: [], insertions: [], modifications: [2, 3, 4, 5])])
        try graph.write { f.age = 1 }
        #expect(log.take() == [.update(count: 6, deletions: [], insertions: [], modifications: [1, 2, 3, 4, 5])])
        withExtendedLifetime(token) {}
    }

    @Test("A condition on linked objects follows their changes")
    func paths() throws {
        let graph = try kinGraph()
        let hound = Hound("Rex")
        try graph.added(Owner(1)) { $0.favourite = hound }
        try graph.added(Owner(2)) { $0.hounds.append(hound) }
        let log = Log()
        let token = graph.objects(Owner.self).where { $0.favourite.name == "Rex" }.observe { log.add(Told($0)) }
        #expect(log.take() == [.initial(1)])
        try graph.write { hound.name = "Fido" }
        #expect(log.take() == [.update(count: 0, deletions: [0], insertions: [], modifications: [])])
        try graph.write { hound.name = "Rex" }
        #expect(log.take() == [.update(count: 1, deletions: [], insertions: [0], modifications: [])])
        try graph.write { graph.delete(hound) }
        #expect(log.take() == [.update(count: 0, deletions: [0], insertions: [], modifications: [])])
        withExtendedLifetime(token) {}
    }

    @Test("What is rolled back, refused or without effect tells nobody")
    func silence() throws {
        let graph = try kinGraph()
        let owner = try graph.added(Owner(1))
        let log = Log()
        let tokens = [
            graph.objects(Owner.self).observe { log.add(Told($0)) },
            owner.observe { (change: ObjectChange<Owner>) in log.add(Told(change)) },
        ]
        _ = log.take()
        graph.undoing {
            owner.name = "x"
            try graph.add(Owner(2))
        }
        _ = graph.fault { _ in
            owner.name = "x"
            owner.id = 7
        }
        try graph.write { owner.age = owner.age }
        try graph.write {
            owner.age = 5
            owner.age = 0
        }
        try graph.write { try graph.add(Hound("of no concern")) }
        #expect(log.take().isEmpty)
        try graph.write { owner.age = 1 }
        #expect(log.take().count == 2)
        withExtendedLifetime(tokens) {}
    }

    @Test("Dropping or invalidating the token ends it")
    func tokens() throws {
        let graph = try kinGraph()
        let owner = try graph.added(Owner(1))
        let log = Log()
        var dropped: NotificationToken? = graph.objects(Owner.self).observe { log.add(Told($0)) }
        let invalidated = owner.observe { (change: ObjectChange<Owner>) in log.add(Told(change)) }
        try graph.write { owner.age = 1 }
        #expect(log.take().count == 3)
        dropped = nil
        invalidated.invalidate()
        invalidated.invalidate()
        try graph.write { owner.age = 2 }
        #expect(log.take().isEmpty)
        #expect(dropped == nil)
    }

    @Test("A token that is dropped in a callback ends the observations after it at once")
    func droppedInCallback() throws {
        let graph = try kinGraph()
        let owner = try graph.added(Owner(1))
        let log = Log()
        var second: NotificationToken?
        let first = graph.objects(Owner.self).observe { _ in second = nil }
        second = graph.objects(Owner.self).observe { log.add(Told($0)) }
        _ = log.take()
        try graph.write { owner.age = 1 }
        #expect(log.take().isEmpty && second == nil)
        withExtendedLifetime(first) {}
    }

    @Test("A write from a callback works and is told after it; every observer finds in the graph what it was told of")
    func writingCallback() throws {
        let graph = try kinGraph()
        let owner = try graph.added(Owner(1))
        let (early, late) = (Log(), Log())
        let first = graph.objects(Owner.self).observe { change in
            early.add(Told(change))
            if case .update(let owners, _, _, _) = change, owners.count < 4 {
                do { try graph.write { try graph.add(Owner(owners.count + 1)) } } catch { Issue.record(error) }
            }
        }
        let second = graph.objects(Owner.self).observe { late.add(Told($0)) }
        _ = (early.take(), late.take())
        try graph.write { owner.age = 1 }
        #expect(
            early.take() == [
                .update(count: 1, deletions: [], insertions: [], modifications: [0]),
                .update(count: 2, deletions: [], insertions: [1], modifications: []),
                .update(count: 3, deletions: [], insertions: [2], modifications: []),
                .update(count: 4, deletions: [], insertions: [3], modifications: []),
            ])
        let told = late.take()
        var count = 1
        for case .update(let now, let deletions, let insertions, _) in told {
            count += insertions.count - deletions.count
            #expect(now == count)
        }
        #expect(count == 4)
        withExtendedLifetime((first, second)) {}
    }

    @Test("An observation that begins in a callback is told nothing from before it began")
    func beginsInCallback() throws {
        let graph = try kinGraph()
        let owner = try graph.added(Owner(1))
        let log = Log()
        var tokens: [NotificationToken] = []
        tokens.append(
            graph.objects(Owner.self).observe { change in
                guard case .update = change, tokens.count == 1 else { return }
                do { try graph.write { owner.age += 1 } } catch { Issue.record(error) }
                tokens.append(graph.objects(Owner.self).observe { log.add(Told($0)) })
            })
        try graph.write { owner.age = 1 }
        #expect(owner.age == 2)
        #expect(log.take() == [.initial(1)])
        try graph.write { owner.age = 10 }
        #expect(log.take() == [.update(count: 1, deletions: [], insertions: [], modifications: [0])])
    }

    @Test("Beginning to observe inside a write fails the transaction")
    func insideWrite() throws {
        let graph = try kinGraph()
        let owner = try graph.added(Owner(1))
        let log = Log()
        var token: NotificationToken?
        let fault = graph.fault { graph in
            owner.age = 3
            token = graph.objects(Owner.self).observe { log.add(Told($0)) }
        }
        #expect(fault?.code == .insideWrite)
        #expect(owner.age == 0)
        _ = log.take()
        try graph.write { owner.age = 1 }
        #expect(log.take().isEmpty && token != nil)
    }

    @Test("Commits of other graphs are told at refresh, as one merged change")
    func merged() throws {
        let store = try Store(.init(models: kinfolk))
        let (here, there) = (Graph(store), Graph(store))
        try there.write { for i in 0..<5 { try there.add(Owner(i)) } }
        here.refresh()
        let log = Log()
        let token = here.objects(Owner.self).sorted(by: \.id).observe { log.add(Told($0)) }
        _ = log.take()
        for i in 0..<10 { try there.added(Owner(10 + i)) }
        try there.write { there.delete(there.objects(Owner.self).where { $0.id == 0 || $0.id == 12 }) }
        try there.write { there.object(ofType: Owner.self, forPrimaryKey: 3)?.age = 1 }
        try there.write { there.object(ofType: Owner.self, forPrimaryKey: 15)?.age = 1 }
        try there.write { try there.add(Owner(0)) }
        #expect(log.take().isEmpty)
        #expect(here.refresh())
        let expected = Told.update(
            count: 14, deletions: [0], insertions: [0] + Array(5..<14), modifications: [3])
        #expect(log.take() == [expected])
        #expect(!here.refresh())
        withExtendedLifetime(token) {}
    }

    @Test("Applying what is told to a plain array gives the results, over random transactions", arguments: 1...4)
    func replay(_ seed: Int) throws {
        let world = try ItemWorld(60, seed: UInt64(seed + 900))
        let graph = world.graph
        var mirrors: [(name: String, results: Results<Item>, mirror: Mirror)] = []
        func observe(_ name: String, _ results: Results<Item>) -> NotificationToken {
            let mirror = Mirror()
            mirrors.append((name, results, mirror))
            return results.observe { mirror.apply($0) }
        }
        let all = graph.objects(Item.self)
        let tokens = [
            observe("all", all),
            observe("flag", all.where { $0.flag }),
            observe("sorted", all.sorted(by: \.group)),
            observe("sorted by name", all.where { $0.group > 0 }.sorted(by: \.name, ascending: false)),
            observe("path", all.where { $0.parent.group > 0 }),
            observe("parts", all.where { $0.parts.flag == true }.sorted(by: \.parent?.name)),
            observe("children", all.where { $0.children.count > 0 }),
            observe("city", all.where { $0.place != nil }.sorted(by: \.place?.city)),
            observe("sum", all.where { $0.numbers.sum > 1 }),
            observe("indexed", all.where { $0.name == "Ada" }),
        ]
        for round in 0..<25 {
            try graph.write { for _ in 0..<world.number(1..<12) { try world.step() } }
            if round % 5 == 4 { graph.undoing { for _ in 0..<3 { graph.delete(Array(all.prefix(2))) } } }
            for (name, results, mirror) in mirrors {
                #expect(mirror.ids == results.map { $0.objectID }, "\(name), round \(round)")
                #expect(mirror.isSound, "\(name), round \(round)")
            }
        }
        withExtendedLifetime(tokens) {}
    }

    /// Keeps an array in step with results by what their observer is told alone.
    private final class Mirror {
        var ids: [ObjectID?] = []
        var isSound = true

        func apply(_ change: CollectionChange<Results<Item>>) {
            switch change {
            case .initial(let results): ids = results.map(\.objectID)
            case .update(let results, let deletions, let insertions, let modifications):
                isSound =
                    isSound && deletions == deletions.sorted() && insertions == insertions.sorted()
                    && modifications == modifications.sorted() && Set(deletions).isDisjoint(with: modifications)
                    && modifications.allSatisfy { ids.indices.contains($0) }
                for position in deletions.reversed() { ids.remove(at: position) }
                for position in insertions { ids.insert(results[position].objectID, at: position) }
            }
        }
    }
}
