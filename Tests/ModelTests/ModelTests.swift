import BanyanCore
import Foundation
import Testing

/// Random transactions against a naive model of the graph. See `World` for what is compared.
@Suite struct ModelTests {

    /// A run that is asked for by name, or the usual ones: three profiles, a few seeds each.
    static let runs: [(seed: UInt64, profile: String)] = {
        let profiles = DeveloperOptions.value(of: "profile").map { [$0] } ?? Profile.all.map(\.name)
        if let seed = DeveloperOptions.value(of: "seed").flatMap(UInt64.init) { return profiles.map { (seed, $0) } }
        return (1...4).flatMap { seed in profiles.map { (seed, $0) } }
    }()

    /// Operations of one run: 100,000 in all runs together.
    static let operations = DeveloperOptions.value(of: "operations").flatMap(Int.init) ?? 8_500

    private static func profile(_ name: String) throws -> Profile {
        try #require(Profile.all.first { $0.name == name }, "no profile is named \(name)")
    }

    @Test("A random life gives what a naive model gives", arguments: runs)
    func randomLife(seed: UInt64, profile: String) throws {
        let commits = try ModelRun(seed: seed, profile: Self.profile(profile), operations: Self.operations).run()
        #expect(commits > Self.operations / 40, "most transactions are to be committed")
    }

    @Test("A long random life gives what a naive model gives", .enabled(if: DeveloperOptions.value(of: "soak") != nil))
    func soak() async throws {
        let total = try #require(
            DeveloperOptions.value(of: "soak").flatMap(Int.init), "soak=N is a number of operations")
        // Many lives rather than long ones: what there is to compare grows with a life.
        let length = 10_000
        var done = 0
        var seed = UInt64.random(in: 1_000..<1_000_000)
        while done < total {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for profile in Profile.all {
                    group.addTask { [seed] in try ModelRun(seed: seed, profile: profile, operations: length).run() }
                }
                try await group.waitForAll()
            }
            done += length * Profile.all.count
            print("seed \(seed): \(done) of \(total) operations")
            seed += 1
        }
    }

    @Test("Every inverse property answers from the hidden column of its origin")
    func inversePairs() {
        let layout = RichSchema.layout
        for table in layout.tables {
            for (i, property) in table.type.properties.enumerated() {
                guard case .inverse(let origin) = property.shape else { continue }
                let hidden = table.columns[table.columns[i].otherColumn]
                let source = layout.tables[hidden.otherTable]
                #expect(source.type.name == property.target)
                #expect(source.type.properties[hidden.otherColumn].name == origin)
            }
        }
    }
}
