import Banyan
import Foundation
import Testing

enum Weight: Int, PersistableEnum { case light = 1, middling = 5, heavy = 9 }

@Model class Amounts: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var number = 0
    @Persisted var maybe: Int?
    @Persisted var name = ""
    @Persisted var ints: List<Int>
    @Persisted var optionals: List<Int?>
    @Persisted var floats: List<Float>
    @Persisted var decimals: MutableSet<Decimal128>
    @Persisted var weights: List<Weight>
    @Persisted var maybeWeights: List<Weight?>
    @Persisted var byName: Map<String, Int?>
    @Persisted var parts: List<Amounts>
}

/// What collections, and paths through them, amount to, compared with values of each type that makes sense.
@Suite("Aggregates in typed queries")
struct AggregateQueryTests {
    private func world() throws -> Results<Amounts> {
        let graph = Graph(try Store(.init(models: [Amounts.self])))
        try graph.write {
            for i in 0..<4 {
                let object = Amounts()
                (object.id, object.number, object.maybe, object.name) = (i, i * 2, i > 1 ? i : nil, "\(i)")
                try graph.add(object)
                for j in 0..<i {
                    object.ints.append(j)
                    object.optionals.append(objectsIn: [j + 1, nil])
                    object.floats.append(Float(j) + 0.5)
                    object.decimals.insert(Decimal128(j) + "0.1")
                    object.weights.append([.light, .middling, .heavy][j])
                    object.maybeWeights.append(objectsIn: [[.light, .middling, .heavy][j], nil])
                    object.byName["\(j)"] = j
                    object.parts.append(graph.objects(Amounts.self)[j])
                }
                object.byName.updateValue(nil, forKey: "nil")
            }
        }
        return graph.objects(Amounts.self)
    }

    private func check(
        _ all: Results<Amounts>, _ expected: [Int], _ condition: (Query<Amounts>) -> Query<Bool>, line: Int = #line
    ) {
        let found = all.where(condition)
        #expect(found.map(\.id) == expected, "line \(line) \(found.fault?.message ?? "")")
    }

    @Test("Least and greatest of Optionals, enums and Optionals of enums are compared with those")
    func extremes() throws {
        let all = try world()
        check(all, [1, 2, 3]) { $0.optionals.min == 1 }
        check(all, [2]) { $0.optionals.max == 2 }
        check(all, [0]) { $0.optionals.max == nil }
        check(all, [3]) { $0.optionals.max > 2 }
        check(all, [2]) { $0.weights.max == .middling }
        check(all, [1, 2, 3]) { $0.weights.min == .light }
        check(all, [0]) { $0.weights.min == nil }
        check(all, [3]) { $0.weights.max.rawValue > 5 }
        check(all, [2]) { $0.maybeWeights.max == .middling }
        check(all, [3]) { $0.byName.max == 2 }
        check(all, [3]) { $0.byName.max > 1 }
    }

    @Test("Sums and means of numbers and enums are compared with Doubles and with the elements' own type")
    func means() throws {
        let all = try world()
        let (int, double, float, decimal): (Int, Double, Float, Decimal128) = (1, 0.5, 1.5, "1.1")
        check(all, [3]) { $0.ints.avg == int }
        check(all, [2]) { $0.ints.avg == double }
        check(all, [2, 3]) { $0.ints.avg > 0.4 }
        check(all, [3]) { $0.floats.avg == float }
        check(all, [3]) { $0.floats.avg == 1.5 }
        check(all, [3]) { $0.decimals.avg == decimal }
        check(all, [3]) { $0.decimals.sum == "3.3" }
        check(all, [0]) { $0.floats.avg == nil }
        check(all, [2]) { $0.optionals.avg == 1.5 }
        check(all, [2]) { $0.optionals.sum == 3 }
        check(all, [2]) { $0.weights.sum == 6 }
        check(all, [3]) { $0.weights.avg > 4.5 }
        check(all, [2]) { $0.byName.sum == 1 }
        check(all, [2]) { $0.byName.avg == 0.5 }
        #expect(all.sorted(ascending: false) { $0.ints.avg }.map(\.id) == [3, 2, 1, 0])
    }

    @Test("What a path through a collection reaches is summed up at its end")
    func paths() throws {
        let all = try world()
        check(all, [3]) { $0.parts.number.max == 4 }
        check(all, [1, 2, 3]) { $0.parts.number.min == 0 }
        check(all, [0]) { $0.parts.number.min == nil }
        check(all, [3]) { $0.parts.number.sum == 6 }
        check(all, [3]) { $0.parts.number.avg == 2 }
        check(all, [2]) { $0.parts.number.avg == 1.0 }
        check(all, [3]) { $0.parts.maybe.max == 2 }
        check(all, [3]) { $0.parts.maybe.sum == 2 }
        check(all, [3]) { $0.parts.name.max == "2" }
        #expect(all.sorted(ascending: false) { $0.parts.number.sum }.map(\.id) == [3, 2, 0, 1])
    }
}
