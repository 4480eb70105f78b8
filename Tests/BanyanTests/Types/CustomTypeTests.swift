import Banyan
import Foundation
import Testing

@Suite("Types of one's own")
struct CustomTypeTests {
    private func make() -> Customised {
        let object = Customised()
        object.code = Code("a code that is longer than fifteen bytes")
        object.outside = Celsius(-3.5)
        object.packed = Packed(Array(0..<40))
        object.price = Price(Decimal128("12.30"))
        object.forecast = Forecast(.foggy)
        object.even = Even(4)
        object.odd = Odd(5)
        object.prime = Prime(7)
        object.place = Point(3, 4)
        object.maybe = Celsius(8)
        object.maybePlace = Point(5, 6, "maybe")
        object.temperatures.append(objectsIn: [Celsius(1), Celsius(2), Celsius(1)])
        object.gaps.append(objectsIn: [Celsius(1), nil])
        object.odds.append(objectsIn: [Odd(1), nil])
        object.primes.append(objectsIn: [Prime(3), Prime(5)])
        object.route.append(objectsIn: [Point(0, 0), Point(1, 1, "one")])
        object.codes.insert(objectsIn: [Code("b"), Code("a"), Code("b")])
        object.prices["tea"] = Price(3)
        object.places["here"] = Point(9, 9)
        object.places.updateValue(nil, forKey: "nowhere")
        return object
    }

    private func spoil(_ object: Customised) {
        object.outside = Celsius(99)
        object.place = Point(0, 0)
        object.maybePlace = nil
        object.temperatures.removeAll()
        object.route[0] = Point(7, 7)
        object.prices["tea"] = nil
    }

    @Test("Values come back as what they are, in properties and in every collection", arguments: Situation.allCases)
    func values(_ situation: Situation) async throws {
        try await situation.show(Customised.self, make: make, spoil: spoil) { object in
            #expect(object.code.text == "a code that is longer than fifteen bytes")
            #expect(object.outside == Celsius(-3.5) && object.inside == Celsius(21))
            #expect(object.packed == Packed(Array(0..<40)) && object.price == Price(Decimal128("12.30")))
            #expect(object.forecast == Forecast(.foggy))
            #expect(object.even == Even(4) && object.odd == Odd(5) && object.prime == Prime(7))
            #expect(object.place == Point(3, 4) && object.home == Point(1, 2, "home"))
            #expect(object.maybe == Celsius(8) && object.maybePacked == nil && object.maybeOdd == nil)
            #expect(object.maybePlace == Point(5, 6, "maybe"))
            #expect(Array(object.temperatures) == [Celsius(1), Celsius(2), Celsius(1)])
            #expect(Array(object.gaps) == [Celsius(1), nil] && Array(object.odds) == [Odd(1), nil])
            #expect(Array(object.primes) == [Prime(3), Prime(5)])
            #expect(Array(object.route) == [Point(0, 0), Point(1, 1, "one")])
            #expect(Array(object.codes) == [Code("a"), Code("b")])
            #expect(object.prices["tea"] == Price(3) && object.prices.count == 1)
            #expect(object.places["here"] == Point(9, 9) && object.places["nowhere"] == .some(nil))
            // Looking up goes by value.
            #expect(object.temperatures.index(of: Celsius(2)) == 1 && !object.temperatures.contains(Celsius(3)))
            #expect(object.route.index(of: Point(1, 1, "one")) == 1 && !object.route.contains(Point(1, 1)))
            #expect(object.codes.contains(Code("a")) && !object.codes.contains(Code("c")))
        }
    }

    @Test(
        "Without a declared default a property starts with what the stored type starts with",
        arguments: Situation.allCases)
    func defaults(_ situation: Situation) async throws {
        try await situation.show(Customised.self, make: { Customised() }) { object in
            #expect(object.code == Code("key") && object.outside == Celsius(0) && object.inside == Celsius(21))
            #expect(object.packed == Packed([]) && object.price == Price(5) && object.forecast == Forecast(.sunny))
            #expect(object.even == Even(0) && object.odd == Odd(3) && object.prime == Prime(2))
            // What the property declares comes before what the type says.
            #expect(object.favourite == Prime(7))
            #expect(object.place == Point(0, 0) && object.home == Point(1, 2, "home"))
            #expect(object.maybe == nil && object.maybePlace == nil && object.route.isEmpty)
        }
    }

