import SwiftDiagnostics
import SwiftSyntax

extension PropertyParser {
    /// Reports types that no conformance could make storable. Returns whether `type` may be stored.
    mutating func checkType(_ type: SpelledType?, of binding: PatternBindingSyntax) -> Bool {
        guard let type else { return true }
        let node =
            binding.typeAnnotation.map { Syntax($0.type) } ?? binding.initializer.map { Syntax($0.value) }
            ?? Syntax(binding)
        switch type.shape {
        case .array(let element):
            let element = element.trimmedDescription
            report(
                node, .array(element: element), fixIt: replacement("List<\(element)>", of: binding))
        case .dictionary(let key, let value):
            let (key, value) = (key.trimmedDescription, value.trimmedDescription)
            report(
                node, .dictionary(key: key, value: value), fixIt: replacement("Map<\(key), \(value)>", of: binding))
        case .set(let element):
            let element = element.trimmedDescription
            report(node, .set(element: element), fixIt: replacement("MutableSet<\(element)>", of: binding))
        case .tuple:
            report(node, .tuple)
        case .function:
            report(node, .function)
        case .abstract:
            report(node, .abstract(type.syntax.trimmedDescription))
        case .known(let known, _) where known.isCollection && type.isOptional:
            report(
                node, .optionalCollection(known.rawValue),
                fixIt: replacement(type.unwrapped.trimmedDescription, of: binding))
        case .known, .unknown:
            return true
        }
        return false
    }

    /// Writes `type` in place of the one there is. A default of the old type that says "empty" or "nil" goes with it.
    private func replacement(_ type: String, of binding: PatternBindingSyntax) -> FixIt? {
        guard let annotation = binding.typeAnnotation?.type else { return nil }
        var edits = [(annotation.positionAfterSkippingLeadingTrivia..<annotation.endPositionBeforeTrailingTrivia, type)]
        if let initializer = binding.initializer, initializer.value.saysEmpty {
            edits.append((initializer.rangeWithSpaceBefore, ""))
        }
        return FixIt("use '\(type)'", edits: edits, in: binding)
    }
}

extension ExprSyntax {
    fileprivate var saysEmpty: Bool {
        switch self.as(ExprSyntaxEnum.self) {
        case .nilLiteralExpr: true
        case .arrayExpr(let array): array.elements.isEmpty
        case .dictionaryExpr(let dictionary): dictionary.content.is(TokenSyntax.self)
        case .functionCallExpr(let call): call.arguments.isEmpty && call.trailingClosure == nil
        default: false
        }
    }
}
