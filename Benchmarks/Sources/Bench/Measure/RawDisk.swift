import Foundation

/// A file that is appended to and flushed, with nothing in between: what a durable commit cannot do without.
final class RawDisk {
    private let file: Int32
    private let path: String
    private let bytes: [UInt8]

    init(_ path: String) throws {
        self.path = path
        file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
        bytes = (0..<(4 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        guard file >= 0 else { throw failure("create") }
    }

    deinit {
        close(file)
        unlink(path)
    }

    func append(_ count: Int) throws {
        guard write(file, bytes, count) == count else { throw failure("write to") }
        guard fdatasync(file) == 0 else { throw failure("flush") }
    }

    /// Writes this much in large pieces and flushes once.
    func fill(_ count: Int) throws {
        for _ in 0..<(count / bytes.count) {
            guard write(file, bytes, bytes.count) == bytes.count else { throw failure("write to") }
        }
        guard fdatasync(file) == 0 else { throw failure("flush") }
    }

    private func failure(_ what: String) -> Child.Failure {
        Child.Failure(description: "cannot \(what) \(path): \(String(cString: strerror(errno)))")
    }
}
