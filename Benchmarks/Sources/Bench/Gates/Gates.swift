import BenchKit
import Foundation

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
