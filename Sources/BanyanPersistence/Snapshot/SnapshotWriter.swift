import BanyanCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Writes the frames of a snapshot in the order in which they come, or in which jobs for them come, which run on all cores.
/// What is flushed is read back from the device and checked by the same workers, while they make what follows.
package final class SnapshotWriter {
    /// Flushed this often, so that the last flush is short, little is left to read back then, and the journal's flushes do
    /// not wait behind gigabytes.
    private static let flushInterval: UInt64 = 8 << 20
    /// The device is set to work this often, so that a flush finds most of it done.
    private static let pushInterval: UInt64 = 2 << 20

    private let file: any DiskFile
    private let path: String
    private let header: SnapshotHeader
    private let headerHash: UInt64
    private let pipeline: FramePipeline
    private var offset: UInt64
    private var flushed: UInt64 = 0
    private var pushed: UInt64 = 0
    /// Those that are in the file, in their order there.
    private(set) var frames: [SnapshotReader.FrameInfo] = []
    /// How many of them are read back, or soon will be.
    private var checked = 0
    private let reader: FrameReader

    init(
        _ file: any DiskFile, path: String, header: SnapshotHeader, maxFrameSize: Int
    ) throws(BanyanError) {
        self.file = file
        self.path = path
        self.header = header
        reader = FrameReader(file: file, path: path, sequence: header.sequence, maxFrameSize: maxFrameSize)
        let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        pipeline = FramePipeline(cores: max(1, Int(cores)))
        let (bytes, hash) = SnapshotFormat.encode(header)
        headerHash = hash
        try onDisk { () throws(DiskFault) in try file.writeAll(bytes.span.bytes, at: 0, name: path) }
        offset = UInt64(bytes.count)
    }

    /// Waits for whatever is under way, before the file is closed.
    func abandon() { pipeline.abandon() }

    /// Adds one frame: an independent LZ4 frame in the file. Blocks while a few megabytes are under way.
    ///
    /// - Parameters:
    ///   - kind: the caller's tag.
    ///   - table: the caller's table number.
    ///   - rows: how many rows the payload holds.
    package func append(kind: UInt8, table: UInt32, rows: UInt64, payload: [UInt8]) throws {
        _ = try append(weight: payload.count) { maker in
            try payload.withUnsafeBytes { try maker.add(kind: kind, table: table, rows: rows, $0) }
            return nil
        }
    }

    /// Adds the frames that a job makes, which runs on any thread. Blocks while a few megabytes are under way.
    ///
    /// - Parameter weight: bytes that the job keeps in memory, roughly.
    /// - Returns: the rows of frames that came into the file meanwhile.
    func append(weight: Int, _ work: @escaping FramePipeline.Work) throws -> UInt64 {
        pipeline.push(weight: weight, work)
        return try store(all: false)
    }

    /// Returns when all that was added is in the file, and how many rows that were.
    func drain() throws -> UInt64 { try store(all: true) }

    /// Bytes in the file so far.
    package var bytesWritten: UInt64 { offset }

    /// Writes what is under way, the table and the footer, flushes, and returns when all frames are read back and checked.
    func finish() throws -> (length: UInt64, rootHash: UInt64) {
        _ = try drain()
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
            try readBack()
        }
        offset += UInt64(end.count)
        _ = try drain()
        return (offset, root)
    }

    private func store(all: Bool) throws -> UInt64 {
        var rows: UInt64 = 0
        while let frames = try pipeline.pop(all: all) {
            for frame in frames {
                try store(frame)
                rows += frame.rows
                pipeline.recycle(frame)
            }
        }
        return rows
    }

    private func store(_ frame: FramePipeline.Frame) throws(BanyanError) {
        let stored = frame.stored.bytes
        frames.append(
            SnapshotReader.FrameInfo(
                kind: frame.kind, table: frame.table, rows: frame.rows, offset: offset,
                storedLength: UInt64(stored.count), rawLength: UInt64(frame.rawLength), rawHash: frame.rawHash,
                storedHash: frame.storedHash))
        try onDisk { () throws(DiskFault) in
            try file.writeAll(RawSpan(_unsafeBytes: stored), at: offset, name: path)
            offset += UInt64(stored.count)
            if offset - flushed >= Self.flushInterval {
                try file.sync()
                flushed = offset
                pushed = offset
                try readBack()
            } else if offset - pushed >= Self.pushInterval {
                file.beginSync(from: pushed, count: offset - pushed)
                pushed = offset
            }
        }
    }

    /// Has frames that are on the device read back from there. The workers come to them after what they were given before;
    /// by then the device has been asked for most of it.
    private func readBack() throws(DiskFault) {
        try file.forgetCache()
        for index in checked..<frames.count {
            let frame = frames[index]
            file.beginRead(from: frame.offset, count: frame.storedLength)
            // Nothing is kept until a worker takes it, which ends with it.
            pipeline.push(weight: 0) { [reader] _ in
                _ = try reader.read(frame, index)
                return nil
            }
        }
        checked = frames.count
    }
}
