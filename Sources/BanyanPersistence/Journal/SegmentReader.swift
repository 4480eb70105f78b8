import BanyanCore

/// Reads the frames of one segment from its start, checking each against the chain. It goes through the file in a
/// window of about a megabyte; a frame larger than that widens the window for as long as it is needed, never beyond
/// what the file has.
struct SegmentReader {
    enum Step {
        case frame(JournalFrame.Header, payload: [UInt8], offset: UInt64)
        /// A frame that is as sound, whose payload was left in the file; only where `leavesLargePayloads`.
        case large(JournalFrame.Header, offset: UInt64)
        /// A seal was read; nothing may follow it.
        case sealed
        /// The bytes end exactly behind a frame.
        case end
        /// What stands at `offset` cannot be believed.
        case broken(Break)
    }

    /// Why reading stopped.
    struct Break: Hashable {
        enum Cause: Hashable {
            case flaw(JournalFrame.Flaw)
            /// A sound frame of this segment in a place that is not its own.
            case misplaced(String)
            /// A sound frame whose LZ4 block does not decode: written wrong.
            case undecodable
            case trailing
        }
        var cause: Cause
        var offset: UInt64
    }

    private static let windowSize = 1 << 20

    let path: String
    let header: SegmentHeader
    let seed: UInt64
    let file: any DiskFile
    /// Leaves payloads in the file that are larger than the window: their frames are hashed piece by piece.
    var leavesLargePayloads = false
    /// Where the bytes to believe end: the file's size, or the length the manifest gives.
    let end: UInt64
    private var window: [UInt8] = []
    private var windowStart: UInt64 = 0

    private(set) var offset: UInt64
    /// Hash of the last frame read.
    private(set) var link: UInt64
    /// Sequence of the last complete record.
    private(set) var lastSequence: UInt64
    private(set) var lastTime: Int64 = 0
    /// The highest durable sequence in a frame read so far.
    private(set) var durableSequence: UInt64 = 0
    /// The sequence of a record of which more frames must follow.
    private(set) var openRecord: UInt64?
    private(set) var isSealed = false

    init(_ file: any DiskFile, path: String, end: UInt64) throws(BanyanError) {
        self.file = file
        self.path = path
        self.end = end
        let (header, link) = try SegmentHeader.read(from: file, path: path, size: end)
        self.header = header
        self.link = link
        seed = JournalFrame.seed(store: header.storeID, segment: header.number)
        offset = UInt64(header.length)
        lastSequence = header.firstSequence &- 1
    }

    /// The sequence the next record must have.
    var expected: UInt64 { openRecord ?? lastSequence &+ 1 }

    /// The next frame of the chain. After anything but a frame it gives the same answer again.
    mutating func next() throws(BanyanError) -> Step {
        if isSealed { return offset == end ? .sealed : broken(.trailing) }
        if offset == end { return .end }
        try fill(JournalFrame.prefixLength)
        let header: JournalFrame.Header
        switch JournalFrame.header(in: window.span.bytes, at: Int(offset - windowStart), limit: end - offset) {
        case .success(let found): header = found
        case .failure(let error): return broken(.flaw(error.flaw))
        }
        if leavesLargePayloads, header.kind != JournalFrame.Kind.seal,
            max(header.length, header.rawLength) > Self.windowSize
        {
            return try nextLarge(header)
        }
        try fill(header.length)
        let at = Int(offset - windowStart)
        guard window.count - at >= header.length else { return broken(.flaw(.short)) }
        if let flaw = JournalFrame.flaw(of: header, in: window.span.bytes, at: at, seed: seed) {
            return broken(.flaw(flaw))
        }
        if let complaint = misplacement(of: header) { return broken(.misplaced(complaint)) }
        let start = offset
        if header.kind == JournalFrame.Kind.seal {
            accept(header)
            isSealed = true
            return try next()
        }
        guard let payload = JournalFrame.payload(of: header, in: window.span.bytes, at: at) else {
            return broken(.undecodable)
        }
        acceptRecord(header)
        return .frame(header, payload: payload, offset: start)
    }

