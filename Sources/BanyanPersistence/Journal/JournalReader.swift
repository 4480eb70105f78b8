import BanyanCore

/// Reads the records of the journal that a manifest lists, in order.
///
/// It checks that the journal is whole: that the segments follow one another, that each is what the manifest says, and that
/// every record has the sequence after its predecessor's. It decides whether the end of an unsealed last segment is a torn
/// tail. Everything else that is wrong it throws.
struct JournalReader {
    enum Tolerance {
        /// Nobody writes: what is there is all there is.
        case exact
        /// A writer may be at work: an incomplete end is a record on its way.
        case live
    }

    /// How the journal ends.
    struct Outcome {
        var lastSequence: UInt64
        var lastTime: Int64?
        var records: UInt64 = 0
        var bytes: UInt64 = 0
        var segments = 0
        /// The last segment, when the manifest has it open.
        var open: OpenEnd?
        /// `body` asked to stop, or the last record asked for was read.
        var stopped = false
    }

    /// How far the open segment can be believed.
    struct OpenEnd {
        var name: String
        var last: UInt64
        /// Link of the last frame that stays.
        var link: UInt64
        /// Where what stays ends.
        var end: UInt64
        /// Where the file ends; more than `end` when the tail is torn.
        var fileEnd: UInt64
        /// The highest sequence that a frame of it says was on disk.
        var durableSequence: UInt64
        var isSealed = false
        var isTorn: Bool { fileEnd > end }
    }

    struct Located {
        var record: JournalRecord
        /// The record's payload, where it was left in the file and `record` has none.
        var placed: PlacedPayload?
        var file: String
        var offset: UInt64
        var epoch: UInt32
        var schema: [UInt8]
    }

    let directory: any DiskDirectory
    let manifest: Manifest
    var tolerance = Tolerance.exact
    /// Reads past the cache where a failed write-back may have left there what the disk does not have.
    var distrustsCache = false
    /// Leaves payloads that are large or in several frames in the file. The caller reads them in parts, or not at all.
    var leavesLargePayloads = false

    /// Calls `body` with every record after `sequence` up to `last`; it returns false to stop. No byte behind the record of
    /// `last` is read.
    func read(
        after sequence: UInt64, through last: UInt64 = .max, progress: ((StoreProgress) -> Void)? = nil,
        _ body: (Located) throws -> Bool
    ) throws -> Outcome {
        var outcome = Outcome(lastSequence: max(sequence, manifest.segments.last?.last ?? 0))
        guard last > sequence else {
            outcome.lastSequence = sequence
            outcome.stopped = true
            return outcome
        }
        let range = sequence + 1...last
        let segments = manifest.segments.filter { !$0.sealed || $0.last > sequence }
        guard let first = segments.first else { return outcome }
        guard first.first <= sequence + 1 else {
            throw BanyanError(
                .damaged, "The journal begins with commit \(first.first), but commit \(sequence + 1) is needed",
                remedy: "Restore from a snapshot", at: .init(file: directory.path, sequence: sequence + 1))
        }
        let total = segments.reduce(0) { $0 + $1.length }
        outcome.lastSequence = sequence
        for entry in segments {
            outcome.segments += 1
            try read(entry, range, into: &outcome, total: total, progress: progress, body)
            if outcome.stopped { break }
        }
        return outcome
    }

    private func read(
        _ entry: Manifest.Segment, _ range: ClosedRange<UInt64>, into outcome: inout Outcome, total: UInt64,
        progress: ((StoreProgress) -> Void)?, _ body: (Located) throws -> Bool
    ) throws {
        var reader = try SegmentFile(directory: directory, entry: entry, store: manifest.storeID)
            .reader(distrustsCache: distrustsCache && !entry.sealed)
        reader.leavesLargePayloads = leavesLargePayloads
        let path = reader.path
        let done = outcome.bytes
        var reported = done
        var parts = RecordParts(isPlaced: leavesLargePayloads)
        // Where the record being read began, and the link before it.
        var start = (offset: reader.offset, link: reader.link)
        while true {
            switch try reader.next() {
            case .frame(let header, let payload, let offset):
                let isWhole = !header.hasMore && parts.isEmpty
                if !isWhole { parts.add(header, payload, at: offset, in: reader) }
                if header.hasMore { continue }
                start = (reader.offset, reader.link)
                outcome.bytes = done + reader.offset
                guard
                    try give(
                        header, isWhole ? payload : parts.bytes, isWhole ? nil : parts.placed, at: offset, reader,
                        range, &outcome, body)
                else { return }
                if !isWhole { parts.removeAll() }
                if let progress, outcome.bytes - reported >= 1 << 20 {
                    reported = outcome.bytes
                    progress(StoreProgress(done: reported, total: max(total, reported)))
                }
            case .large(let header, let offset):
                parts.add(header, [], at: offset, in: reader)
                if header.hasMore { continue }
                start = (reader.offset, reader.link)
                outcome.bytes = done + reader.offset
                guard
                    try give(header, [], parts.placed, at: offset, reader, range, &outcome, body)
                else { return }
                parts.removeAll()
                reported = outcome.bytes
                progress?(StoreProgress(done: reported, total: max(total, reported)))
            case .sealed, .end:
                outcome.bytes = done + reader.offset
                progress?(StoreProgress(done: outcome.bytes, total: max(total, outcome.bytes)))
                if entry.sealed { return try SegmentFile.check(reader, against: entry) }
                if reader.openRecord != nil {
                    outcome.open = try checkTail(
                        reader, start, at: start.offset, whatIsWrong: "the record is incomplete")
                } else {
                    try checkDurableSequence(reader)
                    outcome.open = end(of: reader, (reader.offset, reader.link))
                    outcome.open?.isSealed = reader.isSealed
                }
                return
            case .broken(let found):
                guard !entry.sealed, found.mayBeTorn else {
                    throw Self.damaged(path, found, missing: reader.expected, last: reader.lastSequence)
                }
                outcome.open = try checkTail(reader, start, at: found.offset, whatIsWrong: found.description)
                return
            }
        }
    }

