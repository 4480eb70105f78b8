import BanyanCore
import Foundation

/// One random life of a store, from a seed; and what is told when it goes wrong.
struct ModelRun {
    let seed: UInt64
    let profile: Profile
    /// Operations on the graph; other steps are not counted.
    let operations: Int

    /// Prints every step before it is taken, for a failure that ends the process.
    private static let isTraced = DeveloperOptions.contains("trace")
    /// Seconds spent on making a failing script shorter, at least; a long run is given as long again some times over.
    private static let patience = 30.0

    /// Returns the number of commits that were made.
    @discardableResult
    func run() throws -> Int {
        let world = try World(period: profile.period)
        var generator = Generator(seed: seed, profile: profile)
        var script: [Step] = []
        var done = 0
        let start = Date()
        do {
            while done < operations {
                generator.branchIndex = world.active
                let step = generator.next(world)
                script.append(step)
                if Self.isTraced { FileHandle.standardError.write(Data("\(step)\n".utf8)) }
                if case .operate = step { done += 1 }
                try world.run(step)
            }
            try world.finish()
        } catch {
            throw report(error, script, patience: max(Self.patience, 8 * -start.timeIntervalSinceNow))
        }
        return world.commits
    }

    /// What failed, the shortest script found that still fails, and how to run it again.
    private func report(_ error: any Error, _ script: [Step], patience: Double) -> Failure {
        let (steps, failure) = Minimizer(period: profile.period, patience: patience).shorten(
            script, failingWith: error)
        let lines = steps.map(\.description).joined(separator: "\n")
        return Failure(
            """
            \(error)
            after \(script.count) steps of seed \(seed), profile \(profile.name). To run it again:
                BANYAN_DEV=seed=\(seed),profile=\(profile.name),operations=\(operations) swift test --filter ModelTests
            (The word `trace` beside them prints every step before it is taken.)
            Shortened to \(steps.count) steps, failing with: \(failure)
            \(lines)
            """)
    }
}
