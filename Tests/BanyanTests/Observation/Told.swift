import Banyan

/// What an observer was told, in a form that can be compared.
enum Told: Equatable, Sendable, CustomStringConvertible {
    case initial(Int)
    case update(count: Int, deletions: [Int], insertions: [Int], modifications: [Int])
    case changed([String])
    case deleted

    var description: String {
        switch self {
        case .initial(let count): "initial \(count)"
        case .update(let count, let deletions, let insertions, let modifications):
            "\(count): -\(deletions) +\(insertions) ~\(modifications)"
        case .changed(let names): "changed \(names)"
        case .deleted: "deleted"
        }
    }

    init<C: Collection>(_ change: CollectionChange<C>) {
        switch change {
        case .initial(let results): self = .initial(results.count)
        case .update(let results, let deletions, let insertions, let modifications):
            self = .update(
                count: results.count, deletions: deletions, insertions: insertions, modifications: modifications)
        }
    }

    init<T>(_ change: ObjectChange<T>) {
        switch change {
        case .change(_, let properties):
            self = .changed(properties.map { "\($0.name): \(Self.text($0.oldValue)) → \(Self.text($0.newValue))" })
        case .deleted: self = .deleted
        }
    }

    private static func text(_ value: Any?) -> String {
        switch value {
        case nil: "nil"
        case let hound as Hound: hound.isInvalidated ? "gone" : hound.name
        case let owner as Owner: "owner \(owner.id)"
        case let abode as Abode: abode.isInvalidated ? "gone" : abode.city
        case let value?: "\(value)"
        }
    }
}

/// Collects what observers are told.
final class Log {
    private(set) var entries: [Told] = []
    func add(_ told: Told) { entries.append(told) }

    /// What was told since this was last asked.
    func take() -> [Told] {
        defer { entries = [] }
        return entries
    }
}
