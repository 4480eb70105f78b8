import BanyanCore
import BanyanPersistence
import BanyanTesting
import Dispatch
import Synchronization
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The making of a new journal segment fails for a while: no file can be opened, no name given.
@Suite(.disabled("A segment that cannot be made ends writing: see JournalEngine.outcome"))
struct RefusedSegmentTests {
    /// A step of it.
    enum Step: CaseIterable {
        case createSegment, writeHeader, renameSegment, createManifest, writeManifest, removePreviousManifest

        func strikes(_ call: ObstructedDisk.Call) -> Bool {
            switch self {
            case .createSegment: call.kind == .create && call.name.hasSuffix(".bjl.tmp")
            case .writeHeader: call.kind == .write && call.name.hasSuffix(".bjl.tmp")
            case .renameSegment: call.kind == .rename && call.name.hasSuffix(".bjl")
            case .createManifest: call.kind == .create && call.name == "MANIFEST.tmp"
            case .writeManifest: call.kind == .write && call.name == "MANIFEST.tmp"
            case .removePreviousManifest: call.kind == .remove && call.name == "MANIFEST.prev"
            }
        }
    }

    private let memory = SimulatedDisk()
    private let disk: ObstructedDisk

    init() { disk = ObstructedDisk(memory) }

    /// Three commits and a checkpoint: the next commit needs a new segment.
    private func store(_ durability: Durability) throws -> (files: StoreFiles, ledger: Ledger) {
        var options = StoreFiles.Options()
        options.durability = durability
        options.freeSpaceReserve = 0
        let files = try Recovered(on: disk, options: options).files
        let ledger = Ledger()
        try ledger.commit(3, to: files)
        try ledger.checkpoint(files)
        return (files, ledger)
    }

    private func append(_ sequence: UInt64, to files: StoreFiles) {
        files.append(Ledger.payload(sequence), sequence: sequence, time: Int64(sequence) * 1_000)
    }

    @Test(arguments: Step.allCases, [Durability.everyCommit, .interval(.seconds(1000))])
    func theCommitFailsAndLaterOnesAreTaken(step: Step, durability: Durability) throws {
        for errno in [EMFILE, ENFILE, ENOMEM, ENOSPC] {
            let (files, _) = try RefusedSegmentTests().refused(step, durability, errno)
            try files.close()
        }
    }

    private func refused(_ step: Step, _ durability: Durability, _ errno: Int32) throws -> (StoreFiles, Ledger) {
        let (files, ledger) = try store(durability)
        disk.obstruct { step.strikes($0) ? errno : nil }
        for _ in 0..<3 {
            append(4, to: files)
            append(5, to: files)
            for sequence in [UInt64(5), 4] {
                let error = #expect(throws: BanyanError.self) { try files.flush(through: sequence) }
                #expect(error?.code == (errno == ENOSPC ? .diskFull : .io))
            }
            #expect(files.poisoned == nil)
            // Until somebody says that those two have been told, nothing is taken.
            append(6, to: files)
            #expect(throws: BanyanError.self) { try files.flush(through: 6) }
            #expect(throws: BanyanError.self) { try files.checkWritable() }
            try files.checkWritable(resuming: true)
        }
        // What was acknowledged is safe all the while.
        #expect(try Recovered(on: memory.afterProcessDeath()).report.lastSequence == 3)
        disk.obstruct(nil)
        try ledger.commit(3, to: files)
        #expect(ledger.acknowledged == 6)
        try files.sync()
        #expect(try Recovered(on: memory.afterPowerCut(seed: 1)).report.lastSequence == 6)
        return (files, ledger)
    }

    @Test func tasksThatWaitAreToldToo() async throws {
        let (files, ledger) = try store(.everyCommit)
        disk.obstruct { Step.createSegment.strikes($0) ? EMFILE : nil }
        for sequence in UInt64(4)...20 { append(sequence, to: files) }
        await withTaskGroup(of: Void.self) { group in
            for sequence in UInt64(4)...20 {
                group.addTask {
                    let error = await #expect(throws: BanyanError.self) { try await files.flush(through: sequence) }
                    #expect(error?.code == .io)
                }
            }
        }
        disk.obstruct(nil)
        try files.checkWritable(resuming: true)
        try ledger.commit(2, to: files)
        try files.close()
        #expect(try Recovered(on: memory).report.lastSequence == 5)
    }

    @Test(arguments: Step.allCases)
    func whatNobodyWaitsForStaysQueuedAndIsWrittenLater(step: Step) throws {
        let (files, ledger) = try store(.onClose)
        disk.obstruct { step.strikes($0) ? EMFILE : nil }
        try ledger.commit(2, to: files)
        #expect(throws: BanyanError.self) { try files.sync() }
        #expect(files.poisoned == nil)
        let error = #expect(throws: BanyanError.self) { try files.checkWritable() }
        #expect(error?.code == .io)
        #expect(throws: BanyanError.self) { try ledger.checkpoint(files) }
        // Closing cannot write them either, and does not give them up.
        #expect(throws: BanyanError.self) { try files.close() }
        #expect(try StoreInspection.open("/store", on: disk).owner != nil)
        disk.obstruct(nil)
        try files.checkWritable()
        try ledger.commit(1, to: files)
        try files.close()
        #expect(try Recovered(on: memory.afterPowerCut(seed: 2)).report.lastSequence == 6)
    }

    @Test func theFlusherDoesNotTryForEver() throws {
        let (files, _) = try store(.onClose)
        let attempts = Atomic<Int>(0)
        disk.obstruct { call in
            guard Step.createSegment.strikes(call) else { return nil }
            attempts.add(1, ordering: .relaxed)
            return EMFILE
        }
        // More than waits in memory.
        for sequence in UInt64(4)...6_000 { append(sequence, to: files) }
        while attempts.load(ordering: .relaxed) == 0 { sched_yield() }
        #expect(throws: BanyanError.self) { try files.checkWritable() }
        // The flusher's own, and that one.
        #expect(attempts.load(ordering: .relaxed) == 2)
        disk.obstruct(nil)
        try files.close()
        #expect(try Recovered(on: memory).report.lastSequence == 6_000)
    }

    @Test func aFlushThatFailsIsFinalHereToo() throws {
        for name in ["00000000000000000004.bjl.tmp", "MANIFEST.tmp"] {
            let test = RefusedSegmentTests()
            let (files, ledger) = try test.store(.everyCommit)
            test.disk.obstruct { $0.kind == .sync && $0.name == name ? EIO : nil }
            #expect(throws: BanyanError.self) { try ledger.commit(to: files) }
            #expect(files.poisoned != nil, "\(name)")
            test.disk.obstruct(nil)
            #expect(throws: BanyanError.self) { try files.close() }
            #expect(try Recovered(on: test.memory).report.lastSequence == 3)
        }
    }

    /// The second name of the manifest before is a help, no more.
    @Test(arguments: [EMLINK, EPERM, EOPNOTSUPP])
    func aFileSystemThatGivesNoSecondNameIsNoHindrance(errno: Int32) throws {
        let (files, ledger) = try store(.everyCommit)
        disk.obstruct { $0.kind == .link ? errno : nil }
        try ledger.commit(2, to: files)
        try files.close()
        #expect(try Recovered(on: memory).report.lastSequence == 5)
    }
}
