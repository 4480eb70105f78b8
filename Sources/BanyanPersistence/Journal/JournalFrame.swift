// The frame is the journal's unit of truth. Its hash covers everything in it, is seeded with the identity of the store
// and of the segment, and covers the hash of the frame before. So a frame is believed only in its own place: one that
// was moved, doubled, dropped before, spliced in from another store, or left over in a recycled block has the wrong
// seed or the wrong link. Each frame also carries the durable sequence, the last commit known to be on disk when the
// frame was written. After a crash it tells a commit that was still under way from one that had been acknowledged.
//
//      0  u64  hash, XXH3-64 over all that follows
//      8  u32  stored length: of the durable sequence, the time and the stored payload
//     12  u8   kind        13  u8  flags        14  u16  version
//     16  u64  sequence
//     24  u32  epoch       28  u32  raw length of the payload
//     32  u64  link: the hash of the frame before; of the segment's header for the first
//     40  u64  durable sequence: the last commit known to be on disk
//     48  i64  time of the commit, nanoseconds since 1970
//     56  payload, as it is or as an LZ4 block
//
// All little-endian.

package enum JournalFrame {
    static let headerLength = 40
    static let fixedBodyLength = 16
    static let prefixLength = headerLength + fixedBodyLength
    static let version: UInt16 = 1
    /// No frame holds more payload than this; a larger record is stored in several.
    package static let maximumRawLength = 64 << 20
    /// Smaller payloads are not worth an attempt at compression.
    static let compressionThreshold = 256

    enum Kind {
        static let commit: UInt8 = JournalRecord.commitKind
        /// Closes a segment: nothing follows, and all before it was on disk when it was written.
        static let seal: UInt8 = 2
        static let all: ClosedRange<UInt8> = 1...2
    }

    enum Flags {
        static let compressed: UInt8 = 1
        /// The record goes on in the next frame.
        static let more: UInt8 = 2
        static let all: UInt8 = 3
    }

    /// What a frame says about itself.
    struct Header: Hashable {
        var link: UInt64
        var storedLength: Int
        var kind: UInt8
        var flags: UInt8
        var version: UInt16
        var sequence: UInt64
        var epoch: UInt32
        var rawLength: Int
        var previousLink: UInt64
        var durableSequence: UInt64
        var time: Int64

        var length: Int { headerLength + storedLength }
        var hasMore: Bool { flags & Flags.more != 0 }
    }

    /// Why bytes are no frame.
    enum Flaw: Hashable {
        /// The bytes end before the frame does.
        case short
        /// A field says what no frame of ours says.
        case malformed(String)
        case hash(expected: UInt64, actual: UInt64)
        /// Sound, but of a version this code does not know.
        case version(UInt16)
    }

    /// The seed of a segment's frames.
    static func seed(store: StoreID, segment: UInt64) -> UInt64 {
        var writer = ByteWriter()
        writer.put(store)
        return Checksum.hash(writer.bytes, seed: segment)
    }

    /// Reads the header at `offset` and checks all that can be checked without hashing; `limit` is what is left of the
    /// file from there, which may be more than `bytes` holds.
    static func header(in bytes: borrowing RawSpan, at offset: Int, limit: UInt64) -> Result<Header, FlawError> {
        guard limit >= UInt64(prefixLength), bytes.byteCount - offset >= prefixLength else { return .flaw(.short) }
        func load<Value: FixedWidthInteger & BitwiseCopyable>(_ at: Int, _ type: Value.Type) -> Value {
            Value(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset + at, as: type))
        }
        let header = Header(
            link: load(0, UInt64.self), storedLength: Int(load(8, UInt32.self)), kind: load(12, UInt8.self),
            flags: load(13, UInt8.self), version: load(14, UInt16.self), sequence: load(16, UInt64.self),
            epoch: load(24, UInt32.self), rawLength: Int(load(28, UInt32.self)), previousLink: load(32, UInt64.self),
            durableSequence: load(40, UInt64.self), time: load(48, Int64.self))
        let body = header.storedLength - fixedBodyLength
        guard body >= 0 else { return .flaw(.malformed("its length is too small")) }
        guard UInt64(header.length) <= limit else { return .flaw(.short) }
        if header.version > version { return .success(header) }
        guard header.version == version, Kind.all.contains(header.kind), header.flags & ~Flags.all == 0 else {
            return .flaw(.malformed("its kind, flags or version are not ours"))
        }
        guard Limits.allow(header.sequence, header.durableSequence) else {
            return .flaw(.malformed("its sequence is beyond all bounds"))
        }
        guard header.rawLength <= maximumRawLength else { return .flaw(.malformed("its raw length is over the limit")) }
        if header.flags & Flags.compressed != 0 {
            guard header.rawLength / Compression.maximumExpansion <= body else {
                return .flaw(.malformed("its raw length is more than LZ4 can hold"))
            }
        } else {
            guard header.rawLength == body else { return .flaw(.malformed("its lengths disagree")) }
        }
        return .success(header)
    }

    /// Checks the hash of a frame whose bytes are all there; nil when it is sound.
    static func flaw(of header: Header, in bytes: borrowing RawSpan, at offset: Int, seed: UInt64) -> Flaw? {
        flaw(of: header, actual: Checksum.hash(bytes.extracting(offset + 8..<offset + header.length), seed: seed))
    }

    /// - Parameter actual: the hash of all that follows the hash.
    static func flaw(of header: Header, actual: UInt64) -> Flaw? {
        if actual != header.link { return .hash(expected: header.link, actual: actual) }
        return header.version > version ? .version(header.version) : nil
    }

    /// The payload of a sound frame; nil when its LZ4 block is not what the header says.
    static func payload(of header: Header, in bytes: borrowing RawSpan, at offset: Int) -> [UInt8]? {
        let stored = bytes.extracting(offset + prefixLength..<offset + header.length)
        if header.flags & Flags.compressed != 0 {
            return Compression.unblock(stored, rawLength: header.rawLength)
        }
        return stored.withUnsafeBytes { Array($0) }
    }

    struct FlawError: Error {
        var flaw: Flaw
    }
}

