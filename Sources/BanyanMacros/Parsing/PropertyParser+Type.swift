import SwiftDiagnostics
import SwiftSyntax

extension PropertyParser {
    /// Reports types that no conformance could make storable. Returns whether `type` may be stored.
    mutating func checkType(_ type: SpelledType?, of binding: PatternBindingSyntax) -> Bool {
        guard let type else { return true }
        let node =
            binding.typeAnnotation.map { Syntax($0.type) } ?? binding.initializer.map { Syntax($0.value) }
            ?? Syntax(binding)
        guard let mistake = TypeMistake(type) else { return true }
        report(node, mistake.problem, fixIt: mistake.replacement.flatMap { replacement($0, of: binding) })
        return false
    }

    /// Writes `type` in place of the one there is, or where there is none. A default of the old type that says "empty" or "nil"
    /// goes with it.
    private func replacement(_ type: String, of binding: PatternBindingSyntax) -> FixIt? {
        let empty = binding.initializer.flatMap { $0.value.saysEmpty ? $0.rangeWithSpaceBefore : nil }
        var edits: [(Range<AbsolutePosition>, String)] = []
        if let annotation = binding.typeAnnotation?.type {
            edits = [(annotation.positionAfterSkippingLeadingTrivia..<annotation.endPositionBeforeTrailingTrivia, type)]
            if let empty { edits.append((empty, "")) }
        } else if let empty {
            edits = [(empty, ": \(type)")]
        } else {
            return nil
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

/// What is wrong with a type that no conformance could make storable.
private struct TypeMistake {
    let problem: Problem
    /// The type to use instead, where there is one.
    var replacement: String?

    init?(_ type: SpelledType) {
        switch type.shape {
        case .array(let element):
            let element = element.trimmedDescription
            self.init(.array(element: element), "List<\(element)>")
        case .dictionary(let key, let value):
            let (key, value) = (key.trimmedDescription, value.trimmedDescription)
            self.init(.dictionary(key: key, value: value), "Map<\(key), \(value)>")
        case .set(let element):
            let element = element.trimmedDescription
            self.init(.set(element: element), "MutableSet<\(element)>")
        case .tuple: self.init(.tuple)
        case .function: self.init(.function)
        case .abstract:
            let spelled = type.syntax.trimmedDescription
            self.init(.abstract(spelled), type.isAny ? "AnyValue" : nil)
        case .foundationClass(let replacement):
            let name = type.unwrapped.trimmedDescription
            let isOptional = type.isOptional && !replacement.contains("<")
            self.init(.foundationClass(name, replacement: replacement), replacement + (isOptional ? "?" : ""))
        case .known(let known, _) where known.isCollection && type.isOptional:
            self.init(.optionalCollection(known.rawValue), type.unwrapped.trimmedDescription)
        case .known(let known, _) where known.isCollection:
            guard let mistake = Self.ofElement(of: type, known) else { return nil }
            self = mistake
        case .known, .unknown:
            guard type.isTwiceOptional else { return nil }
            let name = type.unwrapped.trimmedDescription
            self.init(.twiceOptional(name), name + "?")
        }
    }

    private init(_ problem: Problem, _ replacement: String? = nil) {
        self.problem = problem
        self.replacement = replacement
    }

    private static func ofElement(of type: SpelledType, _ outer: SpelledType.Known) -> TypeMistake? {
        guard let element = type.element else { return nil }
        let spelled = SpelledType(element)
        switch spelled.shape {
        case .array, .dictionary, .set: return TypeMistake(.nestedCollection(outer: outer.rawValue))
        case .known(let inner, _) where inner.isCollection:
            return TypeMistake(.nestedCollection(outer: outer.rawValue))
        case .known, .unknown, .tuple, .function, .abstract, .foundationClass:
            guard let mistake = TypeMistake(spelled) else { return nil }
            return TypeMistake(mistake.problem, mistake.replacement.map { type.replacing(element, with: $0) })
        }
    }
}

extension SpelledType {
    /// `Any`, of whatever may be anything.
    fileprivate var isAny: Bool { ["Any", "AnyHashable"].contains(unwrapped.lastComponent) }

    /// `Int??`.
    fileprivate var isTwiceOptional: Bool { isOptional && optionals > 1 }

    /// This with another element, as it is written.
    fileprivate func replacing(_ element: TypeSyntax, with replacement: String) -> String {
        let text = unwrapped.trimmedDescription
        let start =
            element.positionAfterSkippingLeadingTrivia.utf8Offset
            - unwrapped.positionAfterSkippingLeadingTrivia.utf8Offset
        let end = start + element.trimmedLength.utf8Length
        let utf8 = Array(text.utf8)
        return String(decoding: utf8[..<start] + Array(replacement.utf8) + utf8[end...], as: UTF8.self)
    }
}
