import BanyanCore

/// Header, table and footer of a snapshot, read from the back of the file and checked against each other and against
/// the file's length before anything of a claimed size is allocated.
struct SnapshotContents {
    var header: SnapshotHeader
    var frames: [SnapshotReader.FrameInfo]
    var rootHash: UInt64

    static func read(_ file: any DiskFile, path: String, size: UInt64) throws(BanyanError) -> SnapshotContents {
        func damaged(_ what: String, _ offset: UInt64) -> BanyanError {
            BanyanError(
                .damaged, "The snapshot \(what)", remedy: "Use an older snapshot with the journal after it, or a copy",
                at: .init(file: path, offset: offset))
        }
        func bytes(_ offset: UInt64, _ count: Int) throws(BanyanError) -> [UInt8] {
            try onDisk { () throws(DiskFault) in try file.readUpTo(count, at: offset) }
        }

        let start = try bytes(0, SnapshotFormat.headerFixedLength)
        guard start.count == SnapshotFormat.headerFixedLength, Array(start[8..<16]) == SnapshotFormat.headerSignature
        else {
            throw BanyanError(
                .notAStore, "The file is not a Banyan snapshot, or its first bytes are damaged",
                remedy: "Name a snapshot (.bsn), or the directory of a store",
                at: .init(file: path, offset: 0))
        }
        var reader = ByteReader(start, from: 4)
        let headerLength = UInt64(reader.take(UInt32.self) ?? 0) + 8
        guard headerLength >= SnapshotFormat.headerFixedLength + 8,
            headerLength <= SnapshotFormat.headerFixedLength + SnapshotFormat.maximumSchemaLength + 8,
            size >= headerLength + UInt64(SnapshotFormat.tableFixedLength + 8 + SnapshotFormat.footerLength)
        else { throw damaged("is shorter than its header says", 0) }
        guard let (header, headerHash) = SnapshotFormat.decodeHeader(try bytes(0, Int(headerLength))) else {
            throw damaged("has a header that fails its hash", 0)
        }
        guard header.version == SnapshotFormat.version else {
            throw BanyanError(
                .unsupportedFormat, "The snapshot has format \(header.version), newer than this program reads",
                remedy: "Use a newer version of Banyan", at: .init(file: path))
        }

        let footerOffset = size - UInt64(SnapshotFormat.footerLength)
        guard let footer = SnapshotFormat.decodeFooter(try bytes(footerOffset, SnapshotFormat.footerLength)) else {
            throw damaged("does not end with a sound footer; it is incomplete or damaged", footerOffset)
        }
        var said = footer.header
        said.schema = header.schema
        guard footer.fileLength == size, footer.headerHash == headerHash, said == header else {
            throw damaged("has a footer that is not of this file", footerOffset)
        }
        let tableFixed = UInt64(SnapshotFormat.tableFixedLength + 8)
        guard footer.tableLength >= tableFixed, footer.tableLength <= footerOffset,
            footer.tableOffset == footerOffset - footer.tableLength, footer.tableOffset >= headerLength,
            footer.frames == (footer.tableLength - tableFixed) / UInt64(SnapshotFormat.entryLength),
            let count = Int(exactly: footer.frames)
        else { throw damaged("has a table of contents that does not fit it", footerOffset) }
        guard
            let (frames, tableHash) = SnapshotFormat.decodeTable(
                try bytes(footer.tableOffset, Int(footer.tableLength)), count: count), tableHash == footer.tableHash
        else { throw damaged("has a table of contents that fails its hash", footer.tableOffset) }

        var next = headerLength
        for frame in frames {
            let end = frame.offset.addingReportingOverflow(frame.storedLength)
            guard frame.offset == next, !end.overflow, end.partialValue <= footer.tableOffset, frame.storedLength > 0,
                frame.rawLength / UInt64(Compression.maximumExpansion) <= frame.storedLength
            else { throw damaged("lists a frame that cannot be", frame.offset) }
            next = end.partialValue
        }
        guard next == footer.tableOffset else { throw damaged("has bytes that belong to nothing", next) }
        guard SnapshotFormat.rootHash(of: frames) == footer.rootHash else {
            throw damaged("has a footer that is not of this table", footerOffset)
        }
        return SnapshotContents(header: header, frames: frames, rootHash: footer.rootHash)
    }
}
