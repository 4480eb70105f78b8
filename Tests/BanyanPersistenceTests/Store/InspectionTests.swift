import BanyanCore
import BanyanPersistence
import BanyanTesting
import Testing

/// Looking at a store, verifying it, restoring and salvaging from it: all without changing it.
@Suite struct InspectionTests {
    /// Thirteen commits, snapshots at 4 and 8, several segments.
    private func store(closed: Bool = true) throws -> Fixture {
        let disk = SimulatedDisk()
        var options = StoreFiles.Options()
        options.segmentSize = 500
        options.newStoreID = StoreID(high: 7, low: 8)
        let files = try Recovered(on: disk, options: options).files
        let ledger = Ledger()
        for count in [4, 4, 5] {
            for _ in 0..<count { try ledger.commit(to: files) }
            if ledger.appended < 10 { try ledger.checkpoint(files) }
        }
        if closed { try files.close() }
        return Fixture(disk: disk.afterProcessDeath(), options: options, last: 13)
    }

    @Test func itTellsWhatIsThere() throws {
        let fixture = try store()
        let found = try StoreInspection.open("/store", on: fixture.disk)
        #expect(found.storeID == StoreID(high: 7, low: 8) && found.parent == nil && found.owner == nil)
        #expect(found.snapshots.map(\.sequence) == [8, 4])
        #expect(found.segments.allSatisfy { $0.sealed })
        #expect(found.segments.last?.lastSequence == 13)
        #expect(zip(found.segments, found.segments.dropFirst()).allSatisfy { $0.lastSequence! + 1 == $1.firstSequence })
        #expect(try found.open(found.snapshots[1]).header.sequence == 4)
        #expect(fixture.disk.changes == 0)
    }

    @Test(arguments: UInt64(4)...13)
    func anyCommitSinceTheOldestSnapshotCanBeReached(target: UInt64) throws {
        let fixture = try store()
        let found = try StoreInspection.open("/store", on: fixture.disk)
        let timed = try found.commit(atOrBefore: Int64(target) * 1_000 + 500)
        #expect(timed?.sequence == target && timed?.laterCount == 0)
        let goal = StoreInspection.Target.sequence(target)
        let base = try found.snapshot(atOrBefore: goal)
        #expect(base?.sequence == (target >= 8 ? 8 : 4))
        var last = base?.sequence ?? 0
        let report = try found.records(after: last, through: goal) { located, schema in
            #expect(located.record.sequence == last + 1 && schema == Ledger.schema)
            #expect(located.record.payload == Ledger.payload(last + 1))
            last += 1
            return true
        }
        #expect(last == target && report.lastSequence == target)
    }

    @Test func whatLiesBeforeTheOldestSnapshotIsSaidToBeGone() throws {
        let disk = SimulatedDisk()
        var options = StoreFiles.Options()
        options.keepSnapshots = 1
        let files = try Recovered(on: disk, options: options).files
        let ledger = Ledger()
        try ledger.commit(5, to: files)
        try ledger.checkpoint(files)
        let found = try StoreInspection.open("/store", on: disk)
        let error = #expect(throws: BanyanError.self) { try found.snapshot(atOrBefore: .sequence(4)) }
        #expect(error?.code == .limit)
        #expect(try found.snapshot(atOrBefore: .sequence(5))?.sequence == 5)
    }

    @Test func aStoreInUseIsReadUpToItsLastCommit() throws {
        let disk = SimulatedDisk()
        let files = try Recovered(on: disk).files
        let ledger = Ledger()
        for count in 1...5 {
            try ledger.commit(to: files)
            let found = try StoreInspection.open("/store", on: disk)
            #expect(found.owner?.hasPrefix("pid") == true)
            var seen = 0
            try found.records(after: 0) { _, _ in
                seen += 1
                return true
            }
            #expect(seen == count)
            #expect(try StoreVerification.verify("/store", on: disk).wasInUse)
        }
    }

