import BanyanCore

/// The writing side of the journal, and of the manifest with it: encoding, the open segment, closing and beginning
/// segments. It is a value, and whoever holds it has the turn to touch these files; `JournalEngine` hands it around.
///
/// Whatever it throws leaves the files in a state only recovery can judge, and poisons the store; the exceptions say so.
struct JournalWriter: Sendable {
    /// Why records could not be written.
    enum Failure: Error {
        /// There is no segment to write them to, and a new one could not be made. None of them was touched, nothing that
        /// was written before is in doubt, and the next attempt may succeed.
        case refused(DiskFault)
        /// Only recovery can tell what became of them.
        case poisoned(DiskFault)
    }

    /// The segment that is being written.
    struct OpenSegment: Sendable {
        var file: any DiskFile
        var name: String
        var encoder: FrameEncoder
        /// Where the next frame goes.
        var offset: UInt64
        /// Something was written since the last flush.
        var isDirty = false
    }

    /// Encoded frames are handed to the kernel when there are this many bytes of them.
    private static let writeSize = 8 << 20

    let directory: any DiskDirectory
    let segmentSize: UInt64
    let recordPart: Int
    private(set) var manifest: Manifest
    private(set) var segment: OpenSegment?
    private var schema: [UInt8]
    private var buffer: [UInt8] = []
    /// The last sequence handed to the kernel.
    private(set) var written: UInt64
    /// The last sequence known to be on disk.
    private(set) var durable: UInt64
    /// Bytes of the closed segments that a recovery would have to read.
    private var closedBytes: UInt64 = 0
    /// How many segments a recovery would have to open.
    private(set) var segmentsSinceSnapshot = 0
    private(set) var lastTime: Int64

    init(
        directory: any DiskDirectory, manifest: Manifest, schema: [UInt8], written: UInt64, lastTime: Int64,
        options: StoreFiles.Options
    ) {
        self.directory = directory
        self.manifest = manifest
        self.schema = schema
        self.written = written
        durable = written
        self.lastTime = lastTime
        segmentSize = options.segmentSize
        recordPart = max(1, min(options.maxRecordSize, JournalFrame.maximumRawLength))
        countClosed()
    }

    /// Journal bytes that a recovery would have to read now.
    var bytesSinceSnapshot: UInt64 { closedBytes + (segment?.offset ?? 0) }

    /// Bytes and frames of one write.
    struct Written {
        var bytes: UInt64 = 0
        var frames = 0
    }

    /// Writes records behind the last one; nothing is flushed yet.
    mutating func write(_ records: [JournalRecord], witness: UInt64) throws(Failure) -> Written {
        guard !records.isEmpty else { return Written() }
        do throws(DiskFault) {
            if let segment, segment.offset >= segmentSize { try seal(storeManifest: false) }
        } catch {
            throw .poisoned(error)
        }
        if segment == nil { try beginSegment() }
        do throws(DiskFault) { return try encode(records, witness: witness) } catch { throw .poisoned(error) }
    }

    private mutating func encode(_ records: [JournalRecord], witness: UInt64) throws(DiskFault) -> Written {
        var result = Written()
        guard var encoder = segment?.encoder else { return result }
        defer { segment?.encoder = encoder }
        for record in records {
            result.frames += encoder.append(record, witness: witness, part: recordPart, to: &buffer)
            written = record.sequence
            lastTime = record.time
            if buffer.count >= Self.writeSize { result.bytes += try drain() }
        }
        result.bytes += try drain()
        return result
    }

    /// Returns when all that was written is on disk.
    mutating func sync() throws(DiskFault) {
        guard let file = segment?.file, segment?.isDirty == true else { return }
        try file.sync()
        segment?.isDirty = false
        durable = written
    }

    /// Closes the open segment for good; the next record begins another. Without `storeManifest` the manifest on disk
    /// learns of it when it is next written: until then the seal in the file says it.
    mutating func seal(storeManifest: Bool) throws(DiskFault) {
        guard segment != nil else { return }
        try sync()
        segment!.encoder.appendSeal(sequence: written, time: lastTime, to: &buffer)
        _ = try drain()
        try sync()
        note(sealed: true)
        segment = nil
        countClosed()
        if storeManifest { try store() }
    }

