import BanyanCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

// A commit is made in memory first and written to the journal then, so there must be a segment for it whatever happens in
// between. That is why a segment never ends before the next one is there (`rotate`), and why a transaction only begins when
// there is one (`StoreFiles.checkWritable`).
//
// A rotation has two halves. Everything that may fail for a while, for want of file descriptors, of memory, of space, is in the
// first half, which touches neither the open segment nor the manifest:
//
//   1. the next segment's file is written under a temporary name, and flushed;
//   2. the next manifest, which lists the old segment as sealed and the new one as open, is written under a temporary name,
//      and flushed. How the old one will end is known beforehand: its seal is encoded with a copy of the encoder;
//   3. the next segment's file gets its name.
//
// When one of these fails, what was made is removed, and all is as before. The second half makes it true:
//
//   4. the old segment's records are flushed, its seal is written and flushed;
//   5. the directory is flushed, so that the new segment's name is on the device before the manifest speaks of it;
//   6. the manifest gets its name, and the directory is flushed.
//
// What fails there leaves files that only recovery can assess, and poisons. A crash (or such a failure) leaves, before 3, what
// was, and temporary files; from 3 to 6, the old manifest, whose last segment may end with a seal, and a segment with nothing
// but a header that no manifest lists, which recovery removes; after 6, the new manifest and all that it lists. No record is
// written to the new segment before 6 is done, so none is ever in a file that a manifest left by a crash does not list.

/// The writing side of the journal, and of the manifest with it: encoding, the open segment, closing and beginning
/// segments. It is a value, and the thread that holds it has the turn to touch these files; `JournalEngine` hands it around.
///
/// A `DiskFault` that it throws leaves the files in a state only recovery can assess, and poisons the store. So does
/// `Manifest.WriteFailure.unknown`; `before` leaves everything as it was.
struct JournalWriter: Sendable {
    /// The segment that is being written.
    struct OpenSegment: Sendable {
        var file: any DiskFile
        var name: String
        var encoder: FrameEncoder
        /// The sequence of its first record, which may not be there yet.
        var first: UInt64
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
    /// nil until `open`, and after `close`.
    private(set) var segment: OpenSegment?
    /// The open segment is closed once it has this many bytes: `segmentSize`, or more when the next one could not be made.
    private var rotationSize: UInt64
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
        segmentSize: UInt64, maxRecordSize: Int
    ) {
        self.directory = directory
        self.manifest = manifest
        self.schema = schema
        self.written = written
        durable = written
        self.lastTime = lastTime
        self.segmentSize = segmentSize
        rotationSize = segmentSize
        recordPart = max(1, min(maxRecordSize, JournalFrame.maximumRawLength))
        countClosed()
    }

    /// Whether the open segment holds anything.
    var hasRecords: Bool { segment.map { written >= $0.first } ?? false }

    /// Journal bytes that a recovery would have to read now.
    var bytesSinceSnapshot: UInt64 { closedBytes + (hasRecords ? segment?.offset ?? 0 : 0) }

    // MARK: Records

    /// Bytes and frames of one write.
    struct Written {
        var bytes: UInt64 = 0
        var frames = 0
    }

