import BanyanCore
@testable import BanyanPersistence
import BanyanTesting
import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Lets the disk fail at every operation of every workload: once, and from then on.
@Suite struct DiskFailureTests {
    enum Kind: String, CaseIterable {
        case once, forever, full, short, interrupted

        func fault(at operation: Int) -> SimulatedDisk.Fault {
            switch self {
            case .once: .init(at: operation, .error(EIO))
            case .forever: .init(at: operation, .error(EIO), lasting: true)
            case .full: .init(at: operation, .error(ENOSPC), lasting: true)
            case .short: .init(at: operation, .shortWrite)
            case .interrupted: .init(at: operation, .error(EINTR))
            }
        }
    }

    @Test(arguments: Workload.all, Kind.allCases)
    func afterAFailureNothingIsAcknowledgedAndReopeningFindsWhatWas(_ workload: Workload, _ kind: Kind) throws {
        let whole = SimulatedDisk()
        try workload.run(on: whole, ledger: Ledger())
        for operation in 1...whole.operations {
            let disk = SimulatedDisk()
            disk.inject(kind.fault(at: operation))
            let ledger = Ledger()
            var failed = false
            do {
                try workload.run(on: disk, ledger: ledger)
            } catch let error as BanyanError {
                failed = true
                let codes: Set<BanyanError.Code> = [.io, .diskFull, .poisoned]
                #expect(codes.contains(error.code), "\(workload.name), operation \(operation): \(error)")
            }
            #expect(ledger.lies == 0)
            // An interrupted write or read is made again; that is the one failure that may pass unnoticed.
            #expect(failed || kind == .interrupted || disk.struck.allSatisfy(Self.isHarmless), "\(disk.struck)")
            disk.inject(nil)
            let place = "\(workload.name), \(kind) at \(operation)"
            for (manner, image) in [
                ("killed", disk.afterProcessDeath()), ("power cut", disk.afterPowerCut(seed: UInt64(operation))),
            ] {
                do {
                    let found = try Recovered(on: image, options: workload.options)
                    #expect(found.report.lastSequence >= ledger.acknowledged, "lost: \(place), \(manner)")
                    #expect(found.report.lastSequence <= ledger.appended, "invented: \(place), \(manner)")
                    try found.files.close()
                } catch {
                    Issue.record("\(place), \(manner): \(error)")
                }
            }
        }
    }

    /// What may fail without an error: removing a file that counts no more, and reading the newest snapshot when an
    /// older one with the journal behind it gives the same.
    private static func isHarmless(_ struck: String) -> Bool {
        struck.hasPrefix("remove /store/0") || isPreparation(struck)
            || (struck.hasSuffix(".bsn") && ["open", "read", "look"].contains { struck.hasPrefix($0) })
    }

    /// What is done for the next segment before the one that is full is closed: that is not closed then, and grows.
    static func isPreparation(_ struck: String) -> Bool {
        [".bjl.tmp", "/MANIFEST.tmp", "MANIFEST.prev"].contains { struck.hasSuffix($0) }
            || (struck.hasPrefix("rename") && struck.contains(".bjl.tmp"))
    }

    @Test func aPoisonedStoreStaysPoisonedAndReadsStillWork() throws {
        let disk = SimulatedDisk()
        let files = try Recovered(on: disk).files
        let ledger = Ledger()
        try ledger.commit(3, to: files)
        disk.inject(.init(at: disk.operations + 2, .error(EIO)))
        #expect(throws: BanyanError.self) { try ledger.commit(to: files) }
        #expect(files.poisoned?.code == .poisoned)
        #expect(files.poisoned?.cause?.contains("errno \(EIO)") == true)
        // The disk works again, the store does not: a second flush that succeeds would prove nothing.
        let operations = disk.operations
        #expect(throws: BanyanError.self) { try ledger.commit(to: files) }
        #expect(throws: BanyanError.self) { try files.checkWritable() }
        #expect(throws: BanyanError.self) { try ledger.checkpoint(files) }
        #expect(disk.operations == operations, "a poisoned store touched the disk")
        #expect(files.durableSequence == 3)
        #expect(throws: BanyanError.self) { try files.close() }
        let again = try Recovered(on: disk)
        #expect(again.report.lastSequence >= 3)
    }

    @Test func aCommitWithoutASegmentPoisonsInsteadOfWaiting() throws {
        let files = try Recovered(on: SimulatedDisk()).files
        files.append(Ledger.payload(1), sequence: 1, time: 1_000)
        #expect(files.poisoned?.message.contains("before it had a segment") == true)
        #expect(throws: BanyanError.self) { try files.flush(through: 1) }
    }

