// All access to the disk goes through the three protocols of this file, so that one implementation can be the kernel
// and another a simulation that crashes at any call and loses whatever was not flushed. They say what the kernel says,
// no more: a write may be short, an error is an errno, nothing is retried. What the store makes of that (retry an
// interrupted call, poison itself after a failed flush) is decided above, once, and is tested through the simulation.
//
// A store is one flat directory, so files are named by plain names inside an open directory, never by paths: renaming
// or replacing a parent directory under a running store cannot redirect it.

/// Where stores live: the kernel's file system, or a simulated one.
package protocol Disk: Sendable {
    /// Opens a directory. A symbolic link to one is followed: where a store lies is its owner's choice.
    ///
    /// - Parameter createIfMissing: makes the directory, with mode 0700 whatever the umask; its parent must exist. The
    ///   parent is flushed before the call returns.
    func openDirectory(_ path: String, createIfMissing: Bool) throws(DiskFault) -> any DiskDirectory

    /// What `path` names, or nil when nothing does. Does not follow a symbolic link.
    func kind(of path: String) throws(DiskFault) -> DiskEntry.Kind?
}

/// An open directory. Names are single path components.
package protocol DiskDirectory: Sendable {
    /// The path it was opened by, for messages.
    var path: String { get }

    /// Opens a regular file; a symbolic link, directory or device is refused.
    func open(_ name: String, _ mode: DiskOpenMode) throws(DiskFault) -> any DiskFile

    /// Everything in the directory except `.` and `..`, in no particular order.
    func list() throws(DiskFault) -> [DiskEntry]

    /// Renames within this directory, replacing `new` atomically.
    func rename(_ old: String, to new: String) throws(DiskFault)

    /// Makes `new` a second name of the file `old`; fails when `new` exists.
    func link(_ old: String, to new: String) throws(DiskFault)

    /// Removes a file's name.
    func remove(_ name: String) throws(DiskFault)

    /// Makes created, renamed and removed names durable.
    func sync() throws(DiskFault)

    /// Opens a directory inside this one; when it is made, its mode is 0700 and this directory is flushed.
    func subdirectory(_ name: String, createIfMissing: Bool) throws(DiskFault) -> any DiskDirectory

    /// Bytes an unprivileged process may still allocate here.
    func freeBytes() throws(DiskFault) -> UInt64

    /// The kind of network file system this directory is on, where locks and flushes may not mean what they say; nil
    /// on a local one.
    func networkFileSystem() throws(DiskFault) -> String?
}

/// An open regular file. All calls may be made from any thread; positions are explicit.
package protocol DiskFile: Sendable {
    /// Up to `count` bytes at `offset`; fewer, or none, at the end of the file.
    func read(at offset: UInt64, count: Int) throws(DiskFault) -> [UInt8]

    /// Writes bytes at `offset` and says how many were written, which may be fewer than given.
    func write(_ bytes: borrowing RawSpan, at offset: UInt64) throws(DiskFault) -> Int

    func truncate(to size: UInt64) throws(DiskFault)

    /// Returns when the file's content and length are on the device. A failure is final: what was written since the
    /// last success may or may not be there, and a second call that succeeds proves nothing.
    func sync() throws(DiskFault)

    /// Lets the device begin with what was written there; a hint that promises nothing and cannot fail.
    func beginSync(from offset: UInt64, count: UInt64)

    /// Lets the device begin to read what is there; a hint that promises nothing and cannot fail.
    func beginRead(from offset: UInt64, count: UInt64)

    func size() throws(DiskFault) -> UInt64

    /// Drops clean cached pages, so that the next read shows what the device holds.
    func forgetCache() throws(DiskFault)

    /// Takes the advisory lock of the file without waiting; false when someone else, in this process or another, has it.
    func tryLock(_ kind: DiskLockKind) throws(DiskFault) -> Bool

    /// Closes the file and gives up its lock; later calls do nothing. A file that is released closes itself.
    func close()
}

extension DiskFile {
    package func beginSync(from offset: UInt64, count: UInt64) {}
    package func beginRead(from offset: UInt64, count: UInt64) {}
}

package enum DiskOpenMode: Sendable, Hashable {
    case read
    case readWrite
    /// Creates the file with mode 0600 whatever the umask; fails when the name exists.
    case create
}

package enum DiskLockKind: Sendable, Hashable {
    case shared, exclusive
}

/// A name in a directory.
package struct DiskEntry: Sendable, Hashable {
    package enum Kind: Sendable, Hashable { case file, directory, symbolicLink, other }

    package var name: String
    package var kind: Kind

    package init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

/// What the kernel said when it refused: the call, the name it concerned, and the errno.
package struct DiskFault: Error, Sendable, Hashable {
    package var operation: String
    package var path: String
    package var errno: Int32
    /// What stands there in place of a regular file, where that is the trouble.
    package var occupant: DiskEntry.Kind?

    package init(_ operation: String, _ path: String, errno: Int32) {
        self.operation = operation
        self.path = path
        self.errno = errno
    }
}
