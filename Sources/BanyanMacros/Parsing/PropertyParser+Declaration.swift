import SwiftSyntax

extension PropertyParser {
    /// The one binding of a plain stored `var`. Returns nil, having reported why, for any other form.
    mutating func checkDeclaration(
        _ variable: VariableDeclSyntax, _ attribute: AttributeSyntax
    ) -> PatternBindingSyntax? {
        let keyword = variable.bindingSpecifier
        if keyword.tokenKind != .keyword(.var) {
            report(keyword, .constant, fixIt: .replace("replace 'let' with 'var'", keyword, with: "var"))
        }
        for modifier in variable.modifiers where modifier.isForbidden {
            report(modifier, .modifier(modifier.trimmedDescription), fixIt: .remove(modifier))
        }
        // The compiler reports several variables in one declaration itself.
        guard variable.bindings.count == 1, let binding = variable.bindings.first else { return nil }
        if let accessors = binding.accessorBlock {
            if accessors.areObservers {
                report(accessors, .observers)
            } else {
                report(attribute, .computed, fixIt: .remove(attribute))
            }
        }
        return binding
    }
}

extension DeclModifierSyntax {
    fileprivate var isForbidden: Bool {
        switch name.tokenKind {
        case .keyword(.static), .keyword(.class), .keyword(.lazy), .keyword(.weak), .keyword(.unowned),
            .keyword(.override):
            true
        default: false
        }
    }
}

extension AccessorBlockSyntax {
    var areObservers: Bool {
        guard case .accessors(let accessors) = accessors else { return false }
        return accessors.contains {
            [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
        }
    }
}
