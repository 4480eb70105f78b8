import CrashLedger
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A running `CrashWriter`, and the end of the pipe it talks into.
struct Child: ~Copyable {
    private let process: pid_t
    private let output: Int32
    private var unread: [UInt8] = []
    private var isDead = false

    /// The executable lies beside the bundle of the tests.
    private static let executable: String = {
        #if canImport(Darwin)
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundlePath
        #else
            let bundle: String? = CommandLine.arguments[0]
        #endif
        return URL(fileURLWithPath: bundle ?? CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("CrashWriter").path
    }()

    init(directory: String, seed: UInt64, durability: String) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Problem("pipe: \(String(cString: strerror(errno)))") }
        // The next child must not inherit this end, or it would never see the pipe break.
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let words = [Self.executable, directory, String(seed), durability]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let status = posix_spawn(&process, Self.executable, &actions, nil, &arguments, environ)
        close(ends[1])
        guard status == 0 else {
            close(ends[0])
            throw Problem("\(Self.executable) does not start: \(String(cString: strerror(status)))")
        }
        self.process = process
        output = ends[0]
    }

    /// Reads lines until one of them ends it, or the time is over.
    ///
    /// - Parameter milliseconds: how long it may take; nil for as long as it takes.
    /// - Returns: whether `body` ended it, by returning false.
    mutating func read(for milliseconds: Int?, _ body: (Line) throws -> Bool) throws -> Bool {
        let deadline = milliseconds.map { ContinuousClock.now + .milliseconds($0) }
        while true {
            while let line = try nextLine() { if try !body(line) { return true } }
            var wait: Int32 = -1
            if let deadline {
                let left = deadline - .now
                if left <= .zero { return false }
                wait = Int32(left / .milliseconds(1)) + 1
            }
            var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, wait) > 0 else { continue }
            guard receive() > 0 else { throw Problem("the child ended by itself") }
        }
    }

    // A test that fails half-way leaves no process behind.
    deinit { if !isDead { _ = reap() } }

    /// Ends it as nothing else does, and hands out the lines it had printed before.
    mutating func kill(_ body: (Line) throws -> Void) throws {
        _ = signalKill(process)
        while receive() > 0 {}
        isDead = true
        let status = reap()
        guard status & 0x7F == SIGKILL else {
            throw Problem("the child was not killed but ended with status \(status)")
        }
        while let line = try nextLine() { try body(line) }
    }

    /// Kills it, if that was not done, and returns how it ended.
    private borrowing func reap() -> Int32 {
        if !isDead { _ = signalKill(process) }
        close(output)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    private mutating func receive() -> Int {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = readBytes(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count > 0 { unread += buffer[..<count] }
            return count
        }
    }

    private mutating func nextLine() throws -> Line? {
        guard let end = unread.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let text = String(decoding: unread[..<end], as: UTF8.self)
        unread.removeSubrange(...end)
        guard let line = Line(text[...]) else { throw Problem("the child says '\(text)'") }
        return line
    }
}

// The kernel's calls under names that the methods above do not hide.
private func signalKill(_ process: pid_t) -> Int32 { kill(process, SIGKILL) }
private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

struct Problem: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
