// What the machine says about this process and its disk.

import Foundation

public enum Machine {
    /// Resident memory of this process in bytes, now and at its highest; nil where there is no /proc.
    public static func residentMemory() throws -> (now: Int, peak: Int)? {
        let path = "/proc/self/status"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        func value(_ name: String) -> Int? {
            guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("\(name):") }) else { return nil }
            return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
        }
        guard let now = value("VmRSS"), let peak = value("VmHWM") else { return nil }
        return (now, peak)
    }

    /// What this process has used of all processors together.
    public static func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    /// Whether a command is installed.
    public static func has(_ command: String) -> Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(command)") }
    }
}

/// A file that is appended to and flushed, with nothing in between: what a durable commit cannot do without.
public final class RawDisk {
    private let path: String
    private let file: Int32

    public init(in directory: String) throws {
        path = "\(directory)/raw-append.tmp"
        unlink(path)
        file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0o600)
        guard file >= 0 else { throw SystemFailure("cannot create \(path)") }
    }

    deinit {
        close(file)
        unlink(path)
    }

    public func appendAndFlush(_ size: Int) throws -> Duration {
        let bytes = [UInt8](repeating: 0x42, count: size)
        let start = ContinuousClock.now
        guard write(file, bytes, size) == size else { throw SystemFailure("cannot write to \(path)") }
        guard flush() == 0 else { throw SystemFailure("cannot flush \(path)") }
        return .now - start
    }

    private func flush() -> Int32 {
        #if canImport(Darwin)
            fcntl(file, F_FULLFSYNC)
        #else
            fdatasync(file)
        #endif
    }
}

/// A call of the system that failed.
public struct SystemFailure: Error, CustomStringConvertible {
    public var description: String

    init(_ what: String) { description = "\(what): \(String(cString: strerror(errno)))" }
}
