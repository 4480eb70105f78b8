import Foundation

/// Where the text of a package index comes from.
public enum IndexInput: Sendable, CustomStringConvertible {
    /// A file, maybe compressed by gzip, xz, bzip2, zstd or lz4, whatever its name.
    case file(String)
    case standardInput
    /// What a command prints.
    case command([String])

    public var description: String {
        switch self {
        case .file(let path): path
        case .standardInput: "standard input"
        case .command(let words): words.joined(separator: " ")
        }
    }

    /// All of it, decompressed.
    ///
    /// - Throws: when it cannot be read, is compressed in a way whose tool is missing, or its command fails.
    public func bytes() throws -> [UInt8] {
        switch self {
        case .standardInput: return try Self.read(.standardInput)
        case .command(let words): return try Self.output(of: words)
        case .file(let path):
            guard FileManager.default.isReadableFile(atPath: path) else { throw MissingFile(path: path) }
            let handle = try FileHandle(forReadingFrom: URL(filePath: path))
            let magic = try handle.read(upToCount: 6).map(Array.init) ?? []
            if let tool = Self.unpackers.first(where: { magic.starts(with: $0.magic) })?.tool {
                try handle.close()
                return try Self.output(of: [tool, "-dc", "--", path])
            }
            try handle.seek(toOffset: 0)
            defer { try? handle.close() }  // Only read from: nothing is lost when closing fails.
            return try Self.read(handle)
        }
    }

    private static let unpackers: [(magic: [UInt8], tool: String)] = [
        ([0x1F, 0x8B], "gzip"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "xz"), ([0x42, 0x5A, 0x68], "bzip2"),
        ([0x28, 0xB5, 0x2F, 0xFD], "zstd"), ([0x04, 0x22, 0x4D, 0x18], "lz4"),
    ]

    private static func read(_ handle: FileHandle) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let chunk = try handle.read(upToCount: 1 << 20), !chunk.isEmpty { bytes += chunk }
        return bytes
    }

    /// What a command prints, untranslated; it fails when the command does.
    public static func output(of words: [String]) throws -> [UInt8] {
        let process = Process()
        process.environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C"]) { $1 }
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let bytes = try read(pipe.fileHandleForReading)
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw CommandFailure(command: words, status: process.terminationStatus)
        }
        return bytes
    }

    /// A file that is not there, or not for us to read.
    public struct MissingFile: Error, CustomStringConvertible {
        public var path: String
        public var description: String { "\(path) cannot be read" }
    }

    /// A command that ended badly.
    public struct CommandFailure: Error, CustomStringConvertible {
        public var command: [String]
        public var status: Int32

        public var description: String {
            status == 127
                ? "\(command[0]) is not installed"
                : "\(command.joined(separator: " ")) failed with status \(status)"
        }
    }
}
