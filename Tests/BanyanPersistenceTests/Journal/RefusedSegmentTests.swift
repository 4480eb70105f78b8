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

/// The making of a new journal segment fails for a while: no file can be opened, no name given.
@Suite struct RefusedSegmentTests {
    /// A step of it that leaves nothing in doubt.
    enum Step: CaseIterable {
        case createSegment, writeHeader, flushHeader, createManifest, writeManifest, flushManifest
        case removePreviousManifest, renameSegment

        /// - Parameter open: the segment that is being written, whose records are not meant.
        func strikes(_ call: ObstructedDisk.Call, besides open: String = "") -> Bool {
            let isHeader = call.name.hasSuffix(".bjl.tmp") && call.name != open + ".tmp"
            return switch self {
            case .createSegment: call.kind == .create && isHeader
            case .writeHeader: call.kind == .write && isHeader
            case .flushHeader: call.kind == .sync && isHeader
            case .createManifest: call.kind == .create && call.name == "MANIFEST.tmp"
            case .writeManifest: call.kind == .write && call.name == "MANIFEST.tmp"
            case .flushManifest: call.kind == .sync && call.name == "MANIFEST.tmp"
            case .removePreviousManifest: call.kind == .remove && call.name == "MANIFEST.prev"
            case .renameSegment: call.kind == .rename && call.name.hasSuffix(".bjl")
            }
        }
    }

    private static let reasons = [EMFILE, ENFILE, ENOMEM, ENOSPC, EIO]
    private static let firstSegment = "00000000000000000001.bjl"

    private let memory = SimulatedDisk()
    private let disk: ObstructedDisk

    init() { disk = ObstructedDisk(memory) }

    private func open(
        _ durability: Durability = .everyCommit, segmentSize: UInt64 = 64 << 20
    ) throws -> (files: StoreFiles, ledger: Ledger) {
        var options = StoreFiles.Options()
        options.durability = durability
        options.freeSpaceReserve = 0
        options.segmentSize = segmentSize
        let found = try Recovered(on: disk, options: options)
        let ledger = Ledger()
        ledger.restart(at: found.report.lastSequence)
        return (found.files, ledger)
    }

    private func segments() throws -> [StoreInspection.Segment] {
        try StoreInspection.open("/store", on: memory).segments
    }

    private var leftovers: [String] { memory.names(in: "/store").filter { $0.hasSuffix(".tmp") } }

    private func check(_ error: BanyanError?, _ errno: Int32) {
        #expect(error?.code == (errno == ENOSPC ? .diskFull : .io))
        #expect(error?.cause?.contains("errno \(errno)") == true)
        #expect(error?.remedy?.contains("try again") == true)
    }

    // MARK: Where there is none

    @Test(arguments: Step.allCases, [Durability.everyCommit, .interval(.seconds(1000)), .onClose])
    func aWriteDoesNotBeginWithoutOne(step: Step, durability: Durability) throws {
        for errno in Self.reasons {
            try RefusedSegmentTests().refuseToBegin(step, durability, errno)
        }
    }

    private func refuseToBegin(_ step: Step, _ durability: Durability, _ errno: Int32) throws {
        var (files, ledger) = try open(durability)
        try ledger.commit(3, to: files)
        try files.close()
        (files, ledger) = try open(durability)
        disk.obstruct { step.strikes($0) ? errno : nil }
        let before = try segments()
        for _ in 0..<3 {
            check(#expect(throws: BanyanError.self) { try files.checkWritable() }, errno)
            #expect(files.poisoned == nil && files.counters.queueDepth == 0)
            #expect(
                leftovers == [] && memory.names(in: "/store").filter { $0.hasSuffix(".bjl") } == [Self.firstSegment])
            #expect(try segments() == before)
        }
        // What was acknowledged is safe all the while.
        #expect(try Recovered(on: memory.afterProcessDeath()).report.lastSequence == 3)
        #expect(try Recovered(on: memory.afterPowerCut(seed: 3)).report.lastSequence == 3)
        disk.obstruct(nil)
        try ledger.commit(3, to: files)
        try files.sync()
        #expect(try Recovered(on: memory.afterPowerCut(seed: 1)).report.lastSequence == 6)
        try files.close()
        #expect(try Recovered(on: memory).report.lastSequence == 6)
    }

