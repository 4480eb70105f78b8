import Banyan
import Foundation

// Places that are not there, and values that are too large.

extension Mistake {
    private static func line(_ name: String, _ make: @escaping @Sendable (List<String>) -> Void) -> Mistake {
        Mistake(name, .outOfBounds, "Register", "lines") { _, world in make(world.register.lines) }
    }

    private static func hound(_ name: String, _ make: @escaping @Sendable (List<Hound>) -> Void) -> Mistake {
        Mistake(name, .outOfBounds, "Owner", "hounds") { _, world in make(world.owner.hounds) }
    }

    static let places: [Mistake] = [
        hound("an index is out of bounds") { _ = $0[1] },
        hound("an index is negative") { _ = $0[-1] },
        hound("an object is put at an index that is out of bounds") { $0[5] = Hound("x") },
        hound("an object is inserted out of bounds") { $0.insert(Hound("x"), at: 2) },
        hound("an object is removed out of bounds") { $0.remove(at: -1) },
        line("a text is read out of bounds") { _ = $0[3] },
        line("a text is set out of bounds") { $0[3] = "x" },
        line("a text is replaced out of bounds") { $0.replace(index: -1, object: "x") },
        line("a text is inserted out of bounds") { $0.insert("x", at: 4) },
        line("a text is inserted at a negative index") { $0.insert("x", at: -1) },
        line("texts are inserted out of bounds") { $0.insert(contentsOf: ["x", "y"], at: 4) },
        line("a text is removed out of bounds") { $0.remove(at: 3) },
        line("a text is moved from out of bounds") { $0.move(from: 3, to: 0) },
        line("a text is moved to out of bounds") { $0.move(from: 0, to: 3) },
        line("texts are moved from out of bounds") { $0.move(fromOffsets: [1, 7], toOffset: 0) },
        line("texts are moved to out of bounds") { $0.move(fromOffsets: [0, 1], toOffset: 9) },
        line("texts are swapped out of bounds") { $0.swapAt(0, 3) },
        line("texts are swapped at a negative index") { $0.swapAt(-1, 1) },
        line("texts at offsets are removed out of bounds") { $0.remove(atOffsets: [0, 3]) },
        line("the first of an empty list is removed") {
            $0.removeAll()
            $0.removeFirst()
        },
        line("the last of an empty list is removed") {
            $0.removeAll()
            $0.removeLast()
        },
        Mistake("an index of a set is out of bounds", .outOfBounds, "Register", "marks") { _, world in
            _ = world.register.marks[1]
        },
        Mistake("an index of an inverse is out of bounds", .outOfBounds, "Hound", "owners") { _, world in
            _ = world.hound.owners[1]
        },
        Mistake("an index of results is out of bounds", .outOfBounds, "Owner", namesObject: false) { graph, _ in
            _ = graph.objects(Owner.self)[99]
        },
        Mistake("an index of selected results is negative", .outOfBounds, "Owner", namesObject: false) { graph, _ in
            _ = graph.objects(Owner.self).where { $0.id == 1 }.sorted(by: \.name)[-1]
        },
    ]

    static let ranges: [Mistake] = [
        line("a range is read out of bounds") { _ = Array($0[1..<4]) },
        line("a range from a place on is read out of bounds") { _ = Array($0[5...]) },
        line("a closed range is read out of bounds") { _ = Array($0[0...3]) },
        line("a range is assigned out of bounds") { $0[2..<5] = $0[0..<1] },
        line("a range is replaced out of bounds") { $0.replaceSubrange(2..<5, with: ["x"]) },
        line("a range from a place on is replaced out of bounds") { $0.replaceSubrange(7..., with: ["x"]) },
        line("a range is removed out of bounds") { $0.removeSubrange(2..<5) },
        line("a range from a place on is removed out of bounds") { $0.removeSubrange(4...) },
        line("a negative range is removed") { $0.removeSubrange(-2..<1) },
        line("more are removed from the front than there are") { $0.removeFirst(4) },
        line("more are removed from the end than there are") { $0.removeLast(4) },
        line("fewer than none are removed from the front") { $0.removeFirst(-1) },
        line("fewer than none are removed from the end") { $0.removeLast(-1) },
        Mistake("a range of a set is out of bounds", .outOfBounds, "Register", "marks") { _, world in
            _ = Array(world.register.marks[0..<2])
        },
        Mistake("a range of an inverse is out of bounds", .outOfBounds, "Hound", "owners") { _, world in
            _ = Array(world.hound.owners[1...2])
        },
        Mistake("a range of results is out of bounds", .outOfBounds, "Owner", namesObject: false) { graph, _ in
            _ = Array(graph.objects(Owner.self)[1..<5])
        },
    ]

    private static let long = String(repeating: "x", count: 16 << 20 | 1)

    private static func tooLong(
        _ name: String, _ property: String, _ make: @escaping @Sendable (Register) -> Void
    ) -> Mistake {
        Mistake(name, .valueTooLong, "Register", property) { _, world in make(world.register) }
    }

    static let sizes: [Mistake] = [
        tooLong("a text that is too long is set", "title") { $0.title = long },
        tooLong("data that are too long are set", "picture") { $0.picture = Data(long.utf8) },
        tooLong("a text that is too long is appended", "lines") { $0.lines.append(long) },
        tooLong("a text that is too long takes a place", "lines") { $0.lines[1] = long },
        tooLong("a text that is too long is among several", "lines") {
            $0.lines.insert(contentsOf: ["x", long], at: 0)
        },
        tooLong("a text that is too long is put in a set", "marks") { $0.marks.insert(long) },
        tooLong("a text that is too long is put in a map", "entries") { $0.entries["x"] = long },
        tooLong("a key that is too long is put in a map", "entries") { $0.entries[long] = "x" },
        Mistake("an object with a text that is too long is added", .valueTooLong, "Owner", "name", namesObject: false) {
            graph, _ in
            try graph.add(Owner(3, long))
        },
        Mistake("a key that is too long is added", .valueTooLong, "Register", "code", namesObject: false) { graph, _ in
            try graph.add(Register(long, 5))
        },
        Mistake("a list with a text that is too long is added", .valueTooLong, "Register", "lines") { graph, _ in
            let register = Register("long", 5)
            register.lines.append(long)
            try graph.add(register)
        },
    ]
}
