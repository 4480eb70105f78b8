import BanyanPersistence
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

final class SimulatedDirectory: DiskDirectory {
    private let disk: SimulatedDisk
    private let inode: Int
    let path: String

    init(disk: SimulatedDisk, inode: Int, path: String) {
        self.disk = disk
        self.inode = inode
        self.path = path
    }

    private func place(_ name: String) -> String { DiskPath.join(path, name) }

    func open(_ name: String, _ mode: DiskOpenMode) throws(DiskFault) -> any DiskFile {
        let place = place(name)
        let (number, handle) = try disk.perform { volume throws(DiskFault) in
            try volume.begin(mode == .create ? "create" : "open", place, changes: mode == .create)
            let existing = volume[directory: self.inode].cache[name]
            if mode == .create {
                if existing != nil { throw DiskFault("create", place, errno: EEXIST) }
                return (volume.make(.file(.init()), name: name, in: self.inode), volume.newHandle())
            }
            guard let existing else { throw DiskFault("open", place, errno: ENOENT) }
            guard volume.kind(of: existing) == .file else { throw DiskFault("open", place, errno: ELOOP) }
            return (existing, volume.newHandle())
        }
        return SimulatedFile(disk: disk, inode: number, handle: handle, path: place, isWritable: mode != .read)
    }

    func list() throws(DiskFault) -> [DiskEntry] {
        try disk.perform { volume throws(DiskFault) in
            try volume.begin("list", self.path)
            return volume[directory: self.inode].cache.compactMap { name, inode in
                volume.kind(of: inode).map { DiskEntry(name: name, kind: $0) }
            }
        }
    }

    func rename(_ old: String, to new: String) throws(DiskFault) {
        try disk.perform { volume throws(DiskFault) in
            try volume.begin("rename", self.place(old) + " to \(new)", changes: true)
            guard let found = volume[directory: self.inode].cache[old] else {
                throw DiskFault("rename", self.place(old), errno: ENOENT)
            }
            // POSIX: two names of one file stay as they are.
            if volume[directory: self.inode].cache[new] == found { return }
            volume[directory: self.inode].change(.rename(old, new, found))
            volume.renamed[found] = self.place(new)
        }
    }

    func link(_ old: String, to new: String) throws(DiskFault) {
        try disk.perform { volume throws(DiskFault) in
            try volume.begin("link", self.place(old) + " to \(new)", changes: true)
            guard let found = volume[directory: self.inode].cache[old] else {
                throw DiskFault("link", self.place(old), errno: ENOENT)
            }
            guard volume[directory: self.inode].cache[new] == nil else {
                throw DiskFault("link", self.place(new), errno: EEXIST)
            }
            volume[directory: self.inode].change(.link(new, found))
        }
    }

    func remove(_ name: String) throws(DiskFault) {
        try disk.perform { volume throws(DiskFault) in
            try volume.begin("remove", self.place(name), changes: true)
            guard volume[directory: self.inode].cache[name] != nil else {
                throw DiskFault("remove", self.place(name), errno: ENOENT)
            }
            volume[directory: self.inode].change(.unlink(name))
        }
    }

    func sync() throws(DiskFault) {
        try disk.perform { volume throws(DiskFault) in
            try volume.begin("flush directory", self.path, changes: true)
            volume[directory: self.inode].flush()
        }
    }

    func subdirectory(_ name: String, createIfMissing: Bool) throws(DiskFault) -> any DiskDirectory {
        let place = place(name)
        let number = try disk.perform { volume throws(DiskFault) in
            if let found = volume[directory: self.inode].cache[name] {
                try volume.begin("open directory", place)
                guard volume.kind(of: found) == .directory else {
                    throw DiskFault("open directory", place, errno: ENOTDIR)
                }
                return found
            }
            guard createIfMissing else { throw DiskFault("open directory", place, errno: ENOENT) }
            try volume.begin("make directory", place, changes: true)
            let made = volume.make(.directory(.init()), name: name, in: self.inode)
            volume[directory: self.inode].flush()
            return made
        }
        return SimulatedDirectory(disk: disk, inode: number, path: place)
    }

    func freeBytes() throws(DiskFault) -> UInt64 {
        try disk.perform { volume throws(DiskFault) in volume.capacity - min(volume.used, volume.capacity) }
    }