    /// There is nothing to write, so nothing is lost.
    @Test func aStoreCanBeClosedMeanwhile() throws {
        let (files, _) = try open(.onClose)
        disk.obstruct { Step.createSegment.strikes($0) ? EMFILE : nil }
        #expect(throws: BanyanError.self) { try files.checkWritable() }
        try files.close()
        #expect(try Recovered(on: memory).report.lastSequence == 0)
    }

    // MARK: Where one is full

    @Test(arguments: Step.allCases, [Durability.everyCommit, .interval(.seconds(1000)), .onClose])
    func aFullOneGrowsUntilThereIsAnother(step: Step, durability: Durability) throws {
        for errno in Self.reasons {
            try RefusedSegmentTests().grow(step, durability, errno)
        }
    }

    private func grow(_ step: Step, _ durability: Durability, _ errno: Int32) throws {
        let (files, ledger) = try open(durability, segmentSize: 1_000)
        try ledger.commit(to: files)
        let open = Self.firstSegment
        disk.obstruct { step.strikes($0, besides: open) ? errno : nil }
        for _ in 0..<12 {
            try ledger.commit(2, to: files)
            if durability == .onClose { try files.sync() }
        }
        #expect(try segments().map(\.sealed) == [false])
        #expect(leftovers == [] && memory.names(in: "/store").filter { $0.hasSuffix(".bjl") } == [open])
        try files.sync()
        for seed in UInt64(0)..<3 {
            #expect(try Recovered(on: memory.afterPowerCut(seed: seed)).report.lastSequence == 25)
        }
        disk.obstruct(nil)
        try ledger.commit(10, to: files)
        try files.sync()
        try ledger.commit(to: files)
        try files.sync()
        #expect(try segments().count > 1)
        try files.close()
        #expect(try Recovered(on: memory).report.lastSequence == 36)
    }

    @Test func theNextAttemptComesWhenItHasGrown() throws {
        let (files, ledger) = try open(segmentSize: 16_000)
        let attempts = Atomic<Int>(0)
        try ledger.commit(to: files)
        disk.obstruct { call in
            guard Step.createSegment.strikes(call) else { return nil }
            attempts.add(1, ordering: .relaxed)
            return EMFILE
        }
        while files.counters.bytesWritten < 32_000 { try ledger.commit(to: files) }
        #expect((4...17).contains(attempts.load(ordering: .relaxed)))
    }

    // MARK: Where a checkpoint closes one

    @Test(arguments: Step.allCases)
    func aCheckpointFailsAloneAndClosesNothing(step: Step) throws {
        for errno in Self.reasons {
            try RefusedSegmentTests().refuseCheckpoint(step, errno)
        }
    }