extension Result where Failure == JournalFrame.FlawError {
    static func flaw(_ flaw: JournalFrame.Flaw) -> Self { .failure(.init(flaw: flaw)) }
}

/// Appends frames to a buffer, each linked to the one before.
struct FrameEncoder: Sendable {
    let seed: UInt64
    let epoch: UInt32
    private(set) var link: UInt64

    init(seed: UInt64, epoch: UInt32, link: UInt64) {
        self.seed = seed
        self.epoch = epoch
        self.link = link
    }

    /// Appends a record, as one frame or as several of at most `part` bytes of payload. Returns the number of frames.
    mutating func append(_ record: JournalRecord, durableSequence: UInt64, part: Int, to buffer: inout [UInt8]) -> Int {
        let payload = record.payload.span.bytes
        var start = 0
        var frames = 0
        repeat {
            let end = min(start + part, payload.byteCount)
            append(
                kind: record.kind, more: end < payload.byteCount, sequence: record.sequence, time: record.time,
                durableSequence: durableSequence, payload: payload.extracting(start..<end), to: &buffer)
            start = end
            frames += 1
        } while start < payload.byteCount
        return frames
    }

    /// Appends the frame that closes a segment.
    mutating func appendSeal(sequence: UInt64, time: Int64, to buffer: inout [UInt8]) {
        append(
            kind: JournalFrame.Kind.seal, more: false, sequence: sequence, time: time, durableSequence: sequence,
            payload: RawSpan(), to: &buffer)
    }

    private mutating func append(
        kind: UInt8, more: Bool, sequence: UInt64, time: Int64, durableSequence: UInt64, payload: borrowing RawSpan,
        to buffer: inout [UInt8]
    ) {
        let block = payload.byteCount < JournalFrame.compressionThreshold ? nil : Compression.block(payload)
        let flags = (block == nil ? 0 : JournalFrame.Flags.compressed) | (more ? JournalFrame.Flags.more : 0)
        let start = buffer.count
        // The prefix is filled in as one run of bytes: nearly all commits are hardly longer than it.
        buffer.append(contentsOf: repeatElement(0, count: JournalFrame.prefixLength))
        buffer.withUnsafeMutableBytes { bytes in
            let prefix = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
            func store(_ value: some FixedWidthInteger & BitwiseCopyable, at offset: Int) {
                prefix.storeBytes(of: value.littleEndian, toByteOffset: offset, as: type(of: value))
            }
            store(UInt32(JournalFrame.fixedBodyLength + (block?.count ?? payload.byteCount)), at: 8)
            store(kind, at: 12)
            store(flags, at: 13)
            store(JournalFrame.version, at: 14)
            store(sequence, at: 16)
            store(epoch, at: 24)
            store(UInt32(payload.byteCount), at: 28)
            store(link, at: 32)
            store(durableSequence, at: 40)
            store(time, at: 48)
        }
        if let block {
            buffer.append(contentsOf: block)
        } else {
            payload.withUnsafeBytes { buffer.append(contentsOf: $0) }
        }
        link = Checksum.hash(buffer.span.bytes.extracting((start + 8)...), seed: seed)
        let hash = link.littleEndian
        buffer.withUnsafeMutableBytes { $0.storeBytes(of: hash, toByteOffset: start, as: UInt64.self) }
    }
}
