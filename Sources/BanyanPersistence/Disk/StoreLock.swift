import BanyanCore
import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// One process at a time: an advisory lock on the file LOCK, held for as long as the store is open and gone with the
/// process. The file stays: removing it would let a second owner lock a new one. What is written in it is for messages.
final class StoreLock: Sendable {
    /// Locks of this process whose stores are gone while their last write still runs.
    private static let lingering = DispatchGroup()

    private let file: any DiskFile
    private let isLingering = Atomic(false)

    /// - Throws: `inUse`, naming the owner as far as it is known.
    init(exclusiveIn directory: any DiskDirectory) throws(BanyanError) {
        let name = FileNames.lock
        let file: any DiskFile = try Self.onLock { () throws(DiskFault) in
            if let file = try directory.openIfPresent(name, .readWrite) { return file }
            do throws(DiskFault) {
                return try directory.open(name, .create)
            } catch {
                // Another process made it just now.
                guard error.isExisting else { throw error }
                return try directory.open(name, .readWrite)
            }
        }
        // A tool that looks whether the store is in use holds the lock for an instant; that must not keep its owner out. Nor
        // must a store of this process that was dropped, and not closed, a moment ago.
        var attempts = 0
        while try !onDisk({ () throws(DiskFault) in try file.tryLock(.exclusive) }) {
            Self.lingering.wait()
            attempts += 1
            guard attempts < 5 else { throw Self.inUse(directory, owner: try Self.owner(file)) }
            usleep(5_000)
        }
        let text = Array("pid \(getpid()) on \(Self.hostName), since \(Self.now)\n".utf8)
        try onDisk { () throws(DiskFault) in
            try file.truncate(to: 0)
            try file.writeAll(text.span.bytes, at: 0, name: directory.pathOf(name))
        }
        self.file = file
    }

    /// Together with other readers; nil when the directory has no LOCK, as on a copied store.
    init?(sharedIn directory: any DiskDirectory) throws(BanyanError) {
        let found = try Self.onLock { () throws(DiskFault) in try directory.openIfPresent(FileNames.lock, .read) }
        guard let file = found else { return nil }
        guard try onDisk({ () throws(DiskFault) in try file.tryLock(.shared) }) else {
            throw Self.inUse(directory, owner: try Self.owner(file))
        }
        self.file = file
    }

    func release() {
        file.close()
        if isLingering.exchange(false, ordering: .sequentiallyConsistent) { Self.lingering.leave() }
    }

    /// The store was released while its last write runs. The next opening in this process waits for `release`.
    func linger() {
        Self.lingering.enter()
        isLingering.store(true, ordering: .sequentiallyConsistent)
    }

    /// What the process that has the store open wrote about itself; nil when nobody has it open.
    static func currentOwner(in directory: any DiskDirectory) throws(BanyanError) -> String? {
        let found = try onLock { () throws(DiskFault) in try directory.openIfPresent(FileNames.lock, .read) }
        guard let file = found else { return nil }
        defer { file.close() }
        if try onDisk({ () throws(DiskFault) in try file.tryLock(.shared) }) { return nil }
        return try owner(file)
    }

    private static func owner(_ file: any DiskFile) throws(BanyanError) -> String {
        let bytes = try onDisk { () throws(DiskFault) in try file.readUpTo(512, at: 0) }
        let text = String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
        return text.isEmpty ? "another process" : text
    }

    private static func inUse(_ directory: any DiskDirectory, owner: String) -> BanyanError {
        BanyanError(
            .inUse, "The store is in use by \(owner)",
            remedy: "Close it there first. Until then the commands of `banyan` read it as it is, and take no lock",
            at: .init(file: directory.path))
    }

    /// Opening LOCK, in place of which something else may stand: it has no content that anybody needs.
    private static func onLock<Result>(_ body: () throws(DiskFault) -> Result) throws(BanyanError) -> Result {
        do throws(DiskFault) { return try body() } catch {
            throw error.isOccupied ? error.error(remedy: "Remove it: opening the store makes LOCK anew") : error.error()
        }
    }

    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "unknown host" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static var now: String {
        var seconds = time(nil)
        var parts = tm()
        var text = [CChar](repeating: 0, count: 32)
        gmtime_r(&seconds, &parts)
        let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
