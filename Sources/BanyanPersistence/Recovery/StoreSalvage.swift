package import BanyanCore

/// Gets out of a damaged directory what can be believed, without its manifest and without changing anything in it.
///
/// Salvage gives a prefix, never a patchwork: the newest snapshot that reads whole, then every record behind it up to
/// the first that is missing. What comes after a gap was made on top of what is lost, and is only counted. Where two
/// processes have written different commits of the same numbers, one history is followed, and the other is told.
package struct StoreSalvage: Sendable {
    /// Commits that another file has too, with other contents.
    package struct Fork: Sendable, Hashable {
        /// The file whose commits were not followed.
        package var file: String
        /// The first and the last of them.
        package var first: UInt64
        package var last: UInt64
        package var epoch: UInt32
        /// Where commit `first` was taken from instead.
        package var followed: String
    }

    /// How far the records could be followed.
    package struct Outcome: Sendable, Hashable {
        package var lastSequence: UInt64
        package var lastTime: Int64?
        package var records: UInt64 = 0
        /// The highest sequence of the history that was followed of which there was any sign, reachable or not.
        package var highestSeen: UInt64
        /// Why it could not be followed further; nil when everything seen was reached.
        package var stopped: BanyanError?
        package var forks: [Fork] = []
        /// Whether the journal says itself that it ends there. If not, and a process was killed, the last commits may have
        /// been cut off without a trace.
        package var endIsSealed = true
    }

    package let path: String
    package let storeID: StoreID
    /// Those whose header, table and footer are sound, newest first. Their frames are checked as they are read.
    package let snapshots: [SnapshotReader]
    /// What could not be used, and why.
    package let problems: [BanyanError]
    private let directory: any DiskDirectory
    private let journal: SalvagedJournal

    /// Looks through a directory; `storeID` chooses when files of several stores lie in it. Reads the whole journal.
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
        let contents = try DirectoryContents(directory)
        var problems: [BanyanError] = []
        var manifest: Manifest?
        do throws(BanyanError) {
            manifest = try Manifest.read(in: directory)
            if let manifest { try contents.checkManifestBelongs(manifest) }
        } catch {
            manifest = nil
            problems.append(error)
        }
        var snapshots: [SnapshotReader] = []
        var segments: [(name: String, header: SegmentHeader)] = []
        for entry in contents.entries {
            do throws(BanyanError) {
                switch FileNames.kind(of: entry.name) {
                case .snapshot:
                    snapshots.append(try SnapshotReader(in: directory, name: entry.name, maxFrameSize: .max))
                case .segment:
                    if let segment = try contents.segment(entry.name) { segments.append((entry.name, segment.header)) }
                default: continue
                }
            } catch {
                problems.append(error)
            }
        }
        let found = snapshots.map(\.header.storeID) + segments.map(\.header.storeID)
        guard let chosen = storeID ?? manifest?.storeID ?? mostFrequent(found) else {
            throw BanyanError(
                .notAStore, "Nothing here can be salvaged", at: .init(file: path),
                cause: problems.first.map(\.description))
        }
        for reader in snapshots where reader.header.storeID != chosen { problems.append(foreign(reader.path)) }
        for segment in segments where segment.header.storeID != chosen {
            problems.append(foreign(directory.pathOf(segment.name)))
        }
        let own = snapshots.filter { $0.header.storeID == chosen }
        return StoreSalvage(
            path: path, storeID: chosen, snapshots: own.sorted { $0.header.sequence > $1.header.sequence },
            problems: problems, directory: directory,
            journal: try SalvagedJournal(
                segments.filter { $0.header.storeID == chosen }, in: directory,
                manifest: manifest?.storeID == chosen ? manifest : nil,
                newestSnapshot: own.map(\.header.sequence).max() ?? 0))
    }

    /// Every record after `sequence` that can be reached without a gap.
    package func records(
        after sequence: UInt64, through target: StoreInspection.Target = .end,
        _ body: (_ record: JournalRecord, _ segmentSchema: [UInt8]) throws -> Void
    ) throws -> Outcome {
        let history = journal.history(after: sequence)
        var outcome = Outcome(
            lastSequence: sequence, highestSeen: history.highestSeen, stopped: history.stopped, forks: history.forks,
            endIsSealed: history.endIsSealed)
        for run in history.runs {
            guard var reader = try DirectoryContents.segment(DiskPath.split(run.path).name, in: directory) else {
                throw BanyanError(.inUse, "The file was removed meanwhile", at: .init(file: run.path))
            }
            guard try read(&reader, through: run.last, into: &outcome, target, body) else { break }
        }
        return outcome
    }

    /// Returns whether there is more to come.
    private func read(
        _ reader: inout SegmentReader, through last: UInt64, into outcome: inout Outcome,
        _ target: StoreInspection.Target, _ body: (JournalRecord, [UInt8]) throws -> Void
    ) throws -> Bool {
        var parts: [UInt8] = []
        while reader.lastSequence < last, case .frame(let header, let payload, _) = try reader.next() {
            parts = parts.isEmpty ? payload : parts + payload
            if header.hasMore { continue }
            if header.sequence == outcome.lastSequence + 1 {
                if target.excludes(header.sequence) { return false }
                try body(
                    JournalRecord(kind: header.kind, sequence: header.sequence, time: header.time, payload: parts),
                    reader.header.schema)
                outcome.records += 1
                outcome.lastSequence = header.sequence
                outcome.lastTime = header.time
            }
            parts = []
        }
        return true
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
