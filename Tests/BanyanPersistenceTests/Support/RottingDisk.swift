import BanyanPersistence
import BanyanTesting

/// A disk that keeps another bit than it was given, at one place of every file, and says nothing.
struct RottingDisk: Disk {
    let base: SimulatedDisk
    /// The place of the byte.
    let offset: UInt64

    func openDirectory(_ path: String, createIfMissing: Bool) throws(DiskFault) -> any DiskDirectory {
        Directory(base: try base.openDirectory(path, createIfMissing: createIfMissing), offset: offset)
    }

    func kind(of path: String) throws(DiskFault) -> DiskEntry.Kind? { try base.kind(of: path) }

    private struct Directory: DiskDirectory {
        let base: any DiskDirectory
        let offset: UInt64

        var path: String { base.path }
        func open(_ name: String, _ mode: DiskOpenMode) throws(DiskFault) -> any DiskFile {
            File(base: try base.open(name, mode), offset: offset)
        }
        func list() throws(DiskFault) -> [DiskEntry] { try base.list() }
        func rename(_ old: String, to new: String) throws(DiskFault) { try base.rename(old, to: new) }
        func link(_ old: String, to new: String) throws(DiskFault) { try base.link(old, to: new) }
        func remove(_ name: String) throws(DiskFault) { try base.remove(name) }
        func sync() throws(DiskFault) { try base.sync() }
        func subdirectory(_ name: String, createIfMissing: Bool) throws(DiskFault) -> any DiskDirectory {
            Directory(base: try base.subdirectory(name, createIfMissing: createIfMissing), offset: offset)
        }
        func freeBytes() throws(DiskFault) -> UInt64 { try base.freeBytes() }
        func networkFileSystem() throws(DiskFault) -> String? { try base.networkFileSystem() }
    }

    private struct File: DiskFile {
        let base: any DiskFile
        let offset: UInt64

        func write(_ bytes: borrowing RawSpan, at start: UInt64) throws(DiskFault) -> Int {
            guard offset >= start, offset < start + UInt64(bytes.byteCount) else {
                return try base.write(bytes, at: start)
            }
            var rotten = bytes.withUnsafeBytes { Array($0) }
            rotten[Int(offset - start)] ^= 0x10
            return try base.write(rotten.span.bytes, at: start)
        }
        func read(at offset: UInt64, count: Int) throws(DiskFault) -> [UInt8] {
            try base.read(at: offset, count: count)
        }
        func truncate(to size: UInt64) throws(DiskFault) { try base.truncate(to: size) }
        func sync() throws(DiskFault) { try base.sync() }
        func size() throws(DiskFault) -> UInt64 { try base.size() }
        func forgetCache() throws(DiskFault) { try base.forgetCache() }
        func tryLock(_ kind: DiskLockKind) throws(DiskFault) -> Bool { try base.tryLock(kind) }
        func close() { base.close() }
    }
}
