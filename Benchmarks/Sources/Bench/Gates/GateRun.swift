import BenchKit
import CBench
import Foundation

/// Where callgrind writes what it has counted so far, and starts again.
@inline(never)
func benchMark() { bench_barrier() }

/// What the counted process does: each operation a number of times, and three times as often, with a mark around each. The
/// difference of the two is free of what a run costs by itself.
func runGatedOperations() throws {
    for operation in try GatedOperation.all() {
        // What happens once only, such as the first look at a model.
        try operation.run(operation.times)
        for times in [operation.times, 3 * operation.times] {
            benchMark()
            try operation.run(times)
            benchMark()
        }
    }
}

/// Runs the operations under callgrind and reads its files.
struct GateRun {
    let directory: String

    func counts() throws -> [String: OperationCounts] {
        let out = "\(directory)/callgrind.out"
        try Child.run(
            "/usr/bin/env",
            [
                "SWIFT_DETERMINISTIC_HASHING=1", "valgrind", "--tool=callgrind", "--callgrind-out-file=\(out)",
                "--dump-before=*benchMark*", "--quiet", Child.program, "--child", "gates", "all", "1",
            ])
        // The file of each part ends with its number; the parts are what ran before each mark, so every second one is a run.
        var result: [String: OperationCounts] = [:]
        let operations = try GatedOperation.all()
        for (i, operation) in operations.enumerated() {
            let short = try CallgrindPart(contentsOf: "\(out).\(4 * i + 2)")
            let long = try CallgrindPart(contentsOf: "\(out).\(4 * i + 4)")
            let difference = Double(2 * operation.times)
            result[operation.id] = OperationCounts(
                instructions: (long.instructions - short.instructions) / difference,
                allocations: (long.allocations - short.allocations) / difference)
        }
        return result
    }
}