    @Test func aRestoredStoreIsItsOwnAndGoesOn() throws {
        let fixture = try store()
        let source = try StoreInspection.open("/store", on: fixture.disk)
        var options = StoreFiles.Options()
        options.newStoreID = StoreID(high: 70, low: 80)
        try StoreFiles.create(
            at: "/restored", on: fixture.disk, options: options,
            parent: StoreParent(storeID: source.storeID, sequence: 6), sequence: 6, time: 6000, schema: Ledger.schema
        ) { writer in
            for frame in Ledger.frames(6) { try writer.append(kind: 1, table: 0, rows: 1, payload: frame) }
        }
        let copy = try Recovered(at: "/restored", on: fixture.disk, options: options)
        #expect(copy.report.lastSequence == 6)
        #expect(copy.files.parent == StoreParent(storeID: StoreID(high: 7, low: 8), sequence: 6))
        let ledger = Ledger()
        ledger.restart(at: 6)
        try ledger.commit(3, to: copy.files)
        try ledger.checkpoint(copy.files)
        try ledger.commit(2, to: copy.files)
        try copy.files.close()
        #expect(try Recovered(at: "/restored", on: fixture.disk, options: options).report.lastSequence == 11)
        #expect(try StoreVerification.verify("/restored", on: fixture.disk).findings == [])
    }

