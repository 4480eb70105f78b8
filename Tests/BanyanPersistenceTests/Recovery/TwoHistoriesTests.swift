import BanyanCore
import BanyanPersistence
import BanyanTesting
import Testing

/// A store that two processes have written at once, as a lock that does not hold lets them.
@Suite struct TwoHistoriesTests {
    private static let first = "00000000000000000001.bjl"
    private static let second = "00000000000000000006.bjl"

    private struct Writer {
        let files: StoreFiles
        let name: String
        var last: UInt64

        init(_ name: String, on disk: SimulatedDisk) throws {
            var options = StoreFiles.Options()
            options.newStoreID = StoreID(high: 3, low: 4)
            options.freeSpaceReserve = 0
            self.name = name
            files = try StoreFiles.open(
                at: "/store", on: disk, options: options, mode: .readWrite(createIfMissing: true), schema: Ledger.schema
            )
            last = try files.replay { _, _ in }.lastSequence
        }

        mutating func commit(through end: UInt64) throws {
            while last < end {
                last += 1
                try files.checkWritable()
                files.append(Array("\(name) \(last)".utf8), sequence: last, time: Int64(last))
                try files.flush(through: last)
            }
        }
    }

    /// Commits 1 to 5 by one process, which goes on to 20 in its segment while another opens the store and makes 6 to 9 in
    /// a segment of its own; and the manifest of the first.
    private func store(secondCloses: Bool) throws -> (disk: SimulatedDisk, manifestOfFirst: [UInt8]) {
        let disk = SimulatedDisk()
        var one = try Writer("one", on: disk)
        try one.commit(through: 5)
        let shared = disk.afterProcessDeath()
        try one.commit(through: 20)
        let written = try #require(disk.content(of: "/store/" + Self.first))
        let manifest = try #require(disk.content(of: "/store/MANIFEST"))
        var two = try Writer("two", on: shared)
        try two.commit(through: 9)
        if secondCloses { try two.files.close() }
        let left = shared.afterProcessDeath()
        left.place(written, at: "/store/" + Self.first)
        return (left, manifest)
    }

    private func salvage(_ disk: SimulatedDisk) throws -> (texts: [String], outcome: StoreSalvage.Outcome) {
        let remains = try StoreSalvage.open("/store", on: disk)
        var texts: [String] = []
        let outcome = try remains.records(after: 0) { record, _ in
            texts.append(String(decoding: record.payload, as: UTF8.self))
        }
        return (texts, outcome)
    }

    private var shared: [String] { (1...5).map { "one \($0)" } }

    @Test(arguments: [true, false], [true, false])
    func salvageFollowsTheOneOfTheManifestAndTellsOfTheOther(secondCloses: Bool, withManifest: Bool) throws {
        let (disk, _) = try store(secondCloses: secondCloses)
        // Without it, the one that was begun later is followed: it is the same.
        if !withManifest { disk.erase("/store/MANIFEST") }
        let (texts, outcome) = try salvage(disk)
        #expect(texts == shared + (6...9).map { "two \($0)" })
        #expect(outcome.lastSequence == 9 && outcome.highestSeen == 9 && outcome.stopped == nil)
        let fork = try #require(outcome.forks.first)
        #expect(outcome.forks.count == 1)
        #expect(fork.file == "/store/" + Self.first && fork.followed == "/store/" + Self.second)
        #expect(fork.first == 6 && fork.last == 20 && fork.epoch == 1)
    }

    @Test func theManifestDecidesAlsoForTheEarlierOne() throws {
        let (disk, manifest) = try store(secondCloses: true)
        disk.place(manifest, at: "/store/MANIFEST")
        let (texts, outcome) = try salvage(disk)
        #expect(texts == shared + (6...20).map { "one \($0)" })
        #expect(outcome.forks.map(\.file) == ["/store/" + Self.second])
        #expect(outcome.forks.map(\.first) == [6] && outcome.forks.map(\.last) == [9])
        // The other is there for whoever wants it.
        disk.erase("/store/MANIFEST")
        disk.erase("/store/" + Self.first)
        let other = try StoreSalvage.open("/store", on: disk).records(after: 5) { _, _ in }
        #expect(other.lastSequence == 9 && other.forks == [])
    }

    @Test func itIsRefusedAndNothingIsTakenAway() throws {
        let (disk, manifest) = try store(secondCloses: true)
        let fixture = Fixture(disk: disk, options: .init(), last: 9)
        for manifest in [try fixture.content("MANIFEST"), manifest] {
            let copy = fixture.with("MANIFEST", manifest)
            #expect(try copy.open(mode: .readWrite(createIfMissing: false)) == .refused(.damaged))
            #expect(try copy.content(Self.first) == fixture.content(Self.first))
            #expect(try copy.content(Self.second) == fixture.content(Self.second))
            let report = try StoreVerification.verify("/store", on: copy.disk)
            #expect(!report.isSound && !report.findings.contains { $0.severity == .stray })
        }
    }

    /// A segment that the manifest does not list, with a number that it has seen: not what pruning leaves.
    @Test func aSegmentOfAnotherHistoryIsNotALeftover() throws {
        let disk = SimulatedDisk()
        var one = try Writer("one", on: disk)
        try one.commit(through: 5)
        try one.files.close()
        let shared = disk.afterProcessDeath()
        var later = try Writer("one", on: disk)
        try later.commit(through: 8)
        let stray = try #require(disk.content(of: "/store/" + Self.second))
        // Another opening makes a segment of the same number, under another name, and one behind it.
        var two = try Writer("two", on: shared)
        try two.commit(through: 7)
        try two.files.close()
        try Writer("two", on: shared).files.close()
        let own = try #require(shared.content(of: "/store/" + Self.second))
        shared.place(own, at: "/store/" + Self.second)
        shared.place(stray, at: "/store/00000000000000000006-77.bjl")
        let fixture = Fixture(disk: shared.afterProcessDeath(), options: .init(), last: 7)
        #expect(try fixture.open(mode: .readWrite(createIfMissing: false)) == .refused(.damaged))
        #expect(fixture.names("-77.bjl").count == 1)
        let report = try StoreVerification.verify("/store", on: fixture.disk)
        #expect(report.findings.map(\.severity) == [.damaged])
        #expect(try salvage(fixture.disk).outcome.forks.map(\.file) == ["/store/00000000000000000006-77.bjl"])
    }

    /// What says the same twice is one history.
    @Test func aCopyOfASegmentIsNoSecondHistory() throws {
        let fixture = try Fixture(commits: 8, closed: true)
        let copy = fixture.with("00000000000000000001-5.bjl", try fixture.content(Self.first))
        let outcome = try StoreSalvage.open("/store", on: copy.disk).records(after: 0) { _, _ in }
        #expect(outcome.lastSequence == 8 && outcome.forks == [] && outcome.stopped == nil && outcome.endIsSealed)
    }

    /// The manifest alone says that there was something.
    @Test func commitsOfWhichOnlyTheManifestSpeaksAreLost() throws {
        let fixture = try Fixture(commits: 8, closed: true)
        for name in fixture.names(".bjl") { fixture.disk.erase(Fixture.path(name)) }
        let outcome = try StoreSalvage.open("/store", on: fixture.disk).records(after: 0) { _, _ in }
        #expect(outcome.lastSequence == 0 && outcome.highestSeen == 8)
        #expect(outcome.stopped?.code == .damaged)
    }
}
