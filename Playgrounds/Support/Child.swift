// Other programs, and this one a second time.

import Foundation

/// A process whose output is read line by line while it runs.
public final class Child {
    private let process = Process()
    private let pipe = Pipe()
    private var pending: [UInt8] = []
    private var chunk = [UInt8](repeating: 0, count: 1 << 16)

    /// This executable with other arguments.
    public static func again(_ arguments: [String]) throws -> Child {
        try Child(Bundle.main.executablePath ?? CommandLine.arguments[0], arguments)
    }

    public init(_ executable: String, _ arguments: [String]) throws {
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    /// The next whole line; nil when the process has ended and all was read. What a line lacks at the end was never sent.
    public func nextLine() throws -> String? {
        while true {
            if let end = pending.firstIndex(of: 0x0A) {
                defer { pending.removeFirst(end + 1) }
                return String(decoding: pending[..<end], as: UTF8.self)
            }
            // Not FileHandle.read(upToCount:), which waits until it has as many bytes as it was asked for.
            let count = read(pipe.fileHandleForReading.fileDescriptor, &chunk, chunk.count)
            guard count >= 0 else { throw SystemFailure("cannot read what a child process prints") }
            guard count > 0 else { return nil }
            pending += chunk[..<count]
        }
    }

    /// Ends the process at once, whatever it is doing, and waits until it is gone.
    public func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Waits for the end and gives back everything that was printed and the exit status.
    public func finish() throws -> (output: String, status: Int32) {
        var lines: [String] = []
        while let line = try nextLine() { lines.append(line) }
        process.waitUntilExit()
        return (lines.joined(separator: "\n"), process.terminationStatus)
    }

    public var wasKilled: Bool { process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL }
}
