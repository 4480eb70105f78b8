import BanyanCore
import BanyanPersistence
import BanyanTesting
import Testing

/// The manifest of one store in the directory of another.
@Suite struct ForeignManifestTests {
    enum Other: CaseIterable {
        /// Nothing was ever written to it.
        case empty
        /// It has a segment of the same name.
        case sameNames
        /// It has a snapshot, and a segment that begins elsewhere.
        case otherNames
    }

    private func manifest(_ other: Other) throws -> [UInt8] {
        let disk = SimulatedDisk()
        var options = StoreFiles.Options()
        options.newStoreID = StoreID(high: 9, low: 9)
        let files = try Recovered(on: disk, options: options).files
        let ledger = Ledger()
        if other != .empty { try ledger.commit(4, to: files) }
        if other == .otherNames {
            try ledger.checkpoint(files)
            try ledger.commit(2, to: files)
            try ledger.checkpoint(files)
            try ledger.commit(2, to: files)
        }
        try files.close()
        return try #require(disk.content(of: "/store/MANIFEST"))
    }

    private func store(checkpoint: Bool) throws -> Fixture {
        let disk = SimulatedDisk()
        var options = StoreFiles.Options()
        options.newStoreID = StoreID(high: 3, low: 4)
        options.segmentSize = 500
        let files = try Recovered(on: disk, options: options).files
        let ledger = Ledger()
        for _ in 0..<12 { try ledger.commit(to: files) }
        if checkpoint { try ledger.checkpoint(files) }
        try ledger.commit(to: files)
        try files.close()
        return Fixture(disk: disk.afterProcessDeath(), options: options, last: 13)
    }

    @Test(arguments: Other.allCases, [true, false])
    func itIsKnownAsTheForeignerAndTheFilesStay(other: Other, checkpoint: Bool) throws {
        let real = try store(checkpoint: checkpoint)
        let mixed = real.with("MANIFEST", try manifest(other))
        for mode in [StoreFiles.Mode.readWrite(createIfMissing: true), .readOnly, .readOnlyWhileInUse] {
            let error = #expect(throws: BanyanError.self) {
                try Recovered(on: mixed.disk, options: real.options, mode: mode)
            }
            #expect(error?.code == .foreignFile)
            #expect(error?.location.file == "/store/MANIFEST")
            #expect(error?.remedy?.contains("banyan salvage") == true)
        }
        for name in real.names(".bjl") + real.names(".bsn") { #expect(try mixed.content(name) == real.content(name)) }
        let error = #expect(throws: BanyanError.self) { try StoreInspection.open("/store", on: mixed.disk) }
        #expect(error?.code == .foreignFile)
    }

    @Test(arguments: Other.allCases, [true, false])
    func verifyBlamesTheManifestAlone(other: Other, checkpoint: Bool) throws {
        let mixed = try store(checkpoint: checkpoint).with("MANIFEST", try manifest(other))
        let report = try StoreVerification.verify("/store", on: mixed.disk)
        #expect(report.findings.map(\.severity) == [.foreign])
        #expect(report.findings.map(\.file) == ["/store/MANIFEST"])
        #expect(report.storeID == StoreID(high: 3, low: 4))
        #expect(report.lastSequence == 13 && !report.isSound)
    }

    @Test(arguments: Other.allCases, [true, false])
    func salvageSavesTheStoreOfTheFiles(other: Other, checkpoint: Bool) throws {
        let mixed = try store(checkpoint: checkpoint).with("MANIFEST", try manifest(other))
        let remains = try StoreSalvage.open("/store", on: mixed.disk)
        #expect(remains.storeID == StoreID(high: 3, low: 4))
        #expect(remains.problems.map(\.code) == [.foreignFile])
        let outcome = try remains.records(after: 0) { record, _ in
            #expect(record.payload == Ledger.payload(record.sequence))
        }
        #expect(outcome.lastSequence == 13 && outcome.highestSeen == 13 && outcome.stopped == nil)
    }

    /// Where one file is its own, the manifest is right, and what does not belong to it is the foreigner.
    @Test func aManifestWithOneFileOfItsOwnIsBelieved() throws {
        let real = try store(checkpoint: false)
        let stranger = try Fixture(commits: 3, closed: true) { $0.newStoreID = StoreID(high: 9, low: 9) }
        let name = try #require(stranger.names(".bjl").first)
        let mixed = real.with("00000000000000000099.bjl", try stranger.content(name))
        let error = #expect(throws: BanyanError.self) { try Recovered(on: mixed.disk, options: real.options) }
        #expect(error?.code == .foreignFile)
        #expect(error?.location.file == "/store/00000000000000000099.bjl")
        let report = try StoreVerification.verify("/store", on: mixed.disk)
        #expect(report.findings.map(\.severity) == [.foreign])
        #expect(report.findings.map(\.file) == ["/store/00000000000000000099.bjl"])
        #expect(mixed.names("99.bjl").count == 1)
    }

    /// A snapshot that reaches further than the journal is no leftover of a checkpoint.
    @Test func aSnapshotBeyondTheJournalIsNotTakenAway() throws {
        let real = try store(checkpoint: true)
        let disk = SimulatedDisk()
        let files = try Recovered(on: disk, options: real.options).files
        let ledger = Ledger()
        for _ in 0..<20 { try ledger.commit(to: files) }
        try ledger.checkpoint(files)
        try files.close()
        let snapshot = "00000000000000000020.bsn"
        let mixed = real.with(snapshot, try #require(disk.content(of: Fixture.path(snapshot))))
        #expect(try mixed.open(mode: .readWrite(createIfMissing: false)) == .refused(.damaged))
        #expect(mixed.names(snapshot) == [snapshot])
        let report = try StoreVerification.verify("/store", on: mixed.disk)
        #expect(report.findings.map(\.severity) == [.damaged])
        #expect(try StoreSalvage.open("/store", on: mixed.disk).snapshots.first?.header.sequence == 20)
    }
}
