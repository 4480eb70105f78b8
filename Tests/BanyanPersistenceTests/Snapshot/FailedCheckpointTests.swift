import BanyanCore
import BanyanPersistence
import BanyanTesting
import Synchronization
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A store whose snapshots cannot be written goes on, and does not wear itself out.
@Suite struct FailedCheckpointTests {
    @Test func theyAreTriedMoreSeldomAndLeaveTheJournalInOnePiece() throws {
        let memory = SimulatedDisk()
        let disk = ObstructedDisk(memory)
        var options = StoreFiles.Options()
        options.freeSpaceReserve = 0
        options.checkpointMinimum = 20_000
        let files = try Recovered(on: disk, options: options).files
        let ledger = Ledger()
        disk.obstruct { $0.kind == .create && $0.name.hasSuffix(".bsn.tmp") ? ENOSPC : nil }
        var attempts = 0
        for _ in 0..<1_500 {
            try ledger.commit(to: files)
            guard files.needsCheckpoint else { continue }
            attempts += 1
            let error = #expect(throws: BanyanError.self) { try ledger.checkpoint(files) }
            #expect(error?.code == .diskFull)
        }
        // The journal has grown to some thirty times of what a checkpoint is due at.
        #expect(attempts > 3 && attempts < 12, "\(attempts)")
        #expect(memory.names(in: "/store").filter { $0.hasSuffix(".bjl") }.count == 2)
        #expect(files.poisoned == nil)
        disk.obstruct(nil)
        // Asked for, it is made at once, and then all is as before.
        try ledger.checkpoint(files)
        #expect(!files.needsCheckpoint)
        while !files.needsCheckpoint { try ledger.commit(to: files) }
        try ledger.checkpoint(files)
        try ledger.commit(to: files)
        try files.close()
        #expect(try Recovered(on: memory, options: options).report.lastSequence == ledger.acknowledged)
    }

    @Test func theJournalIsDurableBeforeASnapshotOfItHasItsName() throws {
        for fails in [false, true] {
            let memory = SimulatedDisk()
            let disk = ObstructedDisk(memory)
            var options = StoreFiles.Options()
            options.freeSpaceReserve = 0
            options.durability = .onClose
            let files = try Recovered(on: disk, options: options).files
            let ledger = Ledger()
            if fails {
                try ledger.commit(2, to: files)
                disk.obstruct { $0.kind == .create && $0.name.hasSuffix(".bsn.tmp") ? ENOSPC : nil }
                #expect(throws: BanyanError.self) { try ledger.checkpoint(files) }
            }
            try ledger.commit(5, to: files)
            // It stops when the snapshot has its name, and the manifest does not know it yet.
            let isNamed = Mutex(false)
            disk.obstruct { call in
                if call.kind == .rename, call.name.hasSuffix(".bsn") { isNamed.withLock { $0 = true } }
                return call.kind == .create && call.name == "MANIFEST.tmp" && isNamed.withLock { $0 } ? EIO : nil
            }
            #expect(throws: BanyanError.self) { try ledger.checkpoint(files) }
            for seed in UInt64(0)..<20 {
                let found = try Recovered(on: memory.afterPowerCut(seed: seed), options: options)
                #expect(found.report.lastSequence == ledger.appended)
            }
        }
    }
}
