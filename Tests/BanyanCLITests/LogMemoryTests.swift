import BanyanCore
import BanyanPersistence
import Foundation
import Testing

private let python = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { URL(filePath: "\($0)/python3") }.first { FileManager.default.isExecutableFile(atPath: $0.path) }

@Suite("Memory that `banyan log` takes", .enabled(if: python != nil, "python3 is not installed"))
struct LogMemoryTests {
    /// Runs a program and prints the most memory it had, in kilobytes, which the system tells of a child that has ended. Asked
    /// here it would be no less than what this process had: a child begins with that.
    private static let measure = """
        import resource, subprocess, sys
        status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
        sys.exit(status)
        """

    /// The most memory the tool had, in bytes.
    private func peak(_ arguments: [String]) throws -> Int {
        let pipe = Pipe()
        let process = Process()
        process.executableURL = python
        process.arguments = ["-c", Self.measure, Tool.executable.path] + arguments
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        let text = String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return try #require(Int(text)) * 1024
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
