import Banyan
import Foundation
import Testing

@Suite("What no running program should do traps")
struct CollectionTrapTests {
    enum Use: String, CaseIterable, Codable, CustomTestStringConvertible {
        case append, set, remove, insertIntoSet, setKey, assign, changeFrozen
        case index, negativeIndex, unmanagedIndex, inverseIndex, slice
        var testDescription: String { rawValue }

        func perform() throws {
            let fixture = try CollectionFixture()
            let (kennel, dogs) = (fixture.kennel, fixture.kennel.dogs)
            switch self {
            case .append: dogs.append(Dog(9))
            case .set: dogs[0] = dogs[1]
            case .remove: dogs.remove(at: 0)
            case .insertIntoSet: kennel.dogSet.insert(dogs[0])
            case .setKey: kennel.dogMap["a"] = nil
            case .assign: kennel.dogs = []
            case .changeFrozen: dogs.freeze().removeAll()
            case .index: _ = dogs[3]
            case .negativeIndex: _ = dogs[-1]
            case .unmanagedIndex: _ = List<Int>([1])[1]
            case .inverseIndex: _ = dogs[0].kennels[1]
            case .slice: _ = dogs[1..<4]
            }
        }

        /// What the message must say.
        var word: String {
            switch self {
            case .append, .set, .remove, .insertIntoSet, .setKey, .assign: "graph.write"
            case .changeFrozen: "frozen"
            case .index, .negativeIndex, .inverseIndex, .slice: "out of bounds"
            case .unmanagedIndex: "out of range"
            }
        }
    }

    @Test("Changing a managed collection outside a write, and a bad index there", arguments: Use.allCases)
    func traps(_ use: Use) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [use] in
            // An error is not a trap.
            do { try use.perform() } catch { exit(EXIT_SUCCESS) }
        }
        let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(message.contains(use.word))
    }
}
