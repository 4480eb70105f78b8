import BanyanCore
@testable import BanyanPersistence
import BanyanTesting
import Testing

/// Damage of the kinds disks and people do: sectors gone, frames moved, files exchanged.
@Suite struct TamperTests {
    /// Where the frames of a segment lie: the header's length first.
    private func frames(_ bytes: [UInt8]) -> [Range<Int>] {
        func u32(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } }
        var ranges: [Range<Int>] = []
        var at = u32(12)
        while at < bytes.count {
            let end = at + 40 + u32(at + 8)
            ranges.append(at..<end)
            at = end
        }
        return ranges
    }

    @Test(arguments: [512, 4096], [true, false])
    func aSectorOfZerosOrGarbageIsNoticed(size: Int, closed: Bool) throws {
        let fixture = try Fixture(commits: 40, closed: closed)
        let name = fixture.names(".bjl")[0]
        let bytes = try fixture.content(name)
        let ranges = frames(bytes)
        var random = SeededGenerator(seed: 9)
        for start in stride(from: 0, to: bytes.count, by: size) {
            let end = min(start + size, bytes.count)
            for filling in [[UInt8](repeating: 0, count: end - start), random.bytes(end - start)] {
                var damaged = bytes
                damaged.replaceSubrange(start..<end, with: filling)
                let what = "\(start)..<\(end) of \(bytes.count)"
                switch try fixture.with(name, damaged).open() {
                case .refused(let code): #expect(DamageTests.refusals.contains(code), "\(what): \(code)")
                case .opened(let last):
                    // Damage that reaches the end of a killed store's journal looks like an interrupted write.
                    let whole = ranges.filter { $0.upperBound <= start }.count
                    #expect(!closed && end > ranges[ranges.count - 1].lowerBound, "\(what): not noticed")
                    #expect(last == UInt64(whole), "\(what)")
                }
            }
        }
    }

    @Test(arguments: [true, false])
    func swappedDoubledAndDroppedFramesAreNoticed(closed: Bool) throws {
        let fixture = try Fixture(commits: 12, closed: closed)
        let name = fixture.names(".bjl")[0]
        let bytes = try fixture.content(name)
        let ranges = frames(bytes)
        let head = Array(bytes[..<ranges[0].lowerBound])
        let pieces = ranges.map { Array(bytes[$0]) }
        for index in pieces.indices {
            var dropped = pieces
            dropped.remove(at: index)
            let isLast = index == pieces.count - 1
            if !isLast || closed {
                #expect(try fixture.with(name, head + dropped.joined()).open() == .refused(.damaged), "drop \(index)")
            } else {
                // On one device a journal that ends early looks like one that was never longer.
                #expect(try fixture.with(name, head + dropped.joined()).open() == .opened(last: fixture.last - 1))
            }
            var doubled = pieces
            doubled.insert(pieces[index], at: index)
            #expect(try fixture.with(name, head + doubled.joined()).open() == .refused(.damaged), "double \(index)")
            for other in pieces.indices where other > index {
                var swapped = pieces
                swapped.swapAt(index, other)
                #expect(
                    try fixture.with(name, head + swapped.joined()).open() == .refused(.damaged),
                    "swap \(index) and \(other)")
            }
        }
    }

    @Test func bytesPutInFrontOfAFrameAreNoticed() throws {
        let fixture = try Fixture(commits: 8, closed: false)
        let name = fixture.names(".bjl")[0]
        let bytes = try fixture.content(name)
        for range in frames(bytes).dropLast() {
            for filling in [[0], [UInt8](repeating: 0, count: 600), Array("garbage".utf8)] {
                var damaged = bytes
                damaged.insert(contentsOf: filling, at: range.lowerBound)
                #expect(try fixture.with(name, damaged).open() == .refused(.damaged))
            }
        }
    }

    @Test func trailingZerosAndGarbageAreCutOffAndKeptAside() throws {
        let fixture = try Fixture(commits: 5, closed: false)
        let name = fixture.names(".bjl")[0]
        let bytes = try fixture.content(name)
        for filling in [[UInt8](repeating: 0, count: 5000), Array("torn".utf8)] {
            let damaged = fixture.with(name, bytes + filling)
            let found = try Recovered(on: damaged.disk, options: fixture.options)
            #expect(found.report.lastSequence == 5)
            let tail = try #require(found.report.tornTail)
            #expect(tail.offset == UInt64(bytes.count) && tail.length == UInt64(filling.count))
            #expect(tail.afterSequence == 5)
            #expect(try damaged.content(name) == bytes)
            if let quarantine = tail.quarantine {
                #expect(damaged.disk.content(of: quarantine) == filling)
            } else {
                #expect(filling.allSatisfy { $0 == 0 })
            }
            let ledger = Ledger()
            ledger.restart(at: 5)
            try ledger.commit(2, to: found.files)
            try found.files.close()
            #expect(damaged.names(".bjl").count == 2, "never append behind a cut")
            #expect(try damaged.open() == .opened(last: 7))
            // What was cut is gone for good: with it back, the sealed segment is not what the manifest says.
            #expect(try damaged.with(name, bytes + filling).open() == .refused(.damaged))
        }
    }

    @Test func aReadOnlyOpeningPassesOverATornTailAndChangesNothing() throws {
        let fixture = try Fixture(commits: 5, closed: false)
        let name = fixture.names(".bjl")[0]
        let damaged = fixture.with(name, try fixture.content(name) + [1, 2, 3])
        let changes = damaged.disk.changes
        let found = try Recovered(on: damaged.disk, options: fixture.options, mode: .readOnly)
        #expect(found.report.tornTail?.length == 3)
        #expect(found.report.tornTail?.quarantine == nil)
        #expect(throws: BanyanError.self) { try found.files.checkWritable() }
        #expect(damaged.disk.changes == changes)
    }

    @Test func refusingChangesNothing() throws {
        let fixture = try Fixture(commits: 5, closed: false)
        let name = fixture.names(".bjl")[0]
        var bytes = try fixture.content(name)
        bytes[200] ^= 1
        let damaged = fixture.with(name, bytes)
        damaged.disk.place([1], at: Fixture.path("left.tmp"))
        let before = Dictionary(
            uniqueKeysWithValues: try damaged.disk.names(in: "/store").filter { $0 != "LOCK" }.map {
                ($0, try damaged.content($0))
            })
        #expect(try damaged.open(mode: .readWrite(createIfMissing: false)) == .refused(.damaged))
        for (name, content) in before { #expect(try damaged.content(name) == content) }
        #expect(Set(damaged.disk.names(in: "/store")) == Set(before.keys).union(["LOCK"]))
    }

    @Test func aMissingOrForeignSegmentIsRefused() throws {
        let fixture = try Fixture(commits: 12, closed: true) { $0.segmentSize = 300 }
        let other = try Fixture(commits: 12, closed: true) {
            $0.segmentSize = 300
            $0.newStoreID = StoreID(high: 9, low: 9)
        }
        let names = fixture.names(".bjl")
        #expect(names.count > 3 && other.names(".bjl") == names)
        for name in names {
            let copy = fixture.disk.afterProcessDeath()
            copy.erase(Fixture.path(name))
            #expect(
                try Fixture(disk: copy, options: fixture.options, last: fixture.last).open() == .refused(.damaged))
            let foreign = fixture.with(name, try other.content(name))
            let sizesAgree = try other.content(name).count == fixture.content(name).count
            #expect(try foreign.open() == .refused(sizesAgree ? .foreignFile : .damaged))
        }
        // A segment of the same store in another's place.
        #expect(try fixture.with(names[1], fixture.content(names[2])).open() == .refused(.damaged))
        // And one that is in nobody's place.
        let stray = fixture.with("00000000000000000099.bjl", try other.content(names[0]))
        #expect(try stray.open(mode: .readWrite(createIfMissing: false)) == .refused(.foreignFile))
    }

    @Test func anOlderManifestPutBackIsRefusedAndAMissingOneToo() throws {
        let disk = SimulatedDisk()
        var options = StoreFiles.Options()
        options.segmentSize = 300
        let ledger = Ledger()
        let files = try Recovered(on: disk, options: options).files
        try ledger.commit(2, to: files)
        let old = try #require(disk.content(of: "/store/MANIFEST"))
        try ledger.commit(9, to: files)
        try ledger.commit(2, to: files)
        try files.close()
        let fixture = Fixture(disk: disk.afterProcessDeath(), options: options, last: ledger.acknowledged)
        #expect(try fixture.open() == .opened(last: 13))
        #expect(
            try fixture.with("MANIFEST", old).open(mode: .readWrite(createIfMissing: false)) == .refused(.damaged))
        fixture.disk.erase("/store/MANIFEST")
        #expect(try fixture.open(mode: .readWrite(createIfMissing: true)) == .refused(.damaged))
    }

    @Test func aDamagedNewestSnapshotIsReplacedByTheOlderOneAndTheJournal() throws {
        let disk = SimulatedDisk()
        let options = StoreFiles.Options()
        let files = try Recovered(on: disk, options: options).files
        let ledger = Ledger()
        for _ in 0..<3 {
            try ledger.commit(3, to: files)
            try ledger.checkpoint(files)
        }
        try ledger.commit(2, to: files)
        try files.close()
        let fixture = Fixture(disk: disk, options: options, last: 11)
        let names = fixture.names(".bsn")
        #expect(names.count == 2)
        var bytes = try fixture.content(names[1])
        bytes[bytes.count - 20] ^= 1  // The footer: noticed at once.
        let found = try Recovered(on: fixture.with(names[1], bytes).disk, options: options, mode: .readOnly)
        let inspection = try StoreInspection.open("/store", on: fixture.with(names[1], bytes).disk)
        #expect(try inspection.files.start { $0.header.sequence }.base == 6)
        #expect(found.report.snapshotSequence == 6 && found.report.lastSequence == 11)
        #expect(found.report.skippedSnapshots.count == 1)
        bytes = try fixture.content(names[1])
        bytes[110] ^= 1  // A frame: noticed while loading.
        let later = try Recovered(on: fixture.with(names[1], bytes).disk, options: options, mode: .readOnly)
        #expect(later.report.snapshotSequence == 6 && later.report.lastSequence == 11)
        #expect(later.report.skippedSnapshots.count == 1)
        // With both gone there is no way, and the first failure says so.
        let both = fixture.with(names[1], []).with(names[0], [])
        #expect(try both.open() == .refused(.notAStore))
    }
}
