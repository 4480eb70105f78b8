import SwiftParser
import SwiftSyntax

/// The arguments of one `@Persisted`, by label. Their types are the compiler's business (the macro declarations say
/// them); that they can be read without running anything is this plugin's.
struct PersistedArguments {
    let attribute: AttributeSyntax
    private let arguments: [LabeledExprSyntax]

    init(_ attribute: AttributeSyntax) {
        self.attribute = attribute
        arguments = attribute.arguments?.as(LabeledExprListSyntax.self).map(Array.init) ?? []
    }

    subscript(label: Label) -> LabeledExprSyntax? {
        arguments.first { $0.label?.text == label.rawValue }
    }

    enum Label: String {
        case primaryKey, indexed, unique, deleteRule, name, detached, originProperty, inverseOf
    }

    /// The first argument that declares an inverse.
    var inverse: LabeledExprSyntax? { self[.originProperty] ?? self[.inverseOf] }

    /// Whether `label` is `true`, or nil when it is not a literal. Absent means false.
    func flag(_ label: Label) -> Bool? {
        guard let expression = self[label]?.expression else { return false }
        guard let literal = expression.as(BooleanLiteralExprSyntax.self) else { return nil }
        return literal.literal.tokenKind == .keyword(.true)
    }
}

extension AttributeListSyntax {
    /// The attribute spelled `name` or `Module.name`, also inside `#if`.
    func attribute(named name: String) -> AttributeSyntax? {
        for element in self {
            switch element {
            case .attribute(let attribute):
                if attribute.attributeName.lastComponent == name { return attribute }
            case .ifConfigDecl(let conditional):
                for clause in conditional.clauses {
                    if case .attributes(let nested)? = clause.elements, let found = nested.attribute(named: name) {
                        return found
                    }
                }
            }
        }
        return nil
    }
}

extension TypeSyntax {
    /// `List` of `Banyan.List<Dog>`.
    var lastComponent: String? {
        self.as(IdentifierTypeSyntax.self)?.name.text ?? self.as(MemberTypeSyntax.self)?.name.text
    }
}

extension ExprSyntax {
    /// The text of a string literal without interpolation.
    var literalString: String? {
        self.as(StringLiteralExprSyntax.self)?.representedLiteralValue
    }
}
