import SwiftSyntax
import SwiftSyntaxMacros

// What a macro returns is written down as text and read again by the compiler. So expansions are made as text: reading and
// formatting it here as well would take most of the time that an expansion takes, and a model has one for each property.

extension DeclSyntax {
    init(text: String) { self.init(MissingDeclSyntax(placeholder: .identifier(text))) }
}

extension AccessorDeclSyntax {
    init(text: String) { self.init(accessorSpecifier: .identifier(text)) }
}

/// A place in the text of the class, for errors in code that is written on its behalf: they are reported there.
struct SourcePlace {
    private let file: String
    private let line: String
    private let column: Int

    /// Nil where the place is not known.
    init?(_ node: some SyntaxProtocol, in context: some MacroExpansionContext) {
        guard let location = context.location(of: node, at: .afterLeadingTrivia, filePathMode: .filePath) else {
            return nil
        }
        file = location.file.description
        line = location.line.description
        column = Int(location.column.description) ?? 1
    }

    /// A line of code whose errors are reported here. It begins and ends a line.
    func code(_ text: String) -> String {
        let indent = String(repeating: " ", count: max(column - 1, 0))
        return "#sourceLocation(file: \(file), line: \(line))\n\(indent)\(text)\n#sourceLocation()\n"
    }
}

extension SourcePlace? {
    func code(_ text: String) -> String { self?.code(text) ?? "    \(text)\n" }
}
