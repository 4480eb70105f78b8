import BanyanCore

// At the end of the last segment, and nowhere else, bytes that are no sound frame may be a torn tail: the machine stopped
// while a batch of records was on its way to the disk, and only some of its sectors arrived. None of these records had been
// acknowledged, so they are cut off. Everywhere else, and whenever there is proof that a missing record had been acknowledged,
// the same bytes are damage. Damage is never cut off: the store refuses to open and changes nothing.
//
// The proof is the durable sequence in every frame and in the manifest: the last commit that was on disk when it was written.
// If it reaches the missing commit in any frame before or behind the break, that commit was on disk once and is now gone.
//
// Sound frames may stand behind a break without such proof: they were in the same batch, and the disk wrote its sectors out
// of order. A sector that did not arrive reads as zeros, because the file had no older content there. So when sound frames
// follow, a torn tail has such a hole before them. Without a hole, bytes that had arrived were changed, and that is damage.
//
// Damage confined to the last batch cannot be told from a torn tail when nothing sound and no durable sequence stands behind
// it. It is cut off at the boundary of a record.

enum TornTailCheck {
    enum Verdict: Hashable {
        /// An interrupted write: everything from the break on may go.
        case torn
        /// Damage; the reason continues a sentence that begins with what is wrong at the break.
        case damaged(String)
    }

    private static let sector: UInt64 = 512
    private static let chunk = 1 << 20

    /// Decides about what follows `position`: a break, or the start of a record whose frames are not all there.
    ///
    /// - Parameters:
    ///   - missing: the first sequence that would be lost.
    ///   - durableSequence: the highest one known, from the frames before and from the manifest.
    static func check(
        _ reader: SegmentReader, from position: UInt64, missing: UInt64, durableSequence: UInt64
    ) throws(BanyanError) -> Verdict {
        if durableSequence >= missing {
            return .damaged("commit \(missing) had been on disk: commit \(durableSequence) is recorded as durable")
        }
        if try isZero(reader, from: position, to: reader.end) { return .torn }
        var search = SoundFrameSearch(in: reader, from: position + 1, lowest: missing &- 1)
        var first: (offset: UInt64, header: JournalFrame.Header)?
        while let (offset, header) = try search.next() {
            if header.durableSequence >= missing {
                return .damaged(
                    "commit \(missing) had been on disk: the record of commit \(header.sequence) at byte \(offset) "
                        + "says that commit \(header.durableSequence) was durable")
            }
            first = first ?? (offset, header)
        }
        if search.gaveUp { return .damaged("too much behind it looks like records to tell what is one") }
        guard let first else { return .torn }
        if try hasHole(reader, from: position, to: first.offset) { return .torn }
        return .damaged("the record of commit \(first.header.sequence) behind it, at byte \(first.offset), is sound")
    }

    private static func isZero(
        _ reader: SegmentReader, from start: UInt64, to end: UInt64
    ) throws(BanyanError) -> Bool {
        var at = start
        while at < end {
            let bytes = try reader.bytes(at: at, count: Int(min(end - at, UInt64(chunk))))
            if bytes.isEmpty { return true }
            if bytes.contains(where: { $0 != 0 }) { return false }
            at += UInt64(bytes.count)
        }
        return true
    }

    /// Whether some sector's share of the range is all zeros.
    private static func hasHole(
        _ reader: SegmentReader, from start: UInt64, to end: UInt64
    ) throws(BanyanError) -> Bool {
        var at = start
        while at < end {
            let next = min((at / sector + 1) * sector, end)
            if try isZero(reader, from: at, to: next) { return true }
            at = next
        }
        return false
    }
}
