import SwiftSyntax
import SwiftSyntaxMacros

/// Sets the declared defaults of a new object, after those of the superclass. It is never called for a stored one.
/// Defaults that are what fresh storage holds need no code, and a class with none but those needs no override.
enum DefaultsExpansion {
    static func members(of model: ModelDescription, in context: some MacroExpansionContext) -> [DeclSyntax] {
        let lines = model.properties.compactMap { property -> String? in
            guard case .expression(let expression) = property.initialValue else { return nil }
            return SourcePlace(property.nameToken, in: context).code("self.\(property.identifier) = \(expression)")
        }
        guard !lines.isEmpty else { return [] }
        return [
            DeclSyntax(
                text: """
                    \(model.access.memberModifier)override func _$initializeDefaults() {
                        super._$initializeDefaults()
                    \(lines.joined())}
                    """)
        ]
    }
}
