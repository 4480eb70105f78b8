import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Persisted`: makes a property read and write its place in the object's storage.
struct PersistedMacro: AccessorMacro {
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let variable = declaration.as(VariableDeclSyntax.self) else {
            context.diagnose(Diagnostic(node, .outsideModel))
            return []
        }
        // A binding may be the innermost context; what counts is what it stands in.
        let contexts = context.lexicalContext.drop { $0.is(PatternBindingSyntax.self) }
        guard let model = contexts.first?.as(ClassDeclSyntax.self) else {
            // `@Model` has said that this is no class.
            if contexts.first?.asProtocol((any WithAttributesSyntax).self)?.attributes.attribute(named: "Model") == nil
            {
                context.diagnose(Diagnostic(node, .outsideModel))
            }
            return AccessorExpansion.placeholders(for: variable)
        }
        let (property, diagnostics) = PropertyParser.parse(variable, node)
        diagnostics.forEach(context.diagnose)
        guard model.attributes.attribute(named: "Model") != nil else {
            // The compiler does not tell where the class is, so this cannot offer to add the attribute there.
            context.diagnose(Diagnostic(node, .missingModel(className: model.name.text.withoutBackticks)))
            return AccessorExpansion.placeholders(for: variable)
        }
        guard let property, ModelShape.check(model, enclosing: Array(contexts.dropFirst())).superclass != nil else {
            return AccessorExpansion.placeholders(for: variable)
        }
        return AccessorExpansion.accessors(of: property, at: SourcePlace(property.nameToken, in: context))
    }
}
