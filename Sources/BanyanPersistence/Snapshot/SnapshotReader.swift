package import BanyanCore

/// What a snapshot says about itself.
package struct SnapshotHeader: Sendable, Hashable {
    package var storeID: StoreID
    package var epoch: UInt32
    package var sequence: UInt64
    /// Time of the commit it was taken after, in nanoseconds since 1970.
    package var time: Int64
    package var schema: [UInt8]
    package var version: UInt16
}

/// A snapshot file, opened and its header, table of contents and footer checked. Frames are checked as they are read.
///
/// The file stays open, so a snapshot that is pruned meanwhile can still be read.
package final class SnapshotReader: Sendable {
    /// An entry of the table of contents.
    package struct FrameInfo: Sendable, Hashable {
        package var kind: UInt8
        package var table: UInt32
        package var rows: UInt64
        package var offset: UInt64
        package var storedLength: UInt64
        package var rawLength: UInt64
        /// XXH3-64 of the raw bytes.
        package var rawHash: UInt64
        /// XXH3-64 of the bytes in the file.
        package var storedHash: UInt64
    }

    package let path: String
    package let header: SnapshotHeader
    package let frames: [FrameInfo]
    package let length: UInt64
    /// Identifies the content: a hash over what the frames are and hold.
    package let rootHash: UInt64
    private let file: any DiskFile
    private let maxFrameSize: Int

    /// Opens a snapshot file. Complexity: O(number of frames).
    ///
    /// - Throws: `damaged`, `unsupportedFormat`, `notAStore` when it is no snapshot, `io`.
    package static func open(
        _ path: String, on disk: any Disk, maxFrameSize: Int = 1 << 30
    ) throws(BanyanError) -> SnapshotReader {
        let (parent, name) = DiskPath.split(path)
        let directory = try onDisk { () throws(DiskFault) in
            try disk.openDirectory(parent, createIfMissing: false)
        }
        return try SnapshotReader(in: directory, name: name, path: path, maxFrameSize: maxFrameSize)
    }

    init(
        in directory: any DiskDirectory, name: String, path: String? = nil, maxFrameSize: Int, uncached: Bool = false
    ) throws(BanyanError) {
        let path = path ?? directory.pathOf(name)
        let found = try onDisk { () throws(DiskFault) -> (any DiskFile, UInt64)? in
            guard let file = try directory.openIfPresent(name, .read) else { return nil }
            if uncached { try file.forgetCache() }
            return (file, try file.size())
        }
        guard let (file, size) = found else {
            throw BanyanError(.notAStore, "There is no such snapshot", at: .init(file: path))
        }
        let contents = try SnapshotContents.read(file, path: path, size: size)
        self.path = path
        self.file = file
        self.maxFrameSize = maxFrameSize
        header = contents.header
        frames = contents.frames
        length = size
        rootHash = contents.rootHash
    }

    /// The raw bytes of a frame, checked. May be called from several threads at once.
    package func read(_ index: Int) throws(BanyanError) -> [UInt8] {
        let frame = frames[index]
        guard frame.rawLength <= UInt64(maxFrameSize) else {
            throw BanyanError(
                .limit, "Frame \(index) of the snapshot holds \(frame.rawLength) bytes, more than is accepted",
                at: .init(file: path, offset: frame.offset))
        }
        let stored = try onDisk { () throws(DiskFault) in
            try file.readUpTo(Int(frame.storedLength), at: frame.offset)
        }
        guard stored.count == Int(frame.storedLength) else { throw damaged(index, "is cut short") }
        let hash = Checksum.hash(stored)
        guard hash == frame.storedHash else {
            throw damaged(index, "fails its hash (expected \(hex(frame.storedHash)), found \(hex(hash)))")
        }
        switch Compression.unframe(stored, rawLength: Int(frame.rawLength)) {
        case .failure(let failure): throw damaged(index, "is no proper LZ4 frame: it \(failure.reason)")
        case .success(let raw):
            let rawHash = Checksum.hash(raw)
            guard rawHash == frame.rawHash else {
                throw damaged(
                    index, "decompresses to other bytes (expected \(hex(frame.rawHash)), found \(hex(rawHash)))")
            }
            return raw
        }
    }

    /// Reads and checks everything, on all cores.
    ///
    /// - Parameter progress: told the bytes of the file that are done, on the calling thread.
    /// - Throws: what is wrong with the earliest frame that was found to be damaged.
    package func verify(progress: ((StoreProgress) -> Void)? = nil) throws(BanyanError) {
        var told = 0
        var bytes: UInt64 = 0
        let tell = progress.map { progress in
            { (done: Int) in
                while told < done {
                    bytes += self.frames[told].storedLength
                    told += 1
                    progress(StoreProgress(done: bytes, total: self.length))
                }
            }
        }
        try ParallelJobs.run(frames.count, progress: tell) { index throws(BanyanError) in _ = try self.read(index) }
    }

    private func damaged(_ index: Int, _ what: String) -> BanyanError {
        BanyanError(
            .damaged, "Frame \(index) of the snapshot \(what)",
            remedy: "Use an older snapshot with the journal after it, or a copy",
            at: .init(file: path, offset: frames[index].offset, sequence: header.sequence))
    }
}
