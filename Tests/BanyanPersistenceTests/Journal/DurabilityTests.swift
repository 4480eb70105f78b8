import BanyanCore
import BanyanPersistence
import BanyanTesting
import Testing

/// What each policy promises, and that it promises no more.
@Suite struct DurabilityTests {
    static func options(_ durability: Durability) -> StoreFiles.Options {
        var options = StoreFiles.Options()
        options.durability = durability
        options.freeSpaceReserve = 0
        return options
    }

    @Test func everyCommitSurvivesAPowerCut() throws {
        let disk = SimulatedDisk()
        let files = try Recovered(on: disk, options: Self.options(.everyCommit)).files
        try Ledger().commit(4, to: files)
        for seed in UInt64(0)..<20 {
            #expect(try Recovered(on: disk.afterPowerCut(seed: seed)).report.lastSequence == 4)
        }
    }

    @Test func anIntervalSurvivesTheProcessAtOnceAndAPowerCutAfterTheInterval() throws {
        let disk = SimulatedDisk()
        let options = Self.options(.interval(.seconds(3600)))
        let files = try Recovered(on: disk, options: options).files
        let ledger = Ledger()
        try ledger.commit(4, to: files)
        #expect(files.durableSequence == 0)
        #expect(try Recovered(on: disk.afterProcessDeath()).report.lastSequence == 4)
        let kept = try (UInt64(0)..<40).map { try Recovered(on: disk.afterPowerCut(seed: $0)).report.lastSequence }
        #expect(Set(kept).count > 1, "a power cut may take them")
        try files.sync()
        #expect(files.durableSequence == 4)
        for seed in UInt64(0)..<20 {
            #expect(try Recovered(on: disk.afterPowerCut(seed: seed)).report.lastSequence == 4)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func theIntervalsFlushComesByItself() async throws {
        let disk = SimulatedDisk()
        let files = try Recovered(on: disk, options: Self.options(.interval(.milliseconds(5)))).files
        try files.checkWritable()
        for round in 1...3 {
            files.append(Ledger.payload(UInt64(round)), sequence: UInt64(round), time: Int64(round) * 1000)
            try await files.flush(through: UInt64(round))
            while files.durableSequence < UInt64(round) { await Task.yield() }
        }
        for seed in UInt64(0)..<10 {
            #expect(try Recovered(on: disk.afterPowerCut(seed: seed)).report.lastSequence == 3)
        }
    }

    @Test func onCloseWritesInLargePiecesAndKeepsEverythingAtClose() throws {
        let disk = SimulatedDisk()
        let files = try Recovered(on: disk, options: Self.options(.onClose)).files
        let ledger = Ledger()
        try files.checkWritable()
        let before = disk.changes
        try ledger.commit(100, to: files)
        #expect(disk.changes == before, "nothing is written yet")
        #expect(try Recovered(on: disk.afterProcessDeath()).report.lastSequence == 0)
        try ledger.checkpoint(files)
        #expect(try Recovered(on: disk.afterPowerCut(seed: 2)).report.lastSequence == 100)
        try ledger.commit(7, to: files)
        try files.close()
        for seed in UInt64(0)..<10 {
            #expect(try Recovered(on: disk.afterPowerCut(seed: seed)).report.lastSequence == 107)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func onCloseDoesNotKeepMuchInMemory() async throws {
        let disk = SimulatedDisk()
        let files = try Recovered(on: disk, options: Self.options(.onClose)).files
        let payload = [UInt8](repeating: 1, count: 100_000)
        try files.checkWritable()
        for sequence in 1...40 { files.append(payload, sequence: UInt64(sequence), time: 0) }
        while files.counters.queuedBytes > 1 << 20 { await Task.yield() }
    }

    /// A power cut under either lax policy leaves a prefix, never a hole, and never less than was flushed.
    @Test(arguments: [Durability.interval(.seconds(3600)), .onClose])
    func whatSurvivesIsAPrefixWhereverThePowerFails(_ durability: Durability) throws {
        let workload = Workload(
            "lax",
            {
                $0.durability = durability
                $0.segmentSize = 2000
            }
        ) { session in
            for _ in 0..<3 {
                try session.commit(4)
                try session.commit(2)
                try session.files.sync()
                try session.commit(3)
                try session.checkpoint()
                try session.commit()
            }
        }
        let whole = SimulatedDisk()
        try workload.run(on: whole, ledger: Ledger())
        for stop in 0...whole.changes {
            let disk = SimulatedDisk()
            disk.cutPower(afterChanges: stop)
            var durable: UInt64 = 0
            let ledger = Ledger()
            do {
                let session = try Workload.Session(disk: disk, ledger: ledger, options: workload.options)
                defer { durable = session.files.durableSequence }
                try workload.body(session)
            } catch {
                #expect(disk.isPowerCut)
            }
            for draw in 0..<6 {
                let seed = UInt64(stop * 100 + draw)
                let last = try Recovered(on: disk.afterPowerCut(seed: seed)).report.lastSequence
                #expect(last >= durable && last <= ledger.appended, "stopped after \(stop), seed \(seed)")
            }
        }
    }
}

@Suite struct LargeCommitTests {
    /// One transaction of many megabytes is written in several pieces and comes back as one, or not at all.
    @Test(arguments: [1 << 20, 64 << 20])
    func aCommitOfManyMegabytesComesBackWhole(part: Int) throws {
        try TemporaryDirectory.with { path in
            var options = StoreFiles.Options()
            options.maxRecordSize = part
            var random = SeededGenerator(seed: 4)
            let payload = random.bytes(9 << 20) + [UInt8](repeating: 7, count: 3 << 20)
            let files = try StoreFiles.open(
                at: path + "/s", on: KernelDisk(), options: options, mode: .readWrite(createIfMissing: true), schema: []
            )
            try files.replay { _, _ in }
            try files.checkWritable()
            files.append(payload, sequence: 1, time: 1)
            files.append([1], sequence: 2, time: 2)
            try files.flush(through: 2)
            #expect(files.counters.frames == (part == 1 << 20 ? 13 : 2))
            try files.close()
            let again = try StoreFiles.open(
                at: path + "/s", on: KernelDisk(), options: options, mode: .readOnly, schema: [])
            var found: [[UInt8]] = []
            try again.replay { record, _ in found.append(record.payload) }
            #expect(found == [payload, [1]])
        }
    }

    @Test func manySmallSegmentsAskForACheckpoint() throws {
        let disk = SimulatedDisk()
        var options = StoreFiles.Options()
        options.segmentSize = 1
        options.checkpointSegments = 5
        options.keepSnapshots = 1
        let files = try Recovered(on: disk, options: options).files
        let ledger = Ledger()
        for _ in 0..<5 { try ledger.commit(to: files) }
        #expect(!files.needsCheckpoint)
        try ledger.commit(to: files)
        #expect(files.needsCheckpoint)
        try ledger.checkpoint(files)
        #expect(!files.needsCheckpoint)
    }

    @Test func aJournalThatOutgrowsItsShareAsksForACheckpoint() throws {
        let disk = SimulatedDisk()
        var options = StoreFiles.Options()
        options.checkpointMinimum = 10_000
        let files = try Recovered(on: disk, options: options).files
        let ledger = Ledger()
        var commits = 0
        while !files.needsCheckpoint, commits < 1000 {
            try ledger.commit(to: files)
            commits += 1
        }
        #expect(commits > 10 && commits < 100)
        #expect(files.counters.bytesSinceSnapshot > 10_000)
        try ledger.checkpoint(files)
        #expect(!files.needsCheckpoint && files.counters.bytesSinceSnapshot == 0)
    }
}
