import Banyan
import Foundation
import Testing

@Suite("An index that is not there, anywhere")
struct BoundsTests {
    enum Use: String, CaseIterable, Codable, CustomTestStringConvertible {
        case get, set, insert, insertMany, remove, removeFirst, removeLast, removeRange, replaceRange, move, moveTarget
        case swap, emptyFirst, set5, setNegative, inverse, results, resultsNegative, erased, dynamic, dynamicList
        case slice, sliceElement, sliceNegative, setSlice, resultsSlice, inverseSlice, subslice
        case managedGet, managedSetGet, unmanagedRange
        var testDescription: String { rawValue }

        func perform() throws {
            let fixture = try CollectionFixture()
            let (kennel, dogs) = (fixture.kennel, fixture.kennel.dogs)
            let list = List([1, 2, 3])
            let graph = fixture.graph
            switch self {
            case .get: _ = list[3]
            case .set: list[-1] = 5
            case .insert: list.insert(5, at: 4)
            case .insertMany: list.insert(contentsOf: [5], at: -1)
            case .remove: list.remove(at: 3)
            case .removeFirst: list.removeFirst(4)
            case .removeLast: list.removeLast(4)
            case .removeRange: list.removeSubrange(2..<5)
            case .replaceRange: list.replaceSubrange(3..<4, with: [1])
            case .move: list.move(from: 3, to: 0)
            case .moveTarget: list.move(from: 0, to: 3)
            case .swap: list.swapAt(0, 3)
            case .emptyFirst: List<Int>().removeFirst()
            case .set5: _ = MutableSet([1, 2, 3])[5]
            case .setNegative: _ = MutableSet<Dog>()[-1]
            case .inverse: _ = Dog(1).kennels[0]
            case .results: _ = graph.objects(Dog.self)[300]
            case .resultsNegative: _ = graph.objects(Dog.self).sorted(by: \.name)[-1]
            case .erased: _ = AnyObjectCollection(dogs)[100]
            case .dynamic: _ = try graph.dynamicObjects("Dog")[100]
            case .dynamicList:
                let dynamic = try graph.dynamicObjects("Kennel")[0]
                _ = (dynamic["dogs"] as? DynamicCollection)?[100]
            case .slice: _ = list[1..<9]
            case .sliceElement: _ = list[1..<2][2]
            case .sliceNegative: _ = dogs[1..<3][0]
            case .setSlice: _ = MutableSet([1, 2, 3])[0..<2][2]
            case .resultsSlice: _ = graph.objects(Dog.self)[0..<2][2]
            case .inverseSlice: _ = dogs[0].kennels[0..<1][1]
            case .subslice: _ = list[0..<2][1..<3]
            case .managedGet: _ = dogs[3]
            case .managedSetGet: _ = kennel.dogSet[100]
            case .unmanagedRange: _ = list[5...]
            }
        }
    }

    @Test("The program ends, and says which index and how many elements", arguments: Use.allCases)
    func traps(_ use: Use) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [use] in
            do { try use.perform() } catch { exit(EXIT_SUCCESS) }
        }
        let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(message.contains("is out of bounds: the "))
    }

    @Test("The message names what was asked for")
    func messages() throws {
        let fixture = try CollectionFixture()
        let (graph, dogs) = (fixture.graph, fixture.kennel.dogs)
        for (body, asked) in [
            ({ dogs.removeLast(9) }, "removeLast(9) is out of bounds: the list has 3 elements"),
            ({ dogs.removeLast(-1) }, "removeLast(-1) is"), ({ dogs.removeFirst(4) }, "removeFirst(4) is"),
            ({ dogs.removeSubrange(-6..<2) }, "index -6 is"), ({ dogs.removeSubrange(2..<5) }, "index 5 is"),
        ] as [(() -> Void, String)] {
            let error = graph.fault { _ in body() }
            #expect(error?.code == .outOfBounds && error?.message.hasPrefix(asked) == true, "\(error as Any)")
        }
        try graph.write {
            dogs.removeLast(0)
            dogs.removeLast(3)
        }
        #expect(dogs.isEmpty)
    }

    @Test("Inside a write an index outside a slice of a managed collection fails the transaction")
    func slices() throws {
        let fixture = try CollectionFixture()
        let (graph, dogs) = (fixture.graph, fixture.kennel.dogs)
        for body in [
            { _ = dogs[1..<2][2] }, { _ = dogs[1..<2][0] }, { _ = graph.objects(Dog.self)[0..<1][1] },
            { _ = dogs[0..<2][1..<3].count },
        ] as [() -> Void] {
            #expect(graph.fault { _ in body() }?.code == .outOfBounds)
        }
        #expect(dogs[1..<3][2] == dogs[2] && dogs[1...][2] == dogs[2])
    }
}
