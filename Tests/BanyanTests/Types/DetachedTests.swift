import Banyan
import Foundation
import Testing

@Model class Crew: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var rank: Rank?
    @Persisted var weather: Weather
    @Persisted var blob: Data?
    @Persisted var price: Decimal128 = 3
    @Persisted var guess = 3 * 7
    @Persisted var warmth: Celsius
    @Persisted var spare: Celsius?
    @Persisted var spot: Point
    @Persisted var address: CrewAddress?
    @Persisted var mate: Crew?
    @Persisted var ship: Ship?
    @Persisted var friends: List<Crew>
    @Persisted var addresses: List<CrewAddress>
    @Persisted var tags: MutableSet<String>
    @Persisted var moods: MutableSet<Weather>
    @Persisted var scores: Map<String, Int?>
    @Persisted var byRank: Map<Int, Crew?>
    @Persisted var readings: List<Celsius?>
    @Persisted(originProperty: "mate") var mateOf: LinkingObjects<Crew>
}

@Model class CrewAddress: EmbeddedObject {
    @Persisted var city = ""
    @Persisted var inner: CrewAddress?
    @Persisted var ships: List<Ship>
}

@Model class Ship: Object {
    @Persisted var name = ""
    @Persisted var captain: Crew?
}

@Model class Tanker: Ship {
    @Persisted var tons = 0
    @Persisted var next: Tanker?
}

@Suite("Detached values")
struct DetachedTests {
    private func make() -> Crew {
        let crew = Crew()
        (crew.id, crew.name, crew.rank, crew.weather) = (1, "Ada", .high, .foggy)
        crew.blob = Data([1, 2])
        crew.guess = 5
        (crew.warmth, crew.spot) = (Celsius(3), Point(1, 2, "spot"))
        let address = CrewAddress()
        address.city = "Oslo"
        address.inner = CrewAddress()
        address.inner?.city = "attic"
        crew.address = address
        crew.mate = crew
        crew.ship = Ship()
        crew.ship?.name = "Beagle"
        crew.ship?.captain = crew
        address.ships.append(crew.ship!)
        crew.friends.append(objectsIn: [crew, crew])
        let other = CrewAddress()
        other.city = "Bergen"
        crew.addresses.append(other)
        crew.tags.insert(objectsIn: ["b", "a"])
        crew.moods.insert(.foggy)
        crew.scores["x"] = 1
        crew.scores.updateValue(nil, forKey: "y")
        crew.byRank[7] = crew
        crew.byRank.updateValue(nil, forKey: 8)
        crew.readings.append(objectsIn: [Celsius(1), nil])
        return crew
    }

    private func spoil(_ crew: Crew) {
        crew.name = "spoilt"
        crew.address = nil
        crew.friends.removeAll()
    }

    @Test("A value has what the object has, in every situation", arguments: Situation.allCases)
    func values(_ situation: Situation) async throws {
        try await situation.show(Crew.self, [Crew.self, Tanker.self], make: make, spoil: spoil) { crew in
            let value = crew.detached()
            #expect(value.objectID == crew.objectID)
            #expect(value.id == 1 && value.name == "Ada" && value.rank == .high && value.weather == .foggy)
            #expect(value.blob == Data([1, 2]) && value.price == 3 && value.guess == 5)
            // Custom types are what they are stored as.
            #expect(value.warmth == 3 && value.spare == nil && value.readings == [1, nil])
            #expect(value.spot["x"] == .double(1) && value.spot["label"] == .string("spot"))
            #expect(value.address?.city == "Oslo" && value.address?.inner?.city == "attic")
            #expect(value.address?.inner?.inner == nil && value.addresses.map(\.city) == ["Bergen"])
            #expect(value.tags == ["a", "b"] && value.moods == [.foggy])
            #expect(value.scores == ["x": 1, "y": nil])
            #expect(Set(value.byRank.keys) == [7, 8] && value.byRank[8] == .some(nil))
            let link = DetachedLink<Crew.Detached>.key(1)
            #expect(value.mate == link && value.friends == [link, link] && value.byRank[7] == link)
            #expect(value.ship?.objectID == crew.ship?.objectID && value.ship?.value == nil)

            let deep = crew.detached(depth: 2)
            #expect(deep.ship?.value?.name == "Beagle" && deep.address?.ships.first?.value?.name == "Beagle")
            #expect(deep.mate?.value?.friends.first?.value?.name == "Ada")
            #expect(deep.mate?.value?.mate?.value?.mate == link)

            for value in [value, deep] {
                let data = try JSONEncoder().encode(value)
                let decoded = try JSONDecoder().decode(Crew.Detached.self, from: data)
                #expect(decoded == value && decoded.hashValue == value.hashValue)
            }
            var changed = value
            changed.address?.inner?.city = "cellar"
            #expect(changed != value && value.address?.inner?.city == "attic")
        }
    }

    @Test("A subclass's value has what it inherits, as the static type says", arguments: Situation.allCases)
    func inheritance(_ situation: Situation) async throws {
        let make = {
            let tanker = Tanker()
            (tanker.name, tanker.tons) = ("Exxon", 9)
            tanker.next = Tanker()
            tanker.next?.name = "next"
            return tanker
        }
        try await situation.show(Tanker.self, [Crew.self, Tanker.self], make: make) { first in
            let tanker = first.name == "Exxon" ? first : try #require(first.graph?.objects(Tanker.self).last)
            let value = tanker.detached(depth: 1)
            #expect(value.name == "Exxon" && value.tons == 9 && value.objectID == tanker.objectID)
            #expect(value.next?.value?.name == "next" && value.next?.value?.tons == 0)
            #expect((tanker as Ship).detached().name == "Exxon")
            let data = try JSONEncoder().encode(value)
            #expect(try JSONDecoder().decode(Tanker.Detached.self, from: data) == value)
        }
    }

    @Test("A value leaves its isolation domain")
    func sendable() async throws {
        let store = try Store(.init(models: [Crew.self, Tanker.self]))
        let value = try await store.write { graph in
            let crew = Crew()
            crew.name = "Ada"
            try graph.add(crew)
            return crew.detached()
        }
        let names = await Task.detached { Set([value, value]).map(\.name) }.value
        #expect(names == ["Ada"])
    }

    @Test("An object that is gone has a value of nothing outside a write, and fails the transaction inside")
    func invalidated() throws {
        let graph = Graph(try Store(.init(models: [Crew.self, Tanker.self])))
        let crew = try graph.added(make())
        try graph.write { graph.delete(crew) }
        #expect(crew.detached().name == "")
        #expect(graph.fault { _ in _ = crew.detached() }?.code == .invalidatedObject)
    }
}
