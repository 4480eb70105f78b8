package import BanyanPersistence
import Synchronization

/// A disk in memory that forgets what a real one would forget.
///
/// It keeps what was written apart from what was flushed, counts every operation, and can fail or stop at any of them.
/// After a stop, `afterPowerCut(seed:)` gives a disk as a real one may be found: of everything that was not flushed, an
/// arbitrary part is there, file contents by 512-byte sectors, directory entries one by one. The same seed gives the
/// same disk. A crash of the process alone, which loses nothing, is `afterProcessDeath()`.
package final class SimulatedDisk: Disk {
    /// What goes wrong, and when. Operations are counted from 1.
    package enum Failure: Sendable, Hashable {
        /// The operation does nothing and reports this errno; a failed flush drops what it should have flushed, while
        /// the cache still shows it.
        case error(Int32)
        /// A write does half of its work and says so; other operations fail with EIO.
        case shortWrite
    }

    package struct Fault: Sendable, Hashable {
        package var operation: Int
        package var failure: Failure
        /// Every later operation fails the same way.
        package var isLasting: Bool

        package init(at operation: Int, _ failure: Failure, lasting: Bool = false) {
            self.operation = operation
            self.failure = failure
            isLasting = lasting
        }
    }

    let state: Mutex<SimulatedVolume>

    /// An empty disk.
    ///
    /// - Parameter capacity: bytes that all files together may hold.
    package init(capacity: UInt64 = 1 << 40) {
        state = Mutex(SimulatedVolume(capacity: capacity))
    }

    private init(_ volume: SimulatedVolume) { state = Mutex(volume) }

    // MARK: Control

    /// How many operations there were, reads among them.
    package var operations: Int { state.withLock { $0.operations } }

    /// How many operations there were that change something or make it durable.
    package var changes: Int { state.withLock { $0.changes } }

    /// Makes everything fail from the moment when this many changes have been made.
    package func cutPower(afterChanges count: Int?) { state.withLock { $0.lastChange = count } }

    package var isPowerCut: Bool { state.withLock { $0.isPowerCut } }

    package func inject(_ fault: Fault?) { state.withLock { $0.fault = fault } }

    /// The operations the injected fault has struck.
    package var struck: [String] { state.withLock { $0.struck } }

    package func setCapacity(_ bytes: UInt64) { state.withLock { $0.capacity = bytes } }

    /// What was done, one line per change, for a failing test to print.
    package var log: [String] { state.withLock { $0.log } }

    /// The disk as it may be found when the power comes back.
    package func afterPowerCut(seed: UInt64) -> SimulatedDisk {
        var damage = PowerCut(seed: seed)
        return SimulatedDisk(state.withLock { damage.apply(to: $0) })
    }

    /// The disk as the next process finds it when this one was killed.
    package func afterProcessDeath() -> SimulatedDisk {
        SimulatedDisk(state.withLock { $0.rebooted(keepingCache: true) })
    }

    // MARK: Direct access for tests

    /// A file's content as it can be read now; nil when there is none.
    package func content(of path: String) -> [UInt8]? {
        state.withLock { volume in
            guard let inode = volume.inode(at: path), case .file(let file) = volume.inodes[inode] else { return nil }
            return file.cache
        }
    }

    /// Puts a file there, on the device, as if it had always been.
    package func place(_ bytes: [UInt8], at path: String) {
        let (parent, name) = DiskPath.split(path)
        state.withLock { volume in
            guard let directory = volume.inode(at: parent) else { return }
            volume.place(bytes, name: name, in: directory)
        }
    }

    /// Takes a file away, on the device.
    package func erase(_ path: String) {
        let (parent, name) = DiskPath.split(path)
        state.withLock { volume in
            guard let directory = volume.inode(at: parent) else { return }
            volume.erase(name, in: directory)
        }
    }

    /// The names in a directory, sorted.
    package func names(in path: String) -> [String] {
        state.withLock { volume in
            guard let inode = volume.inode(at: path), case .directory(let directory) = volume.inodes[inode] else {
                return []
            }
            return directory.cache.keys.sorted()
        }
    }

    // MARK: Disk

    package func openDirectory(_ path: String, createIfMissing: Bool) throws(DiskFault) -> any DiskDirectory {
        if createIfMissing, try kind(of: path) == nil {
            let (parent, name) = DiskPath.split(path)
            return try openDirectory(parent, createIfMissing: false).subdirectory(name, createIfMissing: true)
        }
        let inode = try perform { volume throws(DiskFault) in try volume.directory(at: path) }
        return SimulatedDirectory(disk: self, inode: inode, path: String(DiskPath.trimmed(path)))
    }

    package func kind(of path: String) throws(DiskFault) -> DiskEntry.Kind? {
        try perform { volume throws(DiskFault) in
            try volume.begin("look at", path)
            return volume.inode(at: path).flatMap { volume.kind(of: $0) }
        }
    }

    func perform<Value: Sendable>(
        _ body: (inout SimulatedVolume) throws(DiskFault) -> Value
    ) throws(DiskFault) -> Value {
        let result = state.withLock { volume -> Result<Value, DiskFault> in
            do throws(DiskFault) { return .success(try body(&volume)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