    /// Replaces the schema for the segments to come.
    mutating func setSchema(_ new: [UInt8]) throws(DiskFault) {
        guard new != schema else { return }
        schema = new
        try seal(storeManifest: false)
    }

    /// Changes the manifest, on disk too. A failure before the change took effect is `before` or `unflushed`, and need not
    /// poison.
    mutating func update(_ change: (inout Manifest) -> Void) throws(Manifest.WriteFailure) {
        note(sealed: false)
        var next = manifest
        change(&next)
        next.generation += 1
        try next.write(in: directory)
        manifest = next
        countClosed()
    }

    private mutating func store() throws(DiskFault) {
        do throws(Manifest.WriteFailure) { try update { _ in } } catch { throw error.fault }
    }

    /// Makes a new segment and the manifest that lists it. The file has its name only once its header is on disk.
    ///
    /// What fails here concerns no record, so most of it only refuses: what is left behind is overwritten by the next
    /// attempt. A flush that fails poisons all the same, as everywhere: a disk that refuses one is not to be trusted.
    private mutating func beginSegment() throws(Failure) {
        let first = written + 1
        let taken = Set(manifest.segments.map(\.first))
        var entry = Manifest.Segment(
            number: manifest.nextSegment, mark: taken.contains(first) ? manifest.nextSegment : 0,
            epoch: manifest.epoch, sealed: false, first: first, last: written, previousLink: manifest.tailLink,
            link: 0, length: 0)
        let header = SegmentHeader(
            storeID: manifest.storeID, number: entry.number, firstSequence: first, previousLink: entry.previousLink,
            epoch: entry.epoch, schema: schema)
        let (bytes, link) = header.encoded()
        entry.link = link
        entry.length = UInt64(bytes.count)
        let temporary = entry.name + FileNames.temporarySuffix
        let file: any DiskFile
        do throws(DiskFault) {
            try directory.removeIfPresent(temporary)
            file = try directory.open(temporary, .create)
            try file.writeAll(bytes.span.bytes, at: 0, name: directory.pathOf(temporary))
        } catch {
            throw .refused(error)
        }
        do throws(DiskFault) { try file.sync() } catch { throw .poisoned(error) }
        do throws(DiskFault) { try directory.rename(temporary, to: entry.name) } catch { throw .refused(error) }
        do throws(DiskFault) { try directory.sync() } catch { throw .poisoned(error) }
        do throws(Manifest.WriteFailure) {
            try update { manifest in
                manifest.nextSegment += 1
                manifest.segments.append(entry)
                manifest.tailLink = link
            }
        } catch {
            switch error {
            case .before(let fault): throw .refused(fault)
            case .unflushed(let fault), .unknown(let fault): throw .poisoned(fault)
            }
        }
        let seed = JournalFrame.seed(store: manifest.storeID, segment: entry.number)
        segment = OpenSegment(
            file: file, name: directory.pathOf(entry.name),
            encoder: FrameEncoder(seed: seed, epoch: entry.epoch, link: link), offset: entry.length)
    }

    private mutating func drain() throws(DiskFault) -> UInt64 {
        guard let open = segment, !buffer.isEmpty else { return 0 }
        try open.file.writeAll(buffer.span.bytes, at: open.offset, name: open.name)
        let count = UInt64(buffer.count)
        segment!.offset += count
        segment!.isDirty = true
        // A rare huge commit must not keep its memory.
        buffer.removeAll(keepingCapacity: buffer.capacity <= Self.writeSize)
        return count
    }

    private mutating func countClosed() {
        let base = manifest.snapshots.first?.sequence ?? 0
        let closed = manifest.segments.filter { $0.sealed && $0.last > base }
        closedBytes = closed.reduce(0) { $0 + $1.length }
        segmentsSinceSnapshot = closed.count
    }

    /// Takes over into the manifest in memory how far the open segment has come, as far as that is on disk: what the
    /// manifest says must hold after a crash.
    private mutating func note(sealed: Bool) {
        manifest.witness = max(manifest.witness, durable)
        guard let open = segment, !open.isDirty, let last = manifest.segments.indices.last else { return }
        manifest.segments[last].sealed = sealed
        manifest.segments[last].last = written
        manifest.segments[last].link = open.encoder.link
        manifest.segments[last].length = open.offset
        manifest.tailLink = open.encoder.link
    }
}
