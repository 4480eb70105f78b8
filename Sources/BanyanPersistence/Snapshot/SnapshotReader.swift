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
    private let reader: FrameReader

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
        header = contents.header
        reader = FrameReader(
            file: file, path: path, sequence: contents.header.sequence, maxFrameSize: maxFrameSize)
        frames = contents.frames
        length = size
        rootHash = contents.rootHash
    }

    /// The raw bytes of a frame, checked. May be called from several threads at once.
    package func read(_ index: Int) throws(BanyanError) -> [UInt8] { try reader.read(frames[index], index) }
}
