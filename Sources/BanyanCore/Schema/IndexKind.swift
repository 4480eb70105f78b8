/// How a property is indexed.
public enum IndexKind: Sendable, Hashable, Codable {
    /// Serves `==` and `in`.
    case hash
    /// Serves ranges, prefixes and sorting as well.
    case ordered
}

/// What queries may ask of an index.
package struct IndexCapabilities: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Finds the objects with one value of one property in constant expected time.
    package static let lookup = IndexCapabilities(rawValue: 1)
    /// Finds the objects with given values of its leading properties and a range of the next one.
    package static let ranges = IndexCapabilities(rawValue: 2)
    /// Finds the texts with a prefix as a range.
    package static let prefixes = IndexCapabilities(rawValue: 4)
    /// Has its objects in the order of their values.
    package static let order = IndexCapabilities(rawValue: 8)

    /// What every primary key can do without a secondary index.
    package static let ofPrimaryKey: IndexCapabilities = .lookup
}

// All there is to say of a kind. What its indexes do is said by its type: see `SecondaryIndex`.
extension IndexKind {
    package var capabilities: IndexCapabilities {
        switch self {
        case .hash: .lookup
        case .ordered: [.ranges, .prefixes, .order]
        }
    }

    /// In files.
    package var code: UInt8 {
        switch self {
        case .hash: 0
        case .ordered: 1
        }
    }

    package init?(code: UInt8) {
        switch code {
        case Self.hash.code: self = .hash
        case Self.ordered.code: self = .ordered
        default: return nil
        }
    }

    /// The kind of an index of one property that says no other.
    package static var standard: IndexKind { .hash }
    /// The kind of an index of several properties.
    package static var compound: IndexKind { .ordered }

    /// Whether properties of a type can have an index of this kind.
    package func accepts(_ kind: ValueKind) -> Bool {
        capabilities.contains(.order) ? kind.canBeOrdered : kind.canBeIndexed
    }
}
