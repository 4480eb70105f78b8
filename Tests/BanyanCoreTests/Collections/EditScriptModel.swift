import BanyanCore

/// The list itself, each element with its own history: what an edit script must say in fewer words.
struct EditScriptModel {
    struct Element: Equatable {
        /// Nil for a new one.
        var old: Int?
        var isSet = false
        var isMoved = false
    }

    var oldCount: Int
    var elements: [Element]

    init(oldCount: Int) {
        self.oldCount = oldCount
        elements = (0..<oldCount).map { Element(old: $0) }
    }

    /// One edit, to be made to scripts and models alike.
    enum Edit {
        case insert(at: Int, count: Int)
        case remove(Range<Int>)
        case set(Range<Int>)
        case move(from: Int, to: Int)

        static func random(count: Int, near: inout Int, moves: Bool, _ random: inout SplitMix) -> Edit {
            // Half of the edits follow the one before.
            if random.next() % 2 == 0 { near = Int.random(in: 0...count, using: &random) }
            near = min(max(near, 0), count)
            let n = random.next() % 4 == 0 ? Int.random(in: 1...20, using: &random) : 1
            switch random.next() % (moves ? 8 : 7) {
            case 0...2:
                let at = near
                near += n
                return .insert(at: at, count: n)
            case 3, 4: return .remove(near..<min(count, near + n))
            case 5, 6: return .set(near..<min(count, near + n))
            default:
                guard count > 0 else { return .insert(at: 0, count: 1) }
                return .move(
                    from: Int.random(in: 0..<count, using: &random),
                    to: Int.random(in: 0..<2, using: &random) == 0
                        ? min(near, count - 1) : Int.random(in: 0..<count, using: &random))
            }
        }

        func apply(to script: inout EditScript) {
            switch self {
            case .insert(let at, let count): script.insert(at: at, count: count)
            case .remove(let range): script.remove(range)
            case .set(let range): script.set(range)
            case .move(let source, let target): script.move(from: source, to: target)
            }
        }
    }

    mutating func apply(_ edit: Edit) {
        switch edit {
        case .insert(let at, let count):
            elements.insert(contentsOf: Array(repeating: Element(), count: count), at: at)
        case .remove(let range): elements.removeSubrange(range)
        case .set(let range): for i in range { elements[i].isSet = true }
        case .move(let source, let target):
            var element = elements.remove(at: source)
            element.isMoved = true
            elements.insert(element, at: target)
        }
    }

    /// What is wrong with a script for this list, nil if nothing is.
    func problem(with script: EditScript) -> String? {
        guard script.count == elements.count, script.oldCount == oldCount else { return "wrong counts" }
        var index = 0
        var problem: String?
        var last: EditScript.Run?
        var lastOld = -1
        func expect(_ count: Int, _ what: String, _ isRight: (Int, Element) -> Bool) {
            for i in 0..<count where index + i >= elements.count || !isRight(i, elements[index + i]) {
                problem = problem ?? "element \(index + i) is not \(what)"
            }
            index += count
        }
        script.forEachRun { run in
            switch run {
            case .kept(let old, let count):
                expect(count, "kept") { i, element in element.old == old + i && !element.isSet }
                if old <= lastOld { problem = problem ?? "kept runs out of order" }
                lastOld = old + count - 1
            case .set(let old, let count):
                expect(count, "set") { i, element in element.old == old + i && element.isSet }
                if old <= lastOld { problem = problem ?? "set runs out of order" }
                lastOld = old + count - 1
            case .moved(let old, let count):
                expect(count, "moved") { i, element in element.old == old + i && !element.isSet && element.isMoved }
            case .inserted(let count):
                expect(count, "inserted") { _, element in element.old == nil || element.isSet && element.isMoved }
            }
            if let last, Self.areOne(last, run) { problem = problem ?? "neighbours that are one run" }
            last = run
        }
        return problem ?? (index == elements.count ? nil : "runs of \(index) elements")
    }

    private static func areOne(_ a: EditScript.Run, _ b: EditScript.Run) -> Bool {
        switch (a, b) {
        case (.inserted, .inserted): true
        case (.kept(let old, let n), .kept(let next, _)), (.set(let old, let n), .set(let next, _)),
            (.moved(let old, let n), .moved(let next, _)), (.kept(let old, let n), .moved(let next, _)),
            (.moved(let old, let n), .kept(let next, _)):
            old + n == next
        default: false
        }
    }
}
