import SwiftSyntax

/// One `@Persisted` property that is free of mistakes as far as syntax shows.
struct PersistedProperty {
    enum Role {
        case value(ValueOptions)
        case inverse(Origin)
    }

    /// The arguments of a stored property, as they are written.
    struct ValueOptions {
        var isPrimaryKey = false
        /// The kind of index, as an expression of type `IndexKind`.
        var index: String?
        var isUnique = false
        /// Whether that index is certainly an ordered one.
        var isOrdered: Bool { index?.hasSuffix(".ordered") ?? false }
        /// An expression of type `DeleteRule`.
        var deleteRule: String?
        /// Whether it is a link that is never nil.
        var isRequiredLink = false
        /// Whether `detached()` values have it; nil where nothing is said.
        var isDetached: Bool?
    }

    /// The property at the other end of a `LinkingObjects`.
    struct Origin {
        /// Its name, without backticks.
        var property: String
        /// The key path that names it, so that one which does not exist does not compile.
        var keyPath: String
    }

    /// The name as written, with backticks if it has them.
    var identifier: String
    var role: Role
    /// The argument `name:`.
    var storedName: String?
    var initialValue: InitialValue
    /// The type, as far as it is written or can be seen from the default.
    var type: SpelledType?
    /// The access modifier as written, with a space after it; empty for none.
    var access: String
    /// What an Optional of a type that is not known here wraps, and that may therefore be a model.
    var possibleTarget: TypeSyntax?

    /// The type, where it is told from how it or the default is spelled.
    var knownType: SpelledType.Known?
    var spelledType: String?

    /// Whether the declaration has a type.
    var isWritten = true

    /// Where mistakes that only the whole class shows are reported.
    var nameToken: TokenSyntax
    var arguments: PersistedArguments

    /// The name in code, queries and key paths.
    var name: String { identifier.withoutBackticks }

    var isInverse: Bool {
        if case .inverse = role { true } else { false }
    }

    /// Whether it stays out of detached values and of what `print` shows: private properties do, unless they are asked for.
    var isConcealed: Bool {
        guard case .value(let options) = role else { return false }
        return options.isDetached.map { !$0 } ?? ["private ", "fileprivate "].contains(access)
    }

    var isRequiredLink: Bool {
        if case .value(let options) = role { options.isRequiredLink } else { false }
    }
}

/// What a declaration says after its `=`.
enum InitialValue {
    case none
    /// What fresh storage holds anyway, so no code is needed to set it.
    case zero
    /// A collection's own empty value: the property behaves as if there were none.
    case emptyCollection
    case expression(ExprSyntax)

    /// Whether the declaration says a default.
    var isDeclared: Bool { if case .none = self { false } else { true } }
}