    func networkFileSystem() throws(DiskFault) -> String? { nil }
}

final class SimulatedFile: DiskFile {
    private let disk: SimulatedDisk
    private let inode: Int
    private let handle: Int
    private let path: String
    private let isWritable: Bool
    private let isClosed = Atomic(false)

    init(disk: SimulatedDisk, inode: Int, handle: Int, path: String, isWritable: Bool) {
        self.disk = disk
        self.inode = inode
        self.handle = handle
        self.path = path
        self.isWritable = isWritable
    }

    deinit { close() }

    /// What the file is called now.
    private func place(_ volume: SimulatedVolume) -> String { volume.renamed[inode] ?? path }

    private func check(_ operation: String, writes: Bool) throws(DiskFault) {
        if isClosed.load(ordering: .acquiring) || (writes && !isWritable) {
            throw DiskFault(operation, path, errno: EBADF)
        }
    }

    func read(at offset: UInt64, count: Int) throws(DiskFault) -> [UInt8] {
        try check("read", writes: false)
        return try disk.perform { volume throws(DiskFault) in
            try volume.begin("read", self.path)
            let cache = volume[file: self.inode].cache
            guard offset < UInt64(cache.count) else { return [] }
            return Array(cache[Int(offset)..<min(Int(offset) + count, cache.count)])
        }
    }

    func write(_ bytes: borrowing RawSpan, at offset: UInt64) throws(DiskFault) -> Int {
        try check("write", writes: true)
        let given = bytes.withUnsafeBytes { Array($0) }
        return try disk.perform { volume throws(DiskFault) in
            var taken = given
            switch try volume.count("write \(given.count) bytes at \(offset)", place(volume), changes: true) {
            case .error(let errno): throw DiskFault("write", self.path, errno: errno)
            case .shortWrite: taken = Array(given.prefix(given.count / 2))
            case nil: break
            }
            let end = offset + UInt64(taken.count)
            let growth = end - min(UInt64(volume[file: self.inode].cache.count), end)
            guard volume.used + growth <= volume.capacity else { throw DiskFault("write", self.path, errno: ENOSPC) }
            volume[file: self.inode].write(taken, at: Int(offset))
            return taken.count
        }
    }

    func truncate(to size: UInt64) throws(DiskFault) {
        try check("truncate", writes: true)
        try disk.perform { volume throws(DiskFault) in
            try volume.begin("truncate to \(size)", place(volume), changes: true)
            volume[file: self.inode].truncate(to: Int(size))
        }
    }

    func sync() throws(DiskFault) {
        try check("flush", writes: true)
        try disk.perform { volume throws(DiskFault) in
            if let failure = try volume.count("flush", place(volume), changes: true) {
                volume[file: self.inode].failFlush()
                guard case .error(let errno) = failure else { throw DiskFault("flush", self.path, errno: EIO) }
                throw DiskFault("flush", self.path, errno: errno)
            }
            volume[file: self.inode].flush()
        }
    }

    func size() throws(DiskFault) -> UInt64 {
        try check("look at", writes: false)
        return try disk.perform { volume throws(DiskFault) in
            try volume.begin("look at", self.path)
            return UInt64(volume[file: self.inode].cache.count)
        }
    }

    func forgetCache() throws(DiskFault) {
        try check("drop cached pages of", writes: false)
        try disk.perform { volume throws(DiskFault) in
            try volume.begin("drop cached pages of", self.path)
            volume[file: self.inode].forgetClean()
        }
    }

    func tryLock(_ kind: DiskLockKind) throws(DiskFault) -> Bool {
        try check("lock", writes: false)
        return try disk.perform { volume throws(DiskFault) in
            try volume.begin("lock", self.path)
            let others = volume[file: self.inode].locks.filter { $0.key != self.handle }.values
            if others.contains(.exclusive) || (kind == .exclusive && !others.isEmpty) { return false }
            volume[file: self.inode].locks[self.handle] = kind
            return true
        }
    }

    func close() {
        if isClosed.exchange(true, ordering: .acquiringAndReleasing) { return }
        disk.state.withLock { volume in
            if volume[file: self.inode].locks[self.handle] != nil { volume[file: self.inode].locks[self.handle] = nil }
        }
    }
}
