import Foundation

/// One part of what callgrind counted.
package struct CallgrindPart {
    package private(set) var instructions = 0.0
    /// Calls of the functions that hand out memory.
    package private(set) var allocations = 0.0

    private static let allocators: Set<String> = [
        "malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "mmap",
    ]

    package init(contentsOf path: String) throws {
        self.init(try String(contentsOfFile: path, encoding: .utf8))
    }

    /// Names are written in full once, `cfn=(12) malloc`, and by number from then on.
    package init(_ text: String) {
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
