import BanyanCore
import BanyanPersistence
import CrashLedger
import Foundation
import Testing

/// A process that writes is killed with SIGKILL at random moments, again and again, on the same store. After each kill
/// the store must be sound, must hold every commit that was acknowledged, and none by half.
@Suite struct CrashTests {
    /// 210 kills in all; `BANYAN_DEV=kills=10` makes it ten times as many.
    private static let factor = DeveloperOptions.value(of: "kills").flatMap(Int.init) ?? 1
    static let lives: [Life] = [
        Life(name: "every commit", durability: "everyCommit", seed: 1, kills: 70 * factor),
        Life(name: "every commit again", durability: "everyCommit", seed: 2, kills: 70 * factor),
        Life(name: "interval", durability: "interval", seed: 3, kills: 40 * factor),
        Life(name: "on close", durability: "onClose", seed: 4, kills: 30 * factor),
    ]

    @Test("Killing a writer loses no acknowledged commit and leaves none by half", arguments: lives)
    func kill(_ life: Life) throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("banyan-crash-\(UUID())").path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        var victim = Victim(directory: directory, life: life)
        do {
            for _ in 0..<life.kills { try victim.liveAndDie() }
        } catch {
            Issue.record("\(error), after kill \(victim.kills) of '\(life.name)'; the store is kept in \(directory)")
            return
        }
        try FileManager.default.removeItem(atPath: directory)
        print(
            "\(life.name): \(victim.kills) kills, \(victim.acknowledged.count) commits acknowledged, \(victim.moments)")
        #expect(victim.acknowledged.count > life.kills, "most children are to get something done")
    }
}

/// One store and the children that die over it.
struct Life: Sendable, CustomTestStringConvertible {
    var name: String
    var durability: String
    var seed: UInt64
    var kills: Int

    var testDescription: String { name }
}
