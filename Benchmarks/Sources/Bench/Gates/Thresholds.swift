import Foundation

/// What the operations may cost, kept in the repository.
struct Thresholds: Codable {
    /// How much more than it cost when the file was written an operation may cost, as a share.
    var headroom: Double
    var operations: [String: OperationCounts]

    /// What is over its threshold, or has none, in words.
    func violations(_ counts: [String: OperationCounts]) -> [String] {
        var found: [String] = []
        for (id, count) in counts.sorted(by: { $0.key < $1.key }) {
            guard let limit = operations[id] else {
                found.append("\(id): has no threshold")
                continue
            }
            func check(_ what: String, _ value: Double, _ limit: Double, slack: Double) {
                let most = limit * (1 + headroom) + slack
                guard value > most else { return }
                let over = limit > 0 ? " (\(Row.short((value / limit - 1) * 100)) % over)" : ""
                found.append("\(id): \(Row.short(value)) \(what), threshold \(Row.short(limit))\(over)")
            }
            check("instructions", count.instructions, limit.instructions, slack: 1)
            check("allocations", count.allocations, limit.allocations, slack: 0.02)
        }
        for id in operations.keys.sorted() where counts[id] == nil { found.append("\(id): is not measured any more") }
        return found
    }

    func text(_ counts: [String: OperationCounts]) -> String {
        var lines = [["operation", "instructions", "threshold", "allocations", "threshold"]]
        for (id, count) in counts.sorted(by: { $0.key < $1.key }) {
            let limit = operations[id]
            lines.append([
                id, Row.short(count.instructions), limit.map { Row.short($0.instructions) } ?? "-",
                Row.short(count.allocations), limit.map { Row.short($0.allocations) } ?? "-",
            ])
        }
        return Table.aligned(lines)
    }

    static func read(_ path: String) throws -> Thresholds {
        guard FileManager.default.fileExists(atPath: path) else { return Thresholds(headroom: 0.05, operations: [:]) }
        return try JSONDecoder().decode(Thresholds.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path))
    }
}

/// `--gates` and `--update-gates`.
enum Gates {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    static func run(_ options: Options, directory: String) throws {
        let path = "\(options.directory)/thresholds.json"
        var thresholds = try Thresholds.read(path)
        let counts = try GateRun(directory: directory).counts()
        print(thresholds.text(counts))
        if options.gates == .update {
            thresholds.operations = counts.mapValues { count in
                OperationCounts(
                    instructions: (count.instructions * 10).rounded() / 10,
                    allocations: (count.allocations * 100).rounded() / 100)
            }
            return try thresholds.write(to: path)
        }
        let violations = thresholds.violations(counts)
        guard violations.isEmpty else {
            throw Failure(
                description: """
                    Over the thresholds of Benchmarks/thresholds.json:
                      \(violations.joined(separator: "\n  "))
                    If that is what it has to cost, run `make bench-thresholds` and commit the file with the reason.
                    """)
        }
        print("All within \(Row.short(thresholds.headroom * 100)) % of their thresholds.")
    }
}
