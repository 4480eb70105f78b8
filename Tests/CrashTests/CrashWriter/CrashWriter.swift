import BanyanCore
import BanyanPersistence
import CrashLedger
import Foundation

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
