import SwiftSyntax
import SwiftSyntaxBuilder

/// Sets the declared defaults of a new object, after those of the superclass. It is never called for a stored one.
/// Defaults that are what fresh storage holds need no code, and a class with none but those needs no override.
enum DefaultsExpansion {
    static func members(of model: ModelDescription) -> [DeclSyntax] {
        let lines = model.properties.compactMap { property -> String? in
            guard case .expression(let expression) = property.initialValue else { return nil }
            return "    self.\(property.identifier) = \(expression)\n"
        }
        guard !lines.isEmpty else { return [] }
        return [
            """
            \(raw: model.access.memberModifier)override func _$initializeDefaults() {
                super._$initializeDefaults()
            \(raw: lines.joined())}
            """
        ]
    }
}
