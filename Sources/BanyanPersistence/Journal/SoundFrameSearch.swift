import BanyanCore

/// Finds sound frames of a segment at any byte, for telling what stands behind a break. The seed binds a frame to its
/// segment, so what it finds was written there, whatever happened to the bytes around it.
struct SoundFrameSearch {
    private static let chunk = 1 << 20

    private let reader: SegmentReader
    /// Frames of earlier sequences are not looked for.
    private let lowest: UInt64
    private var at: UInt64
    private var bytes: [UInt8] = []
    private var bytesStart: UInt64
    /// A file made to look full of frames must not make the search quadratic: it hashes at most so much.
    private var budget: UInt64
    /// The budget ran out.
    private(set) var gaveUp = false

    init(in reader: SegmentReader, from position: UInt64, lowest: UInt64) {
        self.reader = reader
        self.lowest = lowest
        at = position
        bytesStart = position
        let product = (reader.end - min(position, reader.end)).multipliedReportingOverflow(by: 64)
        budget = product.overflow ? .max : product.partialValue
    }

    mutating func next() throws(BanyanError) -> (offset: UInt64, header: JournalFrame.Header)? {
        while at + UInt64(JournalFrame.prefixLength) <= reader.end, !gaveUp {
            if at + UInt64(JournalFrame.prefixLength) > bytesStart + UInt64(bytes.count) {
                bytesStart = at
                bytes = try reader.bytes(at: at, count: Self.chunk)
                if bytes.count < JournalFrame.prefixLength { return nil }
            }
            if let header = try sound(Int(at - bytesStart)) {
                defer { at += UInt64(header.length) }
                return (at, header)
            }
            at += 1
        }
        return nil
    }

    private mutating func sound(_ local: Int) throws(BanyanError) -> JournalFrame.Header? {
        guard isPlausible(local),
            case .success(let header) = JournalFrame.header(
                in: bytes.span.bytes, at: local, limit: reader.end - bytesStart - UInt64(local))
        else { return nil }
        guard UInt64(header.length) <= budget else {
            gaveUp = true
            return nil
        }
        budget -= UInt64(header.length)
        if local + header.length <= bytes.count {
            return JournalFrame.flaw(of: header, in: bytes.span.bytes, at: local, seed: reader.seed) == nil
                ? header : nil
        }
        let whole = try reader.bytes(at: bytesStart + UInt64(local), count: header.length)
        guard whole.count == header.length,
            JournalFrame.flaw(of: header, in: whole.span.bytes, at: 0, seed: reader.seed) == nil
        else { return nil }
        return header
    }

    /// A cheap look that nearly all positions fail: version, kind, and a sequence that could be here.
    private func isPlausible(_ offset: Int) -> Bool {
        guard bytes[offset + 14] == UInt8(JournalFrame.version & 0xFF),
            bytes[offset + 15] == UInt8(JournalFrame.version >> 8),
            JournalFrame.Kind.all.contains(bytes[offset + 12])
        else { return false }
        let sequence = UInt64(
            littleEndian: bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
        return sequence >= lowest
    }
}
