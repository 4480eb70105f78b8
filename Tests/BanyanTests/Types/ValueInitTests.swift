import Banyan
import Foundation
import Testing

@Suite("Objects of untyped values")
struct ValueInitTests {
    /// The same value as an unmanaged object, and as one that a graph makes: both ways read it alike.
    enum Way: CaseIterable {
        case unmanaged, managed

        func make<T: Object>(_ type: T.Type, _ value: Any, in graph: Graph) throws -> T {
            switch self {
            case .unmanaged: try T(value: value)
            case .managed: try graph.write { try graph.create(type, value: value) }
            }
        }
    }

    private let graph: Graph
    init() throws {
        graph = Graph(try Store(.init(models: [Owner.self, Customised.self, Album.self, Scalars.self, Declared.self])))
    }

    @Test("Dictionaries, arrays and objects nest; what is left out gets its default", arguments: Way.allCases)
    func nested(_ way: Way) throws {
        let value: [String: Any?] = [
            "id": 1, "name": "Ada", "favourite": ["name": "made", "age": 3] as [String: Any],
            "friend": [2, "Bo"] as [Any],
            "hounds": [["name": "b"], Hound("c")] as [Any], "walked": [Hound("d")],
            "byName": ["m": Hound("m"), "none": nil] as [String: Any?],
            "tags": Set(["x", "y"]),
            "abode": ["city": "Oslo", "rooms": [["city": "hall"], Abode("attic")] as [Any]] as [String: Any],
            "namedAbodes": ["summer": ["city": "Capri"]], "age": Int?.some(36),
        ]
        let owner = try way.make(Owner.self, value, in: graph)
        #expect((owner.graph == nil) == (way == .unmanaged))
        #expect(owner.id == 1 && owner.name == "Ada" && owner.age == 36)
        #expect(owner.favourite?.name == "made" && owner.favourite?.age == 3)
        #expect(owner.friend?.id == 2 && owner.friend?.name == "Bo" && owner.friend?.age == 0)
        #expect(owner.hounds.map(\.name) == ["b", "c"] && owner.walked.map(\.name) == ["d"])
        #expect(owner.byName["m"]??.name == "m" && owner.byName["none"] == .some(nil))
        #expect(Set(owner.tags) == ["x", "y"])
        #expect(owner.abode?.city == "Oslo" && owner.abode?.rooms.map(\.city) == ["hall", "attic"])
        #expect(owner.namedAbodes["summer"]??.city == "Capri")
        let plain = try way.make(Declared.self, [String: Any](), in: graph)
        #expect(plain.int == 7 && plain.optional == "some" && Array(plain.numbers) == [3, 1, 2])
    }

    @Test("Decoded JSON is read by the property's type", arguments: Way.allCases)
    func json(_ way: Way) throws {
        let text =
            #"{"bool": 1, "double": 1, "int8": 1, "float": 2, "date": "2020-01-01T00:00:00Z", "data": "AQI=", "#
            + #""uuid": "00000000-0000-0000-0000-00000000000A", "objectId": "0123456789abcdef01234567", "#
            + #""decimal": "12.50", "weather": "it rains", "level": 127}"#
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let scalars = try way.make(Scalars.self, value, in: graph)
        #expect(scalars.bool && scalars.double == 1 && scalars.int8 == 1 && scalars.float == 2)
        #expect(scalars.date == Date(timeIntervalSince1970: 1_577_836_800) && scalars.data == Data([1, 2]))
        #expect(scalars.uuid.uuidString.hasSuffix("A") && scalars.objectId == "0123456789abcdef01234567")
        #expect(scalars.decimal == Decimal128("12.50") && scalars.weather == .rainy && scalars.level == .first)
    }

    @Test("Values of custom types are taken as they are, and as what they are stored as", arguments: Way.allCases)
    func custom(_ way: Way) throws {
        let value: [String: Any] = [
            "code": Code("k"), "outside": 3, "inside": Celsius(4), "odd": 5, "place": Point(1, 2),
            "home": ["x": 7], "maybePlace": ["y": 8, "label": "l"] as [String: Any],
            "route": [Point(3, 4), ["x": 5, "y": 6]] as [Any],
            "places": ["a": Point(9, 9), "b": NSNull()] as [String: Any], "gaps": [1, nil] as [Int?],
            "codes": ["q", Code("p")] as [Any],
            "forecast": Weather.foggy, "prices": ["tea": 3],
        ]
        let object = try way.make(Customised.self, value, in: graph)
        #expect(object.code == Code("k") && object.outside == Celsius(3) && object.inside == Celsius(4))
        #expect(object.odd == Odd(5) && object.place == Point(1, 2) && object.home == Point(7, 0))
        #expect(object.maybePlace == Point(0, 8, "l"))
        #expect(Array(object.route) == [Point(3, 4), Point(5, 6)])
        #expect(object.places["a"] == Point(9, 9) && object.places["b"] == .some(nil))
        #expect(Array(object.gaps) == [Celsius(1), nil] && Array(object.codes) == [Code("p"), Code("q")])
        #expect(object.forecast == Forecast(.foggy) && object.prices["tea"] == Price(3))
    }

