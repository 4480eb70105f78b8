import Banyan
import Testing

@Suite("Observing objects")
struct ObjectObservationTests {
    @Test("Each commit tells the properties that changed, with old and new values")
    func properties() throws {
        let graph = try kinGraph()
        let hound = Hound("Rex")
        let owner = try graph.added(Owner(1, "Ada")) { $0.abode = Abode("Oslo") }
        let log = Log()
        let token = owner.observe { (change: ObjectChange<Owner>) in log.add(Told(change)) }
        #expect(log.take().isEmpty)
        try graph.write {
            owner.name = "a name that is longer than fifteen bytes"
            owner.age = 3
        }
        #expect(log.take() == [.changed(["name: Ada → a name that is longer than fifteen bytes", "age: 0 → 3"])])
        try graph.write { owner.favourite = hound }
        #expect(log.take() == [.changed(["favourite: nil → Rex"])])
        try graph.write { owner.abode = Abode("Bergen") }
        #expect(log.take() == [.changed(["abode: gone → Bergen"])])
        try graph.write { owner.hounds.append(hound) }
        #expect(log.take() == [.changed(["hounds: nil → nil"])])
        try graph.write { owner.tags.insert("t") }
        #expect(log.take() == [.changed(["tags: nil → nil"])])
        withExtendedLifetime(token) {}
    }

    @Test("It is shallow: what it links to may change untold, and so may its inverses")
    func shallow() throws {
        let graph = try kinGraph()
        let hound = Hound("Rex")
        let owner = try graph.added(Owner(1)) {
            $0.favourite = hound
            $0.abode = Abode("Oslo")
        }
        let log = Log()
        let tokens = [
            owner.observe { (change: ObjectChange<Owner>) in log.add(Told(change)) },
            hound.observe { (change: ObjectChange<Hound>) in log.add(Told(change)) },
        ]
        try graph.write { owner.abode?.city = "Bergen" }
        #expect(log.take().isEmpty)
        try graph.write { hound.name = "Fido" }
        #expect(log.take() == [.changed(["name: Rex → Fido"])])
        try graph.added(Owner(2)) { $0.favourite = hound }
        #expect(log.take().isEmpty)
        withExtendedLifetime(tokens) {}
    }

    @Test("A link nullified by a deletion is a change of its owner")
    func nullified() throws {
        let graph = try kinGraph()
        let hound = Hound("Rex")
        let owner = try graph.added(Owner(1)) { $0.favourite = hound }
        let log = Log()
        let token = owner.observe { (change: ObjectChange<Owner>) in log.add(Told(change)) }
        try graph.write { graph.delete(hound) }
        #expect(log.take() == [.changed(["favourite: gone → nil"])])
        withExtendedLifetime(token) {}
    }

    @Test("Deletion is told once, and nothing after it; a successor in its place is another object")
    func deletion() throws {
        let graph = try kinGraph()
        let hound = try graph.added(Hound("Rex"))
        let log = Log()
        let token = hound.observe { (change: ObjectChange<Hound>) in log.add(Told(change)) }
        try graph.write {
            hound.name = "Fido"
            graph.delete(hound)
            try graph.add(Hound("in its place"))
        }
        #expect(log.take() == [.deleted])
        try graph.write { graph.objects(Hound.self).first?.name = "changed" }
        #expect(log.take().isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test("Embedded objects are observed too")
    func embedded() throws {
        let graph = try kinGraph()
        let owner = try graph.added(Owner(1)) { $0.abode = Abode("Oslo") }
        let abode = try #require(owner.abode)
        let log = Log()
        let token = abode.observe { (change: ObjectChange<Abode>) in log.add(Told(change)) }
        try graph.write { abode.city = "Bergen" }
        #expect(log.take() == [.changed(["city: Oslo → Bergen"])])
        try graph.write { owner.abode = nil }
        #expect(log.take() == [.deleted])
        withExtendedLifetime(token) {}
    }

    @Test("Commits of other graphs come merged: first old value, last new value; changed back is nothing")
    func merged() throws {
        let store = try Store(.init(models: kinfolk))
        let (here, there) = (Graph(store), Graph(store))
        let owner = try here.added(Owner(1, "a"))
        there.refresh()
        let other = try #require(there.objects(Owner.self).first)
        let log = Log()
        let token = owner.observe { (change: ObjectChange<Owner>) in log.add(Told(change)) }
        for name in ["b", "c", "d"] { try there.write { other.name = name } }
        try there.write { other.age = 9 }
        try there.write { other.age = 0 }
        here.refresh()
        #expect(log.take() == [.changed(["name: a → d"])])
        try there.write { other.age = 9 }
        try there.write { other.age = 0 }
        here.refresh()
        #expect(log.take().isEmpty)
        withExtendedLifetime(token) {}
    }
}
