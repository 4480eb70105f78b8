import Foundation

/// What `results.json` holds: where and when it was measured, and the rows.
package struct Results: Codable {
    package struct Machine: Codable {
        package var processor: String
        package var cores: Int
        package var date: String
        /// Persons and dogs together.
        package var objects: Int
        /// What the machine can do at most, measured in the same run.
        package var limits: [String: Double]
    }

    package var machine: Machine
    package var rows: [Row]

    package init(machine: Machine, rows: [Row]) {
        (self.machine, self.rows) = (machine, rows)
    }

    package func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try encoder.encode(self) + Data("\n".utf8)
    }

    package func write(to path: String) throws { try encoded().write(to: URL(fileURLWithPath: path)) }
}

extension Results.Machine {
    package init(objects: Int, limits: [String: Double]) throws {
        let info = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
        let model = info.split(separator: "\n").first { $0.hasPrefix("model name") }
        self.init(
            processor: model?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? "unknown",
            cores: ProcessInfo.processInfo.activeProcessorCount, date: Date().ISO8601Format(), objects: objects,
            limits: limits)
    }

    /// One line.
    package var text: String {
        let limits = limits.sorted { $0.key < $1.key }.map { "\($0.key): \(Row.short($0.value))" }
        return "\(processor), \(cores) cores, \(Row.short(Double(objects))) objects. "
            + "Its limits: \(limits.joined(separator: "; "))"
    }
}
