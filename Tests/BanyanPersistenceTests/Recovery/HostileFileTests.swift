import BanyanCore
@testable import BanyanPersistence
import BanyanTesting
import Testing

/// Files made by someone who knows the format, hashes included. Nothing may trap, and nothing may be allocated that the
/// file does not pay for.
@Suite struct HostileFileTests {
    private func u32(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    private func u64(_ value: UInt64) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }

    /// Replaces bytes, and makes the hash at the end right again.
    private func rehashed(_ bytes: [UInt8], _ range: Range<Int>, at offset: Int, _ patch: [UInt8]) -> [UInt8] {
        var bytes = bytes
        bytes.replaceSubrange(offset..<offset + patch.count, with: patch)
        let hash = Checksum.hash(Array(bytes[range.lowerBound..<range.upperBound - 8]))
        bytes.replaceSubrange(range.upperBound - 8..<range.upperBound, with: u64(hash))
        return bytes
    }

    /// What became of looking at hostile files in one way or another.
    private struct Outcomes {
        /// What may be said of a file that is not what it should be.
        private static let refusals: Set<BanyanError.Code> = [
            .damaged, .foreignFile, .unsupportedFormat, .notAStore, .limit, .diskFull,
        ]

        var refused = 0
        var opened = 0

        /// Opens it. What comes back is what was written, as far as it goes, or it is refused: `Fixture.open` throws for
        /// anything else.
        mutating func open(_ fixture: Fixture, _ place: String, _ mode: StoreFiles.Mode = .readOnly) throws {
            switch try fixture.open(mode: mode) {
            case .opened(let last):
                opened += 1
                #expect(last <= fixture.last, "\(place): commits that never were")
            case .refused(let code):
                refused += 1
                #expect(Self.refusals.contains(code), "\(place): \(code)")
            }
        }

        /// Does something else with it, which works or is refused.
        mutating func attempt(_ place: String, _ body: () throws -> Void) throws {
            do {
                try body()
                opened += 1
            } catch let error as BanyanError {
                refused += 1
                #expect(Self.refusals.contains(error.code), "\(place): \(error)")
            }
        }
    }

