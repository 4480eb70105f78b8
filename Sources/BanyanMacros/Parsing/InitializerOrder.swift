import SwiftDiagnostics
import SwiftSyntax

/// Finds stored properties that an initialiser sets before the object is there: what they are stored in is made by `super.init()`.
enum InitializerOrder {
    static func check(_ initializer: InitializerDeclSyntax, persisted: Set<String>) -> [Diagnostic] {
        guard let body = initializer.body,
            !initializer.modifiers.contains(where: { $0.name.tokenKind == .keyword(.convenience) })
        else { return [] }
        let finder = Finder(viewMode: .sourceAccurate)
        finder.walk(body)
        // Without a call the compiler makes one at the end.
        let end = finder.call?.position ?? body.rightBrace.position
        let parameters = initializer.signature.parameterClause.parameters.map { ($0.secondName ?? $0.firstName).text }
        let early = finder.assigned.filter { name in
            name.position < end && persisted.contains(name.text.withoutBackticks)
                && (!name.isBare || !parameters.contains(name.text))
        }
        let fixIt = early.first.flatMap { Self.fixIt(body, finder.call, before: $0) }
        return early.enumerated().map { index, name in
            Diagnostic(name, .setBeforeObject(name: name.text.withoutBackticks), fixIt: index == 0 ? fixIt : nil)
        }
    }

    /// Calls `super.init()` before the first statement that needs it, where nothing is handed to it.
    private static func fixIt(_ body: CodeBlockSyntax, _ call: FunctionCallExprSyntax?, before name: TokenSyntax)
        -> FixIt?
    {
        guard let first = body.statements.first(where: { $0.range.contains(name.position) }) else { return nil }
        let indent = first.leadingTrivia.description.split(separator: "\n", omittingEmptySubsequences: false)
        let isOnItsLine = indent.count > 1
        let start = first.positionAfterSkippingLeadingTrivia
        var edits = [(start..<start, "super.init()" + (isOnItsLine ? "\n\(indent[indent.count - 1])" : "; "))]
        if let call {
            guard call.arguments.isEmpty, call.trailingClosure == nil,
                let statement = body.statements.first(where: { $0.item.as(ExprSyntax.self)?.id == call.id })
            else { return nil }
            edits.append((statement.rangeWithSpaceBefore, ""))
        }
        return FixIt("call 'super.init()' first", edits: edits, in: body)
    }

    private final class Finder: SyntaxVisitor {
        /// The first call of `super.init`.
        var call: FunctionCallExprSyntax?
        /// The names of what is assigned to, `name` and `self.name`.
        var assigned: [TokenSyntax] = []

        override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
            if call == nil, let callee = node.calledExpression.as(MemberAccessExprSyntax.self),
                callee.base?.is(SuperExprSyntax.self) == true, callee.declName.baseName.tokenKind == .keyword(.`init`)
            {
                call = node
            }
            return .visitChildren
        }

        override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
            let elements = Array(node.elements.prefix(2))
            if elements.count == 2, elements[1].assigns { note(elements[0]) }
            return .visitChildren
        }

        override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
            if node.operator.assigns { note(node.leftOperand) }
            return .visitChildren
        }

        private func note(_ target: ExprSyntax) {
            if let name = target.as(DeclReferenceExprSyntax.self) {
                assigned.append(name.baseName)
            } else if let member = target.as(MemberAccessExprSyntax.self),
                member.base?.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind == .keyword(.self)
            {
                assigned.append(member.declName.baseName)
            }
        }

        // What runs at another time.
        override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
        override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    }
}

extension TokenSyntax {
    /// Whether nothing stands before the name, as in `name = 1`.
    fileprivate var isBare: Bool { parent?.parent?.is(MemberAccessExprSyntax.self) != true }
}

extension ExprSyntax {
    /// `=`, `+=` and the like.
    fileprivate var assigns: Bool {
        if self.is(AssignmentExprSyntax.self) { return true }
        guard let name = self.as(BinaryOperatorExprSyntax.self)?.operator.text, name.hasSuffix("=") else {
            return false
        }
        return !["==", "!=", "<=", ">=", "===", "!=="].contains(name)
    }
}
