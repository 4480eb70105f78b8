import SwiftSyntax

extension TypeSyntax {
    /// What this superclass is, from its spelling.
    var modelBase: ModelDescription.Base {
        if let member = self.as(MemberTypeSyntax.self), member.baseType.trimmedDescription != "Banyan" { return .model }
        return switch lastComponent {
        case "Object": .object
        case "EmbeddedObject": .embedded
        default: .model
        }
    }
}

extension DeclGroupSyntax {
    /// What to call this in a message.
    var kindPhrase: String {
        switch kind {
        case .structDecl: "a struct"
        case .enumDecl: "an enum"
        case .actorDecl: "an actor"
        case .protocolDecl: "a protocol"
        case .extensionDecl: "an extension"
        default: "this"
        }
    }
}

extension VariableDeclSyntax {
    /// The names of the stored instance properties here that nothing initialises. What an attribute may change about
    /// that (a property wrapper, another macro) cannot be seen, so those are taken for initialised.
    var namesWithoutDefault: [TokenSyntax] {
        let exempt: Set<TokenKind> = [.keyword(.static), .keyword(.class), .keyword(.lazy)]
        guard attributes.isEmpty, !modifiers.contains(where: { exempt.contains($0.name.tokenKind) }) else { return [] }
        var isCovered = false
        var names: [TokenSyntax] = []
        // In `var a, b: Int?` the type of the last belongs to all of them.
        for binding in bindings.reversed() {
            if let type = binding.typeAnnotation?.type {
                isCovered = bindingSpecifier.tokenKind == .keyword(.var) && SpelledType(type).isOptional
            }
            guard binding.initializer == nil, !isCovered, binding.accessorBlock?.areObservers ?? true,
                let identifier = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier
            else { continue }
            names.append(identifier)
        }
        return names.reversed()
    }
}

extension IfConfigDeclSyntax {
    /// The persisted properties of all branches, as they are named.
    var persistedNames: [String] {
        clauses.flatMap { clause -> [String] in
            guard case .decls(let members)? = clause.elements else { return [] }
            return members.flatMap { member -> [String] in
                if let nested = member.decl.as(IfConfigDeclSyntax.self) { return nested.persistedNames }
                guard let variable = member.decl.as(VariableDeclSyntax.self),
                    variable.attributes.attribute(named: "Persisted") != nil
                else { return [] }
                return variable.bindings.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text }
            }
        }
    }
}
