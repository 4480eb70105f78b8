import BanyanCore
import BanyanPersistence
import CrashLedger
import Foundation
import Synchronization

/// A store as the actor above it would run one, on threads: writers make versions one at a time, wait for the disk
/// together, and while they do the next ones are made.
final class WrittenStore: Sendable {
    private let files: StoreFiles
    private struct State: @unchecked Sendable {
        // Sound: only ever used under the lock it stands in.
        var workspace: Workspace
    }
    private let state: Mutex<State>
    /// The commit after which the next checkpoint is to be taken.
    private let checkpointDue = Atomic<UInt64>(.max)
    private let checkpointIsDue = DispatchSemaphore(value: 0)

    init(directory: String, durability: Durability) throws {
        let schema = SchemaCodec.encode(Ledger.schema)
        files = try StoreFiles.open(
            at: directory, on: KernelDisk(), options: Self.options(durability), mode: .readWrite(createIfMissing: true),
            schema: schema)
        let version = try GraphRecovery.recover(files, layout: Self.layout).version
        let workspace = Workspace(version)
        state = Mutex(State(workspace: workspace))
        if version.sequence == 0 {
            let sequence = try state.withLock { state in
                try commit(state.workspace) { transaction throws(BanyanError) in try Ledger.found(transaction) }
            }
            try files.flush(through: sequence)
        }
    }

    static func options(_ durability: Durability) -> StoreFiles.Options {
        var options = StoreFiles.Options()
        options.durability = durability
        // Small segments and few snapshots: files come and go all the time.
        options.segmentSize = 64 << 10
        options.keepSnapshots = 2
        options.freeSpaceReserve = 0
        return options
    }

    static func layout(_ stored: Schema?) throws(BanyanError) -> StoreLayout {
        try StoreLayout(stored ?? Ledger.schema)
    }

    var sequence: UInt64 { state.withLock { $0.workspace.version.sequence } }

    private func commit(
        _ workspace: Workspace, _ body: (Transaction) throws(BanyanError) -> Void
    ) throws(BanyanError) -> UInt64 {
        let before = workspace.version
        let sequence = before.sequence + 1
        try files.checkWritable()
        try body(workspace.begin())
        let time = Int64(Date().timeIntervalSince1970 * 1_000_000) * 1000
        guard let version = workspace.commit(sequence: sequence, time: time) else { return before.sequence }
        for changes in before.changeSets(to: version) {
            files.append(ChangeSetCodec.encode(changes), sequence: sequence, time: time)
        }
        return sequence
    }

    /// Writes transfers for as long as the process lives.
    func write(as writer: Int, seed: UInt64) {
        var random = SplitMix(seed: seed)
        do throws(BanyanError) {
            while true {
                var count = 0
                let sequence = try state.withLock { state throws(BanyanError) in
                    let next = state.workspace.version.sequence + 1
                    return try commit(state.workspace) { transaction throws(BanyanError) in
                        count = try Ledger.transfer(transaction, next, writer: writer, &random)
                    }
                }
                try files.flush(through: sequence)
                Line.done(sequence, writer: writer, count: count).print()
                wakeCheckpoint(sequence)
            }
        } catch {
            fatalError("writer \(writer): \(error)")
        }
    }

    /// Takes checkpoints, some at once after another, some after many commits, for as long as the process lives.
    func checkpoint(seed: UInt64) {
        var random = SplitMix(seed: ~seed)
        do {
            while true {
                checkpointDue.store(sequence + UInt64.random(in: 0...80, using: &random), ordering: .relaxed)
                checkpointIsDue.wait()
                let version = state.withLock { $0.workspace.version }
                // What a snapshot is made of must be as safe as the snapshot will be.
                try files.flush(through: version.sequence)
                Line.checkpoint.print()
                try files.checkpoint(
                    sequence: version.sequence, time: version.time, schema: SchemaCodec.encode(Ledger.schema)
                ) { writer in
                    try SnapshotCodec.write(version: version, to: writer)
                }
            }
        } catch {
            fatalError("checkpoint: \(error)")
        }
    }

    /// Called after each commit that is safe.
    private func wakeCheckpoint(_ sequence: UInt64) {
        let due = checkpointDue.load(ordering: .relaxed)
        guard sequence >= due else { return }
        let (wasDue, _) = checkpointDue.compareExchange(expected: due, desired: .max, ordering: .relaxed)
        if wasDue { checkpointIsDue.signal() }
    }
}
