import Banyan
import Foundation
import Testing

@Suite("Writes")
struct WriteTests {
    @Test("A throw rolls everything back, handles included")
    func rollback() throws {
        let graph = try kinGraph()
        let owner = try graph.added(Owner(1, "before, with more than fifteen bytes")) {
            $0.age = 5
            $0.hounds.append(Hound("kept"))
            $0.tags.insert("kept")
            $0.byName["kept"] = Hound("named")
        }
        let kept = owner.hounds[0]
        let before = graph.sequence
        let (added, linked) = (Owner(2), Hound("linked"))
        #expect(throws: Undo.self) {
            try graph.write {
                owner.name = "after, also with more than fifteen bytes"
                owner.age = 6
                owner.hounds.removeAll()
                owner.hounds.append(linked)
                owner.tags.removeAll()
                owner.byName["kept"] = nil
                try graph.add(added)
                graph.delete(kept)
                graph.delete(owner)
                throw Undo()
            }
        }
        #expect(graph.sequence == before)
        #expect(!owner.isInvalidated && !kept.isInvalidated)
        #expect(owner.name == "before, with more than fifteen bytes" && owner.age == 5)
        #expect(Array(owner.hounds) == [kept] && kept.owners.first == owner)
        #expect(Array(owner.tags) == ["kept"] && owner.byName["kept"]??.name == "named")
        #expect(added.isInvalidated && linked.isInvalidated)
        #expect(graph.objects(Owner.self).count == 1 && graph.objects(Hound.self).count == 2)
        #expect(graph.object(ofType: Owner.self, forPrimaryKey: 2) == nil)
        #expect(!graph.isInWriteTransaction)
        try graph.write { owner.age = 7 }
        #expect(owner.age == 7)
    }

    @Test("An invalidated object reads as zero outside a write, and everything else goes on")
    func invalidated() throws {
        let graph = try kinGraph()
        let owner = Owner(1, "gone")
        owner.hounds.append(Hound("x"))
        graph.undoing { try graph.add(owner) }
        #expect(owner.isInvalidated)
        #expect(owner.name == "" && owner.age == 0 && owner.favourite == nil && owner.hounds.isEmpty)
        #expect(owner.abode == nil && owner.tags.isEmpty && owner.friendOf.isEmpty)
    }

    @Test("The block's value comes back, and its own error is thrown")
    func value() throws {
        let graph = try kinGraph()
        #expect(try graph.write { 42 } == 42)
        #expect(try graph.write { graph in graph.objects(Owner.self).count } == 0)
        struct Own: Error, Equatable { var code: Int }
        let error = #expect(throws: Own.self) { try graph.write { throw Own(code: 3) } }
        #expect(error == Own(code: 3))
    }

    @Test("A write inside a write is refused: same graph, other graph of the store, through read")
    func nested() throws {
        let store = try Store(.init(models: kinfolk))
        let graph = Graph(store)
        try graph.write {
            let same = #expect(throws: BanyanError.self) { try graph.write {} }
            #expect(same?.code == .nestedWrite)
            let other = #expect(throws: BanyanError.self) { try Graph(store).write {} }
            #expect(other?.code == .nestedWrite)
            let through = #expect(throws: BanyanError.self) { try store.read { try $0.write {} } }
            #expect(through?.code == .nestedWrite)
            try graph.add(Owner(1))
        }
        #expect(graph.objects(Owner.self).count == 1)
    }

    @Test("A write to another store inside a write is a write of its own")
    func otherStore() throws {
        let (a, b) = (try kinGraph(), try kinGraph())
        #expect(throws: Undo.self) {
            try a.write {
                try a.add(Owner(1))
                try b.added(Owner(2))
                throw Undo()
            }
        }
        #expect(a.objects(Owner.self).isEmpty)
        #expect(b.objects(Owner.self).count == 1)
    }

    @Test("A write that changes nothing is no commit", arguments: 0..<8)
    func noOps(_ way: Int) throws {
        let graph = try kinGraph()
        let owner = try graph.added(Owner(1, "a name that is longer than fifteen bytes")) {
            $0.favourite = Hound("f")
            $0.tags.insert("t")
            $0.byName["k"] = $0.favourite
            $0.hounds.append(Hound("h"))
        }
        let before = graph.sequence
        try graph.write {
            switch way {
            case 0: break
            case 1: owner.name = String("a name that is longer ") + "than fifteen bytes"
            case 2: owner.age = 0
            case 3: owner.favourite = owner.favourite
            case 4: owner.tags.insert("t")
            case 5: owner.tags.remove("not there")
            case 6: owner.abode = nil
            default: owner.hounds = owner.hounds
            }
        }
        #expect(graph.sequence == before)
    }

    @Test("A write moves its graph to the newest version first")
    func begins() throws {
        let store = try Store(.init(models: kinfolk))
        let (here, there) = (Graph(store), Graph(store))
        try here.added(Owner(1))
        #expect(there.objects(Owner.self).isEmpty)
        try there.write { #expect(there.objects(Owner.self).count == 1) }
        #expect(!there.refresh())
    }

    @Test("A graph stands still until it is refreshed")
    func standsStill() throws {
        let store = try Store(.init(models: kinfolk))
        let (here, there) = (Graph(store), Graph(store))
        let owner = try here.added(Owner(1, "a"))
        there.refresh()
        let seen = try #require(there.object(ofType: Owner.self, forPrimaryKey: 1))
        try here.write { owner.name = "b" }
        #expect(seen.name == "a")
        #expect(there.refresh())
        #expect(seen.name == "b")
        try here.write { here.delete(owner) }
        #expect(!seen.isInvalidated && seen.name == "b")
        there.refresh()
        #expect(seen.isInvalidated)
        #expect(!there.refresh())
    }

    @Test("Readers see nothing of a write that is under way")
    func isolation() throws {
        let store = try Store(.init(models: kinfolk))
        let graph = Graph(store)
        let owner = try graph.added(Owner(1, "before"))
        let other = Graph(store)
        let seen = try #require(other.objects(Owner.self).first)
        try graph.write {
            owner.name = "after"
            try graph.add(Owner(2))
            #expect(seen.name == "before")
            #expect(!other.refresh())
            #expect(store.read { $0.objects(Owner.self).map(\.name) } == ["before"])
        }
        #expect(store.read { $0.objects(Owner.self).count } == 2)
    }

    @Test("An object may be made, changed and deleted in one write")
    func ephemeral() throws {
        let graph = try kinGraph()
        let owner = Owner(1, "ephemeral")
        try graph.write {
            try graph.add(owner)
            owner.abode = Abode("x")
            owner.hounds.append(Hound("stays"))
            graph.delete(owner)
            #expect(owner.isInvalidated)
            try graph.add(Owner(1, "again"))
        }
        #expect(graph.objects(Owner.self).map(\.name) == ["again"])
        #expect(graph.objects(Hound.self).first?.owners.isEmpty == true)
    }

    @Test("Ten thousand objects survive a write that changes every one and rolls back")
    func large() throws {
        let graph = try kinGraph()
        try graph.write { for i in 0..<10_000 { try graph.add(Owner(i, "owner number \(i) in all")) } }
        let all = graph.objects(Owner.self)
        graph.undoing {
            for owner in all {
                owner.name = "changed"
                if owner.id % 3 == 0 { graph.delete(owner) }
            }
        }
        #expect(all.count == 10_000)
        #expect(all.allSatisfy { $0.name == "owner number \($0.id) in all" })
        #expect(graph.objects(Owner.self).where { $0.name == "changed" }.isEmpty)
        #expect(graph.object(ofType: Owner.self, forPrimaryKey: 3)?.id == 3)
    }

    @Test("An async write does what a write does")
    func async() async throws {
        let store = try Store(.init(models: kinfolk))
        let graph = Graph(store)
        let count = try await graph.asyncWrite { graph in
            try graph.add(Owner(1))
            return graph.objects(Owner.self).count
        }
        #expect(count == 1)
        #expect(graph.objects(Owner.self).count == 1)
        await #expect(throws: Undo.self) {
            try await graph.asyncWrite { graph in
                try graph.add(Owner(2))
                throw Undo()
            }
        }
        #expect(store.read { $0.objects(Owner.self).count } == 1)
    }
}
