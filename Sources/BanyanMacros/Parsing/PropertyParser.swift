import SwiftDiagnostics
import SwiftSyntax

/// Reads one declaration marked `@Persisted`, and judges all that can be judged without the rest of the class.
///
/// Both macros read properties through this: `@Persisted` reports what is wrong, `@Model` leaves the property out, so
/// that one mistake is one message and not also an error inside an expansion.
struct PropertyParser {
    private(set) var diagnostics: [Diagnostic] = []

    /// Returns nil when the declaration cannot be a persisted property. There are `diagnostics` then, unless the mistake
    /// is one that the compiler reports itself.
    static func parse(_ variable: VariableDeclSyntax, _ attribute: AttributeSyntax) -> (
        property: PersistedProperty?, diagnostics: [Diagnostic]
    ) {
        var parser = PropertyParser()
        let property = parser.property(variable, PersistedArguments(attribute))
        return (parser.diagnostics.isEmpty ? property : nil, parser.diagnostics)
    }

    mutating func report(
        _ node: some SyntaxProtocol, _ problem: Problem, notes: [Note] = [], fixIt: FixIt? = nil
    ) {
        diagnostics.append(Diagnostic(node, problem, notes: notes, fixIt: fixIt))
    }

    private mutating func property(
        _ variable: VariableDeclSyntax, _ arguments: PersistedArguments
    ) -> PersistedProperty? {
        guard let binding = checkDeclaration(variable, arguments.attribute),
            let identifier = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier
        else { return nil }

        // A keyword is no name. The compiler asks for backticks.
        if identifier.presence == .missing { return nil }

        let written = binding.typeAnnotation.map { SpelledType($0.type) }
        let type = written ?? binding.initializer?.value.spelledType.map(SpelledType.init)
        // Without either the compiler asks for a type.
        guard written != nil || binding.initializer != nil else { return nil }
        let storedName = checkName(identifier, arguments)
        guard checkType(type, of: binding), let role = checkRole(type, of: binding, arguments) else { return nil }
        return PersistedProperty(
            identifier: identifier.text, role: role, storedName: storedName,
            initialValue: binding.initializer.map { InitialValue($0.value.trimmed, type: type) } ?? .none,
            type: type, access: variable.accessModifier,
            possibleTarget: written?.possibleTarget, knownType: type?.known,
            spelledType: type?.syntax.trimmedDescription, isWritten: written != nil, nameToken: identifier,
            arguments: arguments)
    }

    private mutating func checkRole(
        _ type: SpelledType?, of binding: PatternBindingSyntax, _ arguments: PersistedArguments
    ) -> PersistedProperty.Role? {
        if case .known(.linkingObjects, let elements)? = type?.shape {
            checkInverse(elements, of: binding, arguments).map(PersistedProperty.Role.inverse)
        } else if let argument = arguments.inverse {
            checkOriginOfOtherType(argument, of: binding)
        } else {
            .value(checkOptions(type, of: binding, arguments))
        }
    }

    private mutating func checkOriginOfOtherType(
        _ argument: LabeledExprSyntax, of binding: PatternBindingSyntax
    ) -> PersistedProperty.Role? {
        report(
            binding.typeAnnotation.map { Syntax($0.type) } ?? Syntax(argument),
            .originOfOtherType(argument: argument.label?.text ?? ""))
        return nil
    }

    /// Properties that every object has.
    private static let reservedNames: Set = [
        "debugDescription", "graph", "hashValue", "isFrozen", "isInvalidated", "objectID", "objectSchema",
    ]

    /// The name in files, where `name:` says one.
    private mutating func checkName(_ identifier: TokenSyntax, _ arguments: PersistedArguments) -> String? {
        let ownName = identifier.text.withoutBackticks
        if ["Type", "Protocol"].contains(ownName) {
            report(identifier, .metatypeName(ownName))
        } else if Self.reservedNames.contains(ownName) {
            report(identifier, .reservedName(ownName))
        }
        guard let argument = arguments[.name] else {
            checkLength(ownName, at: identifier)
            return nil
        }
        guard let name = argument.expression.literalString else {
            report(argument.expression, .notLiteral(argument: "name", expected: "a string literal"))
            return nil
        }
        if name.isEmpty {
            report(argument.expression, .emptyName)
        }
        checkLength(name, at: argument.expression)
        return name
    }

    private mutating func checkLength(_ name: String, at node: some SyntaxProtocol) {
        let bytes = name.utf8.count
        if bytes > Limits.propertyNameBytes {
            report(node, .nameTooLong(name: name, bytes: bytes))
        }
    }
}

extension VariableDeclSyntax {
    /// `public ` of `public private(set) var`.
    fileprivate var accessModifier: String {
        let levels: Set<TokenKind> = [
            .keyword(.public), .keyword(.package), .keyword(.internal), .keyword(.fileprivate), .keyword(.private),
        ]
        let modifier = modifiers.first { $0.detail == nil && levels.contains($0.name.tokenKind) }
        return modifier.map { $0.name.text + " " }
            ?? (modifiers.contains { $0.name.tokenKind == .keyword(.open) } ? "public " : "")
    }
}
