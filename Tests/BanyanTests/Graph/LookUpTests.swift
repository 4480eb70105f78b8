import Banyan
import Foundation
import Testing

@Model class Badge: Object {
    @Persisted(primaryKey: true) var code = ""
}

@Model final class Ticket: Object {
    @Persisted(primaryKey: true) var number = 0
}

@Model class Guest: Object {
    @Persisted var name = ""
}

@Model class UnknownGuest: Object {
    @Persisted(primaryKey: true) var id = 0
}

@Suite("Looking up by what may be no key")
struct LookUpTests {
    private func graph() throws -> Graph {
        let graph = Graph(try Store(.init(models: [Badge.self, Ticket.self, Guest.self])))
        try graph.write {
            try graph.create(Badge.self, value: ["code": "1"])
            try graph.create(Ticket.self, value: ["number": 1])
        }
        return graph
    }

    /// Each asks for what no object of the class can have.
    static let mistakes: [@Sendable (Graph) -> Bool] = [
        { $0.object(ofType: Badge.self, forPrimaryKey: 1) == nil },
        { $0.object(ofType: Badge.self, forPrimaryKey: UUID()) == nil },
        { $0.object(ofType: Ticket.self, forPrimaryKey: "1") == nil },
        { $0.object(ofType: Guest.self, forPrimaryKey: 1) == nil },
        { $0.object(ofType: Guest.self, forPrimaryKey: "1") == nil },
        { $0.object(ofType: UnknownGuest.self, forPrimaryKey: 1) == nil },
    ]
    static let codes: [BanyanError.Code] = [
        .invalidValue, .invalidValue, .invalidValue, .unknownProperty, .unknownProperty, .unknownType,
    ]

    @Test(
        "A key of another type, and a class without one, fail a write and find nothing outside of one", arguments: 0..<6
    )
    func mistakes(_ index: Int) throws {
        let graph = try graph()
        #expect(Self.mistakes[index](graph))
        let fault = graph.fault { #expect(Self.mistakes[index]($0)) }
        #expect(fault?.code == Self.codes[index])
        #expect(fault?.remedy != nil && fault?.location.type != nil)
    }

    @Test("A key that no object has is no mistake")
    func misses() throws {
        let graph = try graph()
        let fault = graph.fault { graph in
            #expect(graph.object(ofType: Badge.self, forPrimaryKey: "2") == nil)
            #expect(graph.object(ofType: Ticket.self, forPrimaryKey: 2) == nil)
            #expect(graph.object(ofType: Ticket.self, forPrimaryKey: Int8(2)) == nil)
            #expect(graph.object(ofType: Ticket.self, forPrimaryKey: Int?.none) == nil)
            #expect(graph.object(ofType: Badge.self, forPrimaryKey: String?.none) == nil)
        }
        #expect(fault == nil)
    }

    @Test("The throwing form takes what comes from data, and fails no transaction")
    func lookUp() throws {
        let graph = try graph()
        func code(_ body: () throws -> Void) -> BanyanError.Code? {
            do {
                try body()
                return nil
            } catch {
                return (error as? BanyanError)?.code
            }
        }
        try graph.beginWrite()
        #expect(try graph.lookUp(Badge.self, primaryKey: "1")?.code == "1")
        #expect(try graph.lookUp(Ticket.self, primaryKey: 1 as Any)?.number == 1)
        #expect(try graph.lookUp(Ticket.self, primaryKey: Int8(1))?.number == 1)
        #expect(try graph.lookUp(Ticket.self, primaryKey: 2) == nil)
        #expect(code { _ = try graph.lookUp(Ticket.self, primaryKey: "1") } == .invalidValue)
        #expect(code { _ = try graph.lookUp(Badge.self, primaryKey: 1) } == .invalidValue)
        #expect(code { _ = try graph.lookUp(Guest.self, primaryKey: 1) } == .unknownProperty)
        #expect(code { _ = try graph.lookUp(UnknownGuest.self, primaryKey: 1) } == .unknownType)
        #expect(try graph.dynamicObject(ofType: "Ticket", forPrimaryKey: 1)?["number"] as? Int == 1)
        #expect(code { _ = try graph.dynamicObject(ofType: "Ticket", forPrimaryKey: "x") } == .invalidValue)
        #expect(code { _ = try graph.dynamicObject(ofType: "Guest", forPrimaryKey: "x") } == .unknownProperty)
        try graph.commitWrite()
    }

    @Test("What was deleted reads as nothing outside a write; the checked form throws")
    func existing() throws {
        let graph = try graph()
        let badge = try #require(graph.objects(Badge.self).first)
        #expect(try badge.existing() === badge && badge.existing().code == "1")
        try graph.write { graph.delete(badge) }
        #expect(badge.code == "")
        let error = #expect(throws: BanyanError.self) { try badge.existing() }
        #expect(error?.code == .invalidatedObject && error?.location.type == "Badge")
        let (owner, all) = (Owner(1), try kinGraph())
        #expect(try owner.hounds.existing() == owner.hounds)
        try all.added(owner)
        let (hounds, tags, byName) = (owner.hounds, owner.tags, owner.byName)
        #expect(try hounds.existing() == hounds && byName.existing() == byName)
        try all.write { all.delete(owner) }
        #expect(throws: BanyanError.self) { try hounds.existing() }
        #expect(throws: BanyanError.self) { try tags.existing() }
        #expect(throws: BanyanError.self) { try byName.existing() }
        #expect(throws: BanyanError.self) { try AnyObjectCollection(hounds).existing() }
        #expect(try all.objects(Owner.self).existing().isEmpty)
    }
}
