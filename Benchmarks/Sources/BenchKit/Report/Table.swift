/// Prints rows as one table.
package struct Table {
    package let rows: [Row]

    package init(rows: [Row]) { self.rows = rows }

    package func text() -> String {
        var lines = [["row", "operation", "unit", "Banyan", "peers (Banyan is ahead by)", "ratio", "target", "met"]]
        for row in rows {
            let peers = row.peers.sorted { $0.key < $1.key }.map { name, value in
                "\(name) \(Row.short(value)) (\(Row.short(row.ahead[name] ?? .nan))×)"
            }
            lines.append([
                row.id, row.operation, row.unit, Row.short(row.banyan), peers.joined(separator: ", "),
                Row.short(row.ratio), row.target, row.met ? "yes" : "NO",
            ])
        }
        return Self.aligned(lines)
    }

    /// Cells under each other, two spaces apart.
    package static func aligned(_ lines: [[String]]) -> String {
        let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            zip(line, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
                .joined(separator: "  ").trimmingTrailingSpaces
        }.joined(separator: "\n")
    }
}

extension String {
    fileprivate var trimmingTrailingSpaces: String {
        var text = Substring(self)
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