    @Test("Setting an equal value is not a change; another one replaces the embedded object it is stored as")
    func changes() throws {
        let graph = Graph(try Store(.init(models: [Customised.self])))
        let object = try graph.added(make())
        let before = graph.sequence
        try graph.write {
            object.outside = Celsius(-3.5)
            object.place = Point(3, 4)
            object.maybePlace = Point(5, 6, "maybe")
        }
        #expect(graph.sequence == before)
        try graph.write {
            object.place = Point(3, 5)
            object.route.move(from: 0, to: 1)
            object.maybePlace = nil
        }
        #expect(object.place == Point(3, 5) && object.maybePlace == nil)
        #expect(Array(object.route) == [Point(1, 1, "one"), Point(0, 0)])
        graph.undoing { object.place = Point(8, 8) }
        #expect(object.place == Point(3, 5))
    }

    @Test("Queries compare with either type, by index too, and through the properties of an embedded object")
    func queries() throws {
        let graph = Graph(try Store(.init(models: [Customised.self])))
        let object = try graph.added(make())
        let other = try graph.added(Customised())
        let all = graph.objects(Customised.self)
        #expect(graph.object(ofType: Customised.self, forPrimaryKey: Code("key")) == other)
        #expect(Array(all.where { $0.outside == Celsius(-3.5) }) == [object])
        #expect(Array(all.where { $0.outside < Celsius(0) }) == [object])
        #expect(Array(all.where { $0.outside.persistableValue > -1 }) == [other])
        #expect(Array(all.where { $0.outside.in([Celsius(0), Celsius(7)]) }) == [other])
        #expect(Array(all.where { $0.maybe == Celsius(8) }) == [object])
        #expect(Array(all.where { $0.maybe == nil }) == [other])
        #expect(Array(all.where { $0.maybe.persistableValue > 7 }) == [object])
        #expect(Array(all.where { $0.place.y == 4 }) == [object])
        #expect(Array(all.where { $0.place == Point(3, 4) }) == [object])
        #expect(Array(all.where { $0.place != Point(3, 4) }) == [other])
        #expect(Array(all.where { $0.place.in([Point(0, 0), Point(5, 5)]) }) == [other])
        #expect(Array(all.where { $0.maybePlace == Point(5, 6, "maybe") }) == [object])
        #expect(Array(all.where { $0.maybePlace == nil }) == [other])
        #expect(Array(all.where { $0.maybePlace.label == "maybe" }) == [object])
        #expect(Array(all.where { $0.temperatures.contains(Celsius(2)) }) == [object])
        #expect(Array(all.where { $0.codes.contains(Code("b")) }) == [object])
        #expect(Array(all.where { $0.forecast == Forecast(.foggy) }) == [object])
        // The properties must be those of one element.
        #expect(Array(all.where { $0.route.contains(Point(1, 1, "one")) }) == [object])
        #expect(all.where { $0.route.contains(Point(0, 1)) || $0.route.any == Point(0, 0, "one") }.isEmpty)
        #expect(Array(all.where { $0.route.any != Point(0, 0) }) == [object])
        #expect(Array(all.where { $0.route[0] == Point(0, 0) && $0.route[1] != Point(0, 0) }) == [object])
        #expect(Array(all.where { $0.route.all == Point(0, 0) }) == [other])
        #expect(Array(all.where { $0.route.all != Point(2, 2) }) == [object, other])
        #expect(Array(all.where { $0.route.none == Point(1, 1, "one") }) == [other])
        #expect(Array(all.where { $0.route.all.in([Point(0, 0), Point(1, 1, "one")]) }) == [object, other])
        #expect(Array(all.where { $0.route.any.in([Point(2, 2), Point(1, 1, "one")]) }) == [object])
        #expect(
            Array(all.where { $0.route.all.x >= 1 }) == [other] && Array(all.where { $0.route.none.x < 2 }) == [other])
        // Nil is an element as well.
        #expect(Array(all.where { $0.places["here"] == Point(9, 9) }) == [object])
        #expect(Array(all.where { $0.places.contains(Point(9, 9)) && $0.places.contains(nil) }) == [object])
        #expect(Array(all.where { $0.places.all == Point(9, 9) }) == [other])
        #expect(Array(all.where { $0.places.all.in([Point(9, 9), nil]) }) == [object, other])
        #expect(Array(all.where { $0.places.any != Point(9, 9) }) == [object])
        #expect(Array(all.where { $0.places.none != Point(9, 9) }) == [other])
        #expect(Array(all.where { $0.places.none == Point(8, 8) }) == [object, other])
        #expect(Array(all.where { $0.temperatures.all < Celsius(2) }) == [other])
        #expect(Array(all.where { $0.temperatures.none == Celsius(3) }) == [object, other])
        #expect(Array(try all.filter("outside < 0 AND place.x == 3")) == [object])
        #expect(Array(all.sorted(by: \.outside)) == [object, other])
    }

    /// A store whose files hold values that the types cannot read.
    private func unreadable(_ body: (Graph, Customised) throws -> Void) async throws {
        let directory = ScratchDirectory()
        let raw = try await Store.open(.init(directory: directory.path, models: [Raw.Customised.self]))
        try Graph(raw).added(Raw.Customised()) {
            ($0.even, $0.odd, $0.prime, $0.maybeOdd, $0.forecast) = (3, 2, 4, 2, "storm")
            $0.odds.append(objectsIn: [1, 2])
            $0.primes.append(objectsIn: [4, 5])
            $0.favourite = 4
        }
        try await raw.close()
        let store = try await Store.open(.init(directory: directory.path, models: [Customised.self]))
        let graph = Graph(store)
        try body(graph, try #require(graph.objects(Customised.self).first))
        try await store.close()
    }

    @Test("What cannot be read is nil, or the default; files hold what the values are stored as")
    func unreadableValues() async throws {
        try await unreadable { graph, object in
            #expect(object.maybeOdd == nil && Array(object.odds) == [Odd(1), nil])
            #expect(object.even == Even(0) && object.odd == Odd(3) && object.prime == Prime(2))
            // What the property declares comes before what the type says.
            #expect(object.favourite == Prime(7))
            #expect(Array(object.primes) == [Prime(2), Prime(5)])
            // An embedded object that should be there, and is not.
            #expect(object.place == Point(0, 0) && object.home == Point(0, 0))
        }
    }

    @Test(
        "Reading what cannot be read where nil cannot be fails the transaction",
        arguments: ["even", "odd", "prime", "primes[0]", "primes", "forecast"])
    func unreadableInWrite(_ property: String) async throws {
        try await unreadable { graph, object in
            let fault = graph.fault { _ in
                switch property {
                case "even": _ = object.even
                case "odd": _ = object.odd
                case "prime": _ = object.prime
                case "primes[0]": _ = object.primes[0]
                case "primes": for prime in object.primes { _ = prime }
                default: _ = object.forecast
                }
                object.outside = Celsius(1)
            }
            #expect(fault?.code == .invalidValue)
            #expect(fault?.location.property == property.prefix { $0 != "[" }.description)
            #expect(fault?.location.type == "Customised" && fault?.location.object == object.objectID?.description)
            #expect(object.outside == Celsius(0))
            try graph.write {
                _ = object.maybeOdd
                _ = Array(object.odds)
            }
        }
    }

    @Test("A property or a collection that would have nothing to show is refused when a store is opened")
    func refused() {
        @Model class WithoutDefault: Object { @Persisted var odd: Odd }
        @Model class InList: Object { @Persisted var odds: List<Odd> }
        @Model class Fine: Object {
            @Persisted var odd = Odd(1)
            @Persisted var primes: List<Prime>
        }
        for (model, name) in [(WithoutDefault.self, "odd"), (InList.self, "odds")] as [(ObjectBase.Type, String)] {
            let error = #expect(throws: BanyanError.self) { try Store(.init(models: [model])) }
            #expect(error?.code == .invalidSchema && error?.location.property == name)
        }
        #expect(throws: Never.self) { try Store(.init(models: [Fine.self])) }
    }
}
