#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

// The only places where a call is repeated: one that was interrupted before it did anything, and a read that gave less
// than it could. A short write is an error, because on a journal nobody can say what became of the rest; a failed flush
// is never tried again.
extension DiskFile {
    /// Writes all of `bytes` at `offset`; a short write is a fault.
    func writeAll(_ bytes: borrowing RawSpan, at offset: UInt64, name: String) throws(DiskFault) {
        if bytes.byteCount == 0 { return }
        while true {
            let written: Int
            do {
                written = try write(bytes, at: offset)
            } catch {
                if error.isInterruption { continue }
                throw error
            }
            guard written == bytes.byteCount else {
                // A file takes fewer bytes than it is given where there is no room for the rest; the kernel would say so only
                // to a second call.
                throw DiskFault("write all of \(bytes.byteCount) bytes (\(written) were written)", name, errno: ENOSPC)
            }
            return
        }
    }

    /// Up to `count` bytes at `offset`, fewer only at the end of the file.
    func readUpTo(_ count: Int, at offset: UInt64) throws(DiskFault) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let part: [UInt8]
            do {
                part = try read(at: offset + UInt64(bytes.count), count: count - bytes.count)
            } catch {
                if error.isInterruption { continue }
                throw error
            }
            if part.isEmpty { break }
            if bytes.isEmpty { bytes = part } else { bytes += part }
        }
        return bytes
    }
}

extension DiskDirectory {
    /// Makes `name` hold exactly `bytes`, durably and at once: a crash leaves the old content or the new.
    func replace(_ name: String, with bytes: [UInt8]) throws(DiskFault) {
        let temporary = name + FileNames.temporarySuffix
        try removeIfPresent(temporary)
        let file = try open(temporary, .create)
        defer { file.close() }
        try file.writeAll(bytes.span.bytes, at: 0, name: temporary)
        try file.sync()
        try rename(temporary, to: name)
        try sync()
    }

    func removeIfPresent(_ name: String) throws(DiskFault) {
        do { try remove(name) } catch { if !error.isMissing { throw error } }
    }

    /// Removes a file that counts for nothing, as far as that can be done.
    func discard(_ name: String) {
        // The callers have no use for the reason. The next opening removes what is left.
        do throws(DiskFault) { try remove(name) } catch _ {}
    }

    /// The file, or nil when there is none of that name.
    func openIfPresent(_ name: String, _ mode: DiskOpenMode) throws(DiskFault) -> (any DiskFile)? {
        do { return try open(name, mode) } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    func pathOf(_ name: String) -> String { DiskPath.join(path, name) }
}
