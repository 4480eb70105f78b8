import BanyanCore

/// Where in what was given a value stands, for messages: `Person.dogs[3].name`.
///
/// A path is a number, and what it says is put together when somebody asks. So values within values cost the same at every
/// depth, and letting the paths go takes no stack.
final class ValuePaths {
    /// A place in what was given.
    struct Path {
        fileprivate let number: Int
    }

    private enum Step {
        case root(String)
        case property(String)
        case index(Int)
        case key(String)
    }

    private var steps: [(parent: Int, step: Step)] = []
    /// How many steps were made, or gone through to put a path together.
    private(set) var work = 0

    func root(_ name: String) -> Path { add(.root(name), to: 0) }
    func property(_ name: String, of path: Path) -> Path { add(.property(name), to: path.number) }
    func index(_ index: Int, of path: Path) -> Path { add(.index(index), to: path.number) }
    func key(_ key: String, of path: Path) -> Path { add(.key(key), to: path.number) }

    private func add(_ step: Step, to parent: Int) -> Path {
        work += 1
        steps.append((parent, step))
        return Path(number: steps.count - 1)
    }

    /// Whether the path is that of an element, not of a property.
    func isElement(_ path: Path) -> Bool {
        switch steps[path.number].step {
        case .root, .property: false
        case .index, .key: true
        }
    }

    /// The path in words. Of one that is very long only the ends. O(length).
    func text(_ path: Path) -> String {
        var parts: [String] = []
        var number = path.number
        while true {
            let (parent, step) = steps[number]
            work += 1
            switch step {
            case .root(let name): parts.append(name)
            case .property(let name): parts.append("." + name)
            case .index(let index): parts.append("[\(index)]")
            case .key(let key): parts.append("['\(key)']")
            }
            if case .root = step { break }
            number = parent
        }
        parts.reverse()
        let most = 40
        if parts.count > most { parts.replaceSubrange(most / 2..<parts.count - most / 2, with: ["…"]) }
        return parts.joined()
    }
}
