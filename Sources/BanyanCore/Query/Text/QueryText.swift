/// A query as text, and how an error points into it.
struct QueryText: Sendable {
    let string: String
    let scalars: [Unicode.Scalar]

    init(_ string: String) {
        self.string = string
        scalars = Array(string.unicodeScalars)
    }

    /// An error that names the column and shows it:
    /// ```
    /// expected a value, found '}' at column 12
    ///     age IN {1, }
    ///                ^ here.
    /// ```
    func error(at position: Int, _ message: String, remedy: String? = nil) -> BanyanError {
        let before = text(0..<position)
        // One line, cut to what fits a terminal around the place.
        let shownBefore = Self.line(before.suffix(50))
        let shownAfter = Self.line(text(position..<scalars.count).prefix(40))
        let lead = before.count > 50 ? "…" : ""
        let indent = String(repeating: " ", count: 4 + lead.count + shownBefore.count)
        return BanyanError(
            .invalidQuery,
            "\(message) at column \(before.count + 1)\n    \(lead)\(shownBefore)\(shownAfter)\n\(indent)^ here",
            remedy: remedy)
    }

    private func text(_ range: Range<Int>) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars[range])
        return text
    }

    private static func line(_ text: Substring) -> String {
        String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }
}
