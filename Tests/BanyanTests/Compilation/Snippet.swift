import Foundation
import Testing

/// A piece of code that the compiler is to take, or to refuse with the errors that its comments tell:
///
/// ```
/// // expect: part of an error, wherever it is reported
/// // expect inside an expansion: part of an error that is reported in code that a macro wrote
/// // flags: -default-isolation MainActor
/// let x = oops  // ✗ part of the one error on this line
/// let y: Oops  // ✗✗ part of both errors on this line
/// ```
///
/// Each expectation has to be met, and each error expected; one that stands in code that a macro wrote counts only where it says
/// so, for those who write models cannot read it.
struct Snippet: Sendable {
    let file: URL
    /// Parts of errors that are reported anywhere in the text.
    private(set) var anywhere: [String] = []
    /// Parts of errors in code that a macro wrote.
    private(set) var insideExpansions: [String] = []
    /// Parts of the errors of each of these lines, and how many there are.
    private(set) var byLine: [Int: (part: String, count: Int)] = [:]
    /// What else the compiler is told.
    private(set) var flags: [String] = []

    init(_ file: URL) throws {
        self.file = file
        let lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if let text = line.rest(after: "// expect: ") {
                anywhere.append(text)
            } else if let text = line.rest(after: "// expect inside an expansion: ") {
                insideExpansions.append(text)
            } else if let text = line.rest(after: "// flags: ") {
                flags += text.split(separator: " ").map(String.init)
            } else if let mark = line.range(of: "  // ✗ ") {
                byLine[index + 1] = (String(line[mark.upperBound...]), 1)
            } else if let mark = line.range(of: "  // ✗✗ ") {
                byLine[index + 1] = (String(line[mark.upperBound...]), 2)
            }
        }
    }

    /// Whether it says what is wrong with it.
    var expectsErrors: Bool { !(anywhere.isEmpty && insideExpansions.isEmpty && byLine.isEmpty) }

    /// All below a folder beside the one of this file, in order.
    static func all(in folder: String) throws -> [Snippet] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let folder = tests.appending(path: folder)
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return try (files?.compactMap { $0 as? URL } ?? [])
            .filter { $0.pathExtension == "swift" }
            .sorted { $0.path < $1.path }
            .map(Snippet.init)
    }
}

extension Snippet: CustomTestStringConvertible {
    var testDescription: String { file.pathComponents.suffix(2).joined(separator: "/") }
}

extension Substring {
    fileprivate func rest(after prefix: String) -> String? {
        hasPrefix(prefix) ? dropFirst(prefix.count).trimmingCharacters(in: .whitespaces) : nil
    }
}

extension Snippet {
    /// What the compiler said that it should not have said, and what it should have and did not.
    func complaints(about report: CompilerReport) -> [String] {
        var complaints = report.isSuccess ? ["It compiles."] : []
        var unexpected = report.errors
        for part in anywhere {
            let matches = unexpected.count { !$0.isInExpansion && $0.message.contains(part) }
            if matches == 0 { complaints.append("No error says '\(part)'.") }
            unexpected.removeAll { !$0.isInExpansion && $0.message.contains(part) }
        }
        for part in insideExpansions {
            let matches = unexpected.count { $0.isInExpansion && $0.message.contains(part) }
            if matches == 0 { complaints.append("No error inside an expansion says '\(part)'.") }
            unexpected.removeAll { $0.isInExpansion && $0.message.contains(part) }
        }
        for (line, (part, count)) in byLine.sorted(by: { $0.key < $1.key }) {
            let matches = unexpected.count { $0.isHere(line) && $0.message.contains(part) }
            if matches != count { complaints.append("\(matches) errors on line \(line) say '\(part)'.") }
            unexpected.removeAll { $0.isHere(line) && $0.message.contains(part) }
        }
        return complaints + unexpected.map { "Not expected: \($0)" }
    }
}
