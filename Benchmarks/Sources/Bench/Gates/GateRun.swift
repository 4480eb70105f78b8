import CBench
import Foundation

/// What one operation costs, by counts that do not depend on how busy the machine is.
struct OperationCounts: Codable {
    var instructions: Double
    var allocations: Double
}

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
            let short = try CallgrindPart("\(out).\(4 * i + 2)")
            let long = try CallgrindPart("\(out).\(4 * i + 4)")
            let difference = Double(2 * operation.times)
            result[operation.id] = OperationCounts(
                instructions: (long.instructions - short.instructions) / difference,
                allocations: (long.allocations - short.allocations) / difference)
        }
        return result
    }
}

/// One part of what callgrind counted.
struct CallgrindPart {
    private(set) var instructions = 0.0
    /// Calls of the functions that hand out memory.
    private(set) var allocations = 0.0

    private static let allocators: Set<String> = [
        "malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "mmap",
    ]

    /// Names are written in full once, `cfn=(12) malloc`, and by number from then on.
    init(_ path: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        var isAllocator: [Substring: Bool] = [:]
        var callsAllocator = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("fn=") || line.hasPrefix("cfn=") {
                let name = line.drop { $0 != "(" }
                guard let end = name.firstIndex(of: ")") else { continue }
                let number = name[...end]
                let full = name[end...].dropFirst().drop { $0 == " " }
                if !full.isEmpty {
                    let plain = full.prefix { $0 != "'" && $0 != "@" }
                    isAllocator[number] = Self.allocators.contains(String(plain))
                }
                if line.hasPrefix("c") { callsAllocator = isAllocator[number] ?? false }
            } else if line.hasPrefix("calls="), callsAllocator {
                allocations += Double(line.dropFirst(6).prefix { $0 != " " }) ?? 0
            } else if line.hasPrefix("summary:") || line.hasPrefix("totals:") {
                instructions = Double(line.drop { $0 != " " }.dropFirst().prefix { $0 != " " }) ?? instructions
            }
        }
    }
}
