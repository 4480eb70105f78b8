import BanyanCore
import BanyanPersistence
import BanyanTesting
import Foundation
import Testing

@Suite struct SnapshotFileTests {
    /// Pieces of several kinds: text, noise, nothing, larger than one LZ4 block.
    static let pieces: [[UInt8]] = {
        var random = SeededGenerator(seed: 5)
        return [
            Array(String(repeating: "All work and no play. ", count: 400).utf8), [], random.bytes(70_000), [7],
            [UInt8](repeating: 0, count: 3_000_000), random.bytes(1_500_000),
        ]
    }()

    private func write(_ path: String, on disk: any Disk, pieces: [[UInt8]] = pieces, replace: Bool = false) throws
        -> SnapshotInfo
    {
        try writeSnapshotFile(
            to: path, on: disk, storeID: StoreID(high: 1, low: 2), epoch: 3, sequence: 44, time: 55,
            schema: Ledger.schema, replace: replace
        ) { writer in
            for (index, piece) in pieces.enumerated() {
                try writer.append(kind: UInt8(index), table: UInt32(index * 10), rows: UInt64(index), payload: piece)
            }
        }
    }

    @Test func aSnapshotGivesBackWhatWasPutIn() throws {
        let disk = SimulatedDisk()
        let info = try write("/a.bsn", on: disk)
        let reader = try SnapshotReader.open("/a.bsn", on: disk)
        #expect(reader.header.sequence == 44 && reader.header.time == 55 && reader.header.epoch == 3)
        #expect(reader.header.storeID == StoreID(high: 1, low: 2) && reader.header.schema == Ledger.schema)
        #expect(reader.length == info.length && reader.rootHash == info.rootHash)
        #expect(reader.frames.map(\.kind) == [0, 1, 2, 3, 4, 5])
        #expect(reader.frames.map(\.table) == [0, 10, 20, 30, 40, 50])
        #expect(reader.frames.map(\.rows) == [0, 1, 2, 3, 4, 5])
        for index in Self.pieces.indices.reversed() { #expect(try reader.read(index) == Self.pieces[index]) }
        var seen: [UInt64] = []
        let report = try StoreVerification.verify("/a.bsn", on: disk) { seen.append($0.done) }
        #expect(report.isSound && seen == seen.sorted() && seen.count == 6)
        #expect(disk.names(in: "/") == ["a.bsn"])
    }

    @Test func theLZ4ToolTestsAndUnpacksASnapshot() throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/lz4") else {
            return print("skipped: the lz4 tool is not installed")
        }
        try TemporaryDirectory.with { directory in
            for (name, pieces) in [("full", Self.pieces), ("empty", [])] {
                let path = directory + "/\(name).bsn"
                _ = try write(path, on: KernelDisk(), pieces: pieces)
                #expect(try Self.run("/usr/bin/lz4", "-t", path) == 0)
                #expect(try Self.run("/usr/bin/lz4", "-d", "-f", path, path + ".raw") == 0)
                let raw = try Data(contentsOf: URL(fileURLWithPath: path + ".raw"))
                // As one Bool: how millions of bytes differ would take hours to say.
                let isSame = raw.elementsEqual(pieces.joined())
                #expect(isSame, "\(name): \(raw.count) bytes")
            }
        }
    }

    private static func run(_ tool: String, _ arguments: String...) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: tool)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    @Test(arguments: [true, false])
    func anExistingFileIsReplacedOnlyWhenAsked(onKernel: Bool) throws {
        try TemporaryDirectory.with { directory in
            let disk: any Disk = onKernel ? KernelDisk() : SimulatedDisk()
            let path = onKernel ? directory + "/a.bsn" : "/a.bsn"
            _ = try write(path, on: disk, pieces: [[1]])
            let error = #expect(throws: BanyanError.self) { try write(path, on: disk, pieces: [[2]]) }
            #expect(error?.code == .targetNotEmpty)
            #expect(try SnapshotReader.open(path, on: disk).read(0) == [1])
            _ = try write(path, on: disk, pieces: [[2]], replace: true)
            #expect(try SnapshotReader.open(path, on: disk).read(0) == [2])
        }
    }

    /// Frames are read back while others are written, the last of them at the end, and so is what is around them.
    @Test func aDiskThatKeepsOtherBytesIsNoticedBeforeTheFileHasItsName() throws {
        var random = SeededGenerator(seed: 6)
        let pieces = Array(repeating: random.bytes(500_000), count: 42)
        let sound = SimulatedDisk()
        let length = try write("/a.bsn", on: sound, pieces: pieces).length
        #expect(length > 20_000_000)
        for offset in [20, 1_000_000, 9_000_000, 12_345_678, 20_900_000, length - 1_000, length - 40] {
            let disk = SimulatedDisk()
            let error = #expect(throws: BanyanError.self, "byte \(offset)") {
                _ = try write("/a.bsn", on: RottingDisk(base: disk, offset: offset), pieces: pieces)
            }
            #expect(
                error?.code == .damaged || offset == 20 && error?.code == .notAStore, "byte \(offset): \(error as Any)")
            #expect(disk.names(in: "/") == [])
        }
    }

    @Test func aFailingWriterLeavesNothing() throws {
        struct Refusal: Error {}
        let disk = SimulatedDisk()
        #expect(throws: Refusal.self) {
            try writeSnapshotFile(
                to: "/a.bsn", on: disk, storeID: StoreID(), sequence: 1, time: 1, schema: []
            ) { writer in
                try writer.append(kind: 1, table: 1, rows: 1, payload: [1])
                throw Refusal()
            }
        }
        #expect(disk.names(in: "/") == [])
    }

    @Test func theRootHashDependsOnContentAlone() throws {
        let disk = SimulatedDisk()
        let one = try write("/1.bsn", on: disk, pieces: [[1, 2], [3]])
        let same = try writeSnapshotFile(
            to: "/2.bsn", on: disk, storeID: StoreID(), sequence: 1, time: 2, schema: [9]
        ) { writer in
            try writer.append(kind: 0, table: 0, rows: 0, payload: [1, 2])
            try writer.append(kind: 1, table: 10, rows: 1, payload: [3])
        }
        let other = try write("/3.bsn", on: disk, pieces: [[1], [2, 3]])
        #expect(one.rootHash == same.rootHash)
        #expect(one.rootHash != other.rootHash)
    }

    @Test func framesAreReadFromSeveralThreadsAtOnce() async throws {
        let disk = SimulatedDisk()
        _ = try write("/a.bsn", on: disk)
        let reader = try SnapshotReader.open("/a.bsn", on: disk)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for round in 0..<12 {
                group.addTask { try reader.read(round % 6) == Self.pieces[round % 6] }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func aFrameLargerThanTheCallerAcceptsIsRefusedUnread() throws {
        let disk = SimulatedDisk()
        _ = try write("/a.bsn", on: disk)
        let reader = try SnapshotReader.open("/a.bsn", on: disk, maxFrameSize: 100_000)
        #expect(try reader.read(2).count == 70_000)
        let error = #expect(throws: BanyanError.self) { try reader.read(4) }
        #expect(error?.code == .limit)
    }

    @Test(arguments: ["", "short", String(repeating: "no snapshot at all ", count: 100)])
    func aFileThatIsNoSnapshotIsSaidToBeNone(content: String) throws {
        let disk = SimulatedDisk()
        disk.place(Array(content.utf8), at: "/a.bsn")
        let error = #expect(throws: BanyanError.self) { try SnapshotReader.open("/a.bsn", on: disk) }
        #expect(error?.code == .notAStore)
        #expect(throws: BanyanError.self) { try SnapshotReader.open("/none.bsn", on: disk) }
    }
}