    /// Writes records behind the last one, to the segment that `open` has made; nothing is flushed yet.
    mutating func write(_ records: [JournalRecord], durableSequence: UInt64) throws(DiskFault) -> Written {
        guard !records.isEmpty else { return Written() }
        if let segment, segment.offset >= rotationSize { try rotateIfPossible() }
        guard var encoder = segment?.encoder else {
            throw DiskFault("write without a segment into", directory.path, errno: EBADF)
        }
        var result = Written()
        defer { segment?.encoder = encoder }
        for record in records {
            result.frames += encoder.append(record, durableSequence: durableSequence, part: recordPart, to: &buffer)
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

    // MARK: Segments

    /// Makes a segment if none is open.
    mutating func open() throws(Manifest.WriteFailure) {
        if segment == nil { try rotate() }
    }

    /// Replaces the schema for the segments to come. When one is open, the next is begun.
    mutating func setSchema(_ new: [UInt8]) throws(Manifest.WriteFailure) {
        guard new != schema else { return }
        let old = schema
        schema = new
        guard segment != nil else { return }
        do throws(Manifest.WriteFailure) {
            try rotate()
        } catch {
            schema = old
            throw error
        }
    }

    /// The size of a segment is a soft limit: while the next one cannot be made this one grows, and the next attempt comes
    /// when it has grown by a sixteenth.
    private mutating func rotateIfPossible() throws(DiskFault) {
        guard hasRecords, let offset = segment?.offset else { return }
        do throws(Manifest.WriteFailure) {
            try rotate()
        } catch {
            switch error {
            case .before: rotationSize = offset + segmentSize / 16
            case .unknown(let fault): throw fault
            }
        }
    }

    /// Begins a new segment, and closes the open one, if there is one, for good: see above.
    ///
    /// - Parameter change: another change of the manifest that takes effect at the same moment.
    mutating func rotate(_ change: (inout Manifest) -> Void = { _ in }) throws(Manifest.WriteFailure) {
        var next = manifest
        let seal = endSegment(in: &next)
        change(&next)
        let (entry, header) = nextSegment(after: next)
        next.nextSegment += 1
        next.segments.append(entry)
        next.tailLink = entry.link
        next.generation += 1
        let temporary = entry.name + FileNames.temporarySuffix
        let file: any DiskFile
        do throws(DiskFault) {
            try directory.removeIfPresent(temporary)
            file = try directory.open(temporary, .create)
            try file.writeAll(header.span.bytes, at: 0, name: directory.pathOf(temporary))
            // A flush that fails is no reason to end all writing here: what it was to flush is thrown away.
            try file.sync()
            try next.prepare(in: directory)
            try directory.rename(temporary, to: entry.name)
        } catch {
            directory.discard(temporary)
            directory.discard(entry.name)
            Manifest.discardPrepared(in: directory)
            throw .before(error)
        }
        do throws(DiskFault) {
            try write(seal)
            try directory.sync()
            try Manifest.swapPrepared(in: directory)
        } catch {
            throw .unknown(error)
        }
        discardEmptySegment()
        manifest = next
        segment = OpenSegment(
            file: file, name: directory.pathOf(entry.name),
            encoder: FrameEncoder(
                seed: JournalFrame.seed(store: next.storeID, segment: entry.number), epoch: entry.epoch,
                link: entry.link),
            first: entry.first, offset: entry.length)
        rotationSize = segmentSize
        countClosed()
    }

    /// Closes the open segment for good; there is no other.
    ///
    /// - Throws: `before` when only the manifest could not be told: the journal is whole and says itself where it ends.
    mutating func close() throws(Manifest.WriteFailure) {
        guard segment != nil else { return }
        var next = manifest
        let seal = endSegment(in: &next)
        do throws(DiskFault) { try write(seal) } catch { throw .unknown(error) }
        next.generation += 1
        try next.write(in: directory)
        discardEmptySegment()
        manifest = next
        segment = nil
        countClosed()
    }

    /// The entry and the header of the segment that follows what a manifest lists.
    private func nextSegment(after next: Manifest) -> (Manifest.Segment, header: [UInt8]) {
        let first = written + 1
        // An empty one that gives way to it has a file still.
        let isTaken = manifest.segments.contains { $0.first == first }
        var entry = Manifest.Segment(
            number: next.nextSegment, mark: isTaken ? next.nextSegment : 0, epoch: next.epoch, sealed: false,
            first: first, last: written, previousLink: next.tailLink, link: 0, length: 0)
        let (bytes, link) = SegmentHeader(
            storeID: next.storeID, number: entry.number, firstSequence: first, previousLink: entry.previousLink,
            epoch: entry.epoch, schema: schema
        ).encoded()
        entry.link = link
        entry.length = UInt64(bytes.count)
        return (entry, bytes)
    }

    /// Makes a manifest say how the open segment will end. One without a record is forgotten instead.
    ///
    /// - Returns: the seal to write to it.
    private func endSegment(in next: inout Manifest) -> [UInt8] {
        guard let open = segment, let last = next.segments.indices.last else { return [] }
        guard hasRecords else {
            next.tailLink = next.segments.removeLast().previousLink
            return []
        }
        var seal: [UInt8] = []
        var encoder = open.encoder
        encoder.appendSeal(sequence: written, time: lastTime, to: &seal)
        next.segments[last].sealed = true
        next.segments[last].last = written
        next.segments[last].link = encoder.link
        next.segments[last].length = open.offset + UInt64(seal.count)
        next.tailLink = encoder.link
        next.durableSequence = max(next.durableSequence, written)
        return seal
    }

    /// Flushes the records, then writes the seal and flushes that: what a seal closes is on disk before it.
    private mutating func write(_ seal: [UInt8]) throws(DiskFault) {
        if seal.isEmpty { return }
        try sync()
        buffer = seal
        _ = try drain()
        try sync()
    }

    /// Removes the file of the open segment when it holds nothing, and no manifest lists it any more. If that fails it goes
    /// when the store is next opened.
    private func discardEmptySegment() {
        guard segment != nil, !hasRecords, let entry = manifest.segments.last else { return }
        directory.discard(entry.name)
    }

    // MARK: The manifest

    /// Changes the manifest, on disk too.
    mutating func update(_ change: (inout Manifest) -> Void) throws(Manifest.WriteFailure) {
        var next = manifest
        noteProgress(in: &next)
        change(&next)
        next.generation += 1
        try next.write(in: directory)
        manifest = next
        countClosed()
    }

    /// Makes a manifest say how far the open segment has come, as far as that is on disk: what the manifest says must hold
    /// after a crash.
    private func noteProgress(in next: inout Manifest) {
        next.durableSequence = max(next.durableSequence, durable)
        guard let open = segment, !open.isDirty, let last = next.segments.indices.last else { return }
        next.segments[last].last = written
        next.segments[last].link = open.encoder.link
        next.segments[last].length = open.offset
        next.tailLink = open.encoder.link
    }

    private mutating func countClosed() {
        let base = manifest.snapshots.first?.sequence ?? 0
        let closed = manifest.segments.filter { $0.sealed && $0.last > base }
        closedBytes = closed.reduce(0) { $0 + $1.length }
        segmentsSinceSnapshot = closed.count
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
}
