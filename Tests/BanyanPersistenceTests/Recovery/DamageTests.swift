import BanyanCore
import BanyanPersistence
import BanyanTesting
import Testing

/// Changes single bits and lengths of every file of a store, everywhere.
@Suite struct DamageTests {
    static let refusals: Set<BanyanError.Code> = [.damaged, .foreignFile, .notAStore, .unsupportedFormat]

    @Test(arguments: [true, false])
    func aJournalCutAtAnyByteGivesAPrefixOrIsRefused(closed: Bool) throws {
        let fixture = try Fixture(commits: Effort.isThorough ? 160 : 16, closed: closed)
        let name = fixture.names(".bjl")[0]
        let bytes = try fixture.content(name)
        for length in 0..<bytes.count {
            switch try fixture.with(name, Array(bytes[..<length])).open() {
            case .refused(let code): #expect(Self.refusals.contains(code), "cut at \(length)")
            case .opened(let last):
                #expect(!closed, "a closed journal cut at \(length) was opened")
                #expect(last < fixture.last || length == bytes.count, "cut at \(length)")
            }
        }
        #expect(try fixture.open() == .opened(last: fixture.last))
    }

    @Test func everyFlippedBitOfAClosedStoreIsRefused() throws {
        let fixture = try Fixture(commits: Effort.isThorough ? 120 : 10, closed: true)
        for name in fixture.names(".bjl") + ["MANIFEST"] {
            var bytes = try fixture.content(name)
            for offset in bytes.indices {
                for bit in 0..<8 {
                    bytes[offset] ^= 1 << bit
                    let result = try fixture.with(name, bytes).open()
                    bytes[offset] ^= 1 << bit
                    guard case .refused(let code) = result, Self.refusals.contains(code) else {
                        Issue.record("\(name), byte \(offset), bit \(bit): \(result)")
                        continue
                    }
                }
            }
        }
    }

    @Test func everyFlippedBitOfAKilledStoreIsRefusedOrCutsNothingButTheLastCommit() throws {
        let fixture = try Fixture(commits: Effort.isThorough ? 120 : 10, closed: false)
        let name = fixture.names(".bjl")[0]
        var bytes = try fixture.content(name)
        var cuts = 0
        for offset in bytes.indices {
            for bit in 0..<8 {
                bytes[offset] ^= 1 << bit
                let result = try fixture.with(name, bytes).open()
                bytes[offset] ^= 1 << bit
                switch result {
                case .refused(let code): #expect(Self.refusals.contains(code))
                case .opened(let last):
                    cuts += 1
                    #expect(last == fixture.last - 1, "byte \(offset), bit \(bit)")
                }
            }
        }
        let lastFrame = 56 + Ledger.payload(fixture.last).count
        #expect(cuts <= lastFrame * 8)
    }

    @Test func everyFlippedBitOfASnapshotIsRefused() throws {
        let disk = SimulatedDisk()
        let payloads: [[UInt8]] = [
            Array("some text, some text, some text".utf8), [], (0..<600).map { UInt8(truncatingIfNeeded: $0 &* $0) },
        ]
        try writeSnapshotFile(
            to: "/one.bsn", on: disk, storeID: StoreID(high: 1, low: 1), sequence: 9, time: 5, schema: Ledger.schema
        ) { writer in
            for (index, payload) in payloads.enumerated() {
                try writer.append(kind: 1, table: UInt32(index), rows: 1, payload: payload)
            }
        }
        let reader = try SnapshotReader.open("/one.bsn", on: disk)
        #expect(try reader.frames.indices.map { try reader.read($0) } == payloads)
        var bytes = try #require(disk.content(of: "/one.bsn"))
        for offset in bytes.indices {
            for bit in 0..<8 {
                bytes[offset] ^= 1 << bit
                disk.place(bytes, at: "/one.bsn")
                bytes[offset] ^= 1 << bit
                let error = #expect(throws: BanyanError.self, "byte \(offset), bit \(bit)") {
                    try SnapshotReader.open("/one.bsn", on: disk).verify()
                }
                #expect(Self.refusals.contains(error?.code ?? .io))
            }
        }
        for length in 0..<bytes.count {
            disk.place(Array(bytes[..<length]), at: "/one.bsn")
            #expect(throws: BanyanError.self) { try SnapshotReader.open("/one.bsn", on: disk).verify() }
        }
    }

    @Test func aManifestCutAtAnyByteIsRefused() throws {
        let fixture = try Fixture(commits: 3, closed: true) { $0.segmentSize = 100 }
        let bytes = try fixture.content("MANIFEST")
        for length in 0..<bytes.count {
            #expect(try fixture.with("MANIFEST", Array(bytes[..<length])).open() == .refused(.damaged))
        }
    }
}
