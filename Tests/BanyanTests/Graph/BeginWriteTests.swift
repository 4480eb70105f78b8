import Banyan
import Foundation
import Testing

@Suite("Writes without a block")
struct BeginWriteTests {
    @Test("What is between begin and commit is one write")
    func commit() throws {
        let graph = try kinGraph()
        let before = graph.sequence
        try graph.beginWrite()
        #expect(graph.isInWriteTransaction)
        try graph.add(Owner(1, "a"))
        try graph.add(Owner(2, "b"))
        try graph.commitWrite(.init(author: "tests"))
        #expect(!graph.isInWriteTransaction)
        #expect(graph.sequence == before + 1 && graph.objects(Owner.self).count == 2)
    }

    @Test("Cancelling invalidates what was added and undoes what was changed")
    func cancel() throws {
        let graph = try kinGraph()
        let owner = try graph.added(Owner(1, "before"))
        try graph.beginWrite()
        let added = Owner(2)
        try graph.add(added)
        owner.name = "after"
        graph.delete(owner)
        graph.cancelWrite()
        #expect(!graph.isInWriteTransaction)
        #expect(added.isInvalidated && !owner.isInvalidated && owner.name == "before")
        try graph.write { owner.name = "later" }
        #expect(owner.name == "later")
    }

    @Test("There is nothing to commit or cancel outside a write, and no second one to begin")
    func misuse() throws {
        let store = try Store(.init(models: kinfolk))
        let graph = Graph(store)
        #expect(throws: BanyanError.self) { try graph.commitWrite() }
        graph.cancelWrite()
        try graph.beginWrite()
        for other in [graph, Graph(store)] {
            let error = #expect(throws: BanyanError.self) { try other.beginWrite() }
            #expect(error?.code == .nestedWrite)
        }
        try graph.commitWrite()
        let frozen = #expect(throws: BanyanError.self) { try graph.freeze().beginWrite() }
        #expect(frozen?.code == .frozen)
    }

    @Test("A fault fails the commit, which rolls back")
    func fault() throws {
        let graph = try kinGraph()
        let owner = try graph.added(Owner(1))
        try graph.beginWrite()
        owner.age = 7
        owner.id = 2
        let error = #expect(throws: BanyanError.self) { try graph.commitWrite() }
        #expect(error?.code == .primaryKeyChanged)
        #expect(!graph.isInWriteTransaction && owner.age == 0)
        try graph.write { owner.age = 1 }
    }

    @Test("A block may cancel its own write, and commit it early")
    func endedInside() async throws {
        let store = try Store(.init(models: kinfolk))
        let graph = Graph(store)
        try graph.write {
            try graph.add(Owner(1))
            graph.cancelWrite()
        }
        #expect(graph.objects(Owner.self).isEmpty)
        try graph.write {
            try graph.add(Owner(2))
            try graph.commitWrite()
        }
        #expect(graph.objects(Owner.self).count == 1)
        try await graph.asyncWrite { graph in
            try graph.add(Owner(3))
            graph.cancelWrite()
        }
        #expect(throws: Undo.self) {
            try graph.write {
                graph.cancelWrite()
                throw Undo()
            }
        }
        #expect(graph.objects(Owner.self).count == 1 && !graph.isInWriteTransaction)
        try Graph(store).added(Owner(4))
    }

    @Test("A savepoint is over before its write is")
    func savepoints() throws {
        let graph = try kinGraph()
        try graph.write {
            try graph.savepoint {
                let error = #expect(throws: BanyanError.self) { try graph.commitWrite() }
                #expect(error?.code == .nestedWrite)
                try graph.add(Owner(1))
            }
        }
        #expect(graph.objects(Owner.self).count == 1)
        let error = #expect(throws: BanyanError.self) {
            try graph.write {
                try graph.savepoint {
                    try graph.add(Owner(2))
                    graph.cancelWrite()
                }
            }
        }
        #expect(error?.code == .notInWrite)
        #expect(graph.objects(Owner.self).count == 1 && !graph.isInWriteTransaction)
    }

    @Test("A graph that goes in the middle of a write lets the next writer in")
    func abandoned() throws {
        let store = try Store(.init(models: kinfolk))
        do {
            let graph = Graph(store)
            try graph.beginWrite()
            try graph.add(Owner(1))
        }
        let graph = Graph(store)
        try graph.added(Owner(2))
        #expect(graph.objects(Owner.self).map(\.id) == [2])
    }
}
