import Foundation
import Testing

/// The built `banyan`, run as a user runs it.
enum Tool {
    struct Answer {
        var status: Int32
        var output: String
        var messages: String

        var lines: [Substring] { output.split(separator: "\n") }

        /// The output as one JSON document.
        func json() throws -> [String: Any] {
            let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
            return try #require(value as? [String: Any])
        }

        /// Each line as a JSON document.
        func jsonLines() throws -> [[String: Any]] {
            try lines.map { line in
                try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            }
        }
    }

    /// Beside the test bundle, where the package manager puts all products.
    static let executable: URL = {
        var directory = Bundle.main.executableURL?.deletingLastPathComponent() ?? URL(fileURLWithPath: ".")
        for _ in 0..<5 {
            let candidate = directory.appendingPathComponent("banyan")
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
            directory.deleteLastPathComponent()
        }
        return URL(fileURLWithPath: ".build/debug/banyan")
    }()

    /// Runs it to its end.
    static func run(_ arguments: String...) throws -> Answer { try run(arguments) }

    static func run(_ arguments: [String], in directory: String? = nil) throws -> Answer {
        // Files, not pipes: no output is too long for a buffer nobody empties.
        let capture = FileManager.default.temporaryDirectory.appendingPathComponent("banyan-run-\(UUID())")
        try FileManager.default.createDirectory(at: capture, withIntermediateDirectories: true)
        defer { TemporaryDirectory.remove(capture.path) }
        let output = try file(capture, "out")
        let messages = try file(capture, "err")
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = messages
        if let directory { process.currentDirectoryURL = URL(fileURLWithPath: directory) }
        try process.run()
        process.waitUntilExit()
        let status = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
        return Answer(status: status, output: try text(capture, "out"), messages: try text(capture, "err"))
    }

    private static func file(_ directory: URL, _ name: String) throws -> FileHandle {
        let url = directory.appendingPathComponent(name)
        try Data().write(to: url)
        return try FileHandle(forWritingTo: url)
    }

    private static func text(_ directory: URL, _ name: String) throws -> String {
        String(decoding: try Data(contentsOf: directory.appendingPathComponent(name)), as: UTF8.self)
    }
}

enum TemporaryDirectory {
    /// Runs `body` with a new directory, and removes it.
    static func with<Value>(_ body: (String) throws -> Value) throws -> Value {
        let path = FileManager.default.temporaryDirectory.path + "/banyan-cli-\(UUID())"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { remove(path) }
        return try body(path)
    }

    static func remove(_ path: String) {
        do { try FileManager.default.removeItem(atPath: path) } catch { print("left behind: \(path): \(error)") }
    }
}

/// What the files of a directory hold and how they look, to see that nothing was touched.
struct DirectoryPrint: Equatable {
    private var files: [String: [String]] = [:]

    init(_ path: String) throws {
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            let file = path + "/" + name
            let facts = try FileManager.default.attributesOfItem(atPath: file)
            let isFile = facts[.type] as? FileAttributeType == .typeRegular
            let content = isFile ? try Data(contentsOf: URL(fileURLWithPath: file)).base64EncodedString() : ""
            files[name] = [
                content, "\(facts[.modificationDate] ?? "")", "\(facts[.posixPermissions] ?? "")",
                "\(facts[.systemFileNumber] ?? "")",
            ]
        }
    }

    var names: [String] { files.keys.sorted() }
}
