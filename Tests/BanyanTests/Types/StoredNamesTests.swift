import Banyan
import Foundation
import Testing

@Model(indexes: [["surname", "given"]], unique: [["given", "number"]]) private class Clerk: Object {
    @Persisted(primaryKey: true, name: "_id") var number = 0
    @Persisted(indexed: true, name: "last_name") var surname = ""
    @Persisted var given = ""
    // Names that change places: what is meant must not depend on where it is looked up first.
    @Persisted(name: "right") var left = 0
    @Persisted(name: "left") var right = 0
    @Persisted(name: "boss_link") var boss: Clerk?
    @Persisted var peers: List<Clerk>
    @Persisted(originProperty: "boss") var staff: LinkingObjects<Clerk>
    @Persisted(inverseOf: \Clerk.peers) var peerOf: LinkingObjects<Clerk>

    override class func propertiesMapping() -> [String: String] { ["given": "first_name", "peers": "peer_list"] }
}

@Model private class Room: Object {
    @Persisted(name: "label_text") var label = ""
    @Persisted var floor = 0
    override class func propertiesMapping() -> [String: String] { ["floor": "level"] }
}
@Model private class Office: Room {
    @Persisted(name: "office_no") var number = 0
}

@Model private class Lease: Object {
    @Persisted(deleteRule: .deny, name: "room_link") var room: Room?
}

@Suite("Names in code and names in files")
struct StoredNamesTests {
    @Test("Who denies a deletion is named as in code")
    func denial() throws {
        let graph = Graph(try Store(.init(models: [Lease.self, Room.self])))
        let lease = try graph.added(Lease()) { $0.room = Room() }
        let room = try #require(lease.room)
        let error = graph.fault { $0.delete(room) }
        #expect(error?.message.contains("Lease.room ") == true)
        #expect(error?.message.contains("room_link") == false && error?.location.property == "room")
    }

    private func make() -> Clerk {
        let clerk = Clerk()
        (clerk.number, clerk.surname, clerk.given, clerk.left, clerk.right) = (1, "Lovelace", "Ada", 3, 4)
        let boss = Clerk()
        (boss.number, boss.surname, boss.given) = (2, "Babbage", "Charles")
        clerk.boss = boss
        clerk.peers.append(boss)
        return clerk
    }

    @Test("Code and queries use the names of the class", arguments: Situation.managed)
    func queries(_ situation: Situation) async throws {
        try await situation.show(Clerk.self, make: make) { object in
            let graph = try #require(object.graph)
            let all = graph.objects(Clerk.self)
            let ada = try #require(graph.object(ofType: Clerk.self, forPrimaryKey: 1))
            #expect(ada.surname == "Lovelace" && ada.left == 3 && ada.right == 4)
            #expect(Array(all.where { $0.surname == "Lovelace" }) == [ada])
            #expect(Array(all.where { $0.left == 3 && $0.right == 4 }) == [ada])
            #expect(all.where { $0.left == 4 }.isEmpty)
            #expect(Array(all.where { $0.boss.surname == "Babbage" && $0.given == "Ada" }) == [ada])
            #expect(Array(try all.filter("left == 3 AND right == 4 AND boss.given == 'Charles'")) == [ada])
            #expect(Array(try all.filter("ANY peers.number == 2 AND peers.@count == 1")) == [ada])
            #expect(all.sorted(by: \.given).map(\.given) == ["Ada", "Charles"])
            #expect(all.sorted(by: \.boss?.given, ascending: false).first == ada)
            let charles = try #require(graph.object(ofType: Clerk.self, forPrimaryKey: 2))
            #expect(Array(charles.staff) == [ada] && Array(charles.peerOf) == [ada])
            #expect(Array(all.where { $0.staff.given == "Ada" }) == [charles])
            #expect(Array(all.where { $0.peerOf.given == "Ada" }) == [charles])
        }
    }

