import BanyanCore

// A crash between two steps leaves files that the manifest does not list: unfinished ones, a segment or snapshot that was not
// listed yet, or one that was pruned and not removed. They are removed after recovery. A file that cannot come from that holds
// something nobody else may have, and is never removed: the store is not opened.

extension DirectoryContents {
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

    /// Throws for the first stray that no crash leaves behind.
    func checkStrays(_ manifest: Manifest) throws(BanyanError) {
        for stray in strays(manifest) {
            if let complaint = try complaint(about: stray, manifest) { throw complaint }
        }
    }

    /// Why a stray must not be removed; nil when nothing is lost with it.
    func complaint(about stray: Stray, _ manifest: Manifest) throws(BanyanError) -> BanyanError? {
        switch stray {
        case .temporary: nil
        case .segment(let name): try complaint(aboutSegment: name, manifest)
        case .snapshot(let name): try complaint(aboutSnapshot: name, manifest)
        }
    }

    private func complaint(aboutSegment name: String, _ manifest: Manifest) throws(BanyanError) -> BanyanError? {
        guard var reader = try segment(name) else { return nil }
        let header = reader.header
        if header.storeID != manifest.storeID { return foreign(header.storeID, reader.path) }
        if header.number >= manifest.nextSegment, reader.end > UInt64(header.length) {
            return BanyanError(
                .damaged, "A journal segment with records is newer than the manifest knows",
                remedy: "The manifest was replaced by an older one; run `banyan salvage` to rebuild it",
                at: .init(file: reader.path, sequence: header.firstSequence))
        }
        while case .frame = try reader.next() {}
        // Pruning leaves segments that the oldest snapshot stands for. One that was never listed, or was listed and empty, has
        // nothing behind its header.
        let pruned = manifest.snapshots.last?.sequence ?? 0
        let isEmpty = reader.end <= UInt64(header.length)
        if isEmpty || (header.firstSequence <= pruned && reader.lastSequence <= pruned) { return nil }
        return BanyanError(
            .damaged,
            "A journal segment begins with commit \(header.firstSequence) and goes on to \(reader.lastSequence), but the "
                + "manifest has another history of them",
            remedy:
                "Two processes wrote this store at once, or files of two copies of it were mixed. `banyan salvage` says "
                + "which commits differ, and saves one history",
            at: .init(file: reader.path, sequence: header.firstSequence))
    }

    private func complaint(aboutSnapshot name: String, _ manifest: Manifest) throws(BanyanError) -> BanyanError? {
        let reader: SnapshotReader
        do throws(BanyanError) {
            reader = try SnapshotReader(in: directory, name: name, maxFrameSize: .max)
        } catch {
            // Nothing needs it, whatever it is; a damaged one is as good as none.
            if error.code == .damaged || error.code == .notAStore { return nil }
            throw error
        }
        return reader.header.storeID == manifest.storeID ? nil : foreign(reader.header.storeID, reader.path)
    }

    private func foreign(_ owner: StoreID, _ path: String) -> BanyanError {
        BanyanError(
            .foreignFile, "The file belongs to another store (\(owner))",
            remedy:
                "Nothing was changed. Move it to where that store is, if you know, or else to an empty directory, where "
                + "`banyan salvage` can save what it holds",
            at: .init(file: path))
    }

    /// Throws when a stray snapshot is of a commit that the journal does not reach: it was made of a journal that is not here
    /// any more, and holds what nothing else does.
    func checkStraySnapshots(_ manifest: Manifest, last: UInt64) throws(BanyanError) {
        for case .snapshot(let name) in strays(manifest) {
            guard case .snapshot(let sequence) = FileNames.kind(of: name), sequence > last,
                try owner(of: name) == manifest.storeID
            else { continue }
            throw BanyanError(
                .damaged, "There is a snapshot of commit \(sequence), but the journal ends with commit \(last)",
                remedy: "Nothing was changed. Run `banyan salvage`, which begins with the snapshot",
                at: .init(file: directory.pathOf(name), sequence: last + 1))
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
