import Foundation

// The table as the documentation shows it: a whole run replaces what stands between two marks of a page.

extension Table {
    package static let begin = "<!-- What stands from here to the other mark was written by `make bench`. -->"
    package static let end = "<!-- Here the table of `make bench` ends. -->"

    /// The page has no place for the table.
    package struct NoMarks: Error, CustomStringConvertible {
        package var description: String { "the page has no line '\(Table.begin)', or no '\(Table.end)' behind it" }
    }

    /// The page with this table in the place of the one before.
    package func putting(into page: String, machine: Results.Machine) throws -> String {
        guard let begin = page.range(of: Self.begin), let end = page.range(of: Self.end),
            begin.upperBound <= end.lowerBound
        else { throw NoMarks() }
        return page[..<begin.upperBound] + "\n" + markdown(machine) + page[end.lowerBound...]
    }

    private func markdown(_ machine: Results.Machine) -> String {
        var lines = [
            "Measured on \(machine.date.prefix(10)): \(machine.text)", "",
            "| row | operation | unit | Banyan | peers | ratio | target | met |",
            "|---|---|---|---|---|---|---|---|",
        ]
        for row in rows {
            let peers = row.peers.sorted { $0.key < $1.key }.map { "\($0.key) \(Row.short($0.value))" }
            lines.append(
                "| \(row.id) | \(row.operation.replacingOccurrences(of: "&&", with: "and")) | \(row.unit) | "
                    + "\(Row.short(row.banyan)) | \(peers.joined(separator: ", ")) | \(Row.short(row.ratio)) | "
                    + "\(row.target) | \(row.met ? "yes" : "no") |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
