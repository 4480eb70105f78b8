import Banyan
import Foundation
import Testing

/// A mistake that no compiler can see, and the error it must end in.
struct Mistake: CustomTestStringConvertible, Sendable {
    var name: String
    var code: BanyanError.Code
    var type: String
    var property: String?
    var make: @Sendable (Graph, World) throws -> Void

    var testDescription: String { name }

    init(
        _ name: String, _ code: BanyanError.Code, _ type: String, _ property: String? = nil,
        _ make: @escaping @Sendable (Graph, World) throws -> Void
    ) {
        self.name = name
        self.code = code
        self.type = type
        self.property = property
        self.make = make
    }

    /// What the mistakes are made with.
    struct World {
        let owner: Owner
        let hound: Hound
        /// Deleted in an earlier write.
        let gone: Hound
        /// Managed by another store.
        let foreign: Hound
        let text: Owner

        init(_ graph: Graph) throws {
            owner = Owner(1, "owner")
            hound = Hound("hound")
            gone = Hound("gone")
            text = Owner(2, "second")
            owner.hounds.append(hound)
            owner.abode = Abode("Oslo")
            foreign = try kinGraph().added(Hound("foreign"))
            let (owner, text, gone) = (owner, text, gone)
            try graph.write {
                try graph.add([owner, text])
                try graph.add(gone)
            }
            try graph.write { graph.delete(gone) }
        }
    }

    static let all: [Mistake] = [
        Mistake("a scalar of a deleted object is set", .invalidatedObject, "Hound", "name") { _, world in
            world.gone.name = "x"
        },
        Mistake("a number of a deleted object is set", .invalidatedObject, "Hound", "age") { _, world in
            world.gone.age = 1
        },
        Mistake("a scalar of a deleted object is read", .invalidatedObject, "Hound", "name") { _, world in
            _ = world.gone.name
        },
        Mistake("a link of an object deleted in this write is set", .invalidatedObject, "Owner", "favourite") {
            graph, world in
            graph.delete(world.owner)
            world.owner.favourite = world.hound
        },
        Mistake("an inverse of a deleted object is read", .invalidatedObject, "Hound", "owners") { _, world in
            _ = world.gone.owners.count
        },
        Mistake("a list of an object deleted in this write is changed", .invalidatedObject, "Owner", "hounds") {
            graph, world in
            let list = world.owner.hounds
            graph.delete(world.owner)
            list.append(world.hound)
        },
        Mistake("a deleted object is linked to", .invalidatedObject, "Hound") { _, world in
            world.owner.favourite = world.gone
        },
        Mistake("a deleted object is appended", .invalidatedObject, "Hound") { _, world in
            world.owner.hounds.append(world.gone)
        },
        Mistake("a deleted object is deleted", .invalidatedObject, "Hound") { graph, world in graph.delete(world.gone)
        },
        Mistake("an unmanaged object is deleted", .foreignObject, "Hound") { graph, _ in graph.delete(Hound("x")) },
        Mistake("a foreign object is deleted", .foreignObject, "Hound") { graph, world in graph.delete(world.foreign) },
        Mistake("a foreign object is linked to", .foreignObject, "Hound") { _, world in
            world.owner.favourite = world.foreign
        },
        Mistake("a foreign object is put in a set", .foreignObject, "Hound") { _, world in
            world.owner.walked.insert(world.foreign)
        },
        Mistake("a foreign object is put in a map", .foreignObject, "Hound") { _, world in
            world.owner.byName["x"] = world.foreign
        },
        Mistake("a primary key is changed", .primaryKeyChanged, "Owner", "id") { _, world in world.owner.id = 7 },
        Mistake("a taken key is added", .duplicateKey, "Owner", "id") { graph, _ in try graph.add(Owner(1)) },
        Mistake("a taken key is linked to", .duplicateKey, "Owner", "id") { _, world in world.owner.friend = Owner(2) },
        Mistake("an embedded object gets a second owner", .secondOwner, "Owner", "abode") { _, world in
            world.text.abode = world.owner.abode
        },
        Mistake("an index is out of bounds", .outOfBounds, "Owner", "hounds") { _, world in _ = world.owner.hounds[1] },
        Mistake("an index to set is out of bounds", .outOfBounds, "Owner", "hounds") { _, world in
            world.owner.hounds[5] = world.hound
        },
        Mistake("an index to remove is out of bounds", .outOfBounds, "Owner", "hounds") { _, world in
            world.owner.hounds.remove(at: -1)
        },
        Mistake("a class outside the schema is added", .unknownType, "Link") { graph, _ in try graph.add(Link()) },
    ]
}

@Suite("Misuse inside a write")
struct FaultTests {
    @Test("It fails the transaction with a typed error and changes nothing", arguments: Mistake.all)
    func mistake(_ mistake: Mistake) throws {
        let store = try Store(.init(models: kinfolk))
        let graph = Graph(store)
        let world = try Mistake.World(graph)
        let before = graph.sequence
        let error = #expect(throws: BanyanError.self) {
            try graph.write {
                world.text.name = "changed before the mistake"
                try graph.add(Owner(77))
                try mistake.make(graph, world)
                world.text.age = 99
            }
        }
        #expect(error?.code == mistake.code)
        #expect(error?.location.type == mistake.type)
        if let property = mistake.property { #expect(error?.location.property == property) }
        #expect(graph.sequence == before)
        #expect(!graph.isInWriteTransaction)
        #expect(world.owner.id == 1 && world.owner.name == "owner" && world.owner.favourite == nil)
        #expect(Array(world.owner.hounds) == [world.hound] && world.owner.walked.isEmpty && world.owner.byName.isEmpty)
        #expect(world.owner.abode?.city == "Oslo")
        #expect(world.text.name == "second" && world.text.age == 0)
        #expect(graph.objects(Owner.self).count == 2)
        try graph.write { world.text.age = 5 }
        #expect(store.read { $0.object(ofType: Owner.self, forPrimaryKey: 2)?.age } == 5)
    }

    @Test("The first of several is the one that is thrown")
    func first() throws {
        let graph = try kinGraph()
        let world = try Mistake.World(graph)
        let fault = graph.fault { _ in
            world.owner.id = 9
            world.gone.name = "x"
        }
        #expect(fault?.code == .primaryKeyChanged)
    }

    @Test("A fault is thrown even when the block catches what was thrown")
    func caught() throws {
        let graph = try kinGraph()
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
        let graph = try kinGraph()
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
        let graph = try kinGraph()
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

    @Test("An enum's stored value that is no case reads as nil where optional, else fails the transaction")
    func unknownCase() async throws {
        let directory = ScratchDirectory()
        @discardableResult
        func old() async throws -> Bool {
            enum Mood: String, PersistableEnum { case glad, lost }
            @Model class Moody: Object {
                @Persisted var mood = Mood.lost
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
                @Persisted var former: Mood?
                @Persisted var number = 0
            }
            let store = try await Store.open(.init(directory: directory.path, models: [Moody.self]))
            let graph = Graph(store)
            let object = try #require(graph.objects(Moody.self).first)
            #expect(object.former == nil)
            #expect(object.mood == .glad)
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