    /// Checks a frame as any other is checked, without holding more of it than a window.
    private mutating func nextLarge(_ header: JournalFrame.Header) throws(BanyanError) -> Step {
        let sum = ChecksumStream(seed: seed)
        // The hash is not part of what it covers.
        var position = offset + 8
        let frameEnd = offset + UInt64(header.length)
        while position < frameEnd {
            let part = try bytes(at: position, count: min(Self.windowSize, Int(frameEnd - position)))
            if part.isEmpty { return broken(.flaw(.short)) }
            sum.add(part)
            position += UInt64(part.count)
        }
        if let flaw = JournalFrame.flaw(of: header, actual: sum.hash) { return broken(.flaw(flaw)) }
        if let complaint = misplacement(of: header) { return broken(.misplaced(complaint)) }
        let start = offset
        acceptRecord(header)
        return .large(header, offset: start)
    }

    private mutating func acceptRecord(_ header: JournalFrame.Header) {
        accept(header)
        openRecord = header.hasMore ? header.sequence : nil
        if !header.hasMore {
            lastSequence = header.sequence
            lastTime = header.time
        }
    }

    /// Up to `count` bytes at `position`, not beyond `end`; for the check of a torn tail.
    func bytes(at position: UInt64, count: Int) throws(BanyanError) -> [UInt8] {
        guard position < end else { return [] }
        let wanted = Int(min(UInt64(count), end - position))
        return try onDisk { () throws(DiskFault) in try file.readUpTo(wanted, at: position) }
    }

    private mutating func accept(_ header: JournalFrame.Header) {
        offset += UInt64(header.length)
        link = header.link
        durableSequence = max(durableSequence, header.durableSequence)
    }

    private func misplacement(of header: JournalFrame.Header) -> String? {
        if header.previousLink != link {
            return "it follows the frame \(hex(header.previousLink)), but stands behind \(hex(link))"
        }
        let wanted = header.kind == JournalFrame.Kind.seal ? lastSequence : expected
        if header.sequence != wanted { return "it is commit \(header.sequence) where \(wanted) must be" }
        if header.kind == JournalFrame.Kind.seal, openRecord != nil { return "it closes the segment amid a commit" }
        if header.epoch != self.header.epoch {
            return "it is of epoch \(header.epoch) in a segment of \(self.header.epoch)"
        }
        return nil
    }

    private func broken(_ cause: Break.Cause) -> Step { .broken(Break(cause: cause, offset: offset)) }

    /// Makes the window hold `count` bytes from `offset`, or as many as there are.
    private mutating func fill(_ count: Int) throws(BanyanError) {
        let held = UInt64(window.count)
        if offset >= windowStart, offset + UInt64(count) <= windowStart + held { return }
        let wanted = Int(min(UInt64(max(count, Self.windowSize)), end - offset))
        window = try onDisk { [offset] () throws(DiskFault) in try file.readUpTo(wanted, at: offset) }
        windowStart = offset
    }
}

extension SegmentReader.Break {
    /// What is wrong, for a message: "the record …".
    var description: String {
        switch cause {
        case .flaw(.short): "is incomplete"
        case .flaw(.malformed(let what)): "is not one of ours: \(what)"
        case .flaw(.hash(let expected, let actual)):
            "fails its hash (expected \(hex(expected)), found \(hex(actual)))"
        case .flaw(.version(let version)): "has format \(version), newer than this program reads"
        case .misplaced(let what): "is out of place: \(what)"
        case .undecodable: "does not decompress to what it says"
        case .trailing: "follows the end of a closed segment"
        }
    }

    /// The hashes that should have agreed, where that was the trouble.
    var hashes: (expected: UInt64, actual: UInt64)? {
        if case .flaw(.hash(let expected, let actual)) = cause { return (expected, actual) }
        return nil
    }
}
