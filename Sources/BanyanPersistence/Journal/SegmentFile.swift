import BanyanCore

/// A segment as the manifest lists it, and the file that must agree.
struct SegmentFile {
    let directory: any DiskDirectory
    let entry: Manifest.Segment
    let store: StoreID

    func reader(distrustsCache: Bool) throws(BanyanError) -> SegmentReader {
        let path = directory.pathOf(entry.name)
        let found = try onListedFile { () throws(DiskFault) -> (any DiskFile, UInt64)? in
            guard let file = try directory.openIfPresent(entry.name, .read) else { return nil }
            if distrustsCache { try file.forgetCache() }
            return (file, try file.size())
        }
        guard let (file, size) = found else {
            throw BanyanError(
                .damaged, "A journal segment is missing", remedy: "Put it back from a copy, or restore from a snapshot",
                at: .init(file: path, sequence: entry.first))
        }
        let isRightSize = entry.sealed ? size == entry.length : size >= entry.length
        guard isRightSize else {
            throw BanyanError(
                .damaged, "A journal segment has \(size) bytes where \(entry.length) were recorded",
                remedy: "Put it back from a copy, or run `banyan salvage`",
                at: .init(file: path, offset: min(size, entry.length), sequence: entry.first))
        }
        let reader = try SegmentReader(file, path: path, end: size)
        let header = reader.header
        guard header.storeID == store else {
            throw BanyanError(
                .foreignFile, "The journal segment belongs to another store (\(header.storeID))",
                remedy: "Put back the segment of this store (\(store))", at: .init(file: path))
        }
        guard header.number == entry.number, header.firstSequence == entry.first,
            header.previousLink == entry.previousLink, header.epoch == entry.epoch
        else {
            throw BanyanError(
                .damaged, "The journal segment is not the one the manifest lists",
                remedy: "Put back the right one from a copy", at: .init(file: path))
        }
        return reader
    }

    /// A sealed segment must end as the manifest says.
    static func check(_ reader: SegmentReader, against entry: Manifest.Segment) throws(BanyanError) {
        guard reader.openRecord == nil, reader.lastSequence == entry.last, reader.link == entry.link else {
            throw BanyanError(
                .damaged, "A journal segment ends with commit \(reader.lastSequence) where \(entry.last) was recorded",
                remedy: "Put it back from a copy, or run `banyan salvage`",
                at: .init(file: reader.path, offset: reader.offset, sequence: reader.lastSequence + 1))
        }
    }
}