    @Test("What does not fit throws with its path, type and remedy", arguments: Way.allCases)
    func misfits(_ way: Way) throws {
        let values: [([String: Any], String)] = [
            (["id": 1, "nmae": "x"], "nmae"), (["id": 1, "age": "ten"], "'Owner.age' is Int, and a String"),
            (["id": 1, "hounds": [["age": 3], ["age": 300]]], "Owner.hounds[1].age"),
            (["id": 1, "name": NSNull()], "'Owner.name' is String, and nil"),
            (["id": 1, "friendOf": [Int]()], "friendOf"), (["id": 1, "byName": ["a": 5]], "Owner.byName['a']"),
            (["id": 1, "abode": Hound("x")], "Owner.abode"), (["id": 1, "hounds": [Owner(3)]], "Owner.hounds[0]"),
            (["id": 1, "tags": [String?.none]], "Owner.tags[0]"),
            (["id": 1, "tags": 5], "'Owner.tags' is MutableSet<String>"),
            (["id": 1, "friend": ["hounds": [["name": 5]]]], "Owner.friend.hounds[0].name"),
        ]
        for (value, place) in values {
            let error = #expect(throws: BanyanError.self) { try way.make(Owner.self, value, in: graph) }
            #expect(error?.code == .invalidValue || error?.code == .unknownProperty)
            let text = error.map { "\($0)" } ?? "none"
            #expect(text.contains(place), "\(text)")
            #expect(error?.remedy != nil)
            #expect(graph.objects(Owner.self).isEmpty && graph.objects(Hound.self).isEmpty)
        }
    }

    @Test("A raw value that is no case, and one that no custom value stands for, do not fit", arguments: Way.allCases)
    func unreadable(_ way: Way) throws {
        for (value, place) in [(["mood": "storm"], "Album.mood")] {
            let error = #expect(throws: BanyanError.self) { try way.make(Album.self, value, in: graph) }
            #expect(error.map { "\($0)" }?.contains(place) == true)
        }
        for (value, place) in [(["odd": 2], "Customised.odd"), (["primes": [2, 4]], "Customised.primes[1]")]
            as [([String: Any], String)]
        {
            let error = #expect(throws: BanyanError.self) { try way.make(Customised.self, value, in: graph) }
            #expect(error.map { "\($0)" }?.contains(place) == true)
        }
    }

    @Test("Another object gives its values: embedded objects are copied, links kept, in the same graph")
    func objects() throws {
        let owner = try graph.added(Owner(1, "Ada")) {
            $0.hounds.append(Hound("a"))
            $0.abode = Abode("Oslo")
            $0.abode?.guest = $0.hounds[0]
            $0.formerAbodes.append(Abode("Rome"))
            $0.friend = $0
        }
        let copy = try Owner(value: owner)
        #expect(copy.graph == nil && copy.id == 1 && copy.name == "Ada" && copy.friend == owner)
        #expect(copy.hounds[0] == owner.hounds[0] && copy.abode?.graph == nil && copy.abode?.city == "Oslo")
        #expect(copy.abode?.guest == owner.hounds[0] && copy.formerAbodes.map(\.city) == ["Rome"])
        // The key is taken; with another one it is an object of its own.
        #expect(graph.fault { try $0.create(Owner.self, value: owner) }?.code == .duplicateKey)
        copy.id = 2
        try graph.write { try graph.add(copy) }
        #expect(graph.objects(Hound.self).count == 1 && copy.abode != owner.abode)
        #expect(owner.abode?.isInvalidated == false)
        // Under an update policy an object is itself.
        let sequence = graph.sequence
        let again = try graph.write { try graph.create(Owner.self, value: owner, update: .modified) }
        #expect(again == owner && graph.objects(Owner.self).count == 2 && graph.sequence == sequence)
    }

    @Test("What another graph manages is copied with all that it links to; keys that are taken link instead")
    func otherGraph() throws {
        let owner = try graph.added(Owner(1, "Ada")) {
            $0.hounds.append(Hound("a"))
            $0.friend = Owner(2, "Bo")
            $0.friend?.friend = $0
        }
        let other = Graph(try Store(.init(models: [Owner.self])))
        let present = try other.added(Owner(2, "present"))
        let copy = try other.write { try other.create(Owner.self, value: owner, update: .modified) }
        #expect(copy.name == "Ada" && copy.hounds.map(\.name) == ["a"] && copy.friend == present)
        #expect(present.name == "Bo" && present.friend == copy && other.objects(Owner.self).count == 2)
        let frozen = try #require(graph.freeze().object(ofType: Owner.self, forPrimaryKey: 1))
        let third = Graph(try Store(.init(models: [Owner.self])))
        let nested = try third.write { try third.create(Owner.self, value: ["id": 9, "friend": frozen]) }
        #expect(nested.friend?.name == "Ada" && nested.friend?.friend?.name == "Bo")
    }

