import SwiftDiagnostics
import SwiftSyntax

/// What a fix-it offers to do.
struct Fix: FixItMessage {
    let message: String
    var fixItID: MessageID { MessageID(domain: "BanyanMacros", id: message) }
}

extension Diagnostic {
    init(_ node: some SyntaxProtocol, _ problem: Problem, notes: [Note] = [], fixIt: FixIt? = nil) {
        self.init(node: node, message: problem, notes: notes, fixIts: fixIt.map { [$0] } ?? [])
    }
}

/// Fix-its are edits of text, not of syntax, so that what they leave of the space around is seen here.
extension FixIt {
    static func replace(_ message: String, _ node: some SyntaxProtocol, with text: String) -> FixIt {
        let range = node.positionAfterSkippingLeadingTrivia..<node.endPositionBeforeTrailingTrivia
        return FixIt(message, edits: [(range, text)], in: node)
    }

    static func insert(_ message: String, _ text: String, before node: some SyntaxProtocol) -> FixIt {
        let position = node.positionAfterSkippingLeadingTrivia
        return FixIt(message, edits: [(position..<position, text)], in: node)
    }

    static func insert(_ message: String, _ text: String, after node: some SyntaxProtocol) -> FixIt {
        let position = node.endPositionBeforeTrailingTrivia
        return FixIt(message, edits: [(position..<position, text)], in: node)
    }

    /// Removes `node` and the space after it.
    static func remove(_ node: some SyntaxProtocol) -> FixIt {
        let range = node.positionAfterSkippingLeadingTrivia..<node.endPosition
        return FixIt("remove '\(node.trimmedDescription)'", edits: [(range, "")], in: node)
    }

    init(_ message: String, edits: [(range: Range<AbsolutePosition>, text: String)], in node: some SyntaxProtocol) {
        self.init(
            message: Fix(message: message),
            changes: edits.map { .replaceText(range: $0.range, with: $0.text, in: Syntax(node)) })
    }
}

extension SyntaxProtocol {
    /// From the end of what stands before this node to its own end, both without the space around.
    var rangeWithSpaceBefore: Range<AbsolutePosition> {
        let start = previousToken(viewMode: .sourceAccurate)?.endPositionBeforeTrailingTrivia ?? position
        return start..<endPositionBeforeTrailingTrivia
    }
}
