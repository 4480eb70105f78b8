import BanyanCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Whoever reads standard output closed it. Not a failure: the command just stops.
struct ReaderLeft: Error {}

/// Data on standard output, gathered into large writes; by line when a terminal shows it.
final class StandardOutput {
    private static let capacity = 64 << 10
    private var buffer: [UInt8] = []
    private let isTerminal = isatty(STDOUT_FILENO) != 0

    /// Columns of the terminal; nil when it is none.
    var width: Int? {
        var size = winsize()
        guard isTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// One line for a person. Names, values and messages may come from files that anybody wrote: whatever could play
    /// tricks on a terminal is made visible here, so that no command can forget it.
    ///
    /// - Throws: `ReaderLeft`; `diskFull`, `io` when it goes to a file that takes no more.
    func line(_ text: String = "") throws {
        buffer.append(contentsOf: Shown.plain(text).utf8)
        try endLine()
    }

    /// Lines that a program of ours made, whose parts are escaped already as their language has it.
    func lines(_ text: String) throws {
        buffer.append(contentsOf: Shown.plainLines(text).utf8)
        try endLine()
    }

    func write(_ bytes: [UInt8]) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.capacity { try flush() }
    }

    func endLine() throws {
        buffer.append(UInt8(ascii: "\n"))
        if isTerminal || buffer.count >= Self.capacity { try flush() }
    }

    func flush() throws {
        var start = 0
        while start < buffer.count {
            let written = buffer.withUnsafeBytes { bytes in
                Self.uninterrupted(UnsafeRawBufferPointer(rebasing: bytes[start...]))
            }
            if written < 0 {
                let reason = errno
                if reason == EPIPE { throw ReaderLeft() }
                throw BanyanError(
                    reason == ENOSPC ? .diskFull : .io, "Standard output could not be written",
                    cause: String(cString: strerror(reason)))
            }
            start += written
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private static func uninterrupted(_ bytes: UnsafeRawBufferPointer) -> Int {
        while true {
            #if canImport(Darwin)
                let count = Darwin.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
            #elseif canImport(Musl)
                let count = Musl.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
            #else
                let count = Glibc.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
            #endif
            if count >= 0 || errno != EINTR { return count }
        }
    }
}
