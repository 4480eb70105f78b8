import Foundation

/// The rows whose cost must not grow with the store, measured at several sizes.
package struct Growth: Codable {
    package struct Line: Codable {
        package var id: String
        package var operation: String
        /// Nanoseconds per operation, for each size; of Banyan and of each peer that took part.
        package var nanoseconds: [String: [Double]]
    }

    /// Persons; there are as many dogs.
    package var sizes: [Int]
    package var lines: [Line]

    package init(sizes: [Int]) {
        self.sizes = sizes
        lines = []
    }

    /// A line for each row: nanoseconds at each size, and how many times more at the last size than at the first.
    package func text() -> String {
        var lines = [
            ["row", "operation, ns"] + sizes.map { Row.short(Double($0)) } + ["growth", "of plain", "of GRDB"]
        ]
        for line in self.lines {
            func growth(_ name: String) -> String {
                guard let figures = line.nanoseconds[name], let first = figures.first, let last = figures.last else {
                    return ""
                }
                return Row.short(last / first) + "×"
            }
            lines.append(
                [line.id, line.operation] + (line.nanoseconds[Peer.banyan] ?? []).map(Row.short)
                    + [growth(Peer.banyan), growth(Peer.plain), growth(Peer.grdb)])
        }
        return Table.aligned(lines)
    }

    package func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path))
    }

    package mutating func add(_ row: Row) {
        guard let unit = Unit(rawValue: row.unit) else { return }
        let index =
            lines.firstIndex { $0.id == row.id }
            ?? {
                lines.append(Line(id: row.id, operation: row.operation, nanoseconds: [:]))
                return lines.count - 1
            }()
        let figures = [Peer.banyan: row.banyan, Peer.plain: row.peers[Peer.plain], Peer.grdb: row.peers[Peer.grdb]]
        for case (let name, let figure?) in figures {
            lines[index].nanoseconds[name, default: []].append(unit.seconds(figure) * 1e9)
        }
    }

    /// In the order of the table.
    package mutating func sort() { lines.sort { Row.place($0.id).lexicographicallyPrecedes(Row.place($1.id)) } }
}
