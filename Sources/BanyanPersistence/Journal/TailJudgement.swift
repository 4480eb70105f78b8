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
        guard let survivor = try survivor(in: reader, behind: position, missing: missing) else { return .torn }
        if survivor.witness >= missing {
            return .damaged(
                "commit \(missing) had been on disk: the record of commit \(survivor.sequence) at byte "
                    + "\(survivor.offset) witnesses commit \(survivor.witness)")
        }
        if survivor.gaveUp { return .damaged("too much behind it looks like records to tell what is one") }
        if try hasHole(reader, from: position, to: survivor.offset) { return .torn }
        return .damaged("the record of commit \(survivor.sequence) behind it, at byte \(survivor.offset), is sound")
    }

    private struct Survivor {
        var offset: UInt64
        var sequence: UInt64
        var witness: UInt64
        var gaveUp = false
    }

    /// Looks for sound frames of this segment at every byte behind a break. Of those found, the one with the highest
    /// witness counts, at the place of the first.
    private static func survivor(
        in reader: SegmentReader, behind position: UInt64, missing: UInt64
    ) throws(BanyanError) -> Survivor? {
        var found: Survivor?
        var at = position + 1
        // A file made to look full of frames must not make this quadratic: the search hashes at most this much.
        var budget = (reader.end - position).multipliedReportingOverflow(by: 64).partialValue
        while at < reader.end {
            let bytes = try reader.bytes(at: at, count: chunk)
            var local = 0
            while local + JournalFrame.prefixLength <= bytes.count {
                let place = at + UInt64(local)
                guard plausible(bytes, at: local, missing: missing),
                    case .success(let header) = JournalFrame.header(
                        in: bytes.span.bytes, at: local, limit: reader.end - place)
                else {
                    local += 1
                    continue
                }
                guard UInt64(header.length) <= budget else {
                    return Survivor(offset: place, sequence: header.sequence, witness: 0, gaveUp: true)
                }
                budget -= UInt64(header.length)
                let isSound: Bool
                if local + header.length <= bytes.count {
                    isSound = JournalFrame.flaw(of: header, in: bytes.span.bytes, at: local, seed: reader.seed) == nil
                } else {
                    let whole = try reader.bytes(at: place, count: header.length)
                    isSound =
                        whole.count == header.length
                        && JournalFrame.flaw(of: header, in: whole.span.bytes, at: 0, seed: reader.seed) == nil
                }
                if isSound {
                    var best = found ?? Survivor(offset: place, sequence: header.sequence, witness: 0)
                    best.witness = max(best.witness, header.witness)
                    if best.witness >= missing { return best }
                    found = best
                }
                local += 1
            }
            if at + UInt64(bytes.count) >= reader.end { break }
            at += UInt64(local)
        }
        return found
    }

    /// A cheap look that nearly all positions fail: version, kind, and a sequence that could be here.
    private static func plausible(_ bytes: [UInt8], at offset: Int, missing: UInt64) -> Bool {
        guard bytes[offset + 14] == UInt8(JournalFrame.version & 0xFF),
            bytes[offset + 15] == UInt8(JournalFrame.version >> 8),
            JournalFrame.Kind.all.contains(bytes[offset + 12])
        else { return false }
        let sequence = UInt64(
            littleEndian: bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
        return sequence >= missing &- 1
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
