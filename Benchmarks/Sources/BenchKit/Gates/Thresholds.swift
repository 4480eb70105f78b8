import Foundation

/// What one operation costs, by counts that do not depend on how busy the machine is.
package struct OperationCounts: Codable {
    package var instructions: Double
    package var allocations: Double

    package init(instructions: Double, allocations: Double) {
        (self.instructions, self.allocations) = (instructions, allocations)
    }
}

/// What the operations may cost, kept in the repository.
package struct Thresholds: Codable {
    /// How much more than it cost when the file was written an operation may cost, as a share.
    package var headroom: Double
    package var operations: [String: OperationCounts]

    package init(headroom: Double, operations: [String: OperationCounts]) {
        (self.headroom, self.operations) = (headroom, operations)
    }

    /// What is over its threshold, or has none, in words.
    package func violations(_ counts: [String: OperationCounts]) -> [String] {
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

    package func text(_ counts: [String: OperationCounts]) -> String {
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

    package static func read(_ path: String) throws -> Thresholds {
        guard FileManager.default.fileExists(atPath: path) else { return Thresholds(headroom: 0.05, operations: [:]) }
        return try JSONDecoder().decode(Thresholds.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }

    package func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path))
    }
}
