import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// An open file of the kernel.
///
/// `close` may race with other calls only in the sense that those fail: the store closes a file after its last use, and
/// a file nobody closed is closed when it is released.
final class KernelFile: DiskFile {
    private let path: String
    private let descriptor: Int32
    private let isClosed = Atomic(false)
    /// The process that took the lock; 0 for none.
    private let locker = Atomic<Int32>(0)

    init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close() }

    private func open(_ operation: String) throws(DiskFault) -> Int32 {
        if isClosed.load(ordering: .acquiring) { throw DiskFault(operation, path, errno: EBADF) }
        return descriptor
    }

    func read(at offset: UInt64, count: Int) throws(DiskFault) -> [UInt8] {
        let descriptor = try open("read")
        guard let position = off_t(exactly: offset), count >= 0 else { throw DiskFault("read", path, errno: EINVAL) }
        if count == 0 { return [] }
        var failure: Int32 = 0
        // `pread` fills the array's uninitialised storage; the count it returns is what becomes visible.
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let got = pread(descriptor, buffer.baseAddress, count, position)
            if got < 0 { failure = errno }
            filled = max(got, 0)
        }
        if failure != 0 { throw DiskFault("read", path, errno: failure) }
        return bytes
    }

    func write(_ bytes: borrowing RawSpan, at offset: UInt64) throws(DiskFault) -> Int {
        let descriptor = try open("write")
        guard let position = off_t(exactly: offset) else { throw DiskFault("write", path, errno: EINVAL) }
        let written = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, position) }
        if written < 0 { throw DiskFault("write", path, errno: errno) }
        return written
    }

    func truncate(to size: UInt64) throws(DiskFault) {
        let descriptor = try open("truncate")
        guard let length = off_t(exactly: size) else { throw DiskFault("truncate", path, errno: EINVAL) }
        _ = try Platform.uninterrupted("truncate", path) { ftruncate(descriptor, length) }
    }

    func sync() throws(DiskFault) {
        try Platform.syncData(try open("flush"), path)
    }

    // Pages about to be forgotten are written first; the call does not wait for that, and what goes wrong then shows in the
    // flush that follows.
    func beginSync(from offset: UInt64, count: UInt64) {
        #if !canImport(Darwin)
            advise(POSIX_FADV_DONTNEED, from: offset, count: count)
        #endif
    }

    func beginRead(from offset: UInt64, count: UInt64) {
        #if !canImport(Darwin)
            advise(POSIX_FADV_WILLNEED, from: offset, count: count)
        #endif
    }

    #if !canImport(Darwin)
        private func advise(_ advice: Int32, from offset: UInt64, count: UInt64) {
            guard !isClosed.load(ordering: .acquiring), let start = off_t(exactly: offset),
                let length = off_t(exactly: count)
            else { return }
            _ = posix_fadvise(descriptor, start, length, advice)
        }
    #endif

    func size() throws(DiskFault) -> UInt64 {
        var facts = stat()
        let descriptor = try open("look at")
        _ = try Platform.call("look at", path) { fstat(descriptor, &facts) }
        return UInt64(max(facts.st_size, 0))
    }

    func forgetCache() throws(DiskFault) {
        try Platform.forgetCache(try open("drop cached pages of"), path)
    }

    func tryLock(_ kind: DiskLockKind) throws(DiskFault) -> Bool {
        let descriptor = try open("lock")
        let operation = (kind == .exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB
        do {
            _ = try Platform.uninterrupted("lock", path) { flock(descriptor, operation) }
            locker.store(getpid(), ordering: .releasing)
            return true
        } catch {
            if error.errno == EWOULDBLOCK { return false }
            throw error
        }
    }

    func close() {
        if isClosed.exchange(true, ordering: .acquiringAndReleasing) { return }
        // A child that was forked meanwhile shares the lock, and would keep it for as long as it lives. In the child itself
        // it is the parent's, and stays.
        if locker.load(ordering: .acquiring) == getpid() { _ = flock(descriptor, LOCK_UN) }
        // A close that fails has still closed; what mattered was flushed and checked before.
        #if canImport(Darwin)
            _ = Darwin.close(descriptor)
        #elseif canImport(Musl)
            _ = Musl.close(descriptor)
        #else
            _ = Glibc.close(descriptor)
        #endif
    }
}
