import Banyan
import Foundation
import Testing

@Suite("Extremes and first objects read off ordered indexes")
struct ExtremesTests {
    private static func check(_ graph: Graph, _ place: Comment) {
        check(graph.objects(Vehicle.self), \.weight, place)
        check(graph.objects(Bus.self), \.weight, place)
        check(graph.objects(Truck.self), \.weight, place)
        check(graph.objects(Vehicle.self, includingSubclasses: false), \.weight, place)
        check(graph.objects(Vehicle.self).where { $0.id < 100 }, \.weight, place)
        check(graph.objects(Vehicle.self).where { $0.weight < 3 }, \.weight, place)
    }

    private static func check<T: Vehicle>(_ results: Results<T>, _ weight: KeyPath<T, Int>, _ place: Comment) {
        let all = results.map { (id: $0.id, weight: $0.weight) }
        #expect(results.min(of: weight) == all.map(\.weight).min(), place)
        #expect(results.max(of: weight) == all.map(\.weight).max(), place)
        // Sorting an array of the results is stable, and they come in the order that objects of equal weight have.
        let ascending = all.sorted { $0.weight < $1.weight }.map(\.id)
        let descending = all.sorted { $0.weight > $1.weight }.map(\.id)
        #expect(results.sorted(by: weight).first?.id == ascending.first, place)
        #expect(results.sorted(by: weight, ascending: false).first?.id == descending.first, place)
        for (sorted, expected) in [
            (results.sorted(by: weight), ascending), (results.sorted(by: weight, ascending: false), descending),
        ] {
            #expect((0..<Swift.min(7, all.count)).map { sorted[$0].id } == Array(expected.prefix(7)), place)
            #expect(sorted.map(\.id) == expected, place)
        }
    }

    @Test("Of a class with all that inherits from it, after every change", arguments: 1...3)
    func polymorphic(_ seed: UInt64) throws {
        let store = try Store(.init(models: Vehicles.models))
        let graph = Graph(store)
        var random = SplitMix(seed: seed)
        Self.check(graph, "empty")
        var next = 0
        func add(_ count: Int) throws {
            for _ in 0..<count {
                let weight = Int.random(in: -20..<20, using: &random)
                let value = ["id": next, "weight": weight]
                switch Int.random(in: 0..<4, using: &random) {
                case 0: try graph.create(Vehicle.self, value: value)
                case 1: try graph.create(Truck.self, value: value)
                case 2: try graph.create(Bus.self, value: value)
                default: try graph.create(Minibus.self, value: value)
                }
                next += 1
            }
        }
        try graph.write { try add(500) }
        Self.check(graph, "added")
        let frozen = graph.freeze()
        for round in 0..<10 {
            try graph.write {
                try add(20)
                for vehicle in Array(graph.objects(Vehicle.self)) {
                    switch Int.random(in: 0..<6, using: &random) {
                    case 0: graph.delete(vehicle)
                    case 1: vehicle.weight += Int.random(in: -3...3, using: &random)
                    default: break
                    }
                }
                Self.check(graph, "in write \(round)")
            }
            Self.check(graph, "after write \(round)")
        }
        Self.check(frozen, "frozen")
        // What is left when only one class has objects.
        try graph.write { graph.delete(graph.objects(Bus.self)) }
        Self.check(graph, "without buses")
        try graph.write { graph.delete(graph.objects(Vehicle.self)) }
        Self.check(graph, "all deleted")
    }

    @Test("Nils are left out, and dates and keys have extremes too")
    func nils() throws {
        let graph = Graph(try Store(.init(models: [Reading.self])))
        let all = graph.objects(Reading.self)
        #expect(all.min(of: \.at) == nil && all.max(of: \.value) == nil)
        try graph.write { try graph.add((0..<9).map { try Reading(value: ["id": $0 * 3]) }) }
        #expect(all.min(of: \.at) == nil && all.max(of: \.at) == nil)
        #expect(all.min(of: \.id) == 0 && all.max(of: \.id) == 24)
        let days = [5.0, -3, 5, 0.25].map { Date(timeIntervalSinceReferenceDate: $0) }
        try graph.write { for (i, day) in days.enumerated() { all[i * 2].at = day } }
        #expect(all.min(of: \.at) == days[1] && all.max(of: \.at) == days[0])
        try graph.write { graph.delete(all.where { $0.at == days[0] }) }
        #expect(all.min(of: \.at) == days[1] && all.max(of: \.at) == days[3])
    }
}
