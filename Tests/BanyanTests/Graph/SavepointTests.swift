import BanyanCore
import BanyanTesting
import Foundation
import Testing

@testable import Banyan

@Suite("Savepoints")
struct SavepointTests {
    /// A graph with two owners, hounds, embedded abodes, and something in every kind of collection.
    private func world() throws -> (graph: Graph, ada: Owner, bob: Owner) {
        let graph = try kinGraph()
        let ada = Owner(1, "Ada, whose name is longer than fifteen bytes")
        let bob = Owner(2, "Bob")
        try graph.write {
            for i in 0..<5 { ada.hounds.append(Hound("hound \(i), also a name of some length")) }
            ada.favourite = ada.hounds[2]
            ada.friend = bob
            ada.tags.insert("kept")
            ada.byName["first"] = ada.hounds[0]
            ada.abode = Abode("Oslo")
            ada.abode?.rooms.append(Abode("attic"))
            ada.formerAbodes.append(Abode("Rome"))
            try graph.add([ada, bob])
        }
        return (graph, ada, bob)
    }

    /// Changes about everything there is.
    private func spoil(_ graph: Graph, _ ada: Owner, _ bob: Owner) throws {
        ada.name = "changed to another name that is longer than fifteen bytes"
        ada.age = 99
        let gone = ada.hounds[2]
        graph.delete(gone)
        ada.hounds.move(from: 0, to: 3)
        ada.hounds.insert(Hound("new"), at: 1)
        bob.hounds.append(objectsIn: ada.hounds)
        ada.walked.insert(ada.hounds[0])
        ada.tags.insert("spoiled")
        ada.tags.remove("kept")
        ada.byName["first"] = nil
        ada.abode = Abode("Bergen")
        ada.formerAbodes.removeAll()
        ada.namedAbodes["x"] = Abode("y")
        bob.friend = ada
        try graph.add(Owner(3, "third"))
        for i in 10..<200 { try graph.add(Owner(i, "one of many \(i % 7)")) }
        graph.delete(bob)
    }

    private func dump(_ graph: Graph) -> [String] { GraphDump.lines(graph.workspace.view, slots: true) }

    @Test("A throw takes back what happened since, down to the last free slot, and nothing before")
    func throwing() throws {
        let (graph, ada, bob) = try world()
        let third = Owner(3)
        try graph.write {
            ada.hounds.append(Hound("before the savepoint"))
            ada.name = "changed before the savepoint"
            try graph.add(Owner(500, "added before the savepoint"))
            let before = dump(graph)
            graph.retracting {
                try spoil(graph, ada, bob)
                try graph.add(third, update: .modified)
            }
            #expect(dump(graph) == before)
            #expect(third.isInvalidated && !bob.isInvalidated)
            #expect(graph.isInWriteTransaction)
            #expect(graph.object(ofType: Owner.self, forPrimaryKey: 500)?.name == "added before the savepoint")
            #expect(graph.object(ofType: Owner.self, forPrimaryKey: 3) == nil)
            #expect(graph.objects(Owner.self).where { $0.name == "third" }.isEmpty)
            #expect(bob.friendOf.first == ada && bob.friend == nil)
            bob.age = 5
        }
        #expect(ada.name == "changed before the savepoint" && ada.age == 0 && ada.hounds.count == 6 && bob.age == 5)
        #expect(ada.abode?.city == "Oslo" && ada.formerAbodes.first?.city == "Rome" && Array(ada.tags) == ["kept"])
        #expect(graph.workspace.view._invariantCheck() == [])
    }

    @Test("One that ends well is part of the write, and gives its value")
    func success() throws {
        let (graph, ada, bob) = try world()
        let twin = try world()
        let value = try graph.write {
            ada.age = 1
            return try graph.savepoint {
                try spoil(graph, ada, bob)
                return 42
            }
        }
        try twin.graph.write {
            twin.ada.age = 1
            try spoil(twin.graph, twin.ada, twin.bob)
        }
        #expect(value == 42)
        #expect(dump(graph) == dump(twin.graph))
        #expect(graph.workspace.view._invariantCheck() == [])
    }

