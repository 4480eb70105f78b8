import BanyanCore
import BanyanPersistence
import BanyanTesting
import Testing

/// What verification does grows with the files there are and are missing, and no faster: counted in calls of the disk.
@Suite struct VerificationCostTests {
    /// A store with so many segments, of which every second one is missing.
    private func fixture(segments: Int) throws -> Fixture {
        let fixture = try Fixture(commits: segments, closed: true) { $0.segmentSize = 1 }
        let names = fixture.names(".bjl").sorted()
        #expect(names.count >= segments)
        for (index, name) in names.enumerated() where index % 2 == 1 { fixture.disk.erase(Fixture.path(name)) }
        return fixture
    }

    private func operations(_ fixture: Fixture, _ body: (SimulatedDisk) throws -> Void) throws -> Int {
        let before = fixture.disk.operations
        try body(fixture.disk)
        return fixture.disk.operations - before
    }

    @Test func `four times as many missing segments take four times as many calls to verify`() throws {
        func verify(_ count: Int) throws -> Int {
            let fixture = try fixture(segments: count)
            return try operations(fixture) { disk in
                let report = try StoreVerification.verify(Fixture.directory, on: disk)
                #expect(report.findings.count >= count / 2)
            }
        }
        let (few, many) = (try verify(40), try verify(160))
        #expect(many <= 4 * few + 40, "\(few) calls for 40 segments, \(many) for 160")
    }

    @Test func `four times as many segments take four times as many calls to salvage and to inspect`() throws {
        func calls(_ count: Int) throws -> (salvage: Int, inspect: Int) {
            let fixture = try fixture(segments: count)
            let salvage = try operations(fixture) { disk in
                _ = try StoreSalvage.open(Fixture.directory, on: disk).records(after: 0) { _, _ in }
            }
            let inspect = try operations(fixture) { disk in
                _ = try StoreInspection.open(Fixture.directory, on: disk)
            }
            return (salvage, inspect)
        }
        let (few, many) = (try calls(40), try calls(160))
        #expect(many.salvage <= 4 * few.salvage + 40, "\(few), \(many)")
        #expect(many.inspect <= 4 * few.inspect + 40, "\(few), \(many)")
    }
}
