package import BanyanCore

/// Takes the frames of a snapshot in order, compresses them on all cores and writes them in that order.
package final class SnapshotWriter {
    /// Adds one frame: an independent LZ4 frame in the file. Blocks while a few megabytes are under way.
    ///
    /// - Parameters:
    ///   - kind: the caller's tag.
    ///   - table: the caller's table number.
    ///   - rows: how many rows the payload holds.
    package func append(kind: UInt8, table: UInt32, rows: UInt64, payload: [UInt8]) throws(BanyanError) { fatalError() }
}

/// Writes a snapshot that stands alone: temporary file, flush, rename, directory flush.
///
/// - Parameter replace: overwrites an existing file of that name; otherwise one is refused with `targetNotEmpty`.
package func writeSnapshotFile(
    to path: String, on disk: any Disk, storeID: StoreID, epoch: UInt32 = 0, sequence: UInt64, time: Int64,
    schema: [UInt8], replace: Bool = false, write: (SnapshotWriter) throws -> Void
) throws -> SnapshotInfo { fatalError() }