    @Test func aCommitOutOfOrderPoisonsInsteadOfWriting() throws {
        let files = try Recovered(on: SimulatedDisk()).files
        let ledger = Ledger()
        try ledger.commit(2, to: files)
        files.append([1], sequence: 2, time: 0)
        #expect(files.poisoned?.message.contains("Commit 2") == true)
        #expect(throws: BanyanError.self) { try ledger.commit(to: files) }
    }

    /// After a failed write-back the cache still shows what the device never got. Recovery must not believe it.
    @Test func recoveryReadsTheDeviceAndNotTheCache() throws {
        let other = SimulatedDisk()
        let victim = try Recovered(on: other).files
        let promises = Ledger()
        try promises.commit(2, to: victim)
        other.inject(.init(at: other.operations + 2, .error(EIO)))
        #expect(throws: BanyanError.self) { try promises.commit(to: victim) }
        other.inject(nil)
        let cached = try #require(other.content(of: "/store/00000000000000000001.bjl")).count
        #expect(throws: BanyanError.self) { try victim.close() }
        let found = try Recovered(on: other)
        #expect(found.report.lastSequence == 2)
        #expect(try #require(other.content(of: "/store/00000000000000000001.bjl")).count < cached)
    }

    @Test func aCheckpointThatFindsTheDiskFullFailsAloneAndLeavesNothingBehind() throws {
        let disk = SimulatedDisk()
        var options = StoreFiles.Options()
        options.freeSpaceReserve = 0
        let files = try Recovered(on: disk, options: options).files
        let ledger = Ledger()
        try ledger.commit(5, to: files)
        try ledger.checkpoint(files)
        try ledger.commit(5, to: files)
        disk.setCapacity(20_000)
        var random = SeededGenerator(seed: 1)
        let noise = random.bytes(200_000)
        let error = #expect(throws: BanyanError.self) {
            try files.checkpoint(sequence: 10, time: 0, schema: []) { writer in
                for _ in 0..<4 { try writer.append(kind: 1, table: 0, rows: 1, payload: noise) }
            }
        }
        #expect(error?.code == .diskFull)
        #expect(files.poisoned == nil)
        #expect(!disk.names(in: "/store").contains { $0.hasSuffix(".tmp") })
        try ledger.commit(3, to: files)
        disk.setCapacity(1 << 30)
        try ledger.checkpoint(files)
        try files.close()
        #expect(try Recovered(on: disk).report.lastSequence == 13)
    }

    @Test func aNearlyFullDiskRefusesCommitsBeforeWriting() throws {
        let disk = SimulatedDisk(capacity: 1 << 20)
        var options = StoreFiles.Options()
        options.freeSpaceReserve = 1 << 19
        let files = try Recovered(on: disk, options: options).files
        try files.checkWritable()
        // The answer is kept for a while; writing a share of the reserve makes it be asked for again.
        var random = SeededGenerator(seed: 1)
        let noise = random.bytes(100_000)
        files.append(noise, sequence: 1, time: 0)
        try files.flush(through: 1)
        disk.setCapacity(1 << 18)
        let error = #expect(throws: BanyanError.self) { try files.checkWritable() }
        #expect(error?.code == .diskFull)
        #expect(files.poisoned == nil)
        disk.setCapacity(1 << 22)
        try files.checkWritable()
    }

    @Test(arguments: Array(stride(from: 500, through: 12_000, by: 250)))
    func whereverTheDiskRunsFullTheStoreOpensAgainAndGoesOn(capacity: Int) throws {
        let workload = Workload.all.last!
        let disk = SimulatedDisk(capacity: UInt64(capacity))
        let ledger = Ledger()
        var finished = true
        do { try workload.run(on: disk, ledger: ledger) } catch { finished = false }
        disk.setCapacity(1 << 30)
        let found = try Recovered(on: disk.afterProcessDeath(), options: workload.options)
        #expect(found.report.lastSequence >= ledger.acknowledged)
        if finished { #expect(found.report.lastSequence == ledger.appended) }
        let after = Ledger()
        after.restart(at: found.report.lastSequence)
        try after.commit(2, to: found.files)
    }

    @Test func `a file that takes only a part of what it is given is on a full disk, and that is said once`() throws {
        let disk = SimulatedDisk()
        let directory = try disk.openDirectory("/full", createIfMissing: true)
        let file = try directory.open("file", .create)
        disk.inject(.init(at: disk.operations + 1, .shortWrite))
        let fault = #expect(throws: DiskFault.self) {
            try file.writeAll([UInt8](repeating: 1, count: 10).span.bytes, at: 0, name: "file")
        }
        let error = try #require(fault).error()
        #expect(error.code == .diskFull)
        #expect(error.remedy?.contains("Free space") == true)
        #expect(error.description.components(separatedBy: "write all of 10 bytes").count == 2, "\(error)")
    }
}
