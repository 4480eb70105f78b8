extension EditScript {
    /// The one script that does what `first` and then `second` do. O(runs of both, times a logarithm for what moved).
    ///
    /// What `second` calls old is what `first` calls new: `second.oldCount` is `first.count`.
    package static func compose(_ first: EditScript, _ second: EditScript) -> EditScript {
        precondition(second.oldCount == first.count, "scripts that do not follow each other")
        if second.isEmpty { return first }
        if first.isEmpty { return second }
        let source = first.pieces
        var starts: [Int] = []
        starts.reserveCapacity(source.count)
        var sum = 0
        for piece in source {
            starts.append(sum)
            sum += piece.count
        }

        var result: [Piece] = []
        for piece in second.pieces {
            guard piece.kind != .inserted else {
                result.append(joining: piece)
                continue
            }
            forEachPiece(source, starts, piece.old..<(piece.old + piece.count)) { part in
                switch piece.kind {
                case .kept, .inserted: result.append(joining: part)
                case .set: result.append(joining: part.assigned)
                case .moved: result.append(joining: part.relocated)
                }
            }
        }
        return EditScript(oldCount: first.oldCount, runs: settlingEdges(result, oldCount: first.oldCount))
    }

    /// The parts of `pieces` that make up a range of new indices.
    private static func forEachPiece(
        _ pieces: [Piece], _ starts: [Int], _ range: Range<Int>, _ body: (Piece) -> Void
    ) {
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= range.lowerBound { low = middle + 1 } else { high = middle }
        }
        var index = low - 1
        while index < pieces.count, starts[index] < range.upperBound {
            var part = pieces[index]
            let end = min(starts[index] + part.count, range.upperBound)
            part = part.divided(at: end - starts[index]).0
            if range.lowerBound > starts[index] { part = part.divided(at: range.lowerBound - starts[index]).1 }
            body(part)
            index += 1
        }
    }

    private static func settlingEdges(_ pieces: [Piece], oldCount: Int) -> [Piece] {
        var pieces = pieces
        if let first = pieces.first, first.kind == .moved, first.old == 0 { pieces[0].kind = .kept }
        if let last = pieces.last, last.kind == .moved, last.old + last.count == oldCount {
            pieces[pieces.count - 1].kind = .kept
        }
        var result: [Piece] = []
        for piece in pieces { result.append(joining: piece) }
        return result
    }
}

extension EditScript.Piece {
    /// The run after it was taken elsewhere.
    var relocated: EditScript.Piece {
        switch kind {
        case .kept: EditScript.Piece(kind: .moved, old: old, count: count)
        case .set: EditScript.Piece(kind: .inserted, old: 0, count: count)
        case .moved, .inserted: self
        }
    }
}
