import BanyanCore
import Testing

@testable import Banyan

@Suite("Read blocks and the graphs behind them")
struct ReadBlockTests {
    private func makeStore() throws -> Store {
        let store = try Store(.init(models: kinfolk))
        try Graph(store).write { graph in try graph.add(Owner(1, "Ada")) }
        return store
    }

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
