package import BanyanCore

/// Gets out of a damaged directory what can be believed, without its manifest and without changing anything in it.
///
/// Salvage gives a prefix, never a patchwork: the newest snapshot that reads whole, then every record behind it up to
/// the first that is missing. What comes after a gap was made on top of what is lost, and is only counted.
package struct StoreSalvage: Sendable {
    /// How far the records could be followed.
    package struct Outcome: Sendable, Hashable {
        package var lastSequence: UInt64
        package var lastTime: Int64?
        package var records: UInt64 = 0
        /// The highest sequence of which any sound record was seen, reachable or not.
        package var highestSeen: UInt64
        /// Why it could not be followed further; nil when everything seen was reached.
        package var stopped: BanyanError?
        /// The latest break; it is why only if nothing behind it took up the thread.
        var pending: BanyanError?
    }

    package let path: String
    package let storeID: StoreID
    /// Those whose header, table and footer are sound, newest first. Their frames are checked as they are read.
    package let snapshots: [SnapshotReader]
    /// What could not be used, and why.
    package let problems: [BanyanError]
    private let directory: any DiskDirectory
    /// In the order they were written.
    private let segments: [(name: String, header: SegmentHeader)]

    /// Looks through a directory; `storeID` chooses when files of several stores lie in it.
    ///
    /// - Throws: `notAStore` when nothing in it can be used; `inUse` when a process has the store open.
    package static func open(
        _ path: String, on disk: any Disk, storeID: StoreID? = nil
    ) throws(BanyanError) -> StoreSalvage {
        let directory = try StoreFiles.openDirectory(path, on: disk, create: false)
        if let owner = try StoreLock.currentOwner(in: directory) {
            throw BanyanError(
                .inUse, "The store is in use by \(owner)", remedy: "Close it there first", at: .init(file: path))
        }
        var problems: [BanyanError] = []
        var snapshots: [SnapshotReader] = []
        var segments: [(name: String, header: SegmentHeader)] = []
        var manifestID: StoreID?
        do throws(BanyanError) {
            manifestID = try Manifest.read(in: directory)?.storeID
        } catch {
            problems.append(error)
        }
        for entry in try DirectoryContents(directory).entries {
            do throws(BanyanError) {
                switch FileNames.kind(of: entry.name) {
                case .snapshot:
                    snapshots.append(try SnapshotReader(in: directory, name: entry.name, maxFrameSize: .max))
                case .segment:
                    let (file, size) = try onDisk { () throws(DiskFault) in
                        let file = try directory.open(entry.name, .read)
                        return (file, try file.size())
                    }
                    let header = try SegmentHeader.read(
                        from: file, path: directory.pathOf(entry.name), size: size
                    ).header
                    segments.append((entry.name, header))
                default: continue
                }
            } catch {
                problems.append(error)
            }
        }
        let found = snapshots.map(\.header.storeID) + segments.map(\.header.storeID)
        guard let chosen = storeID ?? manifestID ?? mostFrequent(found) else {
            throw BanyanError(
                .notAStore, "Nothing here can be salvaged", at: .init(file: path),
                cause: problems.first.map(\.description))
        }
        for reader in snapshots where reader.header.storeID != chosen { problems.append(foreign(reader.path)) }
        for segment in segments where segment.header.storeID != chosen {
            problems.append(foreign(directory.pathOf(segment.name)))
        }
        return StoreSalvage(
            path: path, storeID: chosen,
            snapshots: snapshots.filter { $0.header.storeID == chosen }
                .sorted { $0.header.sequence > $1.header.sequence },
            problems: problems, directory: directory,
            segments: segments.filter { $0.header.storeID == chosen }.sorted { $0.header.number < $1.header.number })
    }

    /// Every record after `sequence` that can be reached without a gap.
    package func records(
        after sequence: UInt64, through target: StoreInspection.Target = .end,
        _ body: (_ record: JournalRecord, _ segmentSchema: [UInt8]) throws -> Void
    ) throws -> Outcome {
        var outcome = Outcome(lastSequence: sequence, highestSeen: sequence)
        for segment in segments {
            let path = directory.pathOf(segment.name)
            let (file, size) = try onDisk { () throws(DiskFault) in
                let file = try directory.open(segment.name, .read)
                return (file, try file.size())
            }
            var reader = try SegmentReader(file, path: path, end: size)
            if outcome.stopped == nil, segment.header.firstSequence > outcome.lastSequence + 1 {
                outcome.stopped = BanyanError(
                    .damaged,
                    "Commit \(outcome.lastSequence + 1) is nowhere; the next segment begins with commit "
                        + "\(segment.header.firstSequence)",
                    at: .init(file: path, sequence: outcome.lastSequence + 1))
            }
            try read(&reader, into: &outcome, target, body)
        }
        if outcome.stopped == nil, let damage = outcome.pending, outcome.highestSeen > outcome.lastSequence {
            outcome.stopped = damage
        }
        return outcome
    }

    private func read(
        _ reader: inout SegmentReader, into outcome: inout Outcome, _ target: StoreInspection.Target,
        _ body: (JournalRecord, [UInt8]) throws -> Void
    ) throws {
        var parts: [UInt8] = []
        while true {
            switch try reader.next() {
            case .frame(let header, let payload, _):
                parts = parts.isEmpty ? payload : parts + payload
                if header.hasMore { continue }
                outcome.highestSeen = max(outcome.highestSeen, header.sequence)
                if outcome.stopped == nil, header.sequence == outcome.lastSequence + 1,
                    !target.excludes(header.sequence)
                {
                    try body(
                        JournalRecord(
                            kind: header.kind, sequence: header.sequence, time: header.time, payload: parts),
                        reader.header.schema)
                    outcome.records += 1
                    outcome.lastSequence = header.sequence
                    outcome.lastTime = header.time
                }
                parts = []
            case .sealed, .end: return
            case .broken(let found):
                outcome.pending = JournalReplay.damaged(
                    reader.path, found, missing: reader.expected, last: reader.lastSequence)
                var search = SoundFrameSearch(in: reader, from: found.offset + 1, lowest: 0)
                while let (_, header) = try search.next() {
                    outcome.highestSeen = max(outcome.highestSeen, header.sequence)
                }
                return
            }
        }
    }

    private static func foreign(_ path: String) -> BanyanError {
        BanyanError(.foreignFile, "The file belongs to another store", at: .init(file: path))
    }

    private static func mostFrequent(_ ids: [StoreID]) -> StoreID? {
        Dictionary(grouping: ids) { $0 }.max {
            ($0.value.count, $0.key.description) < ($1.value.count, $1.key.description)
        }?.key
    }
}
