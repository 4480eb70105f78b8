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

    package init(path: String, header: SnapshotHeader, frames: [FrameInfo], length: UInt64, rootHash: UInt64) {
        self.path = path
        self.header = header
        self.frames = frames
        self.length = length
        self.rootHash = rootHash
    }

    /// - Throws: `damaged`, `unsupportedFormat`, `foreignFile` when it is no snapshot, `io`.
    package static func open(
        _ path: String, on disk: any Disk, maxFrameSize: Int = 1 << 30
    ) throws(BanyanError) -> SnapshotReader { fatalError() }

    /// The raw bytes of a frame, checked. May be called from several threads at once.
    package func read(_ index: Int) throws(BanyanError) -> [UInt8] { fatalError() }

    /// Reads and checks everything.
    package func verify(progress: ((StoreProgress) -> Void)? = nil) throws(BanyanError) { fatalError() }
}
