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
    package var reason: String { "\(operation): \(errnoText)" }
    private var errnoText: String { "\(String(cString: strerror(errno))) (errno \(errno))" }

    /// The error a caller of the store sees.
    package func error(_ message: String? = nil, remedy: String? = nil, sequence: UInt64? = nil) -> BanyanError {
        let code: BanyanError.Code
        var advice = remedy
        if let occupant {
            return BanyanError(
                .notAStore, "\(occupant.shown) stands where the store keeps a file",
                remedy: advice ?? "Move it away, and put the file itself there, from a copy if it is gone",
                at: .init(file: path, sequence: sequence), cause: reason)
        }
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
            at: .init(file: path, sequence: sequence), cause: message == nil ? errnoText : reason)
    }

    /// Whether the name is there, and is no regular file.
    var isOccupied: Bool { occupant != nil }
    var isMissing: Bool { errno == ENOENT }
    var isNotADirectory: Bool { errno == ENOTDIR }
    var isExisting: Bool { errno == EEXIST }
    /// A second name cannot be given to a file: not on this file system, or it has as many as it may have.
    var isUnsupported: Bool {
        errno == ENOTSUP || errno == EOPNOTSUPP || errno == EPERM || errno == ENOSYS || errno == EMLINK
    }
    var isInterruption: Bool { errno == EINTR }
}

extension DiskEntry.Kind {
    fileprivate var shown: String {
        switch self {
        case .file: "A file"
        case .directory: "A directory"
        case .symbolicLink: "A symbolic link"
        case .other: "A pipe, a socket or a device"
        }
    }
}

/// Runs disk calls and turns a fault into the error a caller of the store sees.
func onDisk<Result>(_ body: () throws(DiskFault) -> Result) throws(BanyanError) -> Result {
    do { return try body() } catch { throw error.error() }
}

/// Runs disk calls on a file that the manifest lists. Anything that is no file and stands in its place is damage.
func onListedFile<Result>(_ body: () throws(DiskFault) -> Result) throws(BanyanError) -> Result {
    do throws(DiskFault) { return try body() } catch {
        var problem = error.error()
        if error.isOccupied { problem.code = .damaged }
        throw problem
    }
}