    @Test(arguments: ["/store", "/notes"])
    func restoringOverSomethingIsRefused(path: String) throws {
        let fixture = try store()
        _ = try fixture.disk.openDirectory("/notes", createIfMissing: true).open("a", .create)
        let error = #expect(throws: BanyanError.self) {
            try StoreFiles.create(
                at: path, on: fixture.disk, parent: nil, sequence: 1, time: 1, schema: []
            ) { _ in }
        }
        #expect(error?.code == .targetNotEmpty)
        #expect(try fixture.open() == .opened(last: 13))
    }

    /// Restoring is stopped after every change: what is left is a whole store or none, and the source is untouched.
    @Test func aRestoreStoppedAnywhereLeavesNoHalfStore() throws {
        let fixture = try store()
        for stop in 0...30 {
            let disk = fixture.disk.afterProcessDeath()
            disk.cutPower(afterChanges: stop)
            do {
                try StoreFiles.create(
                    at: "/restored", on: disk, parent: nil, sequence: 6, time: 6000, schema: Ledger.schema
                ) { writer in
                    for frame in Ledger.frames(6) { try writer.append(kind: 1, table: 0, rows: 1, payload: frame) }
                }
            } catch { #expect(disk.isPowerCut) }
            for seed in UInt64(0)..<8 {
                let image = disk.afterPowerCut(seed: seed)
                #expect(try Fixture(disk: image, options: fixture.options, last: 13).open() == .opened(last: 13))
                do {
                    let found = try Recovered(at: "/restored", on: image, mode: .readOnly)
                    #expect(found.report.lastSequence == 6)
                } catch let error as BanyanError {
                    #expect([.notAStore, .damaged].contains(error.code))
                    #expect(disk.isPowerCut)
                }
            }
        }
    }

    @Test func verifyFindsNothingInASoundStoreAndWritesNothing() throws {
        let fixture = try store()
        for quick in [true, false] {
            let report = try StoreVerification.verify("/store", on: fixture.disk, quick: quick)
            #expect(report.findings == [] && report.isSound)
            #expect(report.snapshots == 2 && report.lastSequence == 13 && report.records > 5)
        }
        #expect(fixture.disk.changes == 0)
        #expect(try StoreVerification.verify("/store/00000000000000000004.bsn", on: fixture.disk).findings == [])
        let segment = try #require(fixture.names(".bjl").last)
        #expect(try StoreVerification.verify("/store/" + segment, on: fixture.disk).findings == [])
        #expect(throws: BanyanError.self) { try StoreVerification.verify("/nowhere", on: fixture.disk) }
    }

    /// Whatever single byte is damaged in a closed store, verify says so, and names the file.
    @Test func verifyFindsEveryDamagedByte() throws {
        let fixture = try store()
        for name in fixture.disk.names(in: "/store") where name != "LOCK" && name != "MANIFEST.prev" {
            var bytes = try fixture.content(name)
            for offset in stride(from: 0, to: bytes.count, by: Effort.isThorough ? 1 : 7) {
                bytes[offset] ^= 0x10
                let report = try StoreVerification.verify("/store", on: fixture.with(name, bytes).disk)
                bytes[offset] ^= 0x10
                #expect(!report.isSound, "\(name), byte \(offset)")
                #expect(report.findings.contains { $0.file == "/store/" + name }, "\(name), byte \(offset)")
            }
        }
    }

    @Test func verifyTellsHashesAndWhatIsAtStake() throws {
        let fixture = try Fixture(commits: 20, closed: false)
        let name = fixture.names(".bjl")[0]
        var bytes = try fixture.content(name)
        bytes[400] ^= 1
        let report = try StoreVerification.verify("/store", on: fixture.with(name, bytes).disk)
        let finding = try #require(report.findings.first)
        #expect(finding.severity == .damaged && finding.expectedHash != finding.actualHash)
        let last = try #require(finding.lastGoodSequence)
        #expect(try #require(finding.offset) <= 400)
        #expect(finding.framesAtStake == 20 - last - 1)
        bytes[400] ^= 1
        let torn = try StoreVerification.verify("/store", on: fixture.with(name, Array(bytes.dropLast(9))).disk)
        #expect(torn.isSound && torn.hasTornTail)
        #expect(torn.findings.first?.lastGoodSequence == 19)
    }

    @Test func verifyGoesOnBehindADamagedManifest() throws {
        let fixture = try store()
        let report = try StoreVerification.verify("/store", on: fixture.with("MANIFEST", [1, 2, 3]).disk)
        #expect(!report.isSound && report.findings.count == 1)
        #expect(report.snapshots == 2 && report.lastSequence == 13)
    }

    // MARK: Salvage

    private func salvage(
        _ disk: SimulatedDisk, through target: StoreInspection.Target = .end
    ) throws -> (base: UInt64, outcome: StoreSalvage.Outcome) {
        let salvage = try StoreSalvage.open("/store", on: disk)
        var last: UInt64 = 0
        for snapshot in salvage.snapshots {
            do {
                try snapshot.verify()
                last = snapshot.header.sequence
                break
            } catch { continue }
        }
        let base = last
        let outcome = try salvage.records(after: base, through: target) { record, _ in
            guard record.sequence == last + 1, record.payload == Ledger.payload(record.sequence) else {
                throw Mismatch("\(record.sequence) after \(last)")
            }
            last += 1
        }
        return (base, outcome)
    }

    @Test func salvageNeedsNoManifest() throws {
        let fixture = try store()
        fixture.disk.erase("/store/MANIFEST")
        let (base, outcome) = try salvage(fixture.disk)
        #expect(base == 8 && outcome.lastSequence == 13 && outcome.stopped == nil)
        #expect(fixture.disk.changes == 0)
        #expect(try salvage(fixture.disk, through: .sequence(10)).outcome.lastSequence == 10)
    }

    @Test func salvageStopsBeforeWhatIsLostAndCountsTheRest() throws {
        let fixture = try Fixture(commits: 20, closed: true)
        let name = fixture.names(".bjl")[0]
        var bytes = try fixture.content(name)
        bytes[500] ^= 1
        let (_, outcome) = try salvage(fixture.with(name, bytes).disk)
        #expect(outcome.lastSequence < 20 && outcome.lastSequence > 0)
        #expect(outcome.highestSeen == 20)
        #expect(outcome.stopped?.location.sequence == outcome.lastSequence + 1)
        #expect(outcome.stopped?.location.file == "/store/" + name)
    }

    @Test func salvageUsesAnOlderSnapshotAndTheJournal() throws {
        let fixture = try store()
        var bytes = try fixture.content("00000000000000000008.bsn")
        bytes[120] ^= 1
        let (base, outcome) = try salvage(fixture.with("00000000000000000008.bsn", bytes).disk)
        #expect(base == 4 && outcome.lastSequence == 13)
    }

    @Test func salvageOfNothingSaysSo() throws {
        let disk = SimulatedDisk()
        _ = try disk.openDirectory("/store", createIfMissing: true)
        let error = #expect(throws: BanyanError.self) { try StoreSalvage.open("/store", on: disk) }
        #expect(error?.code == .notAStore)
    }
}
