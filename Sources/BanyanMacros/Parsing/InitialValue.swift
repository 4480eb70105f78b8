import SwiftSyntax
import SwiftSyntaxBuilder

extension InitialValue {
    /// Sorts what `expression` initialises a property of `type` to; nil stands for a type that is not written.
    init(_ expression: ExprSyntax, type: SpelledType?) {
        let type = type ?? expression.spelledType.map(SpelledType.init)
        if let known = type?.known, known.isCollection, expression.isEmptyCollection {
            self = .emptyCollection
        } else if expression.is(NilLiteralExprSyntax.self) {
            self = .zero
        } else if let type, !type.isOptional, type.known?.isPlain == true, expression.isZeroLiteral {
            self = .zero
        } else {
            self = .expression(expression)
        }
    }
}

extension ExprSyntax {
    /// The type this expression gives a variable without a type annotation, where it can be seen: literals, and calls
    /// of a type's name as in `Date()` or `List<Dog>()`.
    var spelledType: TypeSyntax? {
        switch self.as(ExprSyntaxEnum.self) {
        case .integerLiteralExpr: "Int"
        case .floatLiteralExpr: "Double"
        case .booleanLiteralExpr: "Bool"
        case .stringLiteralExpr: "String"
        case .arrayExpr(let array): "[\(array.elements.first?.expression.spelledType ?? "Element")]"
        case .dictionaryExpr(let dictionary): dictionary.spelledDictionary
        case .closureExpr: "() -> Void"
        case .tupleExpr(let tuple) where tuple.elements.count > 1: "(Any, Any)"
        case .prefixOperatorExpr(let prefixed) where prefixed.operator.text == "-": prefixed.expression.spelledType
        case .functionCallExpr(let call): call.calledExpression.namedType
        default: nil
        }
    }

    /// The type that this expression names when it is called.
    fileprivate var namedType: TypeSyntax? {
        switch self.as(ExprSyntaxEnum.self) {
        case .declReferenceExpr(let reference) where reference.argumentNames == nil:
            reference.baseName.text.first?.isUppercase == true
                ? TypeSyntax(IdentifierTypeSyntax(name: reference.baseName.trimmed)) : nil
        case .genericSpecializationExpr(let generic):
            generic.expression.namedType?.as(IdentifierTypeSyntax.self).map {
                TypeSyntax($0.with(\.genericArgumentClause, generic.genericArgumentClause))
            }
        case .memberAccessExpr(let member) where member.declName.baseName.tokenKind == .keyword(.`init`):
            member.base?.namedType
        case .arrayExpr(let array) where array.elements.count == 1:
            array.elements.first?.expression.namedType.map { "[\($0)]" }
        case .dictionaryExpr(let dictionary): dictionary.namedType
        default: nil
        }
    }

    fileprivate var isZeroLiteral: Bool {
        switch self.as(ExprSyntaxEnum.self) {
        case .integerLiteralExpr(let integer): integer.representedLiteralValue == 0
        case .floatLiteralExpr(let float): float.representedLiteralValue == 0
        case .booleanLiteralExpr(let boolean): boolean.literal.tokenKind == .keyword(.false)
        case .stringLiteralExpr: literalString == ""
        default: false
        }
    }

    /// `List()`, `List<Dog>()`, `.init()`, `[]`, `[:]`.
    fileprivate var isEmptyCollection: Bool {
        if let array = self.as(ArrayExprSyntax.self) { return array.elements.isEmpty }
        if let dictionary = self.as(DictionaryExprSyntax.self) {
            if case .colon = dictionary.content { return true } else { return false }
        }
        guard let call = self.as(FunctionCallExprSyntax.self), call.arguments.isEmpty, call.trailingClosure == nil
        else { return false }
        if let member = call.calledExpression.as(MemberAccessExprSyntax.self), member.base == nil {
            return member.declName.baseName.tokenKind == .keyword(.`init`)
        }
        return call.calledExpression.namedType.map { SpelledType($0).known?.isCollection == true } ?? false
    }
}

extension DictionaryExprSyntax {
    /// `[String: Int]`, where that is called.
    fileprivate var namedType: TypeSyntax? {
        guard case .elements(let elements) = content, elements.count == 1, let element = elements.first,
            let key = element.key.namedType, let value = element.value.namedType
        else { return nil }
        return "[\(key): \(value)]"
    }

    fileprivate var spelledDictionary: TypeSyntax {
        let first = content.as(DictionaryElementListSyntax.self)?.first
        return "[\(first?.key.spelledType ?? "Key"): \(first?.value.spelledType ?? "Value")]"
    }
}
