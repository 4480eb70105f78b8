import Foundation

/// One line of the table: an operation, what Banyan takes for it, and what a peer takes in the same run.
struct Row: Codable {
    var id: String
    var operation: String
    var unit: String
    var banyan: Double
    var peers: [String: Double]
    /// Banyan's figure over the peer's that the target names.
    var ratio: Double
    var target: String
    var met: Bool
}

struct Report: Codable {
    var objects: Int
    var rows: [Row]

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: URL(fileURLWithPath: path))
    }

    func print() {
        func line(_ cells: [String]) {
            let widths = [4, 52, 14, 18, 8, 12, 4]
            let text = zip(cells, widths).map { $0.padding(toLength: max($1, $0.count), withPad: " ", startingAt: 0) }
            Swift.print(text.joined(separator: " "))
        }
        line(["row", "operation", "Banyan", "peer", "ratio", "target", "met"])
        for row in rows {
            let peers = row.peers.sorted { $0.key < $1.key }.map { "\($0.key) \(number($0.value))" }
            line([
                row.id, "\(row.operation) (\(row.unit))", number(row.banyan), peers.joined(separator: ", "),
                String(format: "%.2f", row.ratio), row.target, row.met ? "yes" : "no",
            ])
        }
    }

    private func number(_ value: Double) -> String { String(format: value < 100 ? "%.1f" : "%.0f", value) }
}

/// The median time of several runs of `body`, in seconds.
func median(of runs: Int, _ body: () throws -> Void) rethrows -> Double {
    var times: [Double] = []
    for _ in 0..<runs {
        let time = try ContinuousClock().measure(body)
        times.append(Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18)
    }
    return times.sorted()[runs / 2]
}
