import SwiftSyntax

/// What `@Model` knows of a class, taken from its syntax once. Expansions read this and never the syntax, so that each
/// of them (slots, descriptors, defaults, initialisers, and whatever comes next) is a plain function of it.
struct ModelDescription {
    /// What the superclass is spelled as.
    enum Base {
        case object
        case embedded
        /// Another model, or a type alias: what it stores is known at run time only.
        case model
    }

    /// The name as written, with backticks if it has them.
    var identifier: String
    var access: AccessLevel
    var superclass: String
    var base: Base
    /// Whether it is declared `final`.
    var isFinal = false
    var properties: [PersistedProperty]
    /// The names of persisted properties under a condition that cannot be evaluated (which is reported).
    var unplaced: [String]
    var initializers: DeclaredInitializers
    /// The names of persisted properties that are left out because of a mistake.
    var mistaken: Set<String> = []
    /// Those of several properties, as far as they are free of mistakes.
    var indexes: [CompoundIndex] = []
    /// The cases of a nested `CodingKeys`, as they are written; nil where there is none.
    var codingKeys: [String]?

    /// The name in files.
    var name: String { identifier.withoutBackticks }

    /// A property as code has to name it: with backticks where it is declared with them.
    func identifier(of property: String) -> String {
        properties.first { $0.name == property }?.identifier ?? property
    }
}

/// An index of several properties.
struct CompoundIndex {
    /// Their names, without backticks.
    var properties: [String]
    var isUnique: Bool
    /// Where it is declared.
    var node: ArrayExprSyntax
}

/// The access level that an override has to repeat. Anything below `package` needs no modifier.
enum AccessLevel: String {
    case `open`, `public`, package, module

    /// For an overriding member.
    var memberModifier: String { self == .module ? "" : rawValue + " " }

    /// For an initialiser, which cannot be `open`.
    var initializerModifier: String { self == .open ? "public " : memberModifier }

    init?(modifiers: DeclModifierListSyntax) {
        for modifier in modifiers where modifier.detail == nil {
            switch modifier.name.tokenKind {
            case .keyword(.open): self = .open
            case .keyword(.public): self = .public
            case .keyword(.package): self = .package
            case .keyword(.internal), .keyword(.fileprivate), .keyword(.private): self = .module
            default: continue
            }
            return
        }
        return nil
    }
}

/// Which initialisers the class body declares. A class that declares a designated one inherits none.
struct DeclaredInitializers {
    var hasDesignated = false
    /// `init()`.
    var hasPlain = false
    /// `init(_$binding:)`.
    var hasBinding = false
    /// Some property has no default (which is reported), so no initialiser of ours could be complete.
    var leavesPropertiesUnset = false
}

extension String {
    var withoutBackticks: String {
        count > 2 && hasPrefix("`") && hasSuffix("`") ? String(dropFirst().dropLast()) : self
    }
}
