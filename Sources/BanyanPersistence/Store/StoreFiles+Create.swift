import BanyanCore

extension StoreFiles {
    /// Makes a new store that begins with a snapshot: what restore, salvage and copying come to.
    ///
    /// The store gets an identity of its own and remembers its parent. The manifest is written last, so what a failure
    /// leaves is no store.
    ///
    /// - Parameters:
    ///   - parent: where the content comes from; nil when it is nobody's continuation.
    ///   - sequence: the commit the snapshot is of; the new store's first commit is the next one.
    /// - Throws: `targetNotEmpty` unless the directory is missing or empty; `diskFull`, `io`; what `write` throws.
    @discardableResult
    package static func create(
        at path: String, on disk: any Disk, options: Options = Options(), parent: StoreParent?, sequence: UInt64,
        time: Int64, schema: [UInt8], write: (SnapshotWriter) throws -> Void
    ) throws -> SnapshotInfo {
        let directory = try openDirectory(path, on: disk, create: true)
        try checkIsEmpty(directory)
        let lock = try StoreLock(exclusiveIn: directory)
        defer { lock.release() }
        // Another process may have made one before this one had the lock.
        try checkIsEmpty(directory, besides: FileNames.lock)
        var manifest = Manifest(storeID: options.newStoreID ?? StoreID(), parent: parent)
        let header = SnapshotHeader(
            storeID: manifest.storeID, epoch: 0, sequence: sequence, time: time, schema: schema,
            version: SnapshotFormat.version)
        return try begin(&manifest, with: header, in: directory, replaces: false, options, write)
    }

    /// Makes the store that is to be in an empty directory: one without a commit, or one that begins as a snapshot.
    static func make(
        in directory: any DiskDirectory, startingWith base: SnapshotReader?, _ options: Options
    ) throws(BanyanError) -> Manifest {
        var manifest = Manifest(storeID: options.newStoreID ?? StoreID())
        guard let base else {
            try manifest.publish(in: directory)
            return manifest
        }
        manifest.parent = StoreParent(storeID: base.header.storeID, sequence: base.header.sequence)
        var header = base.header
        header.storeID = manifest.storeID
        header.epoch = 0
        header.version = SnapshotFormat.version
        do {
            // Of the same frames, so that its root hash says that it is the same. An earlier attempt may have left one.
            try begin(&manifest, with: header, in: directory, replaces: true, options) { writer in
                for (index, frame) in base.frames.enumerated() {
                    try writer.append(
                        kind: frame.kind, table: frame.table, rows: frame.rows, payload: try base.read(index))
                }
            }
        } catch {
            throw error as? BanyanError ?? BanyanError(.io, "The snapshot could not be copied", cause: "\(error)")
        }
        return manifest
    }

    /// Writes the snapshot, then the manifest that lists it.
    @discardableResult
    private static func begin(
        _ manifest: inout Manifest, with header: SnapshotHeader, in directory: any DiskDirectory, replaces: Bool,
        _ options: Options, _ write: (SnapshotWriter) throws -> Void
    ) throws -> SnapshotInfo {
        var entry = Manifest.Snapshot(sequence: header.sequence, mark: 0, time: header.time, length: 0, rootHash: 0)
        let info = try SnapshotFile(
            directory: directory, name: entry.name, path: directory.pathOf(entry.name), replaces: replaces,
            maxFrameSize: options.maxSnapshotFrameSize
        ).write(header, write)
        entry.length = info.length
        entry.rootHash = info.rootHash
        manifest.durableSequence = header.sequence
        manifest.snapshots = [entry]
        try manifest.publish(in: directory)
        return info
    }

    private static func checkIsEmpty(
        _ directory: any DiskDirectory, besides allowed: String? = nil
    ) throws(BanyanError) {
        let contents = try DirectoryContents(directory)
        guard let occupant = contents.entries.first(where: { $0.name != "lost+found" && $0.name != allowed }) else {
            return
        }
        throw BanyanError(
            .targetNotEmpty, "The target directory is not empty", remedy: "Choose an empty one, or a new name",
            at: .init(file: directory.pathOf(occupant.name)))
    }
}

extension Manifest {
    /// Writes it where a failure is the caller's to tell, whatever it leaves.
    func publish(in directory: any DiskDirectory) throws(BanyanError) {
        do throws(WriteFailure) { try write(in: directory) } catch { throw error.fault.error() }
    }
}
