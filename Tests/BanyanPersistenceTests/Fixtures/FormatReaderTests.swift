import BanyanPersistence
import BanyanTesting
import Foundation
import Testing

/// A small reader in another language, `read_store.py`, was written from the page on the file format alone. It reads what
/// is kept here, so that the page says what a reader needs.
@Suite(.enabled(if: FormatReader.python != nil)) struct FormatReaderTests {
    @Test(arguments: FixtureTests.all.filter { !$0.form.isLoneSnapshot })
    func `a reader written from the page reads a kept store`(_ kept: FixtureTests.Kept) throws {
        try kept.withCopy { path in
            let found = try FormatReader.read(path)
            let store = try StoreInspection.open(path, on: KernelDisk())
            #expect(found.store == store.storeID.description.filter { $0 != "-" })
            #expect(found.epoch == store.epoch)
            #expect(found.snapshots.map(\.sequence) == store.snapshots.map(\.sequence))
            #expect(found.snapshots.map(\.rootHash) == store.snapshots.map(\.rootHash))
            #expect(found.segments.map(\.first) == store.segments.map(\.firstSequence))
            #expect(found.segments.last?.last == kept.form.kept.last)
            for (segment, listed) in zip(found.segments, store.segments) where listed.sealed {
                #expect(segment.last == listed.lastSequence)
            }
        }
    }

    @Test(arguments: FixtureTests.all.filter { $0.form.isLoneSnapshot })
    func `a reader written from the page reads a kept snapshot`(_ kept: FixtureTests.Kept) throws {
        try kept.withCopy { path in
            let snapshot = try #require(try FormatReader.read(path).snapshots.first)
            let reader = try SnapshotReader.open(path, on: KernelDisk())
            #expect(snapshot.sequence == reader.header.sequence && snapshot.rootHash == reader.rootHash)
            #expect(snapshot.frames == reader.frames.count)
            #expect(snapshot.rows == reader.frames.reduce(0) { $0 + $1.rows })
        }
    }

    @Test(arguments: [("journal", "00000000000000000001.bjl"), ("snapshots", "00000000000000000025.bsn")])
    func `it refuses a file that is cut short`(_ form: String, _ name: String) throws {
        let kept = try #require(FixtureTests.all.first { $0.form.name == form })
        try kept.withCopy { path in
            let file = URL(fileURLWithPath: path).appendingPathComponent(name)
            try Data(contentsOf: file).dropLast().write(to: file)
            #expect(throws: FormatReader.Refusal.self) { try FormatReader.read(path) }
        }
    }
}

/// Runs `read_store.py`.
enum FormatReader {
    struct Contents: Decodable {
        struct Snapshot: Decodable {
            var sequence: UInt64
            var rootHash: UInt64
            var frames: Int
            var rows: UInt64
        }

        struct Segment: Decodable {
            var first: UInt64
            var last: UInt64
        }

        var store: String?
        var epoch: UInt32?
        var snapshots: [Snapshot]
        var segments: [Segment]
    }

    /// What it says is not as the page describes it.
    struct Refusal: Error {
        var reason: String
    }

    static let python = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { URL(fileURLWithPath: "\($0)/python3") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }

    static func read(_ path: String) throws -> Contents {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("read_store.py")
        let process = Process()
        process.executableURL = python
        process.arguments = [script.path, path]
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Both are short.
        let data = output.fileHandleForReading.readDataToEndOfFile()
        let reason = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Refusal(reason: String(decoding: reason, as: UTF8.self)) }
        return try JSONDecoder().decode(Contents.self, from: data)
    }
}
