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

    @Test func everyFieldOfAManifestMaySayAnything() throws {
        let fixture = try Fixture(commits: 6, closed: true) { $0.segmentSize = 200 }
        let bytes = try fixture.content("MANIFEST")
        for offset in stride(from: 8, through: bytes.count - 16, by: 4) {
            for value in [UInt32(0), 1, 0x7FFF_FFFF, 0x8000_0000, .max] {
                let patched = rehashed(bytes, 0..<bytes.count, at: offset, u32(value))
                let copy = fixture.with("MANIFEST", patched)
                _ = try? copy.open()
                _ = try? copy.open(mode: .readWrite(createIfMissing: false))
                _ = try? StoreVerification.verify("/store", on: copy.disk)
                _ = try? StoreInspection.open("/store", on: copy.disk).records(after: 0) { _, _ in true }
            }
            let patched = rehashed(bytes, 0..<bytes.count, at: offset, u64(.max))
            _ = try? fixture.with("MANIFEST", patched).open(mode: .readWrite(createIfMissing: false))
        }
    }

    @Test func everyFieldOfASegmentHeaderMaySayAnything() throws {
        let fixture = try Fixture(commits: 2, closed: false)
        let name = fixture.names(".bjl")[0]
        let bytes = try fixture.content(name)
        let length = 64 + Ledger.schema.count + 8
        for offset in stride(from: 8, through: length - 12, by: 4) {
            for value in [UInt32(0), 1, 0x7FFF_FFFF, .max] {
                let patched = rehashed(bytes, 0..<length, at: offset, u32(value))
                #expect(try fixture.with(name, patched).open() != .opened(last: 3))
                _ = try? StoreVerification.verify("/store/" + name, on: fixture.with(name, patched).disk)
                _ = try? StoreSalvage.open("/store", on: fixture.with(name, patched).disk).records(after: 0) { _, _ in }
            }
        }
    }

    @Test func everyFieldOfAFrameMaySayAnything() throws {
        let fixture = try Fixture(commits: 3, closed: false)
        let name = fixture.names(".bjl")[0]
        let bytes = try fixture.content(name)
        let start = 64 + Ledger.schema.count + 8
        let seed = JournalFrame.seed(store: StoreID(high: 3, low: 4), segment: 1)
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
                    _ = try? fixture.with(name, patched).open()
                    _ = try? StoreVerification.verify("/store", on: fixture.with(name, patched).disk)
                }
            }
        }
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
        for part in [header, table, footer] {
            for offset in stride(from: part.lowerBound, through: part.upperBound - 12, by: 4) {
                for value in [UInt32(0), 1, 0x7FFF_FFFF, 0xFFFF_FFFF] {
                    disk.place(rehashed(bytes, part, at: offset, u32(value)), at: "/a.bsn")
                    _ = try? SnapshotReader.open("/a.bsn", on: disk).verify()
                    _ = try? StoreVerification.verify("/a.bsn", on: disk)
                }
            }
        }
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

    /// A tail full of things that look like frames does not make the judgement take forever.
    @Test(.timeLimit(.minutes(1)))
    func aTailFullOfFalseFramesIsRefusedSoon() throws {
        let fixture = try Fixture(commits: 2, closed: false)
        let name = fixture.names(".bjl")[0]
        let bytes = try fixture.content(name)
        var tail: [UInt8] = []
        for _ in 0..<(Effort.isThorough ? 20_000 : 3000) {
            tail += u64(1) + u32(100_000) + [1, 0, 1, 0] + u64(3) + u32(1) + u32(99_984) + u64(0) + u64(0) + u64(0)
        }
        #expect(try fixture.with(name, bytes + tail).open() == .refused(.damaged))
    }
}
