package import BanyanCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension DiskFault {
    /// The errno's name and text.
    package var reason: String { "\(operation): \(String(cString: strerror(errno))) (errno \(errno))" }

    /// The error a caller of the store sees.
    package func error(_ message: String? = nil, remedy: String? = nil, sequence: UInt64? = nil) -> BanyanError {
        let code: BanyanError.Code
        var advice = remedy
        switch errno {
        case ENOSPC, EDQUOT:
            code = .diskFull
            advice = advice ?? "Free space on the disk and open the store again"
        case EACCES, EPERM:
            code = .permission
            advice = advice ?? "Run as the user who owns the store's files"
        case EROFS:
            code = .readOnly
            advice = advice ?? "Open the store read-only, or mount its file system for writing"
        case ELOOP:
            code = .notAStore
            advice = advice ?? "Symbolic links are not followed; name the real file or directory"
        default: code = .io
        }
        return BanyanError(
            code, message ?? "The disk refused to \(operation)", remedy: advice,
            at: .init(file: path, sequence: sequence), cause: reason)
    }

    var isMissing: Bool { errno == ENOENT }
    var isNotADirectory: Bool { errno == ENOTDIR }
    var isExisting: Bool { errno == EEXIST }
    var isUnsupported: Bool { errno == ENOTSUP || errno == EOPNOTSUPP || errno == EPERM || errno == ENOSYS }
    var isInterruption: Bool { errno == EINTR }
}

/// Runs disk calls and turns a fault into the error a caller of the store sees.
func onDisk<Result>(_ body: () throws(DiskFault) -> Result) throws(BanyanError) -> Result {
    do { return try body() } catch { throw error.error() }
}
