import SwiftDiagnostics
import SwiftParser
import SwiftSyntax

extension PropertyParser {
    /// Finds the property at the other end of a `LinkingObjects` of the given generic arguments.
    mutating func checkInverse(
        _ elements: [TypeSyntax], of binding: PatternBindingSyntax, _ arguments: PersistedArguments
    ) -> PersistedProperty.Origin? {
        if let initializer = binding.initializer {
            report(
                initializer, .inverseWithDefault,
                fixIt: FixIt("remove the default", edits: [(initializer.rangeWithSpaceBefore, "")], in: initializer))
        }
        // Without its element the type is incomplete, and the compiler says so.
        guard let element = elements.first?.trimmedDescription else { return nil }
        if let argument = arguments[.originProperty] {
            return checkOriginName(argument.expression, element: element)
        }
        if let argument = arguments[.inverseOf] {
            return checkOriginPath(argument.expression)
        }
        let attribute = arguments.attribute
        let completed = "@\(attribute.attributeName.trimmedDescription)(originProperty: \"<#property of \(element)#>\")"
        report(
            attribute, .inverseWithoutOrigin(element: element),
            fixIt: .replace("name the property", attribute, with: completed))
        return nil
    }

    private mutating func checkOriginName(_ expression: ExprSyntax, element: String) -> PersistedProperty.Origin? {
        guard let name = expression.literalString else {
            report(
                expression, .notLiteral(argument: "originProperty", expected: "the property's name as a string literal")
            )
            return nil
        }
        guard !name.isEmpty, !name.contains(where: { ".`\\".contains($0) || $0.isNewline }) else {
            report(expression, .originNotAName(name))
            return nil
        }
        let member = name.isValidSwiftIdentifier(for: .memberAccess) ? name : "`\(name)`"
        return PersistedProperty.Origin(property: name, keyPath: "\\\(element).\(member)")
    }

    private mutating func checkOriginPath(_ expression: ExprSyntax) -> PersistedProperty.Origin? {
        guard let keyPath = expression.as(KeyPathExprSyntax.self) else {
            report(expression, .notLiteral(argument: "inverseOf", expected: "a key path literal"))
            return nil
        }
        guard keyPath.root != nil else {
            report(expression, .originPathWithoutRoot)
            return nil
        }
        guard case .property(let property)? = keyPath.components.last?.component else {
            report(expression, .originNotAName(expression.trimmedDescription))
            return nil
        }
        return PersistedProperty.Origin(
            property: property.declName.baseName.text.withoutBackticks, keyPath: keyPath.trimmedDescription)
    }
}
