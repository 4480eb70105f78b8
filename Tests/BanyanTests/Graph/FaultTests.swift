import BanyanTesting
import Foundation
import Testing

@testable import Banyan

@Suite("Misuse inside a write")
struct FaultTests {
    @Test(
        "It fails the transaction with a typed error that names what it was, and changes nothing",
        arguments: Mistake.all)
    func mistake(_ mistake: Mistake) throws {
        let store = try Store(.init(models: Mistake.models))
        let graph = Graph(store)
        let world = try Mistake.World(graph)
        let before = (sequence: graph.sequence, dump: GraphDump.lines(graph.workspace.view, slots: true))
        let fault = graph.fault { graph in
            world.text.name = "changed before the mistake"
            try graph.add(Owner(77))
            try mistake.make(graph, world)
            world.text.age = 99
        }
        let error = try #require(fault)
        #expect(error.code == mistake.code)
        #expect(error.location.type == mistake.type)
        if let property = mistake.property { #expect(error.location.property == property) }
        if mistake.namesObject { #expect(error.location.object != nil) }
        #expect(!error.message.isEmpty && !error.message.hasSuffix(".") && error.remedy?.hasSuffix(".") != true)
        #expect(graph.sequence == before.sequence && !graph.isInWriteTransaction)
        #expect(GraphDump.lines(graph.workspace.view, slots: true) == before.dump)
        #expect(graph.workspace.view._invariantCheck() == [])
        // What its handles show is as before, too.
        #expect(world.owner.id == 1 && world.owner.name == "owner" && world.owner.favourite == nil)
        #expect(Array(world.owner.hounds) == [world.hound] && world.owner.walked.isEmpty && world.owner.byName.isEmpty)
        #expect(world.owner.abode?.city == "Oslo" && world.abode.inner?.city == "cellar")
        #expect(Array(world.register.lines) == ["a", "b", "c"] && world.register.number == 1)
        #expect(world.text.name == "second" && world.text.age == 0)
        try graph.write { world.text.age = 5 }
        #expect(store.read { $0.object(ofType: Owner.self, forPrimaryKey: 2)?.age } == 5)
    }

    @Test("What a call throws without having done anything does not fail the write when it is caught")
    func thrown() throws {
        let store = try Store(.init(models: Mistake.models))
        let graph = Graph(store)
        let world = try Mistake.World(graph)
        try graph.write {
            #expect(throws: BanyanError.self) { try graph.write {} }
            #expect(throws: BanyanError.self) { try graph.add(Owner(1)) }
            #expect(throws: BanyanError.self) { try graph.add(world.gone) }
            #expect(throws: BanyanError.self) { try graph.add(world.foreign) }
            #expect(throws: BanyanError.self) { try graph.add(Link()) }
            world.owner.age = 3
        }
        #expect(world.owner.age == 3)
    }

    @Test("The first of several is the one that is thrown")
    func first() throws {
        let graph = Graph(try Store(.init(models: Mistake.models)))
        let world = try Mistake.World(graph)
        let fault = graph.fault { _ in
            world.owner.id = 9
            world.gone.name = "x"
        }
        #expect(fault?.code == .primaryKeyChanged)
    }

    @Test("A fault is thrown even when the block catches what was thrown")
    func caught() throws {
        let graph = Graph(try Store(.init(models: Mistake.models)))
        let world = try Mistake.World(graph)
        let fault = graph.fault { graph in
            let owner = Owner(50)
            owner.friend = Owner(1)
            do { try graph.add(owner) } catch {}
        }
        #expect(fault?.code == .duplicateKey)
        #expect(graph.objects(Owner.self).count == 2)
        #expect(world.owner.friend == nil)
    }

    @Test("An error of the block is thrown rather than a fault before it")
    func bodyErrorWins() throws {
        let graph = Graph(try Store(.init(models: Mistake.models)))
        let world = try Mistake.World(graph)
        #expect(throws: Undo.self) {
            try graph.write {
                world.owner.id = 9
                throw Undo()
            }
        }
        #expect(world.owner.id == 1)
    }

    @Test("A frozen graph and its objects cannot be written")
    func frozen() throws {
        let graph = Graph(try Store(.init(models: Mistake.models)))
        let world = try Mistake.World(graph)
        let frozen = graph.freeze()
        let error = #expect(throws: BanyanError.self) { try frozen.write {} }
        #expect(error?.code == .frozen)
        #expect(!frozen.refresh())
        let stiff = try #require(frozen.object(ofType: Owner.self, forPrimaryKey: 1))
        #expect(graph.fault { try $0.add(stiff) }?.code == .foreignObject)
        #expect(graph.fault { $0.delete(stiff) }?.code == .foreignObject)
        try graph.write { graph.delete(world.owner) }
        #expect(stiff.name == "owner" && !stiff.isInvalidated)
    }

    @Test(
        "An enum's stored value that is no case reads as nil where optional, else as the default, and fails the transaction"
    )
    func unknownCase() async throws {
        let directory = ScratchDirectory()
        @discardableResult
        func old() async throws -> Bool {
            enum Mood: String, PersistableEnum { case glad, lost }
            @Model class Moody: Object {
                @Persisted var mood = Mood.lost
                @Persisted var plain = Mood.lost
                @Persisted var moods: List<Mood> = [.lost]
                @Persisted var former: Mood? = .lost
                @Persisted var number = 0
            }
            let store = try await Store.open(.init(directory: directory.path, models: [Moody.self]))
            let graph = Graph(store)
            try graph.added(Moody())
            try await store.close()
            return true
        }
        func new() async throws {
            enum Mood: String, PersistableEnum { case glad, sad }
            @Model class Moody: Object {
                @Persisted var mood = Mood.sad
                @Persisted var plain: Mood
                @Persisted var moods: List<Mood>
                @Persisted var former: Mood?
                @Persisted var number = 0
            }
            let store = try await Store.open(.init(directory: directory.path, models: [Moody.self]))
            let graph = Graph(store)
            let object = try #require(graph.objects(Moody.self).first)
            #expect(object.former == nil)
            #expect(object.mood == .sad && object.plain == .glad && Array(object.moods) == [.glad])
            #expect(object["mood"] as? Mood == .sad && object.freeze().mood == .sad)
            let fault = graph.fault { _ in
                object.number = 1
                _ = object.mood
            }
            #expect(fault?.code == .invalidValue)
            #expect(fault?.location.property == "mood")
            try graph.write { object.mood = .sad }
            #expect(object.mood == .sad)
            try await store.close()
        }
        try await old()
        try await new()
    }
}
