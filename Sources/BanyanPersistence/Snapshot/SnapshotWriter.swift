package import BanyanCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Takes the frames of a snapshot in order, compresses them on all cores and writes them in that order.
package final class SnapshotWriter {
    /// Flushed this often, so that the last flush is short and the journal's flushes do not wait behind gigabytes.
    private static let flushInterval: UInt64 = 16 << 20

    private let file: any DiskFile
    private let path: String
    private let header: SnapshotHeader
    private let headerHash: UInt64
    private let pipeline: CompressionPipeline
    private var offset: UInt64
    private var flushed: UInt64 = 0
    /// What is known of frames before they are compressed, in order.
    private var announced: [(kind: UInt8, table: UInt32, rows: UInt64)] = []
    private var frames: [SnapshotReader.FrameInfo] = []

    init(_ file: any DiskFile, path: String, header: SnapshotHeader) throws(BanyanError) {
        self.file = file
        self.path = path
        self.header = header
        let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        pipeline = CompressionPipeline(cores: max(1, Int(cores)))
        let (bytes, hash) = SnapshotFormat.encode(header)
        headerHash = hash
        try onDisk { () throws(DiskFault) in try file.writeAll(bytes.span.bytes, at: 0, name: path) }
        offset = UInt64(bytes.count)
    }

    /// Adds one frame: an independent LZ4 frame in the file. Blocks while a few megabytes are under way.
    ///
    /// - Parameters:
    ///   - kind: the caller's tag.
    ///   - table: the caller's table number.
    ///   - rows: how many rows the payload holds.
    package func append(kind: UInt8, table: UInt32, rows: UInt64, payload: [UInt8]) throws(BanyanError) {
        announced.append((kind, table, rows))
        pipeline.push(payload)
        while let piece = try pipeline.pop(all: false) { try store(piece) }
    }

    /// Bytes in the file so far.
    package var bytesWritten: UInt64 { offset }

    /// Writes what is under way, the table and the footer, and flushes.
    func finish() throws(BanyanError) -> (length: UInt64, rootHash: UInt64) {
        while let piece = try pipeline.pop(all: true) { try store(piece) }
        guard let (table, tableHash) = SnapshotFormat.encodeTable(frames) else {
            throw BanyanError(.limit, "A snapshot of \(frames.count) frames is more than its table can list")
        }
        let root = SnapshotFormat.rootHash(of: frames)
        let footer = SnapshotFormat.Footer(
            header: header, tableOffset: offset, tableLength: UInt64(table.count), tableHash: tableHash,
            headerHash: headerHash, rootHash: root, frames: UInt64(frames.count),
            rows: frames.reduce(0) { $0 &+ $1.rows }, rawBytes: frames.reduce(0) { $0 + $1.rawLength },
            fileLength: offset + UInt64(table.count + SnapshotFormat.footerLength))
        let end = table + SnapshotFormat.encode(footer)
        try onDisk { () throws(DiskFault) in
            try file.writeAll(end.span.bytes, at: offset, name: path)
            try file.sync()
        }
        offset += UInt64(end.count)
        return (offset, root)
    }

    private func store(_ piece: CompressionPipeline.Piece) throws(BanyanError) {
        let (kind, table, rows) = announced[frames.count]
        frames.append(
            SnapshotReader.FrameInfo(
                kind: kind, table: table, rows: rows, offset: offset, storedLength: UInt64(piece.stored.count),
                rawLength: UInt64(piece.rawLength), rawHash: piece.rawHash, storedHash: piece.storedHash))
        try onDisk { () throws(DiskFault) in
            try file.writeAll(piece.stored.span.bytes, at: offset, name: path)
            offset += UInt64(piece.stored.count)
            if offset - flushed >= Self.flushInterval {
                try file.sync()
                flushed = offset
            }
        }
    }
}
