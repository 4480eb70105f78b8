import Foundation

/// What the compiler said of one file.
struct CompilerReport: Sendable {
    struct Message: Sendable, CustomStringConvertible {
        var message: String
        /// The line of the file that it is about, or whose expansion it is about; nil where that is not known.
        var line: Int?
        /// Whether it stands in code that a macro wrote.
        var isInExpansion: Bool

        var description: String {
            "line \(line.map(String.init) ?? "?")\(isInExpansion ? ", in an expansion" : ""): \(message)"
        }

        /// Whether it stands on a line of the file itself.
        func isHere(_ line: Int) -> Bool { !isInExpansion && self.line == line }
    }

    private(set) var errors: [Message] = []
    private(set) var warnings: [Message] = []
    let isSuccess: Bool

    /// - Parameter text: What it wrote, in LLVM's style: `file:line:column: error: message`, and after one inside an expansion a
    ///   note that says where that is.
    init(_ text: String, file: URL, isSuccess: Bool) {
        self.isSuccess = isSuccess
        var isOpen = false
        for line in text.split(separator: "\n") {
            let here = Self.line(line, of: file)
            if let range = line.range(of: ": error: ") {
                errors.append(Self.message(line[range.upperBound...], here, line))
                isOpen = here == nil
            } else if let range = line.range(of: ": warning: ") {
                warnings.append(Self.message(line[range.upperBound...], here, line))
                isOpen = false
            } else if isOpen, let here, line.contains(": note: in expansion of macro") {
                errors[errors.count - 1].line = here
                isOpen = false
            }
        }
    }

    private static func message(_ text: Substring, _ here: Int?, _ line: Substring) -> Message {
        Message(message: String(text), line: here, isInExpansion: here == nil && line.contains("@__swiftmacro"))
    }

    /// The number in `file:12:3: error: …`, where that is the file.
    private static func line(_ text: Substring, of file: URL) -> Int? {
        guard text.hasPrefix(file.path + ":") else { return nil }
        return Int(text.dropFirst(file.path.count + 1).prefix { $0.isNumber })
    }
}
