import BanyanCore
import BanyanTesting
import Foundation
import Testing

@testable import BanyanPersistence

/// Payloads that are read in parts from their file say what they say when they are read whole.
@Suite struct PayloadStreamTests {
    private static let path = "/store"

    /// Commits of all sizes on a disk, some of them of several megabytes.
    private static func store(maxRecordSize: Int) throws -> (disk: SimulatedDisk, layout: StoreLayout) {
        var options = StoreFiles.Options()
        options.freeSpaceReserve = 0
        options.maxRecordSize = maxRecordSize
        let disk = SimulatedDisk()
        let files = try StoreFiles.open(
            at: path, on: disk, options: options, mode: .readWrite(createIfMissing: true),
            schema: SchemaCodec.encode(TestSchema.schema))
        let layout = try TestSchema.layout()
        let workspace = Workspace(try GraphRecovery.recover(files, layout: { _ in layout }).version)
        try files.checkWritable()
        var random = RandomGraph(seed: 7)
        for (number, count) in [100, 1, 1_500, 20, 0, 100].enumerated() {
            random.size = count == 1_500 ? 8_000 : 30
            let transaction = workspace.begin()
            let before = workspace.version
            if count == 0 {
                // Nothing but deletions: all they held stands in the backward part.
                for table in [TestSchema.everything, TestSchema.node] {
                    while let id = random.anyObject(transaction, table) { transaction.delete(id) }
                }
            } else {
                try random.change(transaction, count: count)
            }
            let version = try #require(workspace.commit(sequence: UInt64(number + 1), time: 0))
            for changes in before.changeSets(to: version) {
                files.append(ChangeSetCodec.encode(changes), sequence: version.sequence, time: 0)
            }
        }
        try files.close()
        return (disk, layout)
    }

    @Test(arguments: [64 << 20, 1 << 20, 70_000])
    func `a commit read in parts is the commit read whole`(maxRecordSize: Int) throws {
        let (disk, layout) = try Self.store(maxRecordSize: maxRecordSize)
        let inspection = try StoreInspection.open(Self.path, on: disk)
        var whole: [CommitRecord] = []
        var sizes: [Int] = []
        try inspection.records(after: 0) { located, _ in
            whole.append(try ChangeSetCodec.decode(located.record.payload, layout: layout))
            sizes.append(located.record.payload.count)
            return true
        }
        #expect(try #require(sizes.max()) > 3 << 19, "\(sizes)")
        var places = 0
        var number = 0
        var different: [ObjectID] = []
        try inspection.commits(after: 0) { commit, _ in
            if case .file = commit.payload.place { places += 1 }
            #expect(commit.payload.count == sizes[number])
            #expect(try ChangeSetCodec.metadata(of: commit.payload) == whole[number].metadata)
            var rest = whole[number].objects[...]
            try ChangeSetCodec.forEachEntry(commit.payload, layout: layout) { entry in
                // As text: NaN is not equal to itself.
                if rest.popFirst().map({ "\($0)" }) != "\(entry)" { different.append(entry.id) }
            }
            #expect(rest.isEmpty && different.isEmpty)
            number += 1
            return true
        }
        #expect(number == whole.count)
        #expect(places > 0)
    }

