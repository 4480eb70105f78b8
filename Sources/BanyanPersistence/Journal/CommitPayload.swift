import BanyanCore

/// What a commit's record holds: in memory, or, where that would take much of it, still in the journal's file. The frames
/// that hold it there have been checked against their hashes and the chain.
package struct CommitPayload: Sendable {
    enum Place {
        case memory([UInt8])
        case file(PlacedPayload)
    }

    let place: Place

    init(_ place: Place) { self.place = place }

    package init(_ bytes: [UInt8]) { place = .memory(bytes) }

    /// In bytes.
    package var count: Int {
        switch place {
        case .memory(let bytes): bytes.count
        case .file(let placed): placed.count
        }
    }
}

/// A payload in the frames of an open file, which stays readable when the file loses its name.
struct PlacedPayload {
    /// One frame's share of the payload.
    struct Piece {
        var offset: UInt64
        /// As it stands in the file, and decompressed.
        var storedLength: Int
        var rawLength: Int
        var isCompressed: Bool

        init(_ header: JournalFrame.Header, at offset: UInt64) {
            self.offset = offset + UInt64(JournalFrame.prefixLength)
            storedLength = header.storedLength - JournalFrame.fixedBodyLength
            rawLength = header.rawLength
            isCompressed = header.flags & JournalFrame.Flags.compressed != 0
        }
    }

    let file: any DiskFile
    let path: String
    var pieces: [Piece] = []

    var count: Int { pieces.reduce(0) { $0 + $1.rawLength } }
}

/// Reads a placed payload from front to back.
final class PlacedPayloadReader {
    private let payload: PlacedPayload
    private var rest: ArraySlice<PlacedPayload.Piece>
    private var open: Open?

    private enum Open {
        case plain(FileWindow, left: Int)
        case block(BlockStream)
    }

    /// - Parameter position: the byte of the payload to begin with. O(bytes before it in its frame).
    init(_ payload: PlacedPayload, at position: Int) throws(BanyanError) {
        self.payload = payload
        rest = payload.pieces[...]
        var position = position
        while let piece = rest.first, piece.rawLength <= position {
            position -= piece.rawLength
            rest.removeFirst()
        }
        let scratch = Scratch(capacity: min(position, 64 << 10))
        while position > 0 {
            let part = min(position, scratch.capacity)
            guard try read(into: UnsafeMutableRawBufferPointer(start: scratch.base, count: part)) == part else {
                return
            }
            position -= part
        }
    }

    /// Fills `target` from its start; fewer bytes only at the end of the payload.
    func read(into target: UnsafeMutableRawBufferPointer) throws(BanyanError) -> Int {
        var count = 0
        while count < target.count {
            let part = try readPiece(UnsafeMutableRawBufferPointer(rebasing: target[count...]))
            count += part
            guard part == 0 else { continue }
            guard let piece = rest.popFirst() else { break }
            let window = FileWindow(payload.file, path: payload.path, from: piece.offset, count: piece.storedLength)
            open =
                piece.isCompressed
                ? .block(BlockStream(window, rawLength: piece.rawLength)) : .plain(window, left: piece.rawLength)
        }
        return count
    }

    /// From the piece that is open; 0 at its end.
    private func readPiece(_ target: UnsafeMutableRawBufferPointer) throws(BanyanError) -> Int {
        switch open {
        case nil: return 0
        case .plain(var window, let left):
            let part = min(left, target.count)
            guard part > 0, let base = target.baseAddress else { return 0 }
            open = nil
            try window.copy(part, to: base)
            open = .plain(window, left: left - part)
            return part
        case .block(var block):
            open = nil
            let part = try block.read(into: target)
            open = .block(block)
            return part
        }
    }
}
