import BanyanCore
import BanyanPersistence
import BanyanTesting
import Dispatch
import Synchronization
import Testing

/// Many committers, checkpoints in between, and the order in which it all must come back.
@Suite struct ConcurrencyTests {
    /// The caller's writer lock: sequences are given out and appended in order.
    final class Writer: Sendable {
        let files: StoreFiles
        private let last: Mutex<UInt64>

        init(_ files: StoreFiles, last: UInt64 = 0) throws {
            try files.checkWritable()
            self.files = files
            self.last = Mutex(last)
        }

        func append() -> UInt64 {
            last.withLock { last in
                last += 1
                files.append(Ledger.payload(last), sequence: last, time: Int64(last) * 1_000)
                return last
            }
        }

        var current: UInt64 { last.withLock { $0 } }

        func commit() throws {
            let sequence = append()
            try files.flush(through: sequence)
            #expect(files.durableSequence >= sequence)
        }

        func commit() async throws {
            let sequence = append()
            try await files.flush(through: sequence)
            #expect(files.durableSequence >= sequence)
        }
    }

    static func options(_ segmentSize: UInt64) -> StoreFiles.Options {
        var options = StoreFiles.Options()
        options.segmentSize = segmentSize
        return options
    }

    @Test(arguments: [1 << 26, 20_000])
    func tasksShareFlushesWhileCheckpointsGoOn(segmentSize: UInt64) async throws {
        let disk = SimulatedDisk()
        let options = Self.options(segmentSize)
        let writer = try Writer(Recovered(on: disk, options: options).files)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask { for _ in 0..<25 { try await writer.commit() } }
            }
            group.addTask {
                for _ in 0..<4 {
                    let sequence = writer.current
                    if sequence > 0 { try Ledger().checkpoint(writer.files, at: sequence) }
                    try await writer.commit()
                }
            }
            try await group.waitForAll()
        }
        let counters = writer.files.counters
        #expect(counters.commits == 1004 && counters.queueDepth == 0)
        #expect(counters.syncs < 1004, "no flush was shared")
        #expect(counters.syncP99 >= counters.syncP50 && counters.syncMaximum >= counters.syncP99)
        try writer.files.close()
        #expect(try Recovered(on: disk, options: options).report.lastSequence == 1004)
    }

    @Test func threadsAndTasksCommitTogether() async throws {
        try await TemporaryDirectory.with { path in
            let writer = try Writer(Recovered(at: path + "/store", on: KernelDisk()).files)
            let finished = DispatchGroup()
            for _ in 0..<8 {
                finished.enter()
                DispatchQueue(label: "committer").async {
                    do { for _ in 0..<20 { try writer.commit() } } catch { Issue.record(error) }
                    finished.leave()
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { for _ in 0..<20 { try await writer.commit() } } }
                try await group.waitForAll()
            }
            await withCheckedContinuation { continuation in
                finished.notify(queue: .global()) { continuation.resume() }
            }
            #expect(writer.files.durableSequence == 320)
            try writer.files.close()
            #expect(try Recovered(at: path + "/store", on: KernelDisk()).report.lastSequence == 320)
        }
    }

    @Test func aFailureReachesEveryoneWhoWaits() async throws {
        let disk = SimulatedDisk()
        let writer = try Writer(Recovered(on: disk).files)
        try await writer.commit()
        // Each task commits four times, so there are four batches at least, of two operations each.
        disk.inject(.init(at: disk.operations + 5, .error(5), lasting: true))
        let outcomes = await withTaskGroup(of: [(UInt64, Bool)].self, returning: [(UInt64, Bool)].self) { group in
            for _ in 0..<50 {
                group.addTask {
                    var mine: [(UInt64, Bool)] = []
                    for _ in 0..<4 {
                        let sequence = writer.append()
                        do throws(BanyanError) {
                            try await writer.files.flush(through: sequence)
                            mine.append((sequence, true))
                        } catch {
                            #expect(error.code == .poisoned)
                            mine.append((sequence, false))
                        }
                    }
                    return mine
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        let promised = outcomes.filter(\.1).map(\.0).max() ?? 1
        #expect(outcomes.contains { !$0.1 })
        #expect(outcomes.allSatisfy { $0.1 == ($0.0 <= promised) }, "what was acknowledged is no prefix")
        disk.inject(nil)
        let found = try Recovered(on: disk.afterPowerCut(seed: 3))
        #expect(found.report.lastSequence >= promised)
    }

    @Test func closingWhileOthersCommitTellsEachWhatBecameOfIt() async throws {
        let disk = SimulatedDisk()
        let writer = try Writer(Recovered(on: disk).files)
        let promised = await withTaskGroup(of: UInt64.self) { group in
            for index in 0..<100 {
                group.addTask {
                    if index == 50 {
                        do { try writer.files.close() } catch { Issue.record(error) }
                        return 0
                    }
                    let sequence = writer.append()
                    do throws(BanyanError) {
                        try await writer.files.flush(through: sequence)
                        return sequence
                    } catch {
                        #expect(error.code == .closed)
                        return 0
                    }
                }
            }
            return await group.reduce(0) { max($0, $1) }
        }
        let found = try Recovered(on: disk)
        #expect(found.report.lastSequence >= promised)
        #expect(throws: BanyanError.self) { try writer.files.checkWritable() }
        try writer.files.close()
    }

    @Test func onlyOneCheckpointAtATime() throws {
        let files = try Recovered(on: SimulatedDisk()).files
        let ledger = Ledger()
        try ledger.commit(3, to: files)
        try files.checkpoint(sequence: 3, time: 3000, schema: Ledger.schema) { writer in
            let error = #expect(throws: BanyanError.self) { try ledger.checkpoint(files) }
            #expect(error?.code == .inUse)
            // Commits go on while it is written.
            try ledger.commit(2, to: files)
            for frame in Ledger.frames(3) { try writer.append(kind: 1, table: 0, rows: 1, payload: frame) }
        }
        #expect(throws: BanyanError.self) { try ledger.checkpoint(files, at: 99) }
        #expect(throws: BanyanError.self) { try ledger.checkpoint(files, at: 2) }
        #expect(files.poisoned == nil)
    }

    @Test(.timeLimit(.minutes(1)))
    func closingWaitsForTheCheckpointUnderWay() throws {
        let disk = SimulatedDisk()
        let files = try Recovered(on: disk).files
        let ledger = Ledger()
        try ledger.commit(3, to: files)
        let closed = DispatchGroup()
        try files.checkpoint(sequence: 3, time: 3000, schema: Ledger.schema) { writer in
            DispatchQueue(label: "closer").async(group: closed) {
                do { try files.close() } catch { Issue.record(error) }
            }
            // Until the closing has begun: from then on nothing new is taken.
            while (try? files.checkWritable()) != nil {}
            for frame in Ledger.frames(3) { try writer.append(kind: 1, table: 0, rows: 1, payload: frame) }
        }
        closed.wait()
        let found = try Recovered(on: disk)
        #expect(found.report.snapshotSequence == 3 && found.report.lastSequence == 3)
    }

    @Test func flushingWhatWasNeverAppendedIsRefused() throws {
        let files = try Recovered(on: SimulatedDisk()).files
        let error = #expect(throws: BanyanError.self) { try files.flush(through: 1) }
        #expect(error?.code == .invalidValue)
        try files.flush(through: 0)
    }
}
