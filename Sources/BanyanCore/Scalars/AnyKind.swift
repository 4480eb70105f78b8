/// What an AnyValue holds. Raw values are part of the file format; those of scalars are their kinds'.
package enum AnyKind: RawRepresentable, Sendable, Hashable {
    case none
    /// A scalar, or a link to a top-level object.
    case value(ValueKind)
    /// A list and a dictionary of more of them: see `NestedValues`.
    case list
    case dictionary

    /// A link to a top-level object.
    package static var object: AnyKind { .value(.object) }

    package init?(rawValue: UInt8) {
        switch rawValue {
        case 0: self = .none
        case 17: self = .list
        case 18: self = .dictionary
        default:
            guard let kind = ValueKind(rawValue: rawValue), kind.anyRank != nil else { return nil }
            self = .value(kind)
        }
    }

    package var rawValue: UInt8 {
        switch self {
        case .none: 0
        case .value(let kind): kind.rawValue
        case .list: 17
        case .dictionary: 18
        }
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// The kind of the value by itself.
    package var valueKind: ValueKind? {
        switch self {
        case .none: nil
        case .value(let kind): kind
        case .list, .dictionary: .embedded
        }
    }

    /// The bytes of the value; nil for texts, which are of any length.
    var width: Int? {
        switch self {
        case .none: 0
        case .value(let kind): kind.form == .text ? nil : kind.width
        case .list, .dictionary: ValueKind.embedded.width
        }
    }

    /// Where it sorts among the others; kinds with one rank are numbers.
    var rank: UInt8 {
        switch self {
        case .none: 0
        case .value(let kind): kind.anyRank ?? 0
        case .list: 10
        case .dictionary: 11
        }
    }

    /// What JSON and messages call it.
    package var name: String {
        switch self {
        case .none: "none"
        case .value(let kind): kind.type.typeNames.first ?? kind.name
        case .list: "list"
        case .dictionary: "dictionary"
        }
    }
}

// MARK: - Names in queries

extension AnyKind {
    /// Each with all its names, the first of them the usual one.
    private static let namedKinds: [(names: [String], kinds: Set<AnyKind>)] = {
        let values = ValueKind.allCases.filter { $0.anyRank != nil }
        let numbers = Set(values.filter(\.isNumber).map { AnyKind.value($0) })
        return [(["none", "null", "nil"], [.none])]
            + values.map { ($0.type.typeNames, [.value($0)]) }
            + [
                (["numeric", "number"], numbers), (["list", "array"], [.list]), (["dictionary", "map"], [.dictionary]),
                (["collection"], [.list, .dictionary]),
            ]
    }()

    /// The types of a name, in any case; nil for what is none. `numeric` and `collection` stand for several.
    package static func named(_ name: String) -> Set<AnyKind>? {
        let name = name.lowercased()
        return namedKinds.first { $0.names.contains { $0.lowercased() == name } }?.kinds
    }

    /// The names, for messages.
    static var someNames: String {
        let names = namedKinds.compactMap { $0.names.first.map { "'\($0)'" } }
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }

    /// Those that can be compared with a value of this kind.
    static func comparable(with kind: AnyKind) -> [AnyKind] {
        guard case .value(let value) = kind, value.isNumber else { return kind == .none ? [] : [kind] }
        return ValueKind.allCases.filter { $0.isNumber && $0.anyRank != nil }.map { .value($0) }
    }
}
