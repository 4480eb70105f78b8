@testable import Banyan
import Foundation
import Synchronization
import Testing

@Suite("Stores")
struct StoreTests {
    @Test("Two stores in memory never share anything")
    func apart() throws {
        let (a, b) = (try kinGraph(), try kinGraph())
        try a.added(Owner(1))
        #expect(b.objects(Owner.self).isEmpty)
        b.refresh()
        #expect(b.objects(Owner.self).isEmpty)
    }

    @Test("A store's write returns its value, and throws what its block throws")
    func write() async throws {
        let store = try Store(.init(models: kinfolk))
        let id = try await store.write { graph in
            let owner = Owner(1, "Ada")
            try graph.add(owner)
            return owner.objectID
        }
        #expect(store.sequence == 1)
        #expect(store.read { graph in id.flatMap { graph.object(Owner.self, $0) }?.name } == "Ada")
        await #expect(throws: Undo.self) {
            try await store.write { graph in
                graph.deleteAll()
                throw Undo()
            }
        }
        #expect(store.read { $0.objects(Owner.self).count } == 1)
        #expect(store.sequence == 1)
    }

    @Test("Reading throws what its block throws")
    func readThrows() throws {
        let store = try Store(.init(models: kinfolk))
        #expect(throws: Undo.self) { try store.read { _ in throw Undo() } }
    }

    @Test("A frozen graph stays as it was, whatever is written and deleted afterwards")
    func frozen() async throws {
        let store = try Store(.init(models: kinfolk))
        try await store.write { graph in
            for i in 0..<500 {
                let owner = Owner(i, "the first name of owner \(i)")
                owner.hounds.append(Hound("hound \(i)"))
                owner.tags.insert("tag \(i)")
                try graph.add(owner)
            }
        }
        let frozen = store.freeze()
        #expect(frozen.isFrozen && frozen.sequence == 1)
        for round in 0..<20 {
            try await store.write { graph in
                for owner in graph.objects(Owner.self) where owner.id % 20 == round {
                    graph.delete(owner.hounds)
                    graph.delete(owner)
                }
                for i in 0..<50 { try graph.add(Owner(1000 + round * 50 + i, "another name, written later on")) }
            }
        }
        #expect(frozen.objects(Owner.self).count == 500)
        for i in 0..<500 {
            let owner = try #require(frozen.object(ofType: Owner.self, forPrimaryKey: i))
            #expect(owner.name == "the first name of owner \(i)")
            #expect(owner.hounds.first?.name == "hound \(i)")
            #expect(owner.hounds.first?.owners.first == owner)
            #expect(Array(owner.tags) == ["tag \(i)"])
        }
        #expect(frozen.objects(Owner.self).where { $0.name == "another name, written later on" }.isEmpty)
        #expect(frozen.objects(Owner.self).where { $0.name == "the first name of owner 7" }.count == 1)
    }

    @Test("Every version that is held stays itself, in whatever order they are let go", arguments: [1, 2, 3])
    func versions(_ seed: Int) throws {
        let store = try Store(.init(models: kinfolk))
        let graph = Graph(store)
        var held: [(graph: Graph, names: [String])] = []
        for round in 0..<60 {
            try graph.write {
                try graph.add(Owner(round, "owner of round \(round), in a block of its own"))
                if round % 3 == 2, let owner = graph.object(ofType: Owner.self, forPrimaryKey: round / 2) {
                    graph.delete(owner)
                }
                for owner in graph.objects(Owner.self) where owner.id % 5 == round % 5 { owner.name += "·\(round)" }
            }
            held.append((graph.freeze(), graph.objects(Owner.self).map(\.name)))
            if round % 4 == 3 { held.remove(at: (round * 7 * seed) % held.count) }
            for version in held { #expect(version.graph.objects(Owner.self).map(\.name) == version.names) }
        }
    }

    @Test("A closed store refuses writes and goes on reading; closing again does nothing", arguments: [false, true])
    func close(_ isDurable: Bool) async throws {
        let directory = ScratchDirectory()
        let store = try await Store.open(.init(directory: isDurable ? directory.path : nil, models: kinfolk))
        let graph = Graph(store)
        let owner = try graph.added(Owner(1, "Ada"))
        try await store.close()
        try await store.close()
        let sync = #expect(throws: BanyanError.self) { try graph.write { owner.name = "x" } }
        #expect(sync?.code == .closed)
        let async = await #expect(throws: BanyanError.self) { try await store.write { try $0.add(Owner(2)) } }
        #expect(async?.code == .closed)
        if isDurable {
            let checkpoint = await #expect(throws: BanyanError.self) { try await store.checkpoint() }
            #expect(checkpoint?.code == .closed)
        }
        #expect(owner.name == "Ada")
        #expect(store.read { $0.objects(Owner.self).count } == 1)
        #expect(Graph(store.fork()).objects(Owner.self).count == 1)
        let fork = Graph(store.fork())
        try fork.added(Owner(3))
        #expect(fork.objects(Owner.self).count == 2)
    }

    @Test("A directory is opened, not made, and needs an async open")
    func directoryByInit() {
        let error = #expect(throws: BanyanError.self) {
            _ = try Store(.init(directory: "/tmp/never-made", models: kinfolk))
        }
        #expect(error?.code == .invalidValue)
    }

    @Test("Metadata may go with a commit")
    func metadata() async throws {
        let store = try Store(.init(models: kinfolk))
        try await store.write(.init(author: "billing", reason: "refund", requestID: "r-1")) { try $0.add(Owner(1)) }
        let graph = Graph(store)
        try graph.write(.init(author: "sync")) { try graph.add(Owner(2)) }
        try await graph.asyncWrite(.init(reason: "why not")) { try $0.add(Owner(3)) }
        #expect(store.sequence == 3)
    }
}

