import Foundation

/// What the child says, a line each.
package enum Line: Equatable {
    case opening
    case opened(UInt64)
    /// This commit is safe: it is this writer's so many-th.
    case done(UInt64, writer: Int, count: Int)
    case checkpoint

    /// Goes out in one call, past any buffer: what was printed was printed before the process died.
    package func print() {
        let bytes = Array("\(text)\n".utf8)
        let written = bytes.withUnsafeBytes { Foundation.write(1, $0.baseAddress, $0.count) }
        // The other end is gone, and so is the reason to go on.
        if written != bytes.count { exit(1) }
    }

    private var text: String {
        switch self {
        case .opening: "opening"
        case .opened(let sequence): "opened \(sequence)"
        case .done(let sequence, let writer, let count): "done \(sequence) \(writer) \(count)"
        case .checkpoint: "checkpoint"
        }
    }

    package init?(_ text: Substring) {
        let words = text.split(separator: " ")
        let numbers = words.dropFirst().compactMap { UInt64($0) }
        switch (words.first, numbers.count) {
        case ("opening", 0): self = .opening
        case ("opened", 1): self = .opened(numbers[0])
        case ("done", 3): self = .done(numbers[0], writer: Int(numbers[1]), count: Int(numbers[2]))
        case ("checkpoint", 0): self = .checkpoint
        default: return nil
        }
    }
}
