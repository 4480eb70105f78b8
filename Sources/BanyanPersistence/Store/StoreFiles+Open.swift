package import BanyanCore

extension StoreFiles {
    /// Opens the store's directory, takes its lock, reads its manifest. Before recovery nothing on disk changes,
    /// except the LOCK file, and that a new store is made when that is asked for.
    ///
    /// - Parameters:
    ///   - schema: opaque bytes put in the headers of journal segments and snapshots.
    ///   - base: asked for the snapshot that a new store begins with; nil makes an empty one. Before anything is made.
    /// - Throws: `notAStore`, `inUse`, `permission`, `damaged`, `foreignFile`, `unsupportedFormat`, `io`; what `base` throws.
    package static func open(
        at path: String, on disk: any Disk, options: Options, mode: Mode, schema: [UInt8],
        base: () throws(BanyanError) -> SnapshotReader? = { () throws(BanyanError) in nil }
    ) throws(BanyanError) -> StoreFiles {
        let creates = mode == .readWrite(createIfMissing: true)
        var start: SnapshotReader?
        if creates, try onDisk({ () throws(DiskFault) in try disk.kind(of: path) }) == nil { start = try base() }
        let directory = try openDirectory(path, on: disk, create: creates)
        if case .readWrite = mode, !options.allowNetworkFileSystem {
            let found = try onDisk { () throws(DiskFault) in try directory.networkFileSystem() }
            if let type = found {
                throw BanyanError(
                    .notAStore,
                    "The store would be on a network file system (\(type)), where neither locks nor "
                        + "flushes can be relied upon",
                    remedy: "Put it on a local disk, or allow network file systems explicitly", at: .init(file: path))
            }
        }
        if try Manifest.read(in: directory) == nil {
            // Before anything is made here, LOCK included.
            let contents = try DirectoryContents(directory)
            if creates, start == nil { start = try base() }
            try contents.checkIsFree(for: start)
            guard creates else {
                throw BanyanError(
                    .notAStore, "There is no store here", remedy: "Check the path, or ask for a store to be created",
                    at: .init(file: path))
            }
        }
        let lock: StoreLock? =
            switch mode {
            case .readWrite: try StoreLock(exclusiveIn: directory)
            case .readOnly: try StoreLock(sharedIn: directory)
            case .readOnlyWhileInUse: nil
            }
        var manifest = try Manifest.read(in: directory)
        if manifest == nil {
            // Another process may have made one before this one had the lock; it did not.
            guard creates else { throw BanyanError(.notAStore, "There is no store here", at: .init(file: path)) }
            try DirectoryContents(directory).checkIsFree(for: start)
            manifest = try make(in: directory, startingWith: start, options)
        }
        guard let manifest else { throw BanyanError(.notAStore, "There is no store here", at: .init(file: path)) }
        let contents = try DirectoryContents(directory)
        try contents.checkManifestBelongs(manifest)
        if case .readWrite = mode { try contents.checkStrays(manifest) }
        return StoreFiles(
            directory: directory, lock: lock, manifest: manifest, options: options, mode: mode, schema: schema)
    }

    static func openDirectory(
        _ path: String, on disk: any Disk, create: Bool
    ) throws(BanyanError) -> any DiskDirectory {
        do throws(DiskFault) {
            return try disk.openDirectory(path, createIfMissing: create)
        } catch {
            if error.isMissing {
                throw BanyanError(
                    .notAStore, "There is no such directory", remedy: "Check the path, or create its parent first",
                    at: .init(file: path), cause: error.reason)
            }
            if error.isNotADirectory {
                throw BanyanError(
                    .notAStore, "This is not a directory",
                    remedy: "Name the directory of a store, which holds its MANIFEST", at: .init(file: path),
                    cause: error.reason)
            }
            throw error.error()
        }
    }
}
