import BanyanCore
import BanyanPersistence
import Foundation
import Synchronization

/// A process made to be killed: opens a store, then writes transfers from several threads and takes checkpoints, and
/// prints a line for whatever it was told is safe.
///
///     CrashWriter DIRECTORY SEED everyCommit|interval|onClose
@main
struct CrashWriter {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let seed = UInt64(arguments[2]), let durability = Durability(named: arguments[3])
        else {
            throw BanyanError(.invalidValue, "usage: CrashWriter DIRECTORY SEED everyCommit|interval|onClose")
        }
        Line.opening.print()
        let store = try WrittenStore(directory: arguments[1], durability: durability)
        Line.opened(store.sequence).print()
        for writer in 0..<Ledger.writers {
            Thread.detachNewThread { store.write(as: writer, seed: seed &+ UInt64(writer)) }
        }
        store.checkpoint(seed: seed)
    }
}

extension Durability {
    package init?(named name: String) {
        switch name {
        case "everyCommit": self = .everyCommit
        case "interval": self = .interval(.milliseconds(5))
        case "onClose": self = .onClose
        default: return nil
        }
    }
}

/// What the child says, a line each.
package enum Line: Equatable {
    case opening
    case opened(UInt64)
    /// This commit is safe: it is this writer's so many-th.
    case done(UInt64, writer: Int, count: Int)
    case checkpoint

    /// Goes out in one call, past any buffer: what was printed was printed before the process died.
    func print() {
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
