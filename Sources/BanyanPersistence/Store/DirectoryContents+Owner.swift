import BanyanCore

// Every segment and every snapshot says which store it belongs to, and so does the manifest. One of them can be copied from
// one store's directory into another's by mistake. When the manifest alone disagrees with the files, it is the manifest that
// is in the wrong place, and the files are what must be kept.

extension DirectoryContents {
    /// Throws when the manifest was put here from another store: some file here belongs to another one, and none to its own.
    ///
    /// Of a store that is in order one header is read.
    ///
    /// - Throws: `foreignFile`; `io`.
    func checkManifestBelongs(_ manifest: Manifest) throws(BanyanError) {
        let present = Set(entries.map(\.name))
        let listed = manifest.segments.reversed().map(\.name) + manifest.snapshots.map(\.name)
        for name in listed where present.contains(name) {
            if try owner(of: name) == manifest.storeID { return }
        }
        var others: [StoreID: Int] = [:]
        for entry in entries {
            guard let owner = try owner(of: entry.name) else { continue }
            if owner == manifest.storeID { return }
            others[owner, default: 0] += 1
        }
        guard let other = others.max(by: { ($0.value, $0.key.description) < ($1.value, $1.key.description) })?.key
        else {
            return
        }
        throw BanyanError(
            .foreignFile,
            "The manifest belongs to another store (\(manifest.storeID)) than the other files here (\(other))",
            remedy:
                "Nothing was changed. Put back the manifest of this store, or run `banyan salvage`, which rebuilds it from "
                + "the other files",
            at: .init(file: directory.pathOf(FileNames.manifest)))
    }

    /// The store that a segment or a snapshot says it belongs to; nil for other files, and for one that does not say it any
    /// more, which is for those to complain of who need it.
    func owner(of name: String) throws(BanyanError) -> StoreID? {
        switch FileNames.kind(of: name) {
        case .segment:
            do throws(BanyanError) {
                return try segment(name)?.header.storeID
            } catch {
                if [.damaged, .notAStore, .unsupportedFormat].contains(error.code) { return nil }
                throw error
            }
        case .snapshot:
            guard
                case .success(let reader) = Result(catching: { () throws(BanyanError) in
                    try SnapshotReader(in: directory, name: name, maxFrameSize: .max)
                })
            else { return nil }
            return reader.header.storeID
        default: return nil
        }
    }

    /// A segment, opened; nil when it is not there any more.
    func segment(_ name: String) throws(BanyanError) -> SegmentReader? { try Self.segment(name, in: directory) }

    static func segment(_ name: String, in directory: any DiskDirectory) throws(BanyanError) -> SegmentReader? {
        let found = try onDisk { () throws(DiskFault) -> (any DiskFile, UInt64)? in
            guard let file = try directory.openIfPresent(name, .read) else { return nil }
            return (file, try file.size())
        }
        guard let (file, size) = found else { return nil }
        return try SegmentReader(file, path: directory.pathOf(name), end: size)
    }
}
