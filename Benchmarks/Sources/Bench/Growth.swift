import Foundation

/// The rows whose cost must not grow with the store, measured at several sizes.
struct Growth: Codable {
    struct Line: Codable {
        var id: String
        var operation: String
        /// Nanoseconds per operation, for each size; of Banyan and of each peer that took part.
        var nanoseconds: [String: [Double]]
    }

    /// Persons; there are as many dogs.
    var sizes: [Int]
    var lines: [Line]

    static let ids = [
        "2-full", "3", "4a", "4a-string", "4b", "4b-string", "5a", "5b", "10a", "10a-random", "10b", "10b-first", "11a",
        "11a-iterate", "11b", "11b-delete", "17",
    ]

    static func measure(_ options: Options, directory: String) async throws -> Growth {
        let sizes = options.isSmoke ? [500, 2_000] : [1_000, 10_000, 100_000, 1_000_000]
        let groups = RowGroup.all.filter { group in group.ids.contains { ids.contains($0) && options.wants($0) } }
        var progress = Progress(of: sizes.count * groups.count)
        var growth = Growth(sizes: sizes, lines: [])
        for size in sizes {
            var sized = options
            sized.objects = size
            let world = World(sized, directory: directory)
            for group in groups {
                progress.begin("\(size) objects: \(group.title)")
                for row in try await group.measure(world) where ids.contains(row.id) && options.wants(row.id) {
                    growth.add(row)
                }
            }
        }
        progress.end()
        growth.lines.sort { Row.place($0.id).lexicographicallyPrecedes(Row.place($1.id)) }
        return growth
    }

    private mutating func add(_ row: Row) {
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

    /// A line for each row: nanoseconds at each size, and how many times more at the last size than at the first.
    func text() -> String {
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

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path))
    }
}
