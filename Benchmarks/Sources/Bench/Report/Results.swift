import Foundation

/// What `results.json` holds: where and when it was measured, and the rows.
struct Results: Codable {
    struct Machine: Codable {
        var processor: String
        var cores: Int
        var date: String
        /// Persons and dogs together.
        var objects: Int
        /// What the machine can do at most, measured in the same run.
        var limits: [String: Double]
    }

    var machine: Machine
    var rows: [Row]

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path))
    }
}

extension Results.Machine {
    init(objects: Int, limits: [String: Double]) throws {
        let info = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
        let model = info.split(separator: "\n").first { $0.hasPrefix("model name") }
        self.init(
            processor: model?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? "unknown",
            cores: ProcessInfo.processInfo.activeProcessorCount, date: Date().ISO8601Format(), objects: objects,
            limits: limits)
    }

    /// One line.
    var text: String {
        let limits = limits.sorted { $0.key < $1.key }.map { "\($0.key): \(Row.short($0.value))" }
        return "\(processor), \(cores) cores, \(Row.short(Double(objects))) objects. "
            + "Its limits: \(limits.joined(separator: "; "))"
    }
}
