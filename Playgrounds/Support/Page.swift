// What a page prints: headings, facts with aligned values, small tables. On standard output, line by line.

import Foundation

public enum Page {
    /// A heading with an empty line before it.
    public static func heading(_ text: String) { write("\n\(strong(text))\n") }

    /// A name and what there is to say about it.
    public static func fact(_ name: String, _ value: String) { write("  \(padded(name, 22))\(value)\n") }

    public static func line(_ text: String = "") { write(text.isEmpty ? "\n" : "  \(text)\n") }

    /// Rows in columns; numbers, which have no letters, stand to the right.
    public static func table(_ rows: [[String]]) {
        guard let width = rows.map(\.count).max() else { return }
        let columns = (0..<width).map { i in rows.compactMap { $0.indices.contains(i) ? $0[i] : nil } }
        let widths = columns.map { $0.map(\.count).max() ?? 0 }
        let isNumber = columns.map { $0.allSatisfy { !$0.contains(where: \.isLetter) } }
        for row in rows {
            let cells = row.enumerated().map { i, text in
                let space = String(repeating: " ", count: widths[i] - text.count)
                return isNumber[i] ? space + text : text + space
            }
            var text = cells.joined(separator: "  ")
            while text.last == " " { text.removeLast() }
            line(text)
        }
    }

    /// Lines come out when they are printed, also where the output is a file or a pipe.
    private static func write(_ text: String) {
        print(text, terminator: "")
        fflush(nil)
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    private static func strong(_ text: String) -> String { Terminal.isOutput ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}

enum Terminal {
    static let isOutput = isatty(STDOUT_FILENO) == 1
    static let isErrors = isatty(STDERR_FILENO) == 1
}
