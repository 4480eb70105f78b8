import BanyanCore
import BanyanPersistence
import BanyanTesting
import Testing

/// Stops every workload after each change it makes to the disk, and recovers from what may be left.
@Suite struct PowerCutTests {
    static let draws = Effort.isThorough ? 32 : 6

    @Test(arguments: Workload.all)
    func noAcknowledgedCommitIsLostWhereverThePowerFails(_ workload: Workload) throws {
        let whole = SimulatedDisk()
        try workload.run(on: whole, ledger: Ledger())
        let total = whole.changes
        #expect(total > 20)
        var states = 0
        for stop in 0...total {
            let disk = SimulatedDisk()
            disk.cutPower(afterChanges: stop)
            let ledger = Ledger()
            do { try workload.run(on: disk, ledger: ledger) } catch { #expect(disk.isPowerCut, "\(error)") }
            for draw in 0..<Self.draws {
                let seed = UInt64(stop * 1000 + draw)
                let image = disk.afterPowerCut(seed: seed)
                states += 1
                let place = "\(workload.name), stopped after \(stop), seed \(seed)"
                try Self.check(image.afterProcessDeath(), workload, ledger, place)
                if draw % 3 == 0 { try Self.checkRecoveryStopped(image, workload, ledger, place, seed: seed) }
            }
            let killed = "\(workload.name), killed after \(stop)"
            try Self.check(disk.afterProcessDeath(), workload, ledger, killed)
            try Self.checkRecoveryIsDurable(disk.afterProcessDeath(), workload, killed)
        }
        print("\(workload.name): \(states) crash states over \(total) changes")
    }

    /// Recovers, compares, goes on writing, and opens once more.
    private static func check(
        _ disk: SimulatedDisk, _ workload: Workload, _ ledger: Ledger, _ place: String
    ) throws {
        do {
            let found = try Recovered(on: disk, options: workload.options)
            let last = found.report.lastSequence
            #expect(last >= ledger.acknowledged, "lost: \(place)")
            #expect(last <= ledger.appended, "invented: \(place)")
            let after = Ledger()
            after.restart(at: last)
            try after.commit(2, to: found.files)
            try found.files.close()
            let again = try Recovered(on: disk, options: workload.options)
            #expect(again.report.lastSequence == last + 2, "\(place)")
            #expect(again.report.tornTail == nil, "\(place)")
            let names = disk.names(in: "/store")
            #expect(!names.contains { $0.hasSuffix(".tmp") }, "\(place): \(names)")
            try again.files.close()
        } catch {
            Issue.record("\(place): \(error)\n\(disk.log.suffix(40).joined(separator: "\n"))")
        }
    }

    /// What a recovery has given back may not be taken by a power cut after it, though nobody was promised it before.
    private static func checkRecoveryIsDurable(
        _ disk: SimulatedDisk, _ workload: Workload, _ place: String
    ) throws {
        let found = try Recovered(on: disk, options: workload.options)
        for seed in UInt64(0)..<4 {
            let again = try Recovered(on: disk.afterPowerCut(seed: seed), options: workload.options)
            #expect(again.report.lastSequence == found.report.lastSequence, "\(place), recovered, power cut")
        }
    }

    /// Stops the recovery itself at some of its steps.
    private static func checkRecoveryStopped(
        _ image: SimulatedDisk, _ workload: Workload, _ ledger: Ledger, _ place: String, seed: UInt64
    ) throws {
        let trial = image.afterProcessDeath()
        _ = try? Recovered(on: trial, options: workload.options)
        for stop in stride(from: Int(seed % 3), to: trial.changes, by: Effort.isThorough ? 1 : 3) {
            let disk = image.afterProcessDeath()
            disk.cutPower(afterChanges: stop)
            #expect(throws: (any Error).self) { try Recovered(on: disk, options: workload.options) }
            let next = disk.afterPowerCut(seed: seed &+ UInt64(stop) &* 7919)
            try check(next, workload, ledger, "\(place), recovery stopped after \(stop)")
        }
    }
}
