import Banyan
import Foundation
import Testing

@Model class Computing: Object {
    @Persisted var number = 0
    @Persisted var name = ""
    @Persisted var note: String?
    @Persisted var isOn = false
    @Persisted var numbers: List<Int>
    @Persisted var more: List<Int>
    var ignored = 0
    var twice: Int { number * 2 }
    var clamped: Int { max(0, number) }
    var trimmed: String { name.trimmingCharacters(in: .whitespacesAndNewlines) }
    var isOff: Bool { !isOn }
    var noteOrName: String { note ?? name }
    var noteOrNone: String { note ?? "none" }
    var alias: Int { number }
}

/// The few mistakes that trap, because no running program should make them; each says what to do instead.
@Suite("Traps")
struct TrapTests {
    @Test("Setting a property of a managed object outside a write traps and names the property")
    func setting() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let graph = try kinGraph()
            let owner = try graph.added(Owner(1))
            owner.name = "outside"
        }
        let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(text.contains("'Owner.name' was changed outside a write"))
    }

    @Test("So does setting a plain number")
    func settingNumber() async {
        await #expect(processExitsWith: .failure) {
            let owner = try kinGraph().added(Owner(1))
            owner.age = 1
        }
    }

    @Test("So does setting a number of an object that was just changed in a write")
    func settingAfterWrite() async {
        await #expect(processExitsWith: .failure) {
            let graph = try kinGraph()
            let owner = try graph.added(Owner(1))
            try graph.write { owner.age = 1 }
            owner.age = 2
        }
    }

    @Test("So does setting a link, and changing a list")
    func links() async {
        await #expect(processExitsWith: .failure) {
            let owner = try kinGraph().added(Owner(1))
            owner.favourite = Hound("x")
        }
        await #expect(processExitsWith: .failure) {
            let owner = try kinGraph().added(Owner(1))
            owner.hounds.append(Hound("x"))
        }
    }

    @Test("Changing a frozen object traps and says so")
    func frozen() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let graph = try kinGraph()
            try graph.added(Owner(1))
            graph.freeze().objects(Owner.self).first?.name = "x"
        }
        let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(text.contains("'Owner.name' of a frozen object was changed"))
    }

    @Test("Deleting outside a write traps")
    func deleting() async {
        await #expect(processExitsWith: .failure) {
            let graph = try kinGraph()
            graph.delete(try graph.added(Owner(1)))
        }
        await #expect(processExitsWith: .failure) { try kinGraph().deleteAll() }
    }

    @Test("An index out of bounds outside a write traps, as with an array")
    func bounds() async {
        await #expect(processExitsWith: .failure) {
            let owner = try kinGraph().added(Owner(1))
            _ = owner.hounds[0]
        }
    }
}