@Suite("Forks")
struct ForkTests {
    @Test("Neither side sees what the other writes")
    func isolation() async throws {
        let store = try Store(.init(models: kinfolk))
        let here = Graph(store)
        try here.write {
            for i in 0..<300 {
                let owner = Owner(i, "a name long enough for a block: \(i)")
                owner.hounds.append(Hound("h\(i)"))
                owner.tags.insert("t")
                owner.abode = Abode("Oslo")
                try here.add(owner)
            }
        }
        let fork = store.fork()
        let there = Graph(fork)
        func spoil(_ graph: Graph, _ text: String) throws {
            try graph.write {
                for owner in graph.objects(Owner.self) {
                    owner.name = text
                    owner.hounds.append(Hound(text))
                    owner.tags.insert(text)
                    owner.abode = Abode(text)
                    if owner.id % 2 == 0 { graph.delete(owner) }
                }
                try graph.add(Owner(999, text))
            }
        }
        func check(_ graph: Graph) {
            #expect(graph.objects(Owner.self).count == 300)
            for owner in graph.objects(Owner.self) {
                #expect(owner.name == "a name long enough for a block: \(owner.id)")
                #expect(owner.hounds.map(\.name) == ["h\(owner.id)"])
                #expect(Array(owner.tags) == ["t"] && owner.abode?.city == "Oslo")
            }
            #expect(graph.object(ofType: Owner.self, forPrimaryKey: 999) == nil)
        }
        try spoil(there, "written in the fork, and long enough for a block")
        here.refresh()
        check(here)
        let second = Graph(store.fork())
        try spoil(here, "written in the original, and long enough for a block")
        check(second)
        #expect(
            there.objects(Owner.self).where { $0.name == "written in the fork, and long enough for a block" }.count
                == 151)
        #expect(
            here.objects(Owner.self).where { $0.name == "written in the original, and long enough for a block" }.count
                == 151)
    }

    @Test("A fork outlives the store it came from")
    func outlives() throws {
        func make() throws -> Store {
            let store = try Store(.init(models: kinfolk))
            let graph = Graph(store)
            try graph.write {
                for i in 0..<200 { try graph.add(Owner(i, "a name that is longer than fifteen bytes \(i)")) }
            }
            let fork = store.fork()
            try graph.write { graph.deleteAll() }
            return fork
        }
        let fork = try make()
        let graph = Graph(fork)
        #expect(graph.objects(Owner.self).count == 200)
        try graph.write { for owner in graph.objects(Owner.self) { owner.name += "!" } }
        #expect(
            graph.object(ofType: Owner.self, forPrimaryKey: 150)?.name
                == "a name that is longer than fifteen bytes 150!")
    }

    @Test("Ten thousand forks of a store of ten thousand objects, each with a write of its own, cost little")
    func cheap() throws {
        let store = try Store(.init(models: kinfolk))
        let graph = Graph(store)
        try graph.write { for i in 0..<10_000 { try graph.add(Owner(i, "owner \(i)")) } }
        let whole = graph.lineage.arena.used
        var kept: [Store] = []
        var most = 0
        for i in 0..<10_000 {
            let fork = store.fork()
            let graph = Graph(fork)
            // A fork has nothing of its own before it is written to, and then what the write had to copy.
            #expect(graph.lineage.arena.used == 0)
            try graph.write { graph.object(ofType: Owner.self, forPrimaryKey: i)?.age = i + 1 }
            most = max(most, graph.lineage.arena.used)
            if i % 100 == 0 { kept.append(fork) }
        }
        #expect(most > 0 && most < whole / 20, "\(most) bytes for a fork, \(whole) for the store")
        for (n, fork) in kept.enumerated() {
            let i = n * 100
            fork.read { graph in
                #expect(graph.object(ofType: Owner.self, forPrimaryKey: i)?.age == i + 1)
                #expect(graph.objects(Owner.self).where { $0.age > 0 }.count == 1)
            }
        }
        #expect(store.read { $0.objects(Owner.self).where { $0.age > 0 }.isEmpty })
    }

    @Test("Forks of forks, five hundred deep, each see their own ancestors' writes")
    func deep() throws {
        var store = try Store(.init(models: kinfolk))
        for i in 0..<500 {
            let graph = Graph(store)
            try graph.added(Owner(i, "added in generation \(i) of all"))
            #expect(graph.objects(Owner.self).count == i + 1)
            store = store.fork()
        }
        #expect(store.read { $0.objects(Owner.self).map(\.id).sorted() } == Array(0..<500))
    }

    @Test("A fork of a durable store is in memory, and leaves the files alone")
    func durable() async throws {
        let directory = ScratchDirectory()
        let store = try await Store.open(.init(directory: directory.path, models: kinfolk))
        try await store.write { try $0.add(Owner(1)) }
        let fork = store.fork()
        try await fork.write { try $0.add(Owner(2)) }
        try await store.close()
        try await fork.write { try $0.add(Owner(3)) }
        let reopened = try await Store.open(.init(directory: directory.path, models: kinfolk))
        #expect(reopened.read { $0.objects(Owner.self).map(\.id) } == [1])
        #expect(fork.read { $0.objects(Owner.self).count } == 3)
        try await reopened.close()
    }
}