    /// A record as a whole, if it is one that is asked for. False when no more is wanted.
    private func give(
        _ header: JournalFrame.Header, _ payload: [UInt8], _ placed: PlacedPayload?, at offset: UInt64,
        _ reader: SegmentReader, _ range: ClosedRange<UInt64>, _ outcome: inout Outcome,
        _ body: (Located) throws -> Bool
    ) throws -> Bool {
        guard header.sequence >= range.lowerBound else { return true }
        let record = JournalRecord(
            kind: header.kind, sequence: header.sequence, time: header.time, payload: payload)
        let located = Located(
            record: record, placed: placed, file: reader.path, offset: offset, epoch: header.epoch,
            schema: reader.header.schema)
        guard try body(located) else {
            outcome.stopped = true
            return false
        }
        outcome.records += 1
        outcome.lastSequence = header.sequence
        outcome.lastTime = header.time
        if header.sequence == range.upperBound { outcome.stopped = true }
        return !outcome.stopped
    }

    private func end(of reader: SegmentReader, _ start: (offset: UInt64, link: UInt64)) -> OpenEnd {
        OpenEnd(
            name: reader.path, last: reader.lastSequence, link: start.link, end: start.offset, fileEnd: reader.end,
            durableSequence: reader.durableSequence)
    }

    private func checkTail(
        _ reader: SegmentReader, _ start: (offset: UInt64, link: UInt64), at offset: UInt64, whatIsWrong: String
    ) throws(BanyanError) -> OpenEnd {
        var end = end(of: reader, start)
        if tolerance == .live {
            end.fileEnd = end.end
            return end
        }
        let verdict = try TornTailCheck.check(
            reader, from: offset, missing: reader.expected,
            durableSequence: max(reader.durableSequence, manifest.durableSequence))
        if case .damaged(let reason) = verdict {
            throw BanyanError(
                .damaged, "The journal is damaged: a record \(whatIsWrong), and \(reason)",
                remedy: "Nothing was changed. Run `banyan verify` to see the extent, then `banyan salvage` or restore",
                at: .init(file: reader.path, offset: offset, sequence: reader.expected))
        }
        return end
    }

    private func checkDurableSequence(_ reader: SegmentReader) throws(BanyanError) {
        let durable = max(reader.durableSequence, manifest.durableSequence)
        guard tolerance == .exact, durable > reader.lastSequence else { return }
        throw BanyanError(
            .damaged, "The journal ends with commit \(reader.lastSequence), but commit \(durable) had been on disk",
            remedy: "Nothing was changed. Run `banyan verify` to see the extent, then `banyan salvage` or restore",
            at: .init(file: reader.path, offset: reader.offset, sequence: reader.lastSequence + 1))
    }

    static func damaged(
        _ path: String, _ found: SegmentReader.Break, missing: UInt64, last: UInt64
    ) -> BanyanError {
        if case .flaw(.version(let version)) = found.cause {
            return BanyanError(
                .unsupportedFormat, "A record has format \(version), newer than this program reads",
                remedy: "Use a newer version of Banyan", at: .init(file: path, offset: found.offset))
        }
        return BanyanError(
            .damaged, "The journal is damaged: the record that should be commit \(missing) \(found.description)",
            remedy: "Nothing was changed. Run `banyan verify` to see the extent, then `banyan salvage` or restore; "
                + "the last good commit before it is \(last)",
            at: .init(file: path, offset: found.offset, sequence: missing))
    }
}

/// What the frames of one record hold, or where they hold it.
private struct RecordParts {
    let isPlaced: Bool
    private(set) var bytes: [UInt8] = []
    private(set) var placed: PlacedPayload?

    init(isPlaced: Bool) { self.isPlaced = isPlaced }

    var isEmpty: Bool { bytes.isEmpty && placed == nil }

    mutating func add(
        _ header: JournalFrame.Header, _ payload: [UInt8], at offset: UInt64, in reader: SegmentReader
    ) {
        guard isPlaced else { return bytes += payload }
        var known = placed ?? PlacedPayload(file: reader.file, path: reader.path)
        placed = nil
        known.pieces.append(.init(header, at: offset))
        placed = known
    }

    mutating func removeAll() {
        bytes = []
        placed = nil
    }
}

extension SegmentReader.Break {
    /// Whether an interrupted write can look like this.
    var mayBeTorn: Bool {
        if case .flaw(let flaw) = cause { return !flaw.isVersion }
        return false
    }
}

extension JournalFrame.Flaw {
    var isVersion: Bool {
        if case .version = self { return true }
        return false
    }
}
