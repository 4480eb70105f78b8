import SwiftSyntax
import SwiftSyntaxMacros

/// `@Model`: adds to a class what the graph needs to know of it, each part by an expansion of its own.
struct ModelMacro: MemberMacro {
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let model = describe(declaration, node, in: context) else { return [] }
        return storage(of: model, in: context) + DetachedExpansion.members(of: model, in: context)
    }

    /// What `declaration` says, having reported what is wrong with it; nil when it is no model.
    static func describe(
        _ declaration: some DeclGroupSyntax, _ node: AttributeSyntax, in context: some MacroExpansionContext
    ) -> ModelDescription? {
        let (model, diagnostics) = ModelParser.parse(
            declaration, attribute: node, enclosing: context.contexts(around: declaration),
            configuration: context.buildConfiguration)
        diagnostics.forEach(context.diagnose)
        return model
    }

    /// What storing objects of the class takes.
    static func storage(of model: ModelDescription, in context: some MacroExpansionContext) -> [DeclSyntax] {
        SlotExpansion.members(of: model) + DescriptorExpansion.members(of: model, in: context)
            + DefaultsExpansion.members(of: model, in: context) + InitializerExpansion.members(of: model)
            + CodingKeysExpansion.members(of: model)
    }
}

extension MacroExpansionContext {
    /// The lexical contexts around `declaration`, innermost first, without the declaration itself.
    fileprivate func contexts(around declaration: some DeclGroupSyntax) -> [Syntax] {
        guard let name = declaration.as(ClassDeclSyntax.self)?.name.text,
            lexicalContext.first?.as(ClassDeclSyntax.self)?.name.text == name
        else { return lexicalContext }
        return Array(lexicalContext.dropFirst())
    }
}
