/// Rows in aligned columns. Widths come from the heading and the first rows, so that the first results show at once however
/// many follow; a later cell that is wider just stands out.
final class TextTable {
    struct Column {
        var title: String
        var alignRight = false
    }

    private static let sampleSize = 200
    private static let gap = "  "

    private let columns: [Column]
    private let output: StandardOutput
    /// Cells are cut to this on a terminal.
    private let widest: Int?
    private var sample: [[String]] = []
    private var widths: [Int]?

    init(_ columns: [Column], to output: StandardOutput) {
        self.columns = columns.map { Column(title: Shown.plain($0.title), alignRight: $0.alignRight) }
        self.output = output
        // On a terminal the last column takes what is left; the others must leave it something.
        widest = output.width.map { max(12, $0 * 2 / 3) }
    }

    func add(_ row: [String]) throws {
        // Made visible first, so that widths are those of what is shown.
        let row = row.map(Shown.plain)
        guard widths == nil else { return try write(row) }
        sample.append(row)
        if sample.count >= Self.sampleSize { try finish() }
    }

    /// Writes what is still held back. More rows may follow.
    func finish() throws {
        guard widths == nil else { return }
        widths = columns.indices.map { i in
            let cells = sample.reduce(columns[i].title.count) { max($0, $1[i].count) }
            return min(cells, widest ?? .max)
        }
        try write(columns.map(\.title))
        for row in sample { try write(row) }
        sample = []
    }

    private func write(_ row: [String]) throws {
        guard let widths else { return }
        var text = ""
        for (i, cell) in row.enumerated() {
            let isLast = i == row.count - 1
            let shown = widest.map { cell.truncated(to: $0) } ?? cell
            if isLast, !columns[i].alignRight {
                text += shown
            } else {
                text += shown.padded(to: widths[i], alignRight: columns[i].alignRight)
            }
            if !isLast { text += Self.gap }
        }
        if let width = output.width { text = text.truncated(to: width) }
        try output.line(text)
    }
}
