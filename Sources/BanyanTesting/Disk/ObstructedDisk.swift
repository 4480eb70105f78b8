package import BanyanPersistence
import Synchronization

/// A disk with something in the way of some of its calls: a function is asked before each, and may let it fail, or keep it
/// waiting.
///
/// Where `SimulatedDisk` fails at the nth operation, this one fails at what the operation is.
package final class ObstructedDisk: Disk {
    /// What is about to be done, to which name in which directory.
    package struct Call: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            case open, create, write, truncate, sync, rename, link, remove, syncDirectory
        }

        package var kind: Kind
        package var name: String
    }

    private let base: any Disk
    private let obstacle = Mutex<(@Sendable (Call) -> Int32?)?>(nil)

    package init(_ base: any Disk) { self.base = base }

    /// From now on `body` is asked before each call; the errno that it returns is what the call fails with.
    package func obstruct(_ body: (@Sendable (Call) -> Int32?)?) { obstacle.withLock { $0 = body } }

    fileprivate func meet(_ kind: Call.Kind, _ name: String) throws(DiskFault) {
        // Not under the lock: it may wait.
        let body = obstacle.withLock { $0 }
        if let errno = body?(Call(kind: kind, name: name)) { throw DiskFault("\(kind)", name, errno: errno) }
    }

    package func openDirectory(_ path: String, createIfMissing: Bool) throws(DiskFault) -> any DiskDirectory {
        Directory(disk: self, base: try base.openDirectory(path, createIfMissing: createIfMissing))
    }

    package func kind(of path: String) throws(DiskFault) -> DiskEntry.Kind? { try base.kind(of: path) }

    private struct Directory: DiskDirectory {
        let disk: ObstructedDisk
        let base: any DiskDirectory

        var path: String { base.path }

        func open(_ name: String, _ mode: DiskOpenMode) throws(DiskFault) -> any DiskFile {
            try disk.meet(mode == .create ? .create : .open, name)
            return File(disk: disk, name: name, base: try base.open(name, mode))
        }

        func list() throws(DiskFault) -> [DiskEntry] { try base.list() }

        func rename(_ old: String, to new: String) throws(DiskFault) {
            try disk.meet(.rename, new)
            try base.rename(old, to: new)
        }

        func link(_ old: String, to new: String) throws(DiskFault) {
            try disk.meet(.link, new)
            try base.link(old, to: new)
        }

        func remove(_ name: String) throws(DiskFault) {
            try disk.meet(.remove, name)
            try base.remove(name)
        }

        func sync() throws(DiskFault) {
            try disk.meet(.syncDirectory, path)
            try base.sync()
        }

        func subdirectory(_ name: String, createIfMissing: Bool) throws(DiskFault) -> any DiskDirectory {
            Directory(disk: disk, base: try base.subdirectory(name, createIfMissing: createIfMissing))
        }

        func freeBytes() throws(DiskFault) -> UInt64 { try base.freeBytes() }
        func networkFileSystem() throws(DiskFault) -> String? { try base.networkFileSystem() }
    }

    private struct File: DiskFile {
        let disk: ObstructedDisk
        let name: String
        let base: any DiskFile

        func read(at offset: UInt64, count: Int) throws(DiskFault) -> [UInt8] {
            try base.read(at: offset, count: count)
        }

        func write(_ bytes: borrowing RawSpan, at offset: UInt64) throws(DiskFault) -> Int {
            try disk.meet(.write, name)
            return try base.write(bytes, at: offset)
        }

        func truncate(to size: UInt64) throws(DiskFault) {
            try disk.meet(.truncate, name)
            try base.truncate(to: size)
        }

        func sync() throws(DiskFault) {
            try disk.meet(.sync, name)
            try base.sync()
        }

        func size() throws(DiskFault) -> UInt64 { try base.size() }
        func forgetCache() throws(DiskFault) { try base.forgetCache() }
        func tryLock(_ kind: DiskLockKind) throws(DiskFault) -> Bool { try base.tryLock(kind) }
        func close() { base.close() }
    }
}