    @Test func everyFieldOfAManifestMaySayAnything() throws {
        let fixture = try Fixture(commits: 6, closed: true) { $0.segmentSize = 200 }
        let bytes = try fixture.content("MANIFEST")
        var outcomes = Outcomes()
        for offset in stride(from: 8, through: bytes.count - 16, by: 4) {
            for value in [UInt32(0), 1, 0x7FFF_FFFF, 0x8000_0000, .max] {
                let place = "\(value) at \(offset)"
                let patched = rehashed(bytes, 0..<bytes.count, at: offset, u32(value))
                let copy = fixture.with("MANIFEST", patched)
                try outcomes.open(copy, place)
                let verdict = try StoreVerification.verify("/store", on: copy.disk)
                // Whoever verifies is told no less than whoever opens.
                if verdict.isSound { #expect(try copy.open() == .opened(last: verdict.lastSequence), "\(place)") }
                try outcomes.attempt(place) {
                    try StoreInspection.open("/store", on: copy.disk).records(after: 0) { located, _ in
                        #expect(located.record.payload == Ledger.payload(located.record.sequence), "\(place)")
                        return true
                    }
                }
                try outcomes.open(copy, place, .readWrite(createIfMissing: false))
            }
            let patched = rehashed(bytes, 0..<bytes.count, at: offset, u64(.max))
            try outcomes.open(
                fixture.with("MANIFEST", patched), "all ones at \(offset)", .readWrite(createIfMissing: false))
        }
        // Few fields may say something else and still be believed: the parent, the generation, the numbers to come.
        #expect(outcomes.refused > 2 * outcomes.opened, "\(outcomes)")
    }

    @Test func everyFieldOfASegmentHeaderMaySayAnything() throws {
        let fixture = try Fixture(commits: 2, closed: false)
        let name = fixture.names(".bjl")[0]
        let bytes = try fixture.content(name)
        let length = 64 + Ledger.schema.count + 8
        var outcomes = Outcomes()
        for offset in stride(from: 8, through: length - 12, by: 4) {
            for value in [UInt32(0), 1, 0x7FFF_FFFF, .max] {
                let place = "\(value) at \(offset)"
                let copy = fixture.with(name, rehashed(bytes, 0..<length, at: offset, u32(value)))
                let isChanged = try copy.content(name) != bytes
                // The frames are bound to the header, and so is the manifest.
                if isChanged {
                    guard case .refused = try copy.open() else {
                        Issue.record("\(place): accepted")
                        continue
                    }
                }
                try outcomes.open(copy, place)
                try outcomes.attempt(place) {
                    let report = try StoreVerification.verify("/store/" + name, on: copy.disk)
                    #expect(report.records <= 2, "\(place)")
                    if isChanged { #expect(!report.isSound || report.records == 0, "\(place)") }
                }
                try outcomes.attempt(place) {
                    let salvaged = try StoreSalvage.open("/store", on: copy.disk).records(after: 0) { record, _ in
                        #expect(record.payload == Ledger.payload(record.sequence), "\(place)")
                    }
                    if isChanged { #expect(salvaged.records == 0, "\(place)") }
                }
            }
        }
        #expect(outcomes.refused > 0, "\(outcomes)")
    }

    @Test func everyFieldOfAFrameMaySayAnything() throws {
        let fixture = try Fixture(commits: 3, closed: false)
        let name = fixture.names(".bjl")[0]
        let bytes = try fixture.content(name)
        let start = 64 + Ledger.schema.count + 8
        let seed = JournalFrame.seed(store: StoreID(high: 3, low: 4), segment: 1)
        var outcomes = Outcomes()
        for offset in stride(from: 8, to: 56, by: 2) {
            for value in [UInt64(0), 1, 0x7FFF_FFFF, 0xFFFF_FFFF, .max] {
                for size in [2, 4, 8] where offset + size <= 56 {
                    var patched = bytes
                    patched.replaceSubrange(start + offset..<start + offset + size, with: u64(value).prefix(size))
                    let stored = (0..<4).reduce(0) { $0 | Int(patched[start + 8 + $1]) << (8 * $1) }
                    if start + 40 + stored <= patched.count {
                        let hash = Checksum.hash(Array(patched[start + 8..<start + 40 + stored]), seed: seed)
                        patched.replaceSubrange(start..<start + 8, with: u64(hash))
                    }
                    let place = "\(size) bytes of \(value) at \(offset)"
                    let copy = fixture.with(name, patched)
                    let report = try StoreVerification.verify("/store", on: copy.disk)
                    if patched == bytes {
                        #expect(try copy.open() == .opened(last: 3), "\(place)")
                        continue
                    }
                    // The frame behind it carries its hash: with any other one there is no going on, nor a cutting off.
                    #expect(!report.isSound, "\(place)")
                    for mode in [StoreFiles.Mode.readOnly, .readWrite(createIfMissing: false)] {
                        try outcomes.attempt(place) {
                            let files = try StoreFiles.open(
                                at: "/store", on: copy.disk, options: fixture.options, mode: mode, schema: [])
                            try files.replay { record, _ in
                                // What its author likes to say may come this far, and nothing else.
                                #expect(record.sequence == 1, "\(place)")
                            }
                        }
                    }
                    #expect(try copy.content(name) == patched, "\(place)")
                }
            }
        }
        #expect(outcomes.opened == 0 && outcomes.refused > 0, "\(outcomes)")
    }

    @Test func everyFieldOfASnapshotMaySayAnything() throws {
        let disk = SimulatedDisk()
        try writeSnapshotFile(
            to: "/a.bsn", on: disk, storeID: StoreID(), sequence: 1, time: 1, schema: Ledger.schema
        ) { writer in
            try writer.append(kind: 1, table: 2, rows: 3, payload: Array("hello".utf8))
            try writer.append(kind: 1, table: 2, rows: 3, payload: [UInt8](repeating: 1, count: 5000))
        }
        let bytes = try #require(disk.content(of: "/a.bsn"))
        let header = 0..<SnapshotFormat.headerFixedLength + Ledger.schema.count + 8
        let footer = bytes.count - SnapshotFormat.footerLength..<bytes.count
        let table =
            footer.lowerBound - SnapshotFormat.tableFixedLength - 2 * SnapshotFormat.entryLength - 8..<footer.lowerBound
        var refused = 0
        for part in [header, table, footer] {
            for offset in stride(from: part.lowerBound, through: part.upperBound - 12, by: 4) {
                for value in [UInt32(0), 1, 0x7FFF_FFFF, 0xFFFF_FFFF] {
                    let place = "\(value) at \(offset)"
                    let patched = rehashed(bytes, part, at: offset, u32(value))
                    disk.place(patched, at: "/a.bsn")
                    let codes: Set<BanyanError.Code> = [.damaged, .unsupportedFormat, .notAStore, .limit]
                    do {
                        let reader = try SnapshotReader.open("/a.bsn", on: disk)
                        try reader.verify()
                        // What it says of itself may have been changed; what it holds has not.
                        #expect(try reader.read(0) == Array("hello".utf8), "\(place)")
                        #expect(try reader.read(1) == [UInt8](repeating: 1, count: 5000), "\(place)")
                        #expect(try StoreVerification.verify("/a.bsn", on: disk).isSound, "\(place)")
                    } catch {
                        refused += 1
                        #expect(patched != bytes && codes.contains(error.code), "\(place): \(error)")
                        do {
                            #expect(try !StoreVerification.verify("/a.bsn", on: disk).isSound, "\(place)")
                        } catch {
                            #expect(codes.contains(error.code), "\(place): \(error)")
                        }
                    }
                }
            }
        }
        #expect(refused > 0)
    }

    @Test func aFrameThatClaimsMoreThanLZ4CanHoldIsRefusedUnallocated() {
        let bomb = [UInt8](repeating: 0xFF, count: 1000)
        #expect(Compression.unblock(bomb.span.bytes, rawLength: 300_000) == nil)
        #expect(Compression.unblock(bomb.span.bytes, rawLength: Int(Int32.max)) == nil)
        guard case .failure = Compression.unframe(bomb, rawLength: .max) else {
            Issue.record("accepted")
            return
        }
    }

    /// A tail full of things that look like frames does not make the check quadratic: it hashes so many bytes and no more.
    @Test func aTailFullOfFalseFramesIsGivenUpOn() throws {
        let fixture = try Fixture(commits: 2, closed: false)
        let name = fixture.names(".bjl")[0]
        let bytes = try fixture.content(name)
        var tail: [UInt8] = []
        for _ in 0..<(Effort.isThorough ? 20_000 : 3000) {
            tail += u64(1) + u32(100_000) + [1, 0, 1, 0] + u64(3) + u32(1) + u32(99_984) + u64(0) + u64(0) + u64(0)
        }
        let hostile = fixture.with(name, bytes + tail)
        let error = #expect(throws: BanyanError.self) {
            try Recovered(on: hostile.disk, options: hostile.options, mode: .readOnly)
        }
        #expect(error?.code == .damaged)
        // Had it looked at all of them, it would have found none of them to be one, and taken the tail for a torn one.
        #expect(error?.message.contains("too much behind it looks like records") == true, "\(error as Any)")
    }
}
