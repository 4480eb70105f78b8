extension EditScript: Equatable {
    /// The same lengths and the same runs, whatever edits led there. O(runs).
    package static func == (a: EditScript, b: EditScript) -> Bool {
        a.oldCount == b.oldCount && a.count == b.count && a.pieces == b.pieces
    }
}

extension EditScript {
    /// Calls `body` with the runs that make up the list as it is now, in order; no two neighbours could be one. O(runs).
    package func forEachRun(_ body: (Run) -> Void) {
        for piece in pieces { body(Run(piece)) }
    }

    /// The runs that make up the list as it is now, in order. O(runs).
    package var runs: [Run] { pieces.map(Run.init) }

    /// Old indices of what is gone, ascending; what moved is gone from its old index. O(runs).
    package var deletions: [Range<Int>] {
        var result: [Range<Int>] = []
        var old = 0
        for piece in pieces where piece.kind == .kept || piece.kind == .set {
            if piece.old > old { result.append(old..<piece.old) }
            old = piece.old + piece.count
        }
        if old < oldCount { result.append(old..<oldCount) }
        return result
    }

    /// New indices of what came, ascending; what moved came at its new index. O(runs).
    package var insertions: [Range<Int>] {
        var result: [Range<Int>] = []
        var index = 0
        for piece in pieces {
            let end = index + piece.count
            if piece.kind == .inserted || piece.kind == .moved {
                if let last = result.last, last.upperBound == index {
                    result[result.count - 1] = last.lowerBound..<end
                } else {
                    result.append(index..<end)
                }
            }
            index = end
        }
        return result
    }

    /// The same elements by old and by new indices.
    package struct Pairing: Hashable, Sendable {
        package let old: Range<Int>
        package let new: Range<Int>

        package init(old: Range<Int>, new: Range<Int>) {
            self.old = old
            self.new = new
        }
    }

    /// What was assigned to in its place, ascending by old and by new indices. O(runs).
    package var modifications: [Pairing] { pairings(of: .set) }

    /// What moved, ascending by new indices. O(runs).
    package var moves: [Pairing] { pairings(of: .moved) }

    private func pairings(of kind: Kind) -> [Pairing] {
        var result: [Pairing] = []
        var index = 0
        for piece in pieces {
            if piece.kind == kind {
                result.append(
                    Pairing(old: piece.old..<(piece.old + piece.count), new: index..<(index + piece.count)))
            }
            index += piece.count
        }
        return result
    }
}

extension EditScript.Run {
    init(_ piece: EditScript.Piece) {
        switch piece.kind {
        case .kept: self = .kept(oldStart: piece.old, count: piece.count)
        case .set: self = .set(oldStart: piece.old, count: piece.count)
        case .moved: self = .moved(oldStart: piece.old, count: piece.count)
        case .inserted: self = .inserted(count: piece.count)
        }
    }
}
