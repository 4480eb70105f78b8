import BanyanCore
import BanyanPersistence

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A store that a command makes. What was begun is gone again when it cannot be finished.
struct NewStore {
    struct Made {
        var storeID: StoreID
        var snapshot: SnapshotInfo
    }

    let path: String
    /// What it is made from: a store's directory, or a snapshot file.
    let source: String

    /// - Throws: `targetNotEmpty` unless the path is missing or an empty directory; `permission` for a directory of somebody
    ///   else into which others may write; `Failure` for one inside a store.
    func check() throws {
        try checkIsEmpty()
        try checkPlace()
        _ = try isOpenToOthers()
    }

    private func checkIsEmpty() throws(BanyanError) {
        let isEmpty: Bool
        do throws(DiskFault) {
            switch try StoreSource.disk.kind(of: path) {
            case nil: isEmpty = true
            case .directory, .symbolicLink: isEmpty = try names().isEmpty
            case .file, .other: isEmpty = false
            }
        } catch {
            throw error.error()
        }
        guard isEmpty else {
            throw BanyanError(
                .targetNotEmpty, "The target is not an empty directory, and nothing is written over",
                remedy: "Choose an empty one, or a name that does not exist yet", at: .init(file: path))
        }
    }

    /// Writes the graph as the first snapshot of a new store whose parent it came from.
    ///
    /// - Throws: `targetNotEmpty`, `diskFull`, `permission`, `io`; `Interrupted`.
    func write(_ graph: OpenedGraph, _ messages: MessageOptions) throws -> Made {
        try check()
        if try isOpenToOthers() {
            guard chmod(path, 0o700) == 0 else { throw DiskFault("set the mode of", path, errno: errno).error() }
            // Nobody else can put anything into it any more; what they put there just now is seen.
            try checkIsEmpty()
            messages.note("others could write into \(Shown.plain(path)): it is open to its owner alone now (mode 0700)")
        }
        let isNew: Bool
        do throws(DiskFault) { isNew = try StoreSource.disk.kind(of: path) == nil } catch { throw error.error() }
        var options = StoreFiles.Options()
        let storeID = StoreID()
        options.newStoreID = storeID
        let progress = messages.progressLine()
        defer { progress.clear() }
        return try Signals.whileWriting {
            do {
                let info = try StoreFiles.create(
                    at: path, on: StoreSource.disk, options: options,
                    parent: StoreParent(storeID: graph.storeID, sequence: graph.point.sequence),
                    sequence: graph.version.sequence, time: graph.version.time,
                    schema: SchemaCodec.encode(graph.layout.schema)
                ) { writer in
                    try SnapshotCodec.write(
                        version: graph.version, progress: { progress.show("Writing", $0.done, $0.total, of: "objects") }
                    ) { kind, table, rows, payload in
                        try Signals.check()
                        try writer.append(kind: kind, table: table, rows: rows, payload: payload)
                    }
                }
                return Made(storeID: storeID, snapshot: info)
            } catch let error as BanyanError where [.targetNotEmpty, .inUse].contains(error.code) {
                throw error
            } catch {
                removeRemains(isNew)
                throw error
            }
        }
    }

    /// No store lies in another one: whoever copies, moves or removes that would do it to both, and the other store would
    /// find in its directory what it does not know.
    private func checkPlace() throws {
        let (parent, _) = DiskPath.split(path)
        // A parent that is not there is a mistake of its own, with an error of its own.
        guard var place = Self.resolved(try isThere() ? path : parent) else { return }
        let store = Self.resolved(source)
        while true {
            if place == store || Self.hasManifest(place) {
                throw Failure(
                    .usage,
                    place == store
                        ? "The new store would lie inside the one that it is made from"
                        : "The new store would lie inside another store, \(place)",
                    remedy: "Choose a directory outside of it")
            }
            if place == "/" { return }
            place = DiskPath.split(place).parent
        }
    }

    private func isThere() throws(BanyanError) -> Bool {
        do throws(DiskFault) { return try StoreSource.disk.kind(of: path) != nil } catch { throw error.error() }
    }

    /// Whether it exists, and somebody else than its owner may write into it. Whoever may can put a file under a name that
    /// the store is about to use.
    private func isOpenToOthers() throws(BanyanError) -> Bool {
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & (S_IWGRP | S_IWOTH) != 0 else { return false }
        guard facts.st_uid == geteuid() else {
            throw BanyanError(
                .permission, "Others may write into the target directory, and it belongs to another user",
                remedy: "Choose a directory of your own, or a name that does not exist yet", at: .init(file: path))
        }
        return true
    }

    /// Without links on the way; nil where there is nothing.
    private static func resolved(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    private static func hasManifest(_ directory: String) -> Bool {
        var facts = stat()
        return lstat(DiskPath.join(directory, "MANIFEST"), &facts) == 0
    }

    private func names() throws(DiskFault) -> [String] {
        try StoreSource.disk.openDirectory(path, createIfMissing: false).list().map(\.name).filter {
            $0 != "lost+found"
        }
    }

    /// Takes away the lock file and the directory, if this command made it and nothing else is in it. What cannot be removed
    /// stays; the failure that led here is what the user must see.
    private func removeRemains(_ isNew: Bool) {
        guard case .success(["LOCK"]) = Result(catching: { () throws(DiskFault) in try names() }) else { return }
        _ = unlink(DiskPath.join(path, "LOCK"))
        if isNew { _ = rmdir(path) }
    }
}
