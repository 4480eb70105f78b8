package import BanyanCore

/// Reads a store, a snapshot or a single journal segment, and says what is wrong with it. Writes nothing.
///
/// Unlike recovery it does not stop at the first thing: each file is read as far as it can be.
package struct StoreVerification {
    /// Reads headers, tables and the manifest, but not the content of snapshots.
    package var isQuick = false
    package var progress: ((StoreProgress) -> Void)?

    private let path: String
    private let disk: any Disk
    private var report = VerifyReport()

    /// - Throws: only what keeps it from looking at all: `notAStore`, `permission`, `io`. Damage is in the report.
    package static func verify(
        _ path: String, on disk: any Disk, quick: Bool = false, progress: ((StoreProgress) -> Void)? = nil
    ) throws(BanyanError) -> VerifyReport {
        var verification = StoreVerification(path: path, disk: disk)
        verification.isQuick = quick
        verification.progress = progress
        return try verification.run()
    }

    private init(path: String, disk: any Disk) {
        self.path = path
        self.disk = disk
    }

    private mutating func run() throws(BanyanError) -> VerifyReport {
        let disk = disk, path = path
        let kind = try onDisk { () throws(DiskFault) in try disk.kind(of: path) }
        if kind == .file {
            let (parent, name) = DiskPath.split(path)
            let directory = try onDisk { () throws(DiskFault) in
                try disk.openDirectory(parent, createIfMissing: false)
            }
            if case .segment = FileNames.kind(of: name) {
                try checkLoneSegment(name, in: directory)
            } else {
                try check(snapshot: name, in: directory, as: nil, isListed: false)
            }
            return report
        }
        let directory = try StoreFiles.openDirectory(path, on: disk, create: false)
        report.wasInUse = try StoreLock.currentOwner(in: directory) != nil
        var manifest: Manifest?
        do throws(BanyanError) {
            guard let found = try Manifest.read(in: directory) else {
                throw try DirectoryContents(directory).noStore(at: path)
            }
            // One that belongs to another store says nothing about the files here.
            try DirectoryContents(directory).checkManifestBelongs(found)
            manifest = found
        } catch {
            guard note(error) else { throw error }
        }
        if let manifest {
            try check(manifest, in: directory)
        } else {
            // Without it the files can still be looked at one by one.
            for entry in try DirectoryContents(directory).entries {
                switch FileNames.kind(of: entry.name) {
                case .snapshot: try check(snapshot: entry.name, in: directory, as: nil, isListed: true)
                case .segment: try checkLoneSegment(entry.name, in: directory)
                default: continue
                }
            }
        }
        return report
    }

    private mutating func check(_ manifest: Manifest, in directory: any DiskDirectory) throws(BanyanError) {
        report.storeID = manifest.storeID
        report.lastSequence = manifest.snapshots.first?.sequence ?? 0
        for entry in manifest.snapshots {
            try check(snapshot: entry.name, in: directory, as: (entry, manifest), isListed: true)
        }
        if let first = manifest.segments.first, let oldest = manifest.snapshots.last, first.first > oldest.sequence + 1
        {
            report.findings.append(
                .init(
                    severity: .damaged, file: directory.pathOf(first.name),
                    message: "The journal begins with commit \(first.first), but the oldest snapshot is of "
                        + "\(oldest.sequence)", lastGoodSequence: oldest.sequence))
        }
        for entry in manifest.segments { try check(segment: entry, of: manifest, in: directory) }
        let contents = try DirectoryContents(directory)
        for stray in contents.strays(manifest) where !report.wasInUse {
            do throws(BanyanError) {
                if let complaint = try contents.complaint(about: stray, manifest) { throw complaint }
                if case .snapshot(let sequence) = FileNames.kind(of: stray.name), sequence > report.lastSequence {
                    try contents.checkStraySnapshots(manifest, last: report.lastSequence)
                }
                report.findings.append(
                    .init(
                        severity: .stray, file: directory.pathOf(stray.name),
                        message: "The file is not in the manifest; the next opening removes it"))
            } catch {
                guard note(error) else { throw error }
            }
        }
    }

    // MARK: Snapshots

    private mutating func check(
        snapshot name: String, in directory: any DiskDirectory, as listed: (Manifest.Snapshot, Manifest)?,
        isListed: Bool
    ) throws(BanyanError) {
        report.snapshots += 1
        let reader: SnapshotReader
        do throws(BanyanError) {
            reader = try SnapshotReader(in: directory, name: name, maxFrameSize: .max)
            if let (entry, manifest) = listed { try entry.check(reader, store: manifest.storeID) }
        } catch {
            // A lone file that is no snapshot at all is the caller's mistake, not damage.
            guard note(error, isListed: isListed) else { throw error }
            return
        }
        if report.storeID == nil { report.storeID = reader.header.storeID }
        report.reached(reader.header.sequence, time: reader.header.time)
        report.bytes += reader.length
        if isQuick { return }
        let failures = ParallelJobs.Results<BanyanError>(count: reader.frames.count)
        var told = 0
        let tell = progress.map { progress in
            { (done: Int) in
                while told < done {
                    progress(StoreProgress(done: reader.frames[told].offset, total: reader.length))
                    told += 1
                }
            }
        }
        try ParallelJobs.run(reader.frames.count, progress: tell) { index throws(BanyanError) in
            do throws(BanyanError) { _ = try reader.read(index) } catch { failures.set(index, error) }
        }
        for error in failures.take() {
            guard note(error) else { throw error }
        }
    }

    // MARK: Segments

    private mutating func check(
        segment entry: Manifest.Segment, of manifest: Manifest, in directory: any DiskDirectory
    ) throws(BanyanError) {
        report.segments += 1
        let file = SegmentFile(directory: directory, entry: entry, store: manifest.storeID)
        var reader: SegmentReader
        do throws(BanyanError) {
            reader = try file.reader(distrustsCache: false)
        } catch {
            guard note(error) else { throw error }
            return
        }
        var start = reader.offset
        let found = try read(&reader, &start)
        do throws(BanyanError) {
            if entry.sealed, found == nil { try SegmentFile.check(reader, against: entry) }
        } catch {
            guard note(error) else { throw error }
        }
        if entry.sealed {
            if let found { try note(found, in: reader) }
            return
        }
        if report.wasInUse { return }
        let durable = max(reader.durableSequence, manifest.durableSequence)
        if let found, !found.mayBeTorn {
            try note(found, in: reader)
        } else if found != nil || reader.openRecord != nil {
            let place = found?.offset ?? start
            let verdict = try TornTailCheck.check(
                reader, from: place, missing: reader.expected, durableSequence: durable)
            switch verdict {
            case .torn:
                report.findings.append(
                    .init(
                        severity: .torn, file: reader.path, offset: start,
                        message: "The journal ends in an interrupted write of \(reader.end - start) bytes; the next "
                            + "opening cuts it off", lastGoodSequence: reader.lastSequence))
            case .damaged(let reason):
                let found = found ?? SegmentReader.Break(cause: .flaw(.short), offset: place)
                try note(found, in: reader, reason: reason)
            }
        } else if durable > reader.lastSequence {
            report.findings.append(
                .init(
                    severity: .damaged, file: reader.path, offset: reader.offset,
                    message: "The journal ends with commit \(reader.lastSequence), but commit \(durable) had been on "
                        + "disk", lastGoodSequence: reader.lastSequence))
        }
    }

    private mutating func checkLoneSegment(_ name: String, in directory: any DiskDirectory) throws(BanyanError) {
        report.segments += 1
        let path = directory.pathOf(name)
        do throws(BanyanError) {
            let (file, size) = try onDisk { () throws(DiskFault) in
                let file = try directory.open(name, .read)
                return (file, try file.size())
            }
            var reader = try SegmentReader(file, path: path, end: size)
            if report.storeID == nil { report.storeID = reader.header.storeID }
            var start = reader.offset
            if let found = try read(&reader, &start) { try note(found, in: reader) }
        } catch {
            guard note(error) else { throw error }
        }
    }

    /// Reads to the end or to the first break; `start` is where the last incomplete record begins.
    private mutating func read(
        _ reader: inout SegmentReader, _ start: inout UInt64
    ) throws(BanyanError) -> SegmentReader.Break? {
        while true {
            switch try reader.next() {
            case .frame(let header, _, _), .large(let header, _):
                if header.hasMore { continue }
                start = reader.offset
                report.records += 1
                report.reached(header.sequence, time: header.time)
                progress?(StoreProgress(done: reader.offset, total: reader.end))
            case .sealed, .end:
                report.bytes += reader.offset
                return nil
            case .broken(let found):
                report.bytes += reader.offset
                return found
            }
        }
    }

    // MARK: Findings

    private mutating func note(
        _ found: SegmentReader.Break, in reader: SegmentReader, reason: String? = nil
    ) throws(BanyanError) {
        var search = SoundFrameSearch(in: reader, from: found.offset + 1, lowest: 0)
        var sound: UInt64 = 0
        while let (_, header) = try search.next() {
            if header.kind == JournalFrame.Kind.commit { sound += 1 }
        }
        var message = "The record that should be commit \(reader.expected) \(found.description)"
        if let reason { message += "; \(reason)" }
        var severity = VerifyReport.Severity.damaged
        if case .flaw(.version) = found.cause { severity = .unsupported }
        report.findings.append(
            .init(
                severity: severity, file: reader.path, offset: found.offset, message: message,
                expectedHash: found.hashes?.expected, actualHash: found.hashes?.actual,
                lastGoodSequence: reader.lastSequence, framesAtStake: sound))
    }

    /// Takes an error as a finding; false when it says nothing about the content.
    private mutating func note(_ error: BanyanError, isListed: Bool = false) -> Bool {
        let severity: VerifyReport.Severity
        switch error.code {
        case .damaged: severity = .damaged
        case .foreignFile: severity = .foreign
        case .unsupportedFormat: severity = .unsupported
        case .notAStore where isListed: severity = .damaged
        default: return false
        }
        report.findings.append(
            .init(
                severity: severity, file: error.location.file ?? path, offset: error.location.offset,
                message: error.cause.map { "\(error.message): \($0)" } ?? error.message,
                lastGoodSequence: error.location.sequence.map { $0 > 0 ? $0 - 1 : 0 }))
        return true
    }
}

extension VerifyReport {
    /// Takes note of a commit: its time is that of the last one, not the latest that any has.
    fileprivate mutating func reached(_ sequence: UInt64, time: Int64) {
        guard sequence >= lastSequence else { return }
        lastSequence = sequence
        lastTime = time
    }
}
