import Banyan

/// Positions as a collection tells of them.
struct ToldPositions: Equatable {
    var deletions: [Int] = []
    var insertions: [Int] = []
    var modifications: [Int] = []

    /// What the collection is, and what was done to it.
    enum Kind {
        /// The objects of a query: those that differ may move, the others stay.
        case results
        /// With what each operation on it did; nil for one that is not known so exactly.
        case list([ToldPositions?])
        /// Every value once.
        case set
    }

    /// Takes the way from `old` to `new`, which has to be told exactly: nothing less, and nothing that did not happen.
    func follow<T: Hashable>(from old: [T], to new: [T], _ what: String, _ kind: Kind, _ life: VillageLife) throws {
        let changes = life.changes
        let (gone, come, modified) = (Set(deletions), Set(insertions), Set(modifications))
        let text = "-\(deletions) +\(insertions) ~\(modifications), from \(old) to \(new)"
        func require(_ condition: Bool, _ message: String) throws {
            try life.require(condition, "\(what): \(message): \(text)")
        }
        guard changes.isCommit else { return try require(self == ToldPositions(), "told of what was taken back") }
        try require(
            deletions == gone.sorted() && insertions == come.sorted() && modifications == modified.sorted()
                && gone.isDisjoint(with: modified), "positions out of order or told twice")
        try require(
            gone.union(modified).allSatisfy(old.indices.contains) && come.allSatisfy(new.indices.contains),
            "positions out of bounds")
        let pairs = Array(
            zip(old.indices.filter { !gone.contains($0) }, new.indices.filter { !come.contains($0) }))
        try require(
            old.count - gone.count == new.count - come.count && pairs.count == old.count - gone.count,
            "so much does not come out")

        func isModified(_ element: T) -> Bool { (element as? ObjectID).map(changes.modified.contains) ?? false }
        func mayBeModified(_ element: T) -> Bool { (element as? ObjectID).map(changes.mayBeModified.contains) ?? false }
        var wasSet: Set<Int> = []
        if case .list(let edits) = kind {
            // An element that is set, and set back, is told of. With one operation it is known which that is.
            if edits.count > 1 || edits.contains(nil) { wasSet = Set(old.indices) }
            if edits.count == 1, let edit = edits[0] { wasSet = Set(edit.modifications) }
        }
        for (i, j) in pairs {
            let isTold = modified.contains(i)
            try require(old[i] == new[j] || isTold, "\(i) became \(j)")
            try require(!isModified(new[j]) || isTold, "\(i) was modified")
            try require(
                !isTold || old[i] != new[j] || mayBeModified(new[j]) || wasSet.contains(i), "\(i) was not modified")
        }
        switch kind {
        case .set:
            let (before, after) = (Set(old), Set(new))
            try require(
                gone == Set(old.indices.filter { !after.contains(old[$0]) })
                    && come == Set(new.indices.filter { !before.contains(new[$0]) }), "not the values that differ")
        case .results: try requireFewMoves(old, new, pairs, changes, require)
        case .list(let edits):
            let isIntact = old.allSatisfy { element in
                (element as? ObjectID).map { life.after?.nodes[$0] != nil } ?? true
            }
            guard isIntact, edits.count < 2, !edits.contains(nil) else { return }
            let edit = (edits.first ?? nil) ?? ToldPositions()
            try require(deletions == edit.deletions && insertions == edit.insertions, "not the operation \(edit)")
        }
    }

    /// Of results, what left and came is told, and what moved: only what differs, and nothing that could have stayed.
    private func requireFewMoves<T: Hashable>(
        _ old: [T], _ new: [T], _ staying: [(Int, Int)], _ changes: VillageChanges,
        _ require: (Bool, String) throws -> Void
    ) throws {
        let places = Dictionary(new.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        for i in deletions {
            guard let j = places[old[i]] else { continue }
            let mayMove = (old[i] as? ObjectID).map(changes.mayHaveChanged.contains) ?? false
            try require(mayMove, "\(i) moved to \(j), and does not differ")
            try require(staying.contains { ($0.0 < i) != ($0.1 < j) }, "\(i) could have stayed")
        }
        let known = Set(old)
        for j in insertions where known.contains(new[j]) {
            try require(deletions.contains { old[$0] == new[j] }, "\(j) was inserted, and is still there")
        }
    }
}
