import BanyanCore

/// What lies in a store's directory besides what the manifest lists, and what is to be made of it.
struct DirectoryContents {
    let directory: any DiskDirectory
    let entries: [DiskEntry]

    init(_ directory: any DiskDirectory) throws(BanyanError) {
        self.directory = directory
        entries = try onDisk { () throws(DiskFault) in try directory.list() }.sorted { $0.name < $1.name }
    }

    /// For a directory without a manifest: returns when a store may be made here.
    ///
    /// What is left when a process dies while it makes an empty store is no hindrance, so that it can be made again. What is
    /// left when a store with contents was being made is one: an empty store in its place would hide that they are missing.
    ///
    /// - Parameter base: the snapshot that the store is to begin with. What an earlier attempt left of it may be replaced.
    /// - Throws: `damaged` when the files of a store are here without their manifest, `notAStore` when there is something
    ///   else.
    func checkIsFree(for base: SnapshotReader? = nil) throws(BanyanError) {
        var unfinished: String?
        var snapshot: String?
        for entry in entries {
            switch FileNames.kind(of: entry.name) {
            case .lock: continue
            case .manifest, .previousManifest, .segment: throw withoutManifest(entry.name)
            case .snapshot:
                if let base, try isCopy(entry.name, of: base) { continue }
                snapshot = snapshot ?? entry.name
            case .temporary:
                switch FileNames.kind(ofTemporary: entry.name) {
                case .manifest: continue
                case .snapshot: unfinished = unfinished ?? entry.name
                case .segment: throw withoutManifest(entry.name)
                default: throw occupied(entry.name)
                }
            case .quarantine, .unknown:
                // What every freshly made file system has at its top.
                if entry.name != "lost+found" { throw occupied(entry.name) }
            }
        }
        if let snapshot {
            throw BanyanError(
                .damaged, "The directory has a snapshot, but no manifest",
                remedy:
                    "If a restore or a copy was interrupted here, remove the directory and run it again; if not, run "
                    + "`banyan salvage`, which makes a store of the snapshot",
                at: .init(file: directory.pathOf(snapshot)))
        }
        if let unfinished, base == nil {
            throw BanyanError(
                .notAStore, "A store was being made here, and that was interrupted",
                remedy: "Remove the directory, and run the restore, salvage or copy again",
                at: .init(file: directory.pathOf(unfinished)))
        }
    }

    /// The error for a directory in which a store was looked for and that has no manifest.
    ///
    /// - Throws: `damaged` when the files of a store are here without it.
    func noStore(at path: String) throws(BanyanError) -> BanyanError {
        let remedy = "Name the directory of a store, which holds its MANIFEST, or a snapshot file (.bsn)"
        do throws(BanyanError) {
            try checkIsFree()
        } catch {
            if error.code == .damaged { throw error }
            // What says itself how it came about.
            if entries.contains(where: { FileNames.isUnfinishedSnapshot($0.name) }) { return error }
            return BanyanError(
                .notAStore, "There is no store here: the directory has other files", remedy: remedy,
                at: .init(file: path))
        }
        return BanyanError(
            .notAStore, "There is no store here: the directory is empty", remedy: remedy, at: .init(file: path))
    }

    private func withoutManifest(_ name: String) -> BanyanError {
        BanyanError(
            .damaged, "The directory has files of a store, but no manifest",
            remedy: "Run `banyan salvage`, which can rebuild it from the other files",
            at: .init(file: directory.pathOf(name)))
    }

    private func occupied(_ name: String) -> BanyanError {
        BanyanError(
            .notAStore, "The directory has other files and is not a store",
            remedy: "Choose an empty directory, or one that does not exist yet",
            at: .init(file: directory.pathOf(name)))
    }

    /// Whether a file is a snapshot that holds the same data.
    private func isCopy(_ name: String, of base: SnapshotReader) throws(BanyanError) -> Bool {
        do throws(BanyanError) {
            let found = try SnapshotReader(in: directory, name: name, maxFrameSize: .max)
            return found.rootHash == base.rootHash && found.header.sequence == base.header.sequence
        } catch {
            if [.damaged, .notAStore, .unsupportedFormat].contains(error.code) { return false }
            throw error
        }
    }
}