    private func refuseCheckpoint(_ step: Step, _ errno: Int32) throws {
        let (files, ledger) = try open()
        try ledger.commit(3, to: files)
        let open = Self.firstSegment
        let length = memory.content(of: "/store/" + open)?.count
        for round in 0..<3 {
            disk.obstruct { step.strikes($0, besides: open) ? errno : nil }
            let error = #expect(throws: BanyanError.self) { try ledger.checkpoint(files) }
            #expect(error?.code == (errno == ENOSPC ? .diskFull : .io))
            #expect(error?.cause?.contains("errno \(errno)") == true)
            if round == 0 { #expect(memory.content(of: "/store/" + open)?.count == length) }
            #expect(try segments().map(\.sealed) == [false])
            #expect(leftovers == [] && memory.names(in: "/store").allSatisfy { !$0.contains(".bsn") })
            #expect(files.poisoned == nil)
            disk.obstruct { step.strikes($0, besides: open) ? errno : nil }
            try ledger.commit(to: files)
            #expect(try Recovered(on: memory.afterProcessDeath()).report.lastSequence == ledger.acknowledged)
        }
        disk.obstruct(nil)
        try ledger.checkpoint(files)
        #expect(try segments().map(\.sealed) == [true, false])
        // What follows has its segment already.
        disk.obstruct { Step.createSegment.strikes($0, besides: "00000000000000000007.bjl") ? EMFILE : nil }
        try ledger.commit(2, to: files)
        try files.close()
        let found = try Recovered(on: memory)
        #expect(found.report.lastSequence == 8 && found.report.snapshotSequence == 6)
    }

    @Test func anEmptySegmentLeavesNothingBehind() throws {
        let (files, ledger) = try open()
        try ledger.commit(3, to: files)
        // The first has an empty one behind it, which the others need not close.
        for _ in 0..<3 { try ledger.checkpoint(files) }
        #expect(try segments().map(\.firstSequence) == [1, 4] || segments().map(\.firstSequence) == [4])
        #expect(files.counters.bytesSinceSnapshot == 0)
        // Nobody knows what a killed process had in it.
        #expect(try !Recovered(on: memory.afterProcessDeath()).report.endIsSealed)
        try files.close()
        #expect(try segments().allSatisfy { $0.sealed })
        #expect(!memory.names(in: "/store").contains { $0.hasPrefix("00000000000000000004") })
        let found = try Recovered(on: memory)
        #expect(found.report.lastSequence == 3 && found.report.endIsSealed)
        let again = Ledger()
        again.restart(at: 3)
        try again.commit(to: found.files)
        try found.files.close()
        #expect(try Recovered(on: memory).report.lastSequence == 4)
        #expect(try StoreVerification.verify("/store", on: memory).findings == [])
    }

    // MARK: Another schema

    @Test(arguments: [0, 2])
    func anotherSchemaNeedsAnotherSegment(commits: Int) throws {
        let files = try StoreFiles.open(
            at: "/store", on: disk, options: .init(), mode: .readWrite(createIfMissing: true), schema: [1])
        try files.replay { _, _ in }
        let ledger = Ledger()
        try files.checkWritable()
        if commits > 0 { try ledger.commit(commits, to: files) }
        disk.obstruct { Step.createManifest.strikes($0) ? EMFILE : nil }
        check(#expect(throws: BanyanError.self) { try files.setSchema([2]) }, EMFILE)
        try ledger.commit(to: files)
        disk.obstruct(nil)
        try files.setSchema([2])
        try ledger.commit(to: files)
        try files.setSchema([3])
        try files.setSchema([4])
        try ledger.commit(to: files)
        try files.close()
        let again = try StoreFiles.open(
            at: "/store", on: memory, options: .init(), mode: .readOnly, schema: [])
        var schemas: [[UInt8]] = []
        try again.replay { _, schema in schemas.append(schema) }
        #expect(schemas == [[UInt8]](repeating: [1], count: commits + 1) + [[2], [4]])
        #expect(!memory.names(in: "/store").contains { $0.hasSuffix(".tmp") })
        #expect(memory.names(in: "/store").filter { $0.hasSuffix(".bjl") }.count == 3)
    }

    // MARK: Closing

    @Test(arguments: [Durability.everyCommit, .onClose])
    func aManifestThatCannotBeToldOfTheEndLosesNothing(durability: Durability) throws {
        let (files, ledger) = try open(durability)
        try ledger.commit(5, to: files)
        disk.obstruct { $0.kind == .create ? EMFILE : nil }
        let error = #expect(throws: BanyanError.self) { try files.close() }
        #expect(error?.code == .io && error?.remedy?.contains("Nothing is lost") == true)
        #expect(files.poisoned == nil)
        disk.obstruct(nil)
        #expect(try StoreInspection.open("/store", on: disk).owner == nil)
        let found = try Recovered(on: memory.afterPowerCut(seed: 1))
        #expect(found.report.lastSequence == 5 && found.report.endIsSealed)
    }

    /// The second name of the manifest before is a help, no more.
    @Test(arguments: [EMLINK, EPERM, EOPNOTSUPP])
    func aFileSystemThatGivesNoSecondNameIsNoHindrance(errno: Int32) throws {
        let (files, ledger) = try open()
        disk.obstruct { $0.kind == .link ? errno : nil }
        try ledger.commit(2, to: files)
        try ledger.checkpoint(files)
        try ledger.commit(2, to: files)
        try files.close()
        #expect(try Recovered(on: memory).report.lastSequence == 4)
    }
}

/// Everything that makes segments, with a failure at each of its calls, and a crash at each call after that.
@Suite struct FailingRotationTests {
    private static var options: StoreFiles.Options {
        var options = StoreFiles.Options()
        options.newStoreID = StoreID(high: 1, low: 2)
        options.freeSpaceReserve = 0
        options.segmentSize = 300
        return options
    }

    private static let all: UInt64 = 13

    /// An open store, and its life in steps; one that fails is tried once more.
    private final class Life {
        let disk = SimulatedDisk()
        let ledger = Ledger()
        let files: StoreFiles

        init() throws {
            files = try Recovered(on: disk, options: FailingRotationTests.options).files
        }

        func run() throws {
            let steps: [() throws -> Void] = [
                { try self.ledger.commit(to: self.files) },
                { try self.ledger.commit(3, to: self.files) },
                { try self.ledger.commit(to: self.files) },
                { try self.ledger.checkpoint(self.files) },
                { try self.ledger.commit(4, to: self.files) },
                { try self.ledger.commit(2, to: self.files) },
                { try self.ledger.checkpoint(self.files) },
                { try self.ledger.commit(2, to: self.files) },
            ]
            for step in steps {
                do {
                    try step()
                } catch let error as BanyanError where files.poisoned == nil && !disk.isPowerCut {
                    #expect([.io, .diskFull].contains(error.code), "\(error)")
                    // The cause has passed.
                    disk.inject(nil)
                    try step()
                }
            }
        }
    }

    /// What only recovery can assess when it fails.
    private static func isFinal(_ struck: String) -> Bool {
        struck.hasSuffix(".bjl") && !struck.hasPrefix("rename") || struck.hasPrefix("flush directory")
            || struck == "rename /store/MANIFEST.tmp to MANIFEST"
    }

    /// The operations of a life without failures, behind opening.
    private static func operations() throws -> ClosedRange<Int> {
        let life = try Life()
        let first = life.disk.operations + 1
        try life.run()
        try life.files.close()
        #expect(life.ledger.acknowledged == all)
        #expect(life.disk.log.filter { $0.hasSuffix(".bjl") && $0.contains("rename") }.count > 4, "too few segments")
        return first...life.disk.operations
    }

    @Test(arguments: [EMFILE, ENOSPC, EIO], [false, true])
    func whateverFailsForAWhileEndsNothingButWhatIsInDoubt(errno: Int32, lasts: Bool) throws {
        for operation in try Self.operations() {
            let life = try Life()
            life.disk.inject(.init(at: operation, .error(errno), lasting: lasts))
            do {
                try life.run()
                try life.files.close()
            } catch let error as BanyanError {
                // All was done, and only closing could not be told to the manifest; or the outcome is unknown.
                #expect(error.code == .poisoned || life.ledger.acknowledged == Self.all, "\(error)")
            }
            let place = "operation \(operation): \(life.disk.struck)"
            if life.files.poisoned == nil {
                #expect(life.ledger.acknowledged == Self.all, "\(place)")
            } else {
                #expect(life.disk.struck.contains(where: Self.isFinal), "\(place)")
            }
            #expect(life.ledger.lies == 0)
            life.disk.inject(nil)
            for image in [life.disk.afterProcessDeath(), life.disk.afterPowerCut(seed: UInt64(operation))] {
                let found = try Recovered(on: image, options: Self.options)
                #expect(found.report.lastSequence >= life.ledger.acknowledged, "lost: \(place)")
                #expect(found.report.lastSequence <= life.ledger.appended, "invented: \(place)")
            }
        }
    }

    @Test func aCrashAfterAFailureThatPassedLosesNothing() throws {
        for operation in try Self.operations() {
            let whole = try Life()
            let opened = whole.disk.changes
            whole.disk.inject(.init(at: operation, .error(EMFILE)))
            do { try whole.run() } catch { continue }
            guard whole.disk.struck.allSatisfy(DiskFailureTests.isPreparation) else { continue }
            let start = opened + operation % 3
            for stop in stride(from: start, to: whole.disk.changes, by: Effort.isThorough ? 1 : 11) {
                let life = try Life()
                life.disk.inject(.init(at: operation, .error(EMFILE)))
                life.disk.cutPower(afterChanges: stop)
                do { try life.run() } catch { #expect(life.disk.isPowerCut, "\(error)") }
                let place = "failed at \(operation), stopped after \(stop)"
                for image in [life.disk.afterProcessDeath(), life.disk.afterPowerCut(seed: UInt64(stop))] {
                    do {
                        let found = try Recovered(on: image, options: Self.options)
                        #expect(found.report.lastSequence >= life.ledger.acknowledged, "lost: \(place)")
                        #expect(found.report.lastSequence <= life.ledger.appended, "invented: \(place)")
                        try found.files.close()
                        #expect(try StoreVerification.verify("/store", on: image).findings == [], "\(place)")
                    } catch {
                        Issue.record("\(place): \(error)\n\(life.disk.log.suffix(40).joined(separator: "\n"))")
                    }
                }
            }
        }
    }

    #if os(Linux)
        /// The kernel's own refusal, in a process of its own.
        @Test func aProcessWithoutAFreeDescriptorGoesOn() async {
            await #expect(processExitsWith: .success) {
                try TemporaryDirectory.with { path in
                    var options = StoreFiles.Options()
                    options.segmentSize = 2_000
                    var (files, ledger) = (
                        try Recovered(at: path + "/store", on: KernelDisk(), options: options).files, Ledger()
                    )
                    try ledger.commit(2, to: files)
                    var limit = rlimit()
                    #expect(getrlimit(__rlimit_resource_t(7), &limit) == 0)
                    let free = limit
                    limit.rlim_cur = 0
                    #expect(setrlimit(__rlimit_resource_t(7), &limit) == 0)
                    // The segment that is there takes them all.
                    for _ in 0..<20 { try ledger.commit(2, to: files) }
                    let error = #expect(throws: BanyanError.self) { try ledger.checkpoint(files) }
                    #expect(error?.code == .io && error?.cause?.contains("errno \(EMFILE)") == true)
                    limit = free
                    #expect(setrlimit(__rlimit_resource_t(7), &limit) == 0)
                    #expect(try StoreInspection.open(path + "/store", on: KernelDisk()).segments.count == 1)
                    try ledger.commit(20, to: files)
                    try ledger.checkpoint(files)
                    try files.close()
                    files = try Recovered(at: path + "/store", on: KernelDisk(), options: options).files
                    #expect(files.durableSequence == 62)
                    // Nor does a first write begin.
                    limit.rlim_cur = 0
                    #expect(setrlimit(__rlimit_resource_t(7), &limit) == 0)
                    #expect(throws: BanyanError.self) { try files.checkWritable() }
                    limit = free
                    #expect(setrlimit(__rlimit_resource_t(7), &limit) == 0)
                    ledger = Ledger()
                    ledger.restart(at: 62)
                    try ledger.commit(to: files)
                    try files.close()
                }
            }
        }
    #endif
}
