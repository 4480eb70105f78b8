// Unique properties. A transaction may give two objects the same value for a while, so that values can be swapped: what counts
// is how it ends, and how each of its savepoints does.

extension Transaction {
    /// What violates a unique index, as the error to fail with; nil if nothing does. Asked at the end of a transaction, and of
    /// each commit that is replayed.
    ///
    /// Of the objects that share a value the last one to get it found the others there and was noted; so only those are looked
    /// at. O(values that were shared at some time, times O(log n)).
    ///
    /// - Parameter first: only what was noted from there on is looked at.
    package func takeUniqueViolation(since first: Int = 0) -> BanyanError? {
        guard doubtful.count > first else { return nil }
        let noted = doubtful[first...]
        doubtful.removeLast(doubtful.count - first)
        for (ref, place) in noted where view.isPresent(ref) {
            let others = view.others(with: ref, inIndex: place, atMost: 3)
            if !others.isEmpty { return view.notUnique(ref, others, place, .constraint) }
        }
        return nil
    }
}

extension GraphView {
    /// The error that names an object and others with the same values in a unique index.
    func notUnique(_ ref: ObjectRef, _ others: [Int], _ place: Int, _ code: BanyanError.Code) -> BanyanError {
        let type = layout.tables[ref.table]
        let columns = type.indexes[place].columns
        let values = columns.map { "\(value(ref, $0))" }.joined(separator: ", ")
        let names = columns.map { type.names[$0] }.joined(separator: ", ")
        let ids = others.map { "\(id(ObjectRef(table: ref.table, slot: $0)))" }.joined(separator: ", ")
        return BanyanError(
            code, "the value \(values) is unique, and object \(ids) has it as well",
            remedy: code == .constraint ? "Use another value, or change the other object in the same write" : nil,
            at: BanyanError.Location(type: type.type.name, object: "\(id(ref))", property: names))
    }
}
