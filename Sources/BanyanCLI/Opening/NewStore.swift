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

    /// - Throws: `targetNotEmpty` unless the path is missing or an empty directory.
    func check() throws(BanyanError) {
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
