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
        let contents = try DirectoryContents(directory)
        if let occupant = contents.entries.first(where: { $0.name != "lost+found" }) {
            throw BanyanError(
                .targetNotEmpty, "The target directory is not empty", remedy: "Choose an empty one, or a new name",
                at: .init(file: directory.pathOf(occupant.name)))
        }
        let lock = try StoreLock(exclusiveIn: directory)
        defer { lock.release() }
        var manifest = Manifest(storeID: options.newStoreID ?? StoreID(), parent: parent)
        manifest.witness = sequence
        var entry = Manifest.Snapshot(sequence: sequence, mark: 0, time: time, length: 0, rootHash: 0)
        let header = SnapshotHeader(
            storeID: manifest.storeID, epoch: 0, sequence: sequence, time: time, schema: schema,
            version: SnapshotFormat.version)
        let info = try SnapshotFile(
            directory: directory, name: entry.name, path: directory.pathOf(entry.name), replaces: false,
            maxFrameSize: options.maxSnapshotFrameSize
        ).write(header, write)
        entry.length = info.length
        entry.rootHash = info.rootHash
        manifest.snapshots = [entry]
        do throws(Manifest.WriteFailure) {
            try manifest.write(in: directory)
        } catch {
            throw error.fault.error()
        }
        return info
    }
}
