import BanyanCore
import Testing

@testable import Banyan

/// A store with one owner.
private func makeStore() throws -> Store {
    let store = try Store(.init(models: kinfolk))
    try Graph(store).write { graph in try graph.add(Owner(1, "Ada")) }
    return store
}

@Suite("Read blocks and the graphs behind them")
struct ReadBlockTests {
    @Test("A block sees what was committed since the last one on the same thread")
    func newest() throws {
        let store = try makeStore()
        let writer = Graph(store)
        for age in 1...20 {
            try writer.write { writer.object(ofType: Owner.self, forPrimaryKey: 1)?.age = age }
            #expect(store.read { $0.object(ofType: Owner.self, forPrimaryKey: 1)?.age } == age)
        }
    }

    @Test("A block inside a block has a graph of its own")
    func nested() throws {
        let store = try makeStore()
        store.read { outer in
            let inner = store.read { ObjectIdentifier($0) }
            #expect(inner != ObjectIdentifier(outer))
            #expect(outer.object(ofType: Owner.self, forPrimaryKey: 1)?.name == "Ada")
        }
    }

    @Test("An object that leaves its block stands still, whatever other blocks and writes do")
    func escaped() throws {
        let store = try makeStore()
        let owner = try #require(store.read { $0.object(ofType: Owner.self, forPrimaryKey: 1) })
        try Graph(store).write { graph in graph.object(ofType: Owner.self, forPrimaryKey: 1)?.name = "Grace" }
        #expect(store.read { $0.object(ofType: Owner.self, forPrimaryKey: 1)?.name } == "Grace")
        #expect(owner.name == "Ada")
        #expect(owner.graph?.sequence == 1)
    }

    @Test("A graph that waits for the next block holds no version that was replaced")
    func pinned() throws {
        let store = try makeStore()
        weak let before = store.core.newest
        #expect(store.read { $0.sequence } == 1)
        try Graph(store).write { graph in graph.object(ofType: Owner.self, forPrimaryKey: 1)?.age += 1 }
        #expect(before == nil)
    }
}

@Suite("How long a store lives")
struct StoreLifeTests {
    @Test("As long as somebody has it: blocks that are done do not count", arguments: [0, 1, 3])
    func blocks(_ count: Int) throws {
        weak var core: StoreCore?
        do {
            let store = try makeStore()
            core = store.core
            for _ in 0..<count { #expect(store.read { $0.objects(Owner.self).count } == 1) }
            #expect(core != nil)
        }
        #expect(core == nil)
    }

    @Test("Blocks on many threads leave nothing behind either")
    func threads() async throws {
        weak var core: StoreCore?
        do {
            let store = try makeStore()
            core = store.core
            await withTaskGroup(of: Int.self) { group in
                for _ in 0..<16 { group.addTask { store.read { $0.objects(Owner.self).count } } }
                for await count in group { #expect(count == 1) }
            }
        }
        #expect(core == nil)
    }

    @Test("An object or a graph that left its block keeps the store, and can be written")
    func escaped() throws {
        weak var core: StoreCore?
        var owner: Owner?
        var graph: Graph?
        do {
            let store = try makeStore()
            core = store.core
            owner = store.read { $0.object(ofType: Owner.self, forPrimaryKey: 1) }
            graph = store.read { $0 }
        }
        #expect(core != nil)
        try owner?.graph?.write { owner?.name = "Grace" }
        owner = nil
        #expect(core != nil)
        graph?.refresh()
        #expect(graph?.object(ofType: Owner.self, forPrimaryKey: 1)?.name == "Grace")
        graph = nil
        #expect(core == nil)
    }

    @Test("A frozen object that left its block does not keep it")
    func frozen() throws {
        weak var core: StoreCore?
        var graph: Graph?
        do {
            let store = try makeStore()
            core = store.core
            graph = store.read { $0.freeze() }
        }
        #expect(core == nil)
        #expect(graph?.object(ofType: Owner.self, forPrimaryKey: 1)?.name == "Ada")
    }

    @Test("A graph that was observed in a block serves no other")
    func observed() async throws {
        weak var core: StoreCore?
        do {
            let store = try makeStore()
            core = store.core
            let first = store.read { graph in
                let owner = graph.object(ofType: Owner.self, forPrimaryKey: 1)
                owner?.observe { _ in }.invalidate()
                return ObjectIdentifier(graph.context)
            }
            store.read { #expect(ObjectIdentifier($0.context) != first || $0.context.wasNeverObserved) }
        }
        #expect(core == nil)
    }
}

@Suite("How long a graph lives")
struct GraphLifeTests {
    @Test("Objects outlive the graph they came from, and lead to a graph again")
    func outlive() throws {
        let store = try Store(.init(models: kinfolk))
        var owner: Owner?
        do {
            let graph = Graph(store)
            owner = try graph.added(Owner(1, "Ada"))
        }
        let held = try #require(owner)
        #expect(held.name == "Ada" && !held.isInvalidated)
        let graph = try #require(held.graph)
        try graph.write { held.name = "Grace" }
        #expect(held.name == "Grace")
        #expect(store.read { $0.object(ofType: Owner.self, forPrimaryKey: 1)?.name } == "Grace")
    }

    @Test("The last object that goes takes its graph's memory with it")
    func last() throws {
        let store = try Store(.init(models: kinfolk))
        weak var context: GraphContext?
        var owner: Owner?
        do {
            let graph = Graph(store)
            context = graph.context
            owner = try graph.added(Owner(1))
        }
        #expect(context != nil)
        #expect(owner?.id == 1)
        owner = nil
        #expect(context == nil)
    }

    @Test("Texts of every length come back as they were, from inside the cell and from blocks")
    func texts() throws {
        let graph = Graph(try Store(.init(models: kinfolk)))
        let letters = ["a", "é", "字", "\u{0}", "🦔"]
        for letter in letters {
            for count in 0...20 {
                let text = String(repeating: letter, count: count)
                let owner = try graph.added(Owner(1, text))
                #expect(owner.name == text)
                #expect(Array(owner.name.utf8) == Array(text.utf8))
                #expect(owner.name.isEmpty == (count == 0) && owner.name.count == text.count)
                try graph.write { graph.deleteAll() }
            }
        }
    }
}
