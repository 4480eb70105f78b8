import BanyanCore

/// What lies in a store's directory besides what the manifest lists, and what is to be made of it.
struct DirectoryContents {
    let directory: any DiskDirectory
    let entries: [DiskEntry]

    init(_ directory: any DiskDirectory) throws(BanyanError) {
        self.directory = directory
        entries = try onDisk { () throws(DiskFault) in try directory.list() }.sorted { $0.name < $1.name }
    }

    /// For a directory without a manifest: true when a store may be made here.
    ///
    /// - Throws: `damaged` when the files of a store are here without their manifest, `notAStore` when there is something
    ///   else.
    func checkIsFree(for path: String) throws(BanyanError) -> Bool {
        for entry in entries {
            switch FileNames.kind(of: entry.name) {
            case .lock, .temporary: continue
            case .manifest, .previousManifest, .segment, .snapshot:
                throw BanyanError(
                    .damaged, "The directory has files of a store, but no manifest",
                    remedy: "Run `banyan salvage`, which can rebuild it from the other files",
                    at: .init(file: directory.pathOf(entry.name)))
            case .quarantine, .unknown:
                // What every freshly made file system has at its top.
                if entry.name == "lost+found" { continue }
                throw BanyanError(
                    .notAStore, "The directory has other files and is not a store",
                    remedy: "Choose an empty directory, or one that does not exist yet",
                    at: .init(file: directory.pathOf(entry.name)))
            }
        }
        return true
    }

    /// What to say to whoever looks for a store in a directory without a manifest.
    ///
    /// - Throws: `damaged` when the files of a store are here without it.
    func noStore(at path: String) throws(BanyanError) -> BanyanError {
        do throws(BanyanError) {
            _ = try checkIsFree(for: path)
        } catch {
            if error.code == .damaged { throw error }
            return BanyanError(
                .notAStore, "There is no store here: the directory has other files",
                remedy: "Name the directory of a store, which holds its MANIFEST, or a snapshot file (.bsn)",
                at: .init(file: path))
        }
        return BanyanError(
            .notAStore, "There is no store here: the directory is empty",
            remedy: "Name the directory of a store, which holds its MANIFEST, or a snapshot file (.bsn)",
            at: .init(file: path))
    }

    /// Files of a store that the manifest does not list.
    enum Stray {
        case temporary(String)
        case segment(String)
        case snapshot(String)

        var name: String {
            switch self {
            case .temporary(let name), .segment(let name), .snapshot(let name): name
            }
        }
    }

    func strays(_ manifest: Manifest) -> [Stray] {
        let listed = Set(manifest.segments.map(\.name) + manifest.snapshots.map(\.name))
        return entries.compactMap { entry in
            if listed.contains(entry.name) { return nil }
            switch FileNames.kind(of: entry.name) {
            case .temporary: return .temporary(entry.name)
            case .segment: return .segment(entry.name)
            case .snapshot: return .snapshot(entry.name)
            default: return nil
            }
        }
    }

    /// Strays are left by a crash between two steps, and are removed after recovery. One that cannot come from that
    /// says that something else happened to the directory: a file of another store, or an older manifest put back.
    func checkStrays(_ manifest: Manifest) throws(BanyanError) {
        for stray in strays(manifest) {
            let path = directory.pathOf(stray.name)
            switch stray {
            case .temporary: continue
            case .segment(let name):
                let (file, size) = try onDisk { () throws(DiskFault) in
                    let file = try directory.open(name, .read)
                    return (file, try file.size())
                }
                let (header, _) = try SegmentHeader.read(from: file, path: path, size: size)
                try checkOwner(header.storeID, manifest, path)
                if header.number >= manifest.nextSegment, size > UInt64(header.length) {
                    throw BanyanError(
                        .damaged, "A journal segment with records is newer than the manifest knows",
                        remedy: "The manifest was replaced by an older one; run `banyan salvage` to rebuild it",
                        at: .init(file: path, sequence: header.firstSequence))
                }
            case .snapshot(let name):
                let reader: SnapshotReader
                do throws(BanyanError) {
                    reader = try SnapshotReader(in: directory, name: name, maxFrameSize: .max)
                } catch {
                    // Nothing needs it, whatever it is; a damaged one is as good as none.
                    if error.code == .damaged || error.code == .notAStore { continue }
                    throw error
                }
                try checkOwner(reader.header.storeID, manifest, path)
            }
        }
    }

    private func checkOwner(_ owner: StoreID, _ manifest: Manifest, _ path: String) throws(BanyanError) {
        guard owner == manifest.storeID else {
            throw BanyanError(
                .foreignFile, "The file belongs to another store (\(owner))", remedy: "Move it out of this directory",
                at: .init(file: path))
        }
    }

    func removeStrays(_ manifest: Manifest) throws(BanyanError) {
        let names = strays(manifest).map(\.name)
        if names.isEmpty { return }
        try onDisk { () throws(DiskFault) in
            for name in names { try directory.removeIfPresent(name) }
            try directory.sync()
        }
    }
}
