// The few system calls the store needs, each turned into a typed error. Linux and Darwin differ only here.

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

enum Platform {
    /// Runs a call that reports failure as -1.
    @inline(__always)
    static func call<Value: BinaryInteger>(
        _ operation: String, _ path: String, _ body: () -> Value
    ) throws(DiskFault) -> Value {
        let value = body()
        if value == -1 { throw DiskFault(operation, path, errno: errno) }
        return value
    }

    /// Runs a call of opening kind, which does nothing when it is interrupted, until it is not.
    static func uninterrupted<Value: BinaryInteger>(
        _ operation: String, _ path: String, _ body: () -> Value
    ) throws(DiskFault) -> Value {
        while true {
            let value = body()
            if value != -1 { return value }
            let reason = errno
            if reason != EINTR { throw DiskFault(operation, path, errno: reason) }
        }
    }

    static func kind(ofMode mode: mode_t) -> DiskEntry.Kind {
        switch mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .directory
        case S_IFLNK: .symbolicLink
        default: .other
        }
    }

    /// Makes content and length of a file durable: the journal's one expensive call.
    static func syncData(_ descriptor: Int32, _ path: String) throws(DiskFault) {
        #if canImport(Darwin)
            // fsync on Darwin leaves the data in the drive's cache.
            if fcntl(descriptor, F_FULLFSYNC) != -1 { return }
            _ = try call("flush", path) { fsync(descriptor) }
        #else
            _ = try call("flush", path) { fdatasync(descriptor) }
        #endif
    }

    static func forgetCache(_ descriptor: Int32, _ path: String) throws(DiskFault) {
        #if canImport(Darwin)
            _ = try call("drop cached pages of", path) { fcntl(descriptor, F_NOCACHE, 1) }
        #else
            let result = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
            if result != 0 { throw DiskFault("drop cached pages of", path, errno: result) }
        #endif
    }

    static func freeBytes(_ descriptor: Int32, _ path: String) throws(DiskFault) -> UInt64 {
        var facts = statvfs()
        _ = try uninterrupted("ask for the free space of", path) { fstatvfs(descriptor, &facts) }
        let free = UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
        return free.overflow ? .max : free.partialValue
    }

    static func networkFileSystem(_ descriptor: Int32, _ path: String) throws(DiskFault) -> String? {
        #if canImport(Darwin)
            var facts = statfs()
            _ = try uninterrupted("ask the file system of", path) { fstatfs(descriptor, &facts) }
            return facts.f_flags & UInt32(MNT_LOCAL) == 0 ? "a remote file system" : nil
        #else
            var facts = stat()
            _ = try call("look at", path) { fstat(descriptor, &facts) }
            guard let type = try mountedType(ofDevice: facts.st_dev) else { return nil }
            return networkTypes.contains(type) ? type : nil
        #endif
    }

    #if !canImport(Darwin)
        private static let networkTypes: Set<String> = [
            "nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "ceph", "9p", "coda", "lustre", "gpfs", "beegfs",
            "fuse.sshfs", "fuse.glusterfs", "fuse.s3fs", "fuse.rclone",
        ]

        /// The type of the mounted file system whose files carry this device number, as /proc/self/mountinfo tells;
        /// nil when it does not.
        private static func mountedType(ofDevice device: dev_t) throws(DiskFault) -> String? {
            let table = "/proc/self/mountinfo"
            let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
            let minor = device & 0xFF | (device >> 12) & ~0xFF
            let wanted = "\(major):\(minor & 0xFFFF_FFFF)"
            guard let stream = fopen(table, "re") else { return nil }
            defer { fclose(stream) }
            var line: UnsafeMutablePointer<CChar>?
            var room = 0
            // `getline` owns and grows the buffer behind `line`.
            defer { free(line) }
            var type: String?
            while getline(&line, &room, stream) > 0, let start = line {
                let fields = String(cString: start).split(separator: " ")
                guard fields.count > 4, fields[2] == wanted, let dash = fields.firstIndex(of: "-"),
                    dash + 1 < fields.count
                else { continue }
                type = String(fields[dash + 1])
            }
            return type
        }
    #endif
}
