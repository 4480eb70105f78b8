import BanyanCore

/// Makes a snapshot file appear whole or not at all: it is written under a temporary name, flushed, given its name, and
/// the directory flushed. Before it gets its name it is read back past the cache and checked.
struct SnapshotFile {
    let directory: any DiskDirectory
    let name: String
    let path: String
    /// Overwrites a file of that name.
    let replaces: Bool
    let maxFrameSize: Int

    func write(_ header: SnapshotHeader, _ body: (SnapshotWriter) throws -> Void) throws -> SnapshotInfo {
        let temporary = name + FileNames.temporarySuffix
        try onDisk { () throws(DiskFault) in try directory.removeIfPresent(temporary) }
        do {
            let file = try onDisk { () throws(DiskFault) in try directory.open(temporary, .create) }
            defer { file.close() }
            let writer = try SnapshotWriter(
                file, path: directory.pathOf(temporary), header: header, maxFrameSize: maxFrameSize)
            defer { writer.abandon() }
            try body(writer)
            let (length, rootHash) = try writer.finish()
            // The frames themselves were read back by the writer.
            let reader = try SnapshotReader(
                in: directory, name: temporary, maxFrameSize: maxFrameSize, uncached: true)
            guard reader.length == length, reader.rootHash == rootHash, reader.frames == writer.frames else {
                throw BanyanError(
                    .damaged, "The snapshot just written reads back differently", remedy: "Check the disk",
                    at: .init(file: path))
            }
            try publish(temporary)
            return SnapshotInfo(
                name: name, sequence: header.sequence, time: header.time, length: length, rootHash: rootHash)
        } catch {
            // The first failure is what the caller must see; what cannot be removed now is removed at the next open.
            _ = Result { try directory.removeIfPresent(temporary) }
            throw error
        }
    }

    private func publish(_ temporary: String) throws(BanyanError) {
        do throws(DiskFault) {
            if replaces {
                try directory.rename(temporary, to: name)
            } else {
                // A link fails where a rename would replace.
                do throws(DiskFault) {
                    try directory.link(temporary, to: name)
                    try directory.remove(temporary)
                } catch {
                    guard error.isUnsupported else { throw error }
                    try directory.rename(temporary, to: name)
                }
            }
            try directory.sync()
        } catch {
            if error.isExisting { throw Self.occupied(path) }
            throw error.error()
        }
    }

    static func occupied(_ path: String) -> BanyanError {
        BanyanError(
            .targetNotEmpty, "There is a file of that name already", remedy: "Choose another name, or remove it first",
            at: .init(file: path))
    }
}

/// Writes a snapshot that stands alone.
///
/// - Parameter replace: overwrites an existing file of that name; otherwise one is refused with `targetNotEmpty`.
/// - Throws: `targetNotEmpty`, `diskFull`, `permission`, `io`, or what `write` throws; the temporary file is gone then.
@discardableResult
package func writeSnapshotFile(
    to path: String, on disk: any Disk, storeID: StoreID, epoch: UInt32 = 0, sequence: UInt64, time: Int64,
    schema: [UInt8], replace: Bool = false, write: (SnapshotWriter) throws -> Void
) throws -> SnapshotInfo {
    let (parent, name) = DiskPath.split(path)
    let directory = try onDisk { () throws(DiskFault) in
        try disk.openDirectory(parent, createIfMissing: false)
    }
    let existing = try onDisk { () throws(DiskFault) in try disk.kind(of: path) }
    if existing != nil && !replace {
        throw SnapshotFile.occupied(path)
    }
    let header = SnapshotHeader(
        storeID: storeID, epoch: epoch, sequence: sequence, time: time, schema: schema, version: SnapshotFormat.version)
    return try SnapshotFile(
        directory: directory, name: name, path: path, replaces: replace, maxFrameSize: .max
    ).write(header, write)
}
