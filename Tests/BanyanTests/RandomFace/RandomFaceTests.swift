import BanyanCore
import Testing

/// Random transactions through live objects, whose handles and observers are kept, against values. See `VillageLife`.
@Suite("Random lives of live objects")
struct RandomFaceTests {
    /// `BANYAN_DEV=village=7` runs one again.
    static let seeds: [UInt64] =
        DeveloperOptions.value(of: "village").flatMap(UInt64.init).map { [$0] } ?? [1, 2, 3, 4]

    @Test("Live objects, their observers and frozen versions show what values show", arguments: seeds)
    func life(_ seed: UInt64) throws {
        let life = try VillageLife(seed: seed)
        for _ in 0..<200 { try life.transaction() }
    }
}
