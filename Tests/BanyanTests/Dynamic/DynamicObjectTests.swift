import Banyan
import Foundation
import Testing

@Suite("Objects by the names of their types")
struct DynamicObjectTests {
    @Test("They are made, read and changed without their class")
    func life() throws {
        let graph = try kinGraph()
        try graph.write {
            let owner = try graph.dynamicCreate("Owner", value: ["id": 1, "name": "Ada"])
            owner.age = 36
            owner["favourite"] = try graph.dynamicCreate("Hound", value: ["name": "Rex"])
            try owner.setValue(["a", "b"], forKey: "tags")
            try owner.setValue([["name": "Fido"], ["name": "Bello"]], forKey: "hounds")
            try owner.setValue(["x": owner.favourite], forKey: "byName")
            #expect(owner.name as? String == "Ada" && owner.age as? Int == 36)
        }
        let ada = try #require(graph.objects(Owner.self).first)
        #expect(ada.age == 36 && ada.favourite?.name == "Rex" && ada.tags.sorted() == ["a", "b"])
        #expect(ada.hounds.map(\.name) == ["Fido", "Bello"] && ada.byName["x"]??.name == "Rex")
        let owner = try #require(try graph.dynamicObjects("Owner").first)
        #expect(owner.object == ada && owner.objectID == ada.objectID && owner == graph.dynamicObject(ada.objectID!))
        #expect((owner.favourite as? DynamicObject)?.name as? String == "Rex")
        #expect(owner.abode == nil && owner.objectSchema?.className == "Owner")
        #expect(try graph.dynamicObject(ofType: "Owner", forPrimaryKey: 1) == owner)
        #expect(try graph.dynamicObject(ofType: "Owner", forPrimaryKey: 2) == nil)
        #expect("\(owner)".contains("name: \"Ada\""))
        try graph.write { graph.delete(owner) }
        #expect(owner.isInvalidated && ada.isInvalidated)
    }

    @Test("Results of them are narrowed and sorted by stored names")
    func results() throws {
        let graph = try kinGraph()
        try graph.write { for (i, name) in ["b", "c", "a", "c"].enumerated() { try graph.add(Owner(i, name)) } }
        let owners = try graph.dynamicObjects("Owner")
        #expect(owners.count == 4 && owners.map { $0.id as? Int } == [0, 1, 2, 3])
        #expect(try owners.sorted(byKeyPath: "name").map { $0.name as? String } == ["a", "b", "c", "c"])
        #expect(try owners.filter("name == 'c' AND id > 1").map { $0.id as? Int } == [3])
        #expect(try owners.distinct(by: ["name"]).count == 3)
        for wrong in [
            { _ = try owners.filter("nothing == 1") }, { _ = try owners.sorted(byKeyPath: "hounds") },
            { _ = try owners.distinct(by: ["x"]) },
        ] as [() throws -> Void] {
            do {
                try wrong()
                Issue.record("no error")
            } catch {
                #expect((error as? BanyanError)?.code == .invalidQuery)
            }
        }
    }

    @Test("Their collections are live")
    func collections() throws {
        let graph = try kinGraph()
        let ada = try graph.added(Owner(1, "Ada")) { $0.abode = Abode("Oslo") }
        let owner = try #require(try graph.dynamicObjects("Owner").first)
        let hounds = try #require(owner.hounds as? DynamicCollection)
        let tags = try #require(owner.tags as? DynamicCollection)
        let byName = try #require(owner.byName as? DynamicMap)
        try graph.write {
            try hounds.append(["name": "Rex"])
            try hounds.insert(Hound("Fido"), at: 0)
            try tags.append("x")
            try tags.append("x")
            try byName.setValue(hounds[1], forKey: "r")
            try byName.setValue(nil, forKey: "n")
        }
        #expect(hounds.count == 2 && tags.count == 1 && byName.count == 2 && ada.hounds.map(\.name) == ["Fido", "Rex"])
        #expect((hounds[1] as? DynamicObject)?.name as? String == "Rex" && tags.first as? String == "x")
        #expect((byName.value(forKey: "r") as? DynamicObject) == hounds[1] as? DynamicObject)
        #expect(byName.value(forKey: "n") == nil && byName.keys as? [String] == ["n", "r"])
        let inverse = try #require((hounds[0] as? DynamicObject)?.owners as? DynamicCollection)
        #expect(inverse.count == 1 && inverse[0] as? DynamicObject == owner)
        let abode = try #require(owner.abode as? DynamicObject)
        #expect(abode.city as? String == "Oslo" && (abode.tenants as? DynamicCollection)?.count == 1)
        try graph.write {
            hounds.remove(at: 0)
            tags.remove(at: 0)
            byName.removeValue(forKey: "n")
            abode.city = "Bergen"
        }
        #expect(hounds.count == 1 && tags.isEmpty && byName.count == 1 && ada.abode?.city == "Bergen")
        try graph.write { graph.delete(ada) }
        #expect(hounds.isInvalidated && byName.isInvalidated)
    }

