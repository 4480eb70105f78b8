import BanyanPersistence

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The simulated disk as a value: inodes, each with what the device holds, what the cache shows, and the changes that
/// lie between the two.
struct SimulatedVolume: Sendable {
    struct File: Sendable {
        enum Change: Sendable {
            case write([UInt8], at: Int)
            case truncate(Int)
        }

        var device: [UInt8] = []
        var cache: [UInt8] = []
        /// Not flushed yet, in order.
        var pending: [Change] = []
        var locks: [Int: DiskLockKind] = [:]
    }

    struct Directory: Sendable {
        enum Change: Sendable {
            case link(String, Int)
            case unlink(String)
            case rename(String, String, Int)
        }

        var device: [String: Int] = [:]
        var cache: [String: Int] = [:]
        var pending: [Change] = []
    }

    enum Inode: Sendable {
        case file(File)
        case directory(Directory)
    }

    static let root = 0

    var inodes: [Int: Inode] = [root: .directory(Directory())]
    var capacity: UInt64
    var operations = 0
    var changes = 0
    var lastChange: Int?
    var isPowerCut = false
    var fault: SimulatedDisk.Fault?
    var struck: [String] = []
    var log: [String] = []
    /// Where files are that were renamed: those who have one open know its name of then.
    var renamed: [Int: String] = [:]
    private var nextInode = 1
    private var nextHandle = 1

    init(capacity: UInt64) { self.capacity = capacity }

    // MARK: Counting and failing

    /// Counts an operation and lets the injected fault strike it.
    mutating func begin(_ operation: String, _ path: String, changes isChange: Bool = false) throws(DiskFault) {
        if let failure = try count(operation, path, changes: isChange) {
            guard case .error(let errno) = failure else { throw DiskFault(operation, path, errno: EIO) }
            throw DiskFault(operation, path, errno: errno)
        }
    }

    /// Counts an operation; gives the fault that strikes it, for those that fail in their own way.
    mutating func count(
        _ operation: String, _ path: String, changes isChange: Bool
    ) throws(DiskFault) -> SimulatedDisk.Failure? {
        if isPowerCut { throw DiskFault(operation, path, errno: EIO) }
        if isChange, let lastChange, changes >= lastChange {
            isPowerCut = true
            throw DiskFault(operation, path, errno: EIO)
        }
        operations += 1
        if isChange {
            changes += 1
            log.append("\(changes) \(operation) \(path)")
        }
        guard let fault, operations == fault.operation || (fault.isLasting && operations > fault.operation) else {
            return nil
        }
        struck.append("\(operation) \(path)")
        return fault.failure
    }

    mutating func newHandle() -> Int {
        nextHandle += 1
        return nextHandle
    }

    // MARK: Names

    func inode(at path: String) -> Int? {
        var inode = Self.root
        for component in path.split(separator: "/") where component != "." {
            guard case .directory(let directory) = inodes[inode], let next = directory.cache[String(component)] else {
                return nil
            }
            inode = next
        }
        return inode
    }

    mutating func directory(at path: String) throws(DiskFault) -> Int {
        try begin("open directory", path)
        guard let inode = inode(at: path) else { throw DiskFault("open directory", path, errno: ENOENT) }
        guard case .directory = inodes[inode] else { throw DiskFault("open directory", path, errno: ENOTDIR) }
        return inode
    }

    func kind(of inode: Int) -> DiskEntry.Kind? {
        switch inodes[inode] {
        case .file: .file
        case .directory: .directory
        case nil: nil
        }
    }

    subscript(file inode: Int) -> File {
        get {
            guard case .file(let file) = inodes[inode] else { return File() }
            return file
        }
        _modify {
            var file = File()
            if case .file(let found) = inodes[inode] { file = found }
            inodes[inode] = nil  // The local is the only owner: changes are in place.
            yield &file
            inodes[inode] = .file(file)
        }
    }

    subscript(directory inode: Int) -> Directory {
        get {
            guard case .directory(let directory) = inodes[inode] else { return Directory() }
            return directory
        }
        _modify {
            var directory = Directory()
            if case .directory(let found) = inodes[inode] { directory = found }
            inodes[inode] = nil
            yield &directory
            inodes[inode] = .directory(directory)
        }
    }

    /// Makes a file or directory under a name that is free.
    mutating func make(_ inode: Inode, name: String, in directory: Int) -> Int {
        let number = nextInode
        nextInode += 1
        inodes[number] = inode
        self[directory: directory].cache[name] = number
        self[directory: directory].pending.append(.link(name, number))
        return number
    }

    mutating func place(_ bytes: [UInt8], name: String, in directory: Int) {
        let number = self[directory: directory].device[name] ?? nextInode
        nextInode = max(nextInode, number + 1)
        inodes[number] = .file(File(device: bytes, cache: bytes))
        self[directory: directory].cache[name] = number
        self[directory: directory].device[name] = number
    }

    mutating func erase(_ name: String, in directory: Int) {
        self[directory: directory].cache[name] = nil
        self[directory: directory].device[name] = nil
    }

    var used: UInt64 {
        inodes.values.reduce(0) { sum, inode in
            if case .file(let file) = inode { sum + UInt64(file.cache.count) } else { sum }
        }
    }

    /// The volume after all handles are gone.
    func rebooted(keepingCache: Bool) -> SimulatedVolume {
        var next = self
        next.operations = 0
        next.changes = 0
        next.lastChange = nil
        next.isPowerCut = false
        next.fault = nil
        next.struck = []
        next.log = []
        for (number, inode) in inodes {
            if case .file = inode { next[file: number].locks = [:] }
        }
        return next
    }
}

extension SimulatedVolume.File {
    mutating func write(_ bytes: [UInt8], at offset: Int) {
        Self.apply(.write(bytes, at: offset), to: &cache)
        pending.append(.write(bytes, at: offset))
    }

    mutating func truncate(to size: Int) {
        Self.apply(.truncate(size), to: &cache)
        pending.append(.truncate(size))
    }

    mutating func flush() {
        for change in pending { Self.apply(change, to: &device) }
        pending = []
    }

    /// What the kernel does when write-back fails: the pages count as clean, the device has half of them.
    mutating func failFlush() {
        for change in pending.prefix(pending.count / 2) { Self.apply(change, to: &device) }
        pending = []
    }

    mutating func forgetClean() {
        cache = device
        for change in pending { Self.apply(change, to: &cache) }
    }

    static func apply(_ change: Change, to content: inout [UInt8]) {
        switch change {
        case .truncate(let size):
            if size < content.count {
                content.removeSubrange(size...)
            } else {
                content += [UInt8](repeating: 0, count: size - content.count)
            }
        case .write(let bytes, let offset):
            let end = offset + bytes.count
            if end > content.count { content += [UInt8](repeating: 0, count: end - content.count) }
            content.replaceSubrange(offset..<end, with: bytes)
        }
    }
}

extension SimulatedVolume.Directory {
    static func apply(_ change: Change, to names: inout [String: Int]) {
        switch change {
        case .link(let name, let inode): names[name] = inode
        case .unlink(let name): names[name] = nil
        case .rename(let old, let new, let inode):
            if names[old] == inode { names[old] = nil }
            names[new] = inode
        }
    }

    mutating func change(_ change: Change) {
        Self.apply(change, to: &cache)
        pending.append(change)
    }

    mutating func flush() {
        for change in pending { Self.apply(change, to: &device) }
        pending = []
    }
}