    @Test("They nest: each goes alone, or with the one around it")
    func nesting() throws {
        let (graph, ada, _) = try world()
        try graph.write {
            try graph.savepoint {
                ada.age = 1
                graph.retracting {
                    ada.age = 2
                    try graph.savepoint { ada.tags.insert("innermost") }
                    #expect(ada.tags.contains("innermost"))
                }
                #expect(ada.age == 1 && !ada.tags.contains("innermost"))
                try graph.savepoint { ada.tags.insert("second") }
            }
            graph.retracting {
                try graph.savepoint { graph.deleteAll() }
                #expect(ada.isInvalidated)
            }
            #expect(!ada.isInvalidated)
        }
        #expect(ada.age == 1 && ada.tags.sorted() == ["kept", "second"])
    }

    @Test("Misuse inside fails the savepoint only, and names what was misused", arguments: Mistake.all)
    func misuse(_ mistake: Mistake) throws {
        let store = try Store(.init(models: Mistake.models))
        let graph = Graph(store)
        let world = try Mistake.World(graph)
        try graph.write {
            world.text.name = "before"
            let before = dump(graph)
            let error = graph.savepointFault {
                world.text.name = "changed before the mistake"
                try graph.add(Owner(77))
                try mistake.make(graph, world)
                world.text.age = 99
            }
            #expect(error?.code == mistake.code && error?.location.type == mistake.type)
            if let property = mistake.property { #expect(error?.location.property == property) }
            #expect(dump(graph) == before)
            world.text.age = 5
        }
        #expect(world.text.name == "before" && world.text.age == 5)
        #expect(store.read { $0.object(ofType: Owner.self, forPrimaryKey: 2)?.age } == 5)
    }

    @Test("Misuse before it fails the write, and it is not entered")
    func doomed() throws {
        let (graph, ada, _) = try world()
        let fault = graph.fault { graph in
            ada.id = 9
            let inner = graph.savepointFault { Issue.record("entered") }
            #expect(inner?.code == .primaryKeyChanged)
        }
        #expect(fault?.code == .primaryKeyChanged)
        #expect(ada.id == 1)
    }

    @Test("Outside a write there is none")
    func outside() throws {
        let (graph, _, _) = try world()
        let error = graph.savepointFault { Issue.record("entered") }
        #expect(error?.code == .notInWrite)
        #expect(throws: BanyanError.self) { try graph.freeze().savepoint {} }
        #expect(throws: BanyanError.self) { try graph.write { try graph.write {} } }
    }

    @Test("Ids that were given out and taken back are never given out again, in this write or a later one")
    func spentIds() throws {
        let graph = try kinGraph()
        var spent: Set<ObjectID> = []
        var handles: [Owner] = []
        func attempt(_ id: Int) {
            graph.retracting {
                for i in 0..<100 {
                    let owner = Owner(id + i)
                    try graph.add(owner)
                    handles.append(owner)
                    #expect(spent.insert(try #require(owner.objectID)).inserted)
                }
            }
        }
        try graph.write {
            attempt(0)
            attempt(0)
            for i in 0..<100 {
                let owner = Owner(i)
                try graph.add(owner)
                #expect(spent.insert(try #require(owner.objectID)).inserted)
            }
            attempt(100)
        }
        graph.undoing {
            try graph.savepoint { try graph.add(Owner(500)) }
            attempt(1000)
        }
        try graph.write { for i in 1000..<1200 { try graph.add(Owner(i)) } }
        let later = graph.objects(Owner.self).where { $0.id >= 1000 }
        #expect(later.count == 200 && later.allSatisfy { spent.insert($0.objectID!).inserted })
        #expect(handles.allSatisfy { $0.isInvalidated })
    }

    @Test("A unique value that is taken fails the savepoint; one swapped inside it does not")
    func unique() throws {
        let graph = Graph(try Store(.init(models: [Plate.self])))
        let (a, b) = (Plate("a"), Plate("b"))
        try graph.write {
            try graph.add([a, b])
            let error = graph.savepointFault { try graph.add(Plate("a")) }
            #expect(error?.code == .constraint && error?.location.property == "sign")
            #expect(graph.objects(Plate.self).count == 2)
            try graph.savepoint {
                a.sign = "b"
                b.sign = "a"
            }
            try graph.savepoint { try graph.add(Plate("c")) }
        }
        #expect(graph.objects(Plate.self).map(\.sign).sorted() == ["a", "b", "c"])
        // What was noted before a savepoint is still looked at in the end.
        let fault = graph.fault { graph in
            try graph.add(Plate("a"))
            try graph.savepoint { try graph.add(Plate("d")) }
            graph.retracting {}
        }
        #expect(fault?.code == .constraint)
    }

    @Test("A loop over a list that began before a savepoint goes on through it", arguments: [true, false])
    func loops(_ keeps: Bool) throws {
        let (graph, ada, _) = try world()
        try graph.write {
            ada.hounds.append(Hound("made in this write"))
            var seen = 0
            for hound in ada.hounds {
                seen += 1
                do {
                    try graph.savepoint {
                        ada.hounds.append(Hound("another one, after \(hound.name)"))
                        ada.hounds.swapAt(0, 1)
                        for i in 0..<40 { ada.tags.insert("a tag of more than fifteen bytes, \(i)") }
                        if !keeps { throw Undo() }
                    }
                } catch is Undo {}
            }
            #expect(seen == 6)
            #expect(ada.hounds.count == (keeps ? 12 : 6))
        }
        #expect(graph.workspace.view._invariantCheck() == [])
    }

    @Test("Results, lists and inverses that were at hand show what is there again")
    func liveViews() throws {
        let (graph, ada, bob) = try world()
        let old = graph.objects(Owner.self).where { $0.age > 50 }
        let named = graph.objects(Owner.self).sorted(by: \.name)
        let (hounds, friends) = (ada.hounds, bob.friendOf)
        try graph.write {
            #expect(old.isEmpty && named.count == 2)
            graph.retracting {
                try spoil(graph, ada, bob)
                #expect(old.count == 1 && named.count == 192)
            }
            #expect(old.isEmpty && named.map(\.id) == [1, 2] && hounds.count == 5 && Array(friends) == [ada])
            ada.age = 60
            #expect(old.count == 1)
        }
    }

    @Test("Observers are told the net changes of the whole write")
    func observed() throws {
        let (graph, ada, _) = try world()
        var told: [String] = []
        let token = ada.hounds.observe { change in
            if case .update(_, let deletions, let insertions, let modifications) = change {
                told.append("\(deletions) \(insertions) \(modifications)")
            }
        }
        defer { token.invalidate() }
        try graph.write {
            ada.hounds.append(Hound("a"))
            graph.retracting {
                ada.hounds.removeAll()
            }
            try graph.savepoint { ada.hounds.remove(at: 0) }
            graph.retracting {
                ada.hounds.insert(Hound("b"), at: 0)
            }
        }
        #expect(told.filter { $0 != "[] [] []" } == ["[0] [4] []"])
    }

    @Test("What was done in savepoints is in the journal, and what was taken back is not")
    func durable() async throws {
        let directory = ScratchDirectory()
        let store = try await Store.open(.init(directory: directory.path, models: kinfolk))
        let graph = Graph(store)
        for round in 0..<20 {
            try graph.write {
                for i in 0..<10 {
                    do {
                        try graph.savepoint {
                            let owner = Owner(round * 10 + i, "owner with a rather long name \(i)")
                            owner.hounds.append(Hound("hound \(i)"))
                            try graph.add(owner)
                            graph.object(ofType: Owner.self, forPrimaryKey: round)?.age += 1
                            if i % 3 == 0 { throw Undo() }
                        }
                    } catch is Undo {}
                }
            }
        }
        let before = GraphDump.lines(graph.workspace.view)
        try await store.close()
        let reopened = try await Store.open(.init(directory: directory.path, models: kinfolk))
        #expect(GraphDump.lines(Graph(reopened).workspace.view) == before)
        #expect(Graph(reopened).objects(Owner.self).count == 120)
        try await reopened.close()
    }

    @Test("A thousand that are taken back cost no memory")
    func memory() throws {
        let (graph, ada, bob) = try world()
        try graph.write {
            for _ in 0..<3 {
                graph.retracting {
                    try spoil(graph, ada, bob)
                }
            }
            let used = graph.lineage.arena.used
            for _ in 0..<1_000 {
                graph.retracting {
                    try spoil(graph, ada, bob)
                }
            }
            #expect(graph.lineage.arena.used == used)
        }
    }
}

@Model class Plate: Object {
    @Persisted(unique: true) var sign = ""

    convenience init(_ sign: String) {
        self.init()
        self.sign = sign
    }
}
