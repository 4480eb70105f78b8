import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import BanyanMacros

/// One message of the plugin about a source text: where it points, what it offers, and what the text then becomes.
struct Finding: Equatable, CustomStringConvertible {
    var message: String
    /// The text with `«` where the message points.
    var marked: String
    var fixIt: String?
    var fixed: String?

    var description: String {
        [marked, "error: \(message)", fixIt.map { "fix-it: \($0)" }, fixed].compactMap { $0 }.joined(separator: "\n")
    }
}

/// Expands the macros in `source`, and returns what they have to say.
func findings(in source: String) -> [Finding] {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
        sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
    _ = file.expand(
        macroSpecs: macroSpecs,
        contextGenerator: {
            BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
        })
    return context.diagnostics.map { diagnostic in
        let locator = Locator(file: file, context: context)
        var marked = source
        marked.utf8Insert("«", at: locator.offset(of: diagnostic.position, in: diagnostic.node))
        var finding = Finding(message: diagnostic.message, marked: marked)
        if let fixIt = diagnostic.fixIts.first {
            finding.fixIt = fixIt.message.message
            finding.fixed = locator.apply(fixIt, to: source)
        }
        return finding
    }
}

let macroSpecs: [String: MacroSpec] = [
    "Model": MacroSpec(type: ModelMacro.self), "Persisted": MacroSpec(type: PersistedMacro.self),
]

/// Finds places in the file for nodes that were detached from it.
private struct Locator {
    let file: SourceFileSyntax
    let context: BasicMacroExpansionContext

    func offset(of position: AbsolutePosition, in node: Syntax) -> Int {
        if context.location(of: node, at: .afterLeadingTrivia, filePathMode: .fileID) != nil {
            return context.location(for: position, anchoredAt: node, fileName: "").offset
        }
        return start(of: node.root) + position.utf8Offset
    }

    func apply(_ fixIt: FixIt, to source: String) -> String {
        var utf8 = Array(source.utf8)
        let edits = fixIt.changes.map { change -> (Range<Int>, String) in
            guard case .replaceText(let range, let text, let node) = change else {
                fatalError("fix-its are edits of text")
            }
            let start = offset(of: range.lowerBound, in: node)
            return (start..<start + (range.upperBound.utf8Offset - range.lowerBound.utf8Offset), text)
        }
        for (range, text) in edits.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
            utf8.replaceSubrange(range, with: Array(text.utf8))
        }
        return String(decoding: utf8, as: UTF8.self)
    }

    /// Where the original of `copy` starts, when the context does not know it: a variable that has accessors is handed to
    /// the macro as it stands.
    private func start(of copy: Syntax) -> Int {
        var pending = [Syntax(file)]
        while let node = pending.popLast() {
            if node.kind == copy.kind, node.description == copy.description { return node.position.utf8Offset }
            pending += node.children(viewMode: .sourceAccurate).reversed()
        }
        fatalError("nothing in the file is the original of \(copy)")
    }
}

extension String {
    fileprivate mutating func utf8Insert(_ text: String, at offset: Int) {
        insert(contentsOf: text, at: utf8.index(startIndex, offsetBy: offset))
    }
}
