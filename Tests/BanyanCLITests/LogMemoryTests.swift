import BanyanCore
import BanyanPersistence
import Foundation
import Testing

@Suite(
    "Memory that `banyan log` takes",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status"), "there is no /proc here"))
struct LogMemoryTests {
    /// The most memory the tool had by the time its first output arrives, in bytes: it then waits for somebody to take the
    /// rest.
    private func peak(_ arguments: [String]) throws -> Int {
        let pipe = Pipe()
        let process = Process()
        process.executableURL = Tool.executable
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        #expect(try pipe.fileHandleForReading.read(upToCount: 1)?.count == 1)
        let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        let kilobytes = try #require(line.split(separator: " ").compactMap { Int($0) }.first)
        process.terminate()
        process.waitUntilExit()
        return kilobytes * 1024
    }

    private func make(_ path: String, objects: Int) throws {
        let store = try SampleStore(path)
        try store.commit { transaction in
            for number in 0..<objects {
                let club = transaction.create(SampleStore.Table.club)
                transaction.setValue(club, 0, .string("Club \(number)"))
            }
        }
        try store.close()
    }

    /// One commit of so many clubs with titles that do not compress.
    private func makeLarge(_ path: String, titles: Int, _ configure: (inout StoreFiles.Options) -> Void) throws {
        let store = try SampleStore(path, configure)
        var random = SystemRandomNumberGenerator()
        try store.commit { transaction in
            for _ in 0..<titles {
                let club = transaction.create(SampleStore.Table.club)
                let bytes = (0..<1_000).map { _ in UInt8(truncatingIfNeeded: random.next() & 63) + 48 }
                transaction.setValue(club, 0, .string(String(decoding: bytes, as: UTF8.self)))
            }
        }
        try store.close()
    }

    @Test(
        "The memory does not grow with the largest commit", arguments: [64 << 20, 1 << 20],
        [[], ["--changes"], ["--json", "--changes"], ["--last", "1"], ["--to", "2100-01-01"]])
    func largeCommit(recordSize: Int, options: [String]) throws {
        try TemporaryDirectory.with { directory in
            try makeLarge(directory + "/small", titles: 3_000) { $0.maxRecordSize = recordSize }
            try makeLarge(directory + "/large", titles: 23_000) { $0.maxRecordSize = recordSize }
            let small = try peak(["log", directory + "/small"] + options)
            let large = try peak(["log", directory + "/large"] + options)
            // The record is 20 MB larger.
            #expect(large - small < 3 << 20, "\(small) bytes for 3 MB, \(large) for 23 MB")
        }
    }

    @Test("A commit of very many objects is shown an object at a time", arguments: [[], ["--json"]])
    func manyObjects(options: [String]) throws {
        try TemporaryDirectory.with { directory in
            try make(directory + "/few", objects: 5_000)
            try make(directory + "/many", objects: 105_000)
            let few = try peak(["log", directory + "/few", "--changes"] + options)
            let many = try peak(["log", directory + "/many", "--changes"] + options)
            // Held as values, each took more than 500 bytes.
            #expect(many - few < 3 << 20, "\(few) bytes for 5,000 objects, \(many) for 105,000")
        }
    }
}
