import BanyanCore

// At the end of the last segment, and nowhere else, bytes that cannot be believed may be innocent: the machine stopped
// while a batch of records was on its way to the disk, sectors of it arrived and others did not. Nobody was promised
// those records, so they are cut off. Everywhere else, and whenever there is proof that a missing record had been
// promised, the same bytes are damage, and damage is never cut: the store refuses to open and changes nothing.
//
// The proof is the witness in every frame: the sequence that was on disk when the frame was written. If any frame, before
// or behind the break, or the manifest, witnesses the missing sequence, it was on disk once and is now gone.
//
// Sound frames may stand behind a break without such proof: they were in the same batch, and the disk took its sectors
// out of order. A sector that did not arrive reads as zeros (the file had no older content there). So when sound frames
// follow, the break must contain such a hole to be taken for an interrupted write; without one, somebody changed bytes
// that had arrived, and that is damage too.
//
// What remains undecidable is damage confined to the last batch, with nothing sound behind it and no witness: it looks
// exactly like an interrupted write, on one device there is nothing to tell them apart, and it is cut at a record's
// boundary.

enum TailJudgement {
    enum Verdict: Hashable {
        /// An interrupted write: everything from the break on may go.
        case torn
        /// Damage; the reason continues a sentence that begins with what is wrong at the break.
        case damaged(String)
    }

    private static let sector: UInt64 = 512
    private static let chunk = 1 << 20

    /// Judges what follows `position` (a break, or the start of a record whose frames are not all there).
    ///
    /// - Parameters:
    ///   - missing: the first sequence that would be lost.
    ///   - witness: the highest witness known, from the frames before and from the manifest.
    static func judge(
        _ reader: SegmentReader, from position: UInt64, missing: UInt64, witness: UInt64
    ) throws(BanyanError) -> Verdict {
        if witness >= missing { return .damaged("commit \(missing) had been on disk: commit \(witness) was witnessed") }
        if try isZero(reader, from: position, to: reader.end) { return .torn }
        var search = SoundFrameSearch(in: reader, from: position + 1, lowest: missing &- 1)
        var first: (offset: UInt64, header: JournalFrame.Header)?
        while let (offset, header) = try search.next() {
            if header.witness >= missing {
                return .damaged(
                    "commit \(missing) had been on disk: the record of commit \(header.sequence) at byte \(offset) "
                        + "witnesses commit \(header.witness)")
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
