import Banyan
import Testing

@Suite("Names and key paths that come from users")
struct UserTextTests {
    static let bad = [
        "", ".", "..", "nope", "name.", ".name", "name.nope", "hounds", "hounds.name", "favourite.nope", "na me",
        "name\u{0}", "@count", "hounds.@nope", "hounds.@sum", "hounds.name.@sum", "favourite.@count", "🐶", "friendOf",
        "abode", String(repeating: "friend.", count: 3_000) + "name", "tags", "byName.rex",
    ]

    private func graph() throws -> (Graph, Owner) {
        let graph = try kinGraph()
        let owner = try graph.added(Owner(1, "Ada")) { owner in
            owner.hounds.append(objectsIn: ["b", "a", "b"].map { Hound($0) })
            owner.walked.insert(Hound("w"))
        }
        return (graph, owner)
    }

    private func code(_ body: () throws -> Void) -> BanyanError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? BanyanError)?.code
        }
    }

    @Test("Sorting by one throws where there is no such property, or it has no order", arguments: bad)
    func sorting(_ text: String) throws {
        let (graph, owner) = try graph()
        let owners = graph.objects(Owner.self)
        #expect(code { _ = try owners.sorted(byKeyPath: text) } == .invalidQuery)
        #expect(code { _ = try owners.sorted(by: [SortDescriptor(keyPath: text)]) } == .invalidQuery)
        #expect(code { _ = try owners.sorted(by: ["name", SortDescriptor(keyPath: text)]) } == .invalidQuery)
        #expect(
            code { _ = try owners.sorted(by: [.init(keyPath: \Owner.age), .init(keyPath: text)]) } == .invalidQuery)
        #expect(code { _ = try owners.where { $0.age >= 0 }.sorted(byKeyPath: text) } == .invalidQuery)
        let friends = try #require(graph.object(ofType: Owner.self, forPrimaryKey: 1)).friendOf
        #expect(code { _ = try friends.sorted(byKeyPath: text) } == .invalidQuery)
        #expect(code { _ = try AnyObjectCollection(owners).sorted(byKeyPath: text) } == .invalidQuery)
        #expect(code { _ = try graph.dynamicObjects("Owner").sorted(byKeyPath: text) } == .invalidQuery)
        #expect(graph.fault { _ in _ = try owner.hounds.sorted(byKeyPath: "no" + text) }?.code == .invalidQuery)
    }

    @Test("Thinning out by one throws where there is no such property", arguments: bad)
    func distinct(_ text: String) throws {
        let (graph, owner) = try graph()
        guard !["hounds", "hounds.name", "friendOf", "abode", "tags"].contains(text) else { return }
        #expect(code { _ = try graph.objects(Owner.self).distinct(by: [text]) } == .invalidQuery)
        #expect(code { _ = try graph.objects(Owner.self).distinct(by: ["name", text]) } == .invalidQuery)
        #expect(code { _ = try graph.dynamicObjects("Owner").distinct(by: [text]) } == .invalidQuery)
        #expect(code { _ = try owner.hounds.distinct(by: ["no" + text]) } == .invalidQuery)
    }

    @Test("Those that are there sort and thin out, in collections too")
    func good() throws {
        let (graph, owner) = try graph()
        #expect(try owner.hounds.sorted(byKeyPath: "name").map(\.name) == ["a", "b", "b"])
        #expect(try owner.hounds.distinct(by: ["name"]).map(\.name) == ["b", "a"])
        #expect(try graph.objects(Owner.self).sorted(byKeyPath: "hounds.@count").first == owner)
        // What the compiler knows needs no `try`.
        #expect(owner.hounds.sorted(by: [SortDescriptor(keyPath: \Hound.name)]).first?.name == "a")
        #expect(owner.hounds.sorted(by: [.init(keyPath: \Hound.name, ascending: false)]).first?.name == "b")
        #expect(owner.hounds.distinct(by: [\.name]).count == 2)
    }

    @Test("A property by a name that is none reads as nil, and fails a write", arguments: bad)
    func names(_ text: String) throws {
        let (graph, owner) = try graph()
        guard !["hounds", "friendOf", "abode", "tags"].contains(text) else { return }
        let unmanaged = Owner(2, "Bo")
        let dynamic = try #require(try graph.dynamicObjects("Owner").first)
        #expect(owner[text] == nil && unmanaged[text] == nil && dynamic[text] == nil && owner.freeze()[text] == nil)
        unmanaged[text] = 5
        #expect(unmanaged.name == "Bo" && unmanaged.age == 0)
        #expect(code { try unmanaged.setValue(5, forKey: text) } == .unknownProperty)
        #expect(code { _ = try owner.value(forKey: text) } == .unknownProperty)
        #expect(code { _ = try dynamic.value(forKey: text) } == .unknownProperty)
        #expect(code { _ = try graph.objects(Owner.self).value(forKey: text) } == .unknownProperty)
        for body in [
            { _ = owner[text] }, { owner[text] = 5 }, { _ = dynamic[text] }, { dynamic[text] = 5 },
            { try dynamic.setValue(5, forKey: text) }, { try graph.create(Owner.self, value: [text: 5]) },
        ] as [() throws -> Void] {
            #expect(graph.fault { _ in try body() }?.code == .unknownProperty)
        }
        #expect(graph.schema["Owner"]?[text] == nil && graph.schema[text] == nil)
        #expect(code { _ = try graph.dynamicObjects(text) } == .unknownType)
        #expect(code { _ = try graph.dynamicObject(ofType: text, forPrimaryKey: 1) } == .unknownType)
    }

    @Test("A value that does not fit leaves an unmanaged object as it is")
    func misfits() throws {
        let owner = Owner(2, "Bo")
        owner["age"] = "five"
        owner["name"] = nil
        owner["friendOf"] = 3
        #expect(owner.age == 0 && owner.name == "Bo")
    }

    @Test("An object that is gone reads as nil by name")
    func gone() throws {
        let (graph, owner) = try graph()
        let dynamic = try #require(try graph.dynamicObjects("Owner").first)
        try graph.write { graph.delete(owner) }
        #expect(owner["name"] == nil && dynamic["name"] == nil && dynamic.description == "Owner(deleted)")
    }

    @Test("A condition in text on an indexed property finds objects of subclasses")
    func subclasses() throws {
        let graph = Graph(try Store(.init(models: Vehicles.models)))
        try graph.write {
            try graph.add(Vehicle(1, name: "x"))
            try graph.add(Truck(2, name: "x"))
        }
        #expect(try graph.objects(Vehicle.self).filter("name == 'x'").count == 2)
        #expect(try graph.objects(Vehicle.self).filter("name == 'x'").map(\.id).sorted() == [1, 2])
    }

    @Test("An inverse that is found by name cannot be changed, in any way")
    func inverses() throws {
        let (graph, owner) = try graph()
        let hound = owner.hounds[0]
        let inverse = try #require(try graph.dynamicObjects("Hound").first?["owners"] as? DynamicCollection)
        for body in [
            { inverse.remove(at: 0) }, { inverse.removeAll() }, { try inverse.replaceAll(with: []) },
            { try inverse.append(owner) }, { try inverse.insert(owner, at: 0) },
        ] as [() throws -> Void] {
            #expect(graph.fault { _ in try body() }?.code == .invalidValue)
        }
        #expect(hound.owners.count == 1 && owner.hounds.count == 3)
    }
}
