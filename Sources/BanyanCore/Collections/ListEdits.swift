/// What one transaction did to its lists, by list.
///
/// Edits come in runs, so the script of the list edited last is kept at hand: another edit of the same list finds it by a
/// comparison, not by a hash.
struct ListEdits {
    private var others: [CollectionRef: EditScript] = [:]
    private var current: CollectionRef?
    private var script = EditScript(oldCount: 0)
    /// By open savepoint, the innermost last: the scripts of the lists edited in it as they were before, nil where there was
    /// none.
    private var savepoints: [[CollectionRef: EditScript?]] = []

    /// Folds an edit into the list's script. O(1) for the list edited last, else O(1) expected.
    ///
    /// - Parameter count: the elements the list has before the edit.
    @inline(__always)
    mutating func edit(_ list: CollectionRef, count: Int, _ change: (inout EditScript) -> Void) {
        if current != list { take(list, count) }
        change(&script)
    }

    private mutating func take(_ list: CollectionRef, _ count: Int) {
        putBack()
        keepForSavepoint(list)
        current = list
        script = others.removeValue(forKey: list) ?? EditScript(oldCount: count)
    }

    private mutating func putBack() {
        if let current { others[current] = script }
        current = nil
    }

    /// Forgets a list that is gone.
    mutating func forget(_ list: CollectionRef) {
        // A list that is at hand in a savepoint is kept for it already.
        if current != list { keepForSavepoint(list) }
        if current == list {
            current = nil
        } else if !others.isEmpty {
            others[list] = nil
        }
    }

    // MARK: - Savepoints

    mutating func beginSavepoint() {
        putBack()
        savepoints.append([:])
    }

    private mutating func keepForSavepoint(_ list: CollectionRef) {
        guard let last = savepoints.indices.last, savepoints[last].index(forKey: list) == nil else { return }
        savepoints[last].updateValue(others[list], forKey: list)
    }

    /// O(lists edited in the savepoint).
    mutating func endSavepoint() {
        putBack()
        guard let ended = savepoints.popLast(), let last = savepoints.indices.last else { return }
        savepoints[last].merge(ended) { outer, _ in outer }
    }

    /// O(lists edited in the savepoint).
    mutating func rollbackSavepoint() {
        putBack()
        for (list, script) in savepoints.popLast() ?? [:] { others[list] = script }
    }

    /// The scripts of all lists that were edited. O(lists).
    var all: [CollectionRef: EditScript] {
        guard let current else { return others }
        var all = others
        all[current] = script
        return all
    }
}
