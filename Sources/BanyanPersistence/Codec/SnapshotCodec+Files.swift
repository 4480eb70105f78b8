package import BanyanCore

extension SnapshotCodec {
    /// Writes every object of a version into a snapshot file. See `StoreFiles.checkpoint` and `writeSnapshotFile`.
    package static func write(
        version: Version, to writer: SnapshotWriter, progress: ((StoreProgress) -> Void)? = nil
    ) throws {
        try write(version: version, progress: progress) { kind, table, rows, payload in
            try writer.append(kind: kind, table: table, rows: rows, payload: payload)
        }
    }
}
