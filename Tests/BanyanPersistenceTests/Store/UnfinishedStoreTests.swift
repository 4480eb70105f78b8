import BanyanCore
import BanyanPersistence
import BanyanTesting
import Testing

/// Stores whose making was interrupted, and stores that begin as a snapshot.
@Suite struct UnfinishedStoreTests {
    private static let options: StoreFiles.Options = {
        var options = StoreFiles.Options()
        options.freeSpaceReserve = 0
        return options
    }()

    /// A disk with a snapshot of commit 6.
    private func base() throws -> SimulatedDisk {
        let disk = SimulatedDisk()
        try writeSnapshotFile(
            to: "/base.bsn", on: disk, storeID: StoreID(high: 7, low: 8), sequence: 6, time: 6_000,
            schema: Ledger.schema
        ) { writer in
            for frame in Ledger.frames(6) { try writer.append(kind: 1, table: 0, rows: 1, payload: frame) }
        }
        return disk.afterProcessDeath()
    }

    private func open(
        _ disk: any Disk, base: String? = nil, _ mode: StoreFiles.Mode = .readWrite(createIfMissing: true)
    ) throws -> UInt64 {
        let files = try StoreFiles.open(
            at: "/store", on: disk, options: Self.options, mode: mode, schema: Ledger.schema,
            base: { () throws(BanyanError) in
                try base.map { path throws(BanyanError) in try SnapshotReader.open(path, on: disk) }
            })
        let report = try files.replay(loading: { snapshot in
            let found = try snapshot.frames.indices.map { try snapshot.read($0) }
            guard found == Ledger.frames(snapshot.header.sequence) else {
                throw Mismatch("the snapshot holds something else")
            }
        }) { _, _ in }
        try files.close()
        return report.lastSequence
    }

    @Test func aRestoreStoppedAnywhereIsNoEmptyStore() throws {
        let whole = try base()
        var seen: Set<BanyanError.Code> = []
        for stop in 0...30 {
            let disk = whole.afterProcessDeath()
            disk.cutPower(afterChanges: stop)
            let made = Result {
                try StoreFiles.create(
                    at: "/store", on: disk, options: Self.options, parent: nil, sequence: 6, time: 6_000,
                    schema: Ledger.schema
                ) { writer in
                    for frame in Ledger.frames(6) { try writer.append(kind: 1, table: 0, rows: 1, payload: frame) }
                }
            }
            if case .failure = made { #expect(disk.isPowerCut) }
            let killed = disk.afterProcessDeath()
            let names = killed.names(in: "/store")
            // Before anything of it is there, nobody can tell it from an opening that was killed.
            let isBegun = names.contains { $0.contains(".bsn") }
            do {
                let last = try open(killed)
                #expect(last == (isBegun ? 6 : 0), "stopped after \(stop): \(names)")
                if isBegun { #expect(names.contains("MANIFEST"), "\(names)") }
            } catch let error as BanyanError {
                #expect(isBegun && !names.contains("MANIFEST"), "\(error)")
                #expect(error.remedy?.contains("emove the directory") == true, "\(error)")
                #expect(error.location.file?.contains(".bsn") == true)
                #expect(killed.names(in: "/store") == names, "and it is left as it is")
                seen.insert(error.code)
            }
        }
        #expect(seen == [.notAStore, .damaged])
    }

    @Test func anOpeningStoppedAnywhereCanBeMadeAgain() throws {
        for stop in 0...20 {
            let disk = SimulatedDisk()
            disk.cutPower(afterChanges: stop)
            let made = Result { try open(disk) }
            if case .failure = made { #expect(disk.isPowerCut) }
            for seed in UInt64(0)..<8 { #expect(try open(disk.afterPowerCut(seed: seed)) == 0) }
        }
    }

    @Test func aStoreBegunAsASnapshotIsMadeInFullByTheNextOpeningWhereverItWasStopped() throws {
        let whole = try base()
        var finished = 0
        for stop in 0...40 {
            let disk = whole.afterProcessDeath()
            disk.cutPower(afterChanges: stop)
            let made = Result { try open(disk, base: "/base.bsn") }
            if case .success = made { finished += 1 } else { #expect(disk.isPowerCut) }
            for seed in UInt64(0)..<8 {
                let image = disk.afterPowerCut(seed: seed)
                #expect(try open(image, base: "/base.bsn") == 6, "stopped after \(stop), seed \(seed)")
                #expect(try open(image) == 6)
                #expect(try StoreVerification.verify("/store", on: image).findings == [])
            }
        }
        #expect(finished > 0 && finished < 41)
    }

    @Test func itIsAStoreOfItsOwnThatKnowsWhereItCameFrom() throws {
        let disk = try base()
        #expect(try open(disk, base: "/base.bsn") == 6)
        let made = try StoreInspection.open("/store", on: disk)
        #expect(made.parent == StoreParent(storeID: StoreID(high: 7, low: 8), sequence: 6))
        #expect(made.storeID != StoreID(high: 7, low: 8))
        let file = try SnapshotReader.open("/base.bsn", on: disk)
        #expect(made.snapshots.map(\.rootHash) == [file.rootHash])
        let files = try Recovered(on: disk, options: Self.options).files
        let ledger = Ledger()
        ledger.restart(at: 6)
        try ledger.commit(3, to: files)
        try files.close()
        // What is there counts, and the base is not even looked at.
        disk.erase("/base.bsn")
        #expect(try open(disk, base: "/base.bsn") == 9)
    }

    @Test func aBaseThatCannotBeReadMakesNothing() throws {
        let disk = try base()
        #expect(throws: BanyanError.self) { try open(disk, base: "/none.bsn") }
        #expect(disk.names(in: "/") == ["base.bsn"])
        #expect(throws: BanyanError.self) { try open(disk, base: "/base.bsn", .readWrite(createIfMissing: false)) }
        #expect(disk.names(in: "/") == ["base.bsn"])
        _ = try disk.openDirectory("/store", createIfMissing: true)
        #expect(throws: BanyanError.self) { try open(disk, base: "/none.bsn") }
        #expect(disk.names(in: "/store") == [])
    }

    /// A snapshot without a manifest may be all that is left of a store.
    @Test func aSnapshotOfSomethingElseIsNeverWrittenOver() throws {
        let disk = try base()
        try writeSnapshotFile(
            to: "/other.bsn", on: disk, storeID: StoreID(), sequence: 6, time: 6_000, schema: Ledger.schema
        ) { writer in
            try writer.append(kind: 1, table: 0, rows: 1, payload: [1, 2, 3])
        }
        _ = try disk.openDirectory("/store", createIfMissing: true)
        let other = try #require(disk.content(of: "/other.bsn"))
        disk.place(other, at: "/store/00000000000000000006.bsn")
        for base in ["/base.bsn", nil] {
            let error = #expect(throws: BanyanError.self) { try open(disk, base: base) }
            #expect(error?.code == .damaged)
        }
        #expect(disk.content(of: "/store/00000000000000000006.bsn") == other)
    }

    @Test(arguments: ["notes.tmp", "00000000000000000001.bjl.tmp"])
    func otherUnfinishedFilesAreNobodysEmptyStore(name: String) throws {
        let disk = SimulatedDisk()
        _ = try disk.openDirectory("/store", createIfMissing: true)
        disk.place([1], at: "/store/" + name)
        #expect(throws: BanyanError.self) { try open(disk) }
        #expect(disk.names(in: "/store") == [name])
    }
}