    @Test("A stored name is no name in a query, and the error lists those that are")
    func storedNamesInQueries() throws {
        let graph = Graph(try Store(.init(models: [Clerk.self])))
        let problem = #expect(throws: BanyanError.self) {
            _ = try graph.objects(Clerk.self).filter("last_name == 'x'")
        }
        #expect(problem.map { "\($0)" }?.contains("surname") == true)
    }

    @Test("Creating and what it throws use the names of the class; so do faults")
    func create() throws {
        let graph = Graph(try Store(.init(models: [Clerk.self])))
        let clerk = try graph.write { try graph.create(Clerk.self, value: ["number": 7, "given": "Grace", "left": 1]) }
        #expect(clerk.given == "Grace" && clerk.left == 1 && clerk.right == 0)
        let fault = graph.fault { try $0.create(Clerk.self, value: ["first_name": "x"]) }
        #expect(fault?.code == .unknownProperty && fault?.location.property == "first_name")
        let again = graph.fault { try $0.create(Clerk.self, value: ["number": 7]) }
        #expect(again?.code == .duplicateKey && again?.location.property == "number")
        let changed = graph.fault { _ in clerk.number = 8 }
        #expect(changed?.location.property == "number")
        let unique = graph.fault {
            try $0.create(Clerk.self, value: ["number": 8, "surname": String(repeating: "x", count: 17 << 20)])
        }
        #expect(unique?.location.property == "surname")
    }

    @Test("A change tells the names of the class")
    func observation() throws {
        let graph = Graph(try Store(.init(models: [Clerk.self])))
        let clerk = try graph.added(make())
        var names: [String] = []
        let token = clerk.observe { (change: ObjectChange<Clerk>) in
            if case .change(_, let properties) = change { names += properties.map(\.name) }
        }
        try graph.write {
            clerk.given = "Augusta"
            clerk.left = 9
        }
        #expect(Set(names) == ["given", "left"])
        token.invalidate()
    }

    @Test("Files hold the stored names, also of what a subclass inherits, of inverses' origins and of indexes")
    func files() async throws {
        let directory = ScratchDirectory()
        let store = try await Store.open(.init(directory: directory.path, models: [Clerk.self, Office.self]))
        try Graph(store).added(make())
        try await store.close()
        // The same schema under plain names: what it is stored as must not differ.
        let plain = try await Store.open(
            .init(directory: directory.path, models: [PlainNames.Clerk.self, PlainNames.Office.self]))
        let ada = try #require(Graph(plain).objects(PlainNames.Clerk.self).where { $0.first_name == "Ada" }.first)
        #expect(
            ada.last_name == "Lovelace" && ada.right == 3 && ada.left == 4 && ada.boss_link?.first_name == "Charles")
        #expect(ada.boss_link?.staff.first == ada && ada.peer_list.first == ada.boss_link)
        try await plain.close()
    }

    @Test("A mapping of what is no property is an error when a store is opened")
    func unknown() {
        @Model class Wrong: Object {
            @Persisted var name = ""
            override class func propertiesMapping() -> [String: String] { ["nmae": "stored"] }
        }
        expectRefused(Wrong.self, "nmae", remedy: "name")
    }

    @Test("Two properties of one stored name are an error when a store is opened")
    func clash() {
        @Model class Wrong: Object {
            @Persisted var first = ""
            @Persisted var second = ""
            override class func propertiesMapping() -> [String: String] { ["first": "second"] }
        }
        expectRefused(Wrong.self, "second", remedy: "another stored name")
    }

    @Test("A property with two stored names is an error when a store is opened")
    func twoNames() {
        @Model class Wrong: Object {
            @Persisted(name: "one") var first = ""
            override class func propertiesMapping() -> [String: String] { ["first": "other"] }
        }
        expectRefused(Wrong.self, "first", remedy: "one place")
    }

    @Test("A subclass cannot store what it inherits under another name")
    func inherited() {
        @Model class Base: Object { @Persisted(name: "one") var first = "" }
        @Model class Wrong: Base {
            @Persisted var second = ""
            override class func propertiesMapping() -> [String: String] { ["first": "uno", "second": "due"] }
        }
        expectRefused(Wrong.self, "first", remedy: "Leave it out")
    }

    private func expectRefused(_ type: ObjectBase.Type, _ property: String, remedy: String) {
        let error = #expect(throws: BanyanError.self) { try Store(.init(models: [type])) }
        #expect(error?.code == .invalidSchema && error?.location.property == property)
        #expect(error?.location.type == "Wrong" && error?.remedy?.contains(remedy) == true)
    }
}

/// The same types named in code as `StoredNamesTests` stores them.
private enum PlainNames {
    @Model(indexes: [["last_name", "first_name"]], unique: [["first_name", "_id"]]) class Clerk: Object {
        @Persisted(primaryKey: true) var _id = 0
        @Persisted(indexed: true) var last_name = ""
        @Persisted var first_name = ""
        @Persisted var right = 0
        @Persisted var left = 0
        @Persisted var boss_link: Clerk?
        @Persisted var peer_list: List<Clerk>
        @Persisted(originProperty: "boss_link") var staff: LinkingObjects<Clerk>
        @Persisted(originProperty: "peer_list") var peerOf: LinkingObjects<Clerk>
    }
    @Model class Room: Object {
        @Persisted var label_text = ""
        @Persisted var level = 0
    }
    @Model class Office: Room {
        @Persisted var office_no = 0
    }
}