    @Test func `a large frame that was changed is refused before any of it is read`() throws {
        let (disk, _) = try Self.store(maxRecordSize: 64 << 20)
        let name = try #require(disk.names(in: Self.path).first { $0.hasSuffix(".bjl") })
        let bytes = try #require(disk.content(of: Self.path + "/" + name))
        for offset in stride(from: bytes.count / 4, to: bytes.count, by: bytes.count / 5) {
            let copy = disk.afterProcessDeath()
            var changed = bytes
            changed[offset] ^= 1
            copy.place(changed, at: Self.path + "/" + name)
            let inspection = try StoreInspection.open(Self.path, on: copy)
            var read: [UInt64] = []
            let failure = #expect(throws: BanyanError.self) {
                try inspection.commits(after: 0) { commit, _ in
                    read.append(commit.sequence)
                    return true
                }
            }
            #expect(failure?.code == .damaged)
            var readWhole: [UInt64] = []
            let other = #expect(throws: BanyanError.self) {
                try inspection.records(after: 0) { located, _ in
                    readWhole.append(located.record.sequence)
                    return true
                }
            }
            #expect(read == readWhole)
            #expect(failure == other)
        }
    }

    @Test func `a file that is cut or overwritten between the check and the reading is an error, and no crash`() throws
    {
        let (disk, layout) = try Self.store(maxRecordSize: 64 << 20)
        let name = try #require(disk.names(in: Self.path).first { $0.hasSuffix(".bjl") })
        let bytes = try #require(disk.content(of: Self.path + "/" + name))
        var random = SeededGenerator(seed: 3)
        for round in 0..<6 {
            let copy = disk.afterProcessDeath()
            let inspection = try StoreInspection.open(Self.path, on: copy)
            var changed = bytes
            if round % 3 == 0 {
                changed.removeLast(bytes.count / 3)
            } else {
                for _ in 0..<200 {
                    changed[Int.random(in: 400..<bytes.count, using: &random)] = UInt8(random.next() & 255)
                }
            }
            _ = Result {
                try inspection.commits(after: 0) { commit, _ in
                    guard case .file = commit.payload.place else { return true }
                    copy.place(changed, at: Self.path + "/" + name)
                    try ChangeSetCodec.forEachEntry(commit.payload, layout: layout) { _ in }
                    return true
                }
            }
        }
    }

    // MARK: - Blocks

    private static let shapes: [[UInt8]] = {
        var random = SeededGenerator(seed: 11)
        let noise = (0..<700_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        return [
            [1], [UInt8](repeating: 7, count: 1_000_000), noise, noise + noise.prefix(60_000) + noise.suffix(300),
            (0..<900_000).map { UInt8(truncatingIfNeeded: $0 / 3 % 251) }, noise.flatMap { [$0 & 3, 9, 9] },
            Array(noise.prefix(65_535) + noise.prefix(65_535) + noise.prefix(3)),
        ]
    }()

    private func file(_ bytes: [UInt8]) throws -> any DiskFile {
        let disk = SimulatedDisk()
        let directory = try disk.openDirectory("/blocks", createIfMissing: true)
        disk.place(bytes, at: "/blocks/block")
        return try directory.open("block", .read)
    }

    private func decode(_ stored: [UInt8], rawLength: Int, part: Int) throws -> [UInt8] {
        var stream = BlockStream(
            FileWindow(try file(stored), path: "block", from: 0, count: stored.count), rawLength: rawLength)
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: part)
        while true {
            let count = try buffer.withUnsafeMutableBytes { try stream.read(into: $0) }
            result += buffer.prefix(count)
            if count < part { return result }
        }
    }

    @Test(arguments: shapes.indices, [1_000, 65_536, 2_000_000])
    func `a block decoded in parts is what the library decodes`(shape: Int, part: Int) throws {
        let raw = Self.shapes[shape]
        // Room for blocks that do not get smaller, which the journal would store as they are.
        let literal = Compression.block(raw.span.bytes) ?? Self.literals(raw)
        #expect(try decode(literal, rawLength: raw.count, part: part) == raw)
    }

    /// A block without a match.
    private static func literals(_ raw: [UInt8]) -> [UInt8] {
        guard raw.count >= 15 else { return [UInt8(raw.count << 4)] + raw }
        let rest = raw.count - 15
        return [0xF0] + [UInt8](repeating: 255, count: rest / 255) + [UInt8(rest % 255)] + raw
    }

    @Test func `a damaged block is refused or decodes to something of its length, as in the library`() throws {
        var random = SeededGenerator(seed: 5)
        let raw =
            (0..<30_000).map { UInt8(truncatingIfNeeded: $0 / 7 % 100) }
            + (0..<5_000).map { _ in
                UInt8(truncatingIfNeeded: random.next())
            }
        let compressed = Compression.block(raw.span.bytes)
        let block = try #require(compressed)
        var refused = 0
        for _ in 0..<300 {
            var changed = block
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8(truncatingIfNeeded: random.next())
            }
            let library = Compression.unblock(changed.span.bytes, rawLength: raw.count)
            do {
                let decoded = try decode(changed, rawLength: raw.count, part: 4_096)
                #expect(decoded.count == raw.count)
                if let library { #expect(decoded == library) }
            } catch {
                refused += 1
                #expect(library == nil, "the library takes what was refused: \(error)")
            }
        }
        #expect(refused > 50)
    }
}
