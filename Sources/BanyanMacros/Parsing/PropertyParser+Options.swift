import SwiftDiagnostics
import SwiftSyntax

extension PropertyParser {
    /// Reads what a stored property is asked to be, and holds it against what its type can be.
    mutating func checkOptions(
        _ type: SpelledType?, of binding: PatternBindingSyntax, _ arguments: PersistedArguments
    ) -> PersistedProperty.ValueOptions {
        var options = PersistedProperty.ValueOptions()
        options.isPrimaryKey = checkFlag(.primaryKey, arguments)
        options.isUnique = checkFlag(.unique, arguments)
        options.index = checkIndex(arguments)
        options.deleteRule = arguments[.deleteRule]?.expression.trimmedDescription
        if arguments[.detached] != nil { options.isDetached = checkFlag(.detached, arguments) }

        options.isRequiredLink = checkRequiredLink(type, of: binding, arguments)
        guard let type, let known = type.known else { return options }
        let spelled = type.syntax.trimmedDescription
        if options.isPrimaryKey, !known.canBePrimaryKey, let argument = arguments[.primaryKey] {
            report(argument, .primaryKeyType(spelled))
        }
        for (label, isSet) in [(PersistedArguments.Label.indexed, options.index != nil), (.unique, options.isUnique)]
        where isSet && !(options.isOrdered ? known.canBeOrdered : known.canBeIndexed) {
            if let argument = arguments[label] {
                report(argument, .indexType(spelled, argument: label.rawValue))
            }
        }
        if let argument = arguments[.deleteRule], !type.mayLink {
            report(argument, .deleteRuleType(spelled))
        }
        return options
    }

    /// Whether this is a link that is never nil: something that is not Optional, with a delete rule. That rule has to see to it that
    /// the link never loses its target.
    private mutating func checkRequiredLink(
        _ type: SpelledType?, of binding: PatternBindingSyntax, _ arguments: PersistedArguments
    ) -> Bool {
        guard let type, !type.isOptional, case .unknown = type.shape, let rule = arguments[.deleteRule] else {
            return false
        }
        let spelled = type.unwrapped.trimmedDescription
        guard rule.expression.trimmedDescription.split(separator: ".").last != "nullify" else {
            let fixIt = binding.typeAnnotation.map { FixIt.replace("use '\(spelled)?'", $0.type, with: spelled + "?") }
            report(
                binding.typeAnnotation.map { Syntax($0.type) } ?? Syntax(rule), .nullifiedLink(spelled), fixIt: fixIt)
            return false
        }
        return true
    }

    private mutating func checkFlag(_ label: PersistedArguments.Label, _ arguments: PersistedArguments) -> Bool {
        if let flag = arguments.flag(label) { return flag }
        if let argument = arguments[label] {
            report(argument.expression, .notLiteral(argument: label.rawValue, expected: "'true' or 'false'"))
        }
        return false
    }

    /// The index asked for, as an expression of type `IndexKind`.
    private mutating func checkIndex(_ arguments: PersistedArguments) -> String? {
        if let flag = arguments.flag(.indexed) { return flag ? ".hash" : nil }
        guard let argument = arguments[.indexed] else { return nil }
        guard let kind = argument.expression.as(MemberAccessExprSyntax.self) else {
            report(
                argument.expression,
                .notLiteral(argument: "indexed", expected: "'true', 'false', '.hash' or '.ordered'"))
            return nil
        }
        return kind.trimmedDescription
    }
}

extension SpelledType {
    /// Whether a value may be a link, as far as can be seen. An AnyValue may hold one, but not with a rule.
    fileprivate var mayLink: Bool {
        guard known != nil else { return true }
        return element.map { SpelledType($0).mayLink } ?? false
    }
}
