#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The real disk.
package struct KernelDisk: Disk {
    package init() {}

    package func openDirectory(_ path: String, createIfMissing: Bool) throws(DiskFault) -> any DiskDirectory {
        if createIfMissing, try kind(of: path) == nil {
            let (parent, name) = DiskPath.split(path)
            let above = try KernelDirectory(path: parent, relativeTo: AT_FDCWD)
            return try above.subdirectory(name, createIfMissing: true)
        }
        return try KernelDirectory(path: path, relativeTo: AT_FDCWD)
    }

    package func kind(of path: String) throws(DiskFault) -> DiskEntry.Kind? {
        var facts = stat()
        do {
            _ = try Platform.uninterrupted("look at", path) { lstat(path, &facts) }
        } catch {
            if error.isMissing { return nil }
            throw error
        }
        return Platform.kind(ofMode: facts.st_mode)
    }
}

/// An open directory of the kernel. Its descriptor is only read, and lives as long as the object.
final class KernelDirectory: DiskDirectory {
    let path: String
    let descriptor: Int32

    init(path: String, relativeTo base: Int32, name: String? = nil) throws(DiskFault) {
        self.path = path
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (name == nil ? 0 : O_NOFOLLOW)
        descriptor = try Platform.uninterrupted("open directory", path) { openat(base, name ?? path, flags) }
    }

    deinit { _ = Self.closeDescriptor(descriptor) }

    private static func closeDescriptor(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
            Darwin.close(descriptor)
        #elseif canImport(Musl)
            Musl.close(descriptor)
        #else
            Glibc.close(descriptor)
        #endif
    }

    func open(_ name: String, _ mode: DiskOpenMode) throws(DiskFault) -> any DiskFile {
        // O_NONBLOCK: opening a pipe someone put here must not wait for its other end.
        let common = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let where_ = pathOf(name)
        let opened: Int32
        do throws(DiskFault) {
            switch mode {
            case .read:
                opened = try Platform.uninterrupted("open", where_) { openat(descriptor, name, O_RDONLY | common) }
            case .readWrite:
                opened = try Platform.uninterrupted("open", where_) { openat(descriptor, name, O_RDWR | common) }
            case .create:
                opened = try Platform.uninterrupted("create", where_) {
                    openat(descriptor, name, O_RDWR | O_CREAT | O_EXCL | common, 0o600)
                }
            }
        } catch {
            throw withOccupant(error, name)
        }
        let file = KernelFile(path: where_, descriptor: opened)
        var facts = stat()
        _ = try Platform.call("look at", where_) { fstat(opened, &facts) }
        let kind = Platform.kind(ofMode: facts.st_mode)
        guard kind == .file else {
            var fault = DiskFault("open as a regular file", where_, errno: kind == .directory ? EISDIR : EINVAL)
            fault.occupant = kind
            throw fault
        }
        if mode == .create {
            _ = try Platform.call("set the mode of", where_) { fchmod(opened, 0o600) }
        }
        return file
    }

    func list() throws(DiskFault) -> [DiskEntry] {
        let copy = try Platform.uninterrupted("open directory", path) {
            openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        guard let stream = fdopendir(copy) else {
            let reason = errno
            _ = Self.closeDescriptor(copy)
            throw DiskFault("list", path, errno: reason)
        }
        defer { closedir(stream) }
        var entries: [DiskEntry] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw DiskFault("list", path, errno: errno) }
                return entries
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
                    String(cString: $0)
                }
            }
            if name == "." || name == ".." { continue }
            var facts = stat()
            if fstatat(descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) != 0 {
                if errno == ENOENT { continue }
                throw DiskFault("look at", pathOf(name), errno: errno)
            }
            entries.append(DiskEntry(name: name, kind: Platform.kind(ofMode: facts.st_mode)))
        }
    }

    func rename(_ old: String, to new: String) throws(DiskFault) {
        _ = try Platform.call("rename", pathOf(old)) { renameat(descriptor, old, descriptor, new) }
    }

    func link(_ old: String, to new: String) throws(DiskFault) {
        _ = try Platform.call("link", pathOf(new)) { linkat(descriptor, old, descriptor, new, 0) }
    }

    func remove(_ name: String) throws(DiskFault) {
        do throws(DiskFault) {
            _ = try Platform.call("remove", pathOf(name)) { unlinkat(descriptor, name, 0) }
        } catch {
            throw withOccupant(error, name)
        }
    }

    /// Says what stands in place of a file, where that may be why the kernel refused.
    private func withOccupant(_ fault: DiskFault, _ name: String) -> DiskFault {
        guard [EISDIR, EPERM, ELOOP, EMLINK, ENXIO].contains(fault.errno) else { return fault }
        var facts = stat()
        guard fstatat(descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else { return fault }
        let kind = Platform.kind(ofMode: facts.st_mode)
        guard kind != .file else { return fault }
        var fault = fault
        fault.occupant = kind
        return fault
    }

    func sync() throws(DiskFault) {
        _ = try Platform.call("flush directory", path) { fsync(descriptor) }
    }

    func subdirectory(_ name: String, createIfMissing: Bool) throws(DiskFault) -> any DiskDirectory {
        let where_ = pathOf(name)
        var made = false
        if createIfMissing {
            if mkdirat(descriptor, name, 0o700) == 0 {
                made = true
            } else if errno != EEXIST {
                throw DiskFault("make directory", where_, errno: errno)
            }
        }
        let directory = try KernelDirectory(path: where_, relativeTo: descriptor, name: name)
        if made {
            _ = try Platform.call("set the mode of", where_) { fchmod(directory.descriptor, 0o700) }
            try sync()
        }
        return directory
    }

    func freeBytes() throws(DiskFault) -> UInt64 { try Platform.freeBytes(descriptor, path) }

    func networkFileSystem() throws(DiskFault) -> String? { try Platform.networkFileSystem(descriptor, path) }
}