    @Test(
        "Dictionaries and arrays make embedded objects, with all in them, in every situation",
        arguments: Situation.managed)
    func embedded(_ situation: Situation) async throws {
        let home: [String: Any] = [
            "city": "Oslo", "inner": ["city": "cellar", "guest": ["name": "Rex"]] as [String: Any],
            "rooms": [["city": "hall"], ["attic", ["city": "chest"]] as [Any]] as [Any],
        ]
        try await situation.show(Owner.self, kinfolk) {
            // What adds it is not known here, so that it is filled in another graph, and copied.
            let graph = try kinGraph()
            let owner = try graph.added(Owner(1))
            try graph.write {
                let dynamic = try #require(try graph.dynamicObjects("Owner").first)
                try dynamic.setValue(home, forKey: "abode")
                dynamic["formerAbodes"] = [["city": "Bergen"], ["Moss"] as [Any]] as [Any]
                try dynamic.setValue(["lake": home, "none": nil] as [String: Any?], forKey: "namedAbodes")
            }
            return owner.unmanagedCopy()
        } check: { owner in
            for abode in [owner.abode, owner.namedAbodes["lake"] ?? nil] {
                #expect(abode?.city == "Oslo" && abode?.inner?.city == "cellar" && abode?.inner?.guest?.name == "Rex")
                #expect(abode?.rooms.map(\.city) == ["hall", "attic"] && abode?.rooms.last?.inner?.city == "chest")
            }
            #expect(
                owner.formerAbodes.map(\.city) == ["Bergen", "Moss"] && owner.namedAbodes.keys == ["lake", "none"])
        }
    }

    @Test(
        "What replaces an embedded object deletes it; a rollback brings it back, and an element may be added by itself")
    func embeddedAgain() throws {
        let graph = try kinGraph()
        let ada = try graph.added(Owner(1)) { $0.abode = Abode("Oslo") }
        let owner = try #require(try graph.dynamicObjects("Owner").first)
        let oslo = try #require(ada.abode)
        let rex = try graph.added(Hound("Rex"))
        let elsewhere = try kinGraph().added(Hound("Fido"))
        graph.undoing {
            owner.abode = ["city": "Bergen", "guest": rex] as [String: Any]
            #expect(oslo.isInvalidated && ada.abode?.city == "Bergen" && ada.abode?.guest == rex)
        }
        #expect(ada.abode == oslo && rex.hosts.isEmpty)
        try graph.write {
            owner.abode = ["city": "Bergen", "guest": graph.dynamicObject(rex.objectID!)!.object] as [String: Any]
            let former = try #require(owner.formerAbodes as? DynamicCollection)
            try former.append(["city": "Moss"])
            try former.insert(["city": "Hamar", "guest": elsewhere] as [String: Any], at: 0)
            try #require(owner.namedAbodes as? DynamicMap).setValue(["city": "lake"], forKey: "x")
        }
        #expect(oslo.isInvalidated && rex.hosts.first == ada.abode)
        #expect(ada.formerAbodes.map(\.city) == ["Hamar", "Moss"] && ada.namedAbodes["x"]??.city == "lake")
        #expect(ada.formerAbodes[0].guest?.name == "Fido" && graph.objects(Hound.self).count == 2)
    }

    @Test("Embedded objects stay in a list that is given them in another order")
    func embeddedOrder() throws {
        let graph = try kinGraph()
        let ada = try graph.added(Owner(1)) { $0.formerAbodes.append(objectsIn: ["a", "b", "c"].map { Abode($0) }) }
        let owner = try #require(try graph.dynamicObjects("Owner").first)
        let old = Array(ada.formerAbodes)
        let commit = try graph.commit { _ in
            let former = try #require(owner.formerAbodes as? DynamicCollection)
            try owner.setValue([former[2], ["city": "new"], former[0]] as [Any?], forKey: "formerAbodes")
        }
        #expect(ada.formerAbodes.map(\.city) == ["c", "new", "a"] && ada.formerAbodes[0] == old[2])
        #expect(!old[0].isInvalidated && old[1].isInvalidated)
        try graph.write { try graph.undo(commit) }
        #expect(ada.formerAbodes.map(\.city) == ["a", "b", "c"])
        let error = graph.fault { _ in try owner.setValue([old[0], old[0]], forKey: "formerAbodes") }
        #expect(error?.code == .secondOwner)
    }

    @Test("An element that does not fit leaves everything as it was, even if the error is caught")
    func misfits() throws {
        let graph = try kinGraph()
        let ada = try graph.added(Owner(1)) {
            $0.formerAbodes.append(Abode("a"))
            $0.namedAbodes["a"] = Abode("b")
        }
        let owner = try #require(try graph.dynamicObjects("Owner").first)
        let wrong: [Any] = [["city": "fits"], ["city": 5], ["town": "x"], 5]
        for last in wrong[1...] {
            try graph.write {
                for (name, value) in [
                    ("abode", last), ("formerAbodes", [wrong[0], last]), ("namedAbodes", ["x": wrong[0], "y": last]),
                    ("hounds", [["name": "Rex"], last] as [Any]),
                ] as [(String, Any)] {
                    let error = #expect(throws: BanyanError.self) { try owner.setValue(value, forKey: name) }
                    #expect(error?.code == .invalidValue || error?.code == .unknownProperty, "\(name)")
                }
            }
            #expect(ada.abode == nil && ada.formerAbodes.map(\.city) == ["a"] && ada.namedAbodes.keys == ["a"])
            #expect(graph.objects(Hound.self).isEmpty)
        }
    }

    @Test("What is wrong is a typed error")
    func errors() throws {
        let graph = try kinGraph()
        let owner = DynamicOwner(try graph.added(Owner(1)), graph)
        #expect(throws: BanyanError.self) { try graph.dynamicObjects("Nobody") }
        #expect(throws: BanyanError.self) { try graph.dynamicObjects("Abode") }
        #expect(owner.code { _ = try $0.value(forKey: "nothing") } == .unknownProperty)
        #expect(owner.code { try $0.setValue("x", forKey: "age") } == .invalidValue)
        #expect(owner.code { try $0.setValue(nil, forKey: "age") } == .invalidValue)
        #expect(owner.code { try $0.setValue([1], forKey: "tags") } == .invalidValue)
        #expect(owner.code { try $0.setValue(5, forKey: "id") } == .primaryKeyChanged)
        #expect(owner.code { try $0.setValue([], forKey: "friendOf") } == .invalidValue)
        #expect(owner.code { $0["nothing"] = 1 } == .unknownProperty)
        #expect(graph.fault { try $0.dynamicCreate("Nobody") }?.code == .unknownType)
        #expect(graph.fault { try $0.dynamicCreate("Owner", value: ["id": 1]) }?.code == .duplicateKey)
        let outside = #expect(throws: BanyanError.self) { try owner.object.setValue(1, forKey: "age") }
        #expect(outside?.code == .notInWrite)
    }

    /// A dynamic object, and the codes its misuse ends with.
    private struct DynamicOwner {
        let object: DynamicObject
        let graph: Graph

        init(_ owner: Owner, _ graph: Graph) {
            self.graph = graph
            object = graph.dynamicObject(owner.objectID!)!
        }

        func code(_ body: (DynamicObject) throws -> Void) -> BanyanError.Code? {
            graph.fault { _ in try body(object) }?.code
        }
    }
}