    @Test(
        "With .modified embedded objects are changed where they are, with .all they are replaced",
        arguments: [true, false])
    func embedded(_ modified: Bool) throws {
        let owner = try graph.added(Owner(1, "Ada")) {
            $0.abode = Abode("Oslo")
            $0.abode?.inner = Abode("attic")
            $0.formerAbodes.append(objectsIn: [Abode("Rome"), Abode("Paris")])
            $0.namedAbodes["summer"] = Abode("Capri")
        }
        let summer: Abode? = owner.namedAbodes["summer"] ?? nil
        let before: [Abode?] = [owner.abode, owner.abode?.inner, owner.formerAbodes[0], summer]
        try graph.write {
            let value: [String: Any] = [
                "id": 1, "abode": ["city": "Bergen", "inner": ["city": "cellar"]],
                "formerAbodes": [["city": "Milan"]], "namedAbodes": ["summer": ["city": "Elba"]],
            ]
            try graph.create(Owner.self, value: value, update: modified ? .modified : .all)
        }
        #expect(owner.name == "Ada" && owner.abode?.city == "Bergen" && owner.abode?.inner?.city == "cellar")
        #expect(owner.formerAbodes.map(\.city) == ["Milan"] && owner.namedAbodes["summer"]??.city == "Elba")
        #expect(before.allSatisfy { $0?.isInvalidated == !modified })
    }

    @Test("Chains and cycles need no stack")
    func chain() throws {
        let first = Owner(0)
        var last = first
        for i in 1..<5_000 {
            last.friend = Owner(i)
            last = last.friend!
        }
        last.friend = first
        let copy = first.unmanagedCopy()
        var (next, count) = (copy, 0)
        repeat {
            next = next.friend!
            count += 1
        } while next !== copy
        #expect(count == 5_000 && copy !== first)
        last.friend = nil
        next = copy
        while let friend = next.friend, friend !== copy { next = friend }
        next.friend = nil
    }
}

@Suite("Unmanaged copies")
struct UnmanagedCopyTests {
    private func make() -> Crew {
        let crew = Crew()
        (crew.id, crew.name, crew.rank, crew.spot) = (1, "Ada", .high, Point(1, 2))
        crew.address = CrewAddress()
        crew.address?.city = "Oslo"
        crew.address?.inner = CrewAddress()
        crew.mate = crew
        crew.ship = Tanker()
        crew.ship?.name = "Exxon"
        crew.ship?.captain = crew
        crew.friends.append(objectsIn: [crew, crew])
        crew.tags.insert("t")
        crew.scores.updateValue(nil, forKey: "x")
        crew.byRank[1] = crew
        crew.readings.append(objectsIn: [Celsius(1), nil])
        return crew
    }

    @Test("Everything is copied, of whatever kind, what occurs twice once", arguments: Situation.allCases)
    func deep(_ situation: Situation) async throws {
        try await situation.show(Crew.self, [Crew.self, Tanker.self], make: make) { crew in
            let copy = crew.unmanagedCopy()
            #expect(copy.graph == nil && copy !== crew && copy.name == "Ada" && copy.rank == .high)
            #expect(copy.spot == Point(1, 2) && copy.address?.city == "Oslo" && copy.address?.inner?.city == "")
            #expect(copy.address !== crew.address && copy.address?.graph == nil)
            #expect(copy.mate === copy && copy.friends.count == 2 && copy.friends[1] === copy)
            #expect(copy.byRank[1]! === copy && Array(copy.tags) == ["t"] && copy.scores["x"] == .some(nil))
            #expect(copy.ship is Tanker && copy.ship?.graph == nil && copy.ship?.captain === copy)
            #expect(Array(copy.readings) == [Celsius(1), nil])
            copy.name = "changed"
            #expect(crew.name == "Ada")
        }
    }

    @Test(
        "Links that go deeper than asked are left out, but for those that are never nil", arguments: Situation.allCases)
    func shallow(_ situation: Situation) async throws {
        try await situation.show(Crew.self, [Crew.self, Tanker.self], make: make) { crew in
            let copy = crew.unmanagedCopy(depth: 0)
            #expect(copy.ship == nil && copy.address?.city == "Oslo" && copy.name == "Ada")
            let one = crew.unmanagedCopy(depth: 1)
            #expect(one.ship?.name == "Exxon" && one.ship?.captain === one)
        }
        let flat = Flat()
        (flat.landlord, flat.tenant) = (Landlord(), Landlord())
        flat.landlord.name = "Ada"
        #expect(flat.unmanagedCopy(depth: 0).landlord.name == "Ada")
    }

    @Test("A copy can be added to another store, and back under an update policy")
    func adding() throws {
        let graph = Graph(try Store(.init(models: [Crew.self, Tanker.self])))
        let crew = try graph.added(make())
        let other = Graph(try Store(.init(models: [Crew.self, Tanker.self])))
        let there = try other.added(crew.unmanagedCopy())
        #expect(there.ship?.captain == there && other.objects(Ship.self).count == 1)
        try other.write { there.name = "changed" }
        try graph.write { try graph.add(there.unmanagedCopy(), update: .modified) }
        #expect(crew.name == "changed" && graph.objects(Crew.self).count == 1)
    }
}
