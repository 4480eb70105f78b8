/// What one transaction did to its lists, by list.
///
/// Edits come in runs, so the script of the list edited last is kept at hand: another edit of the same list finds it by a
/// comparison, not by a hash.
struct ListEdits {
    private var others: [CollectionRef: EditScript] = [:]
    private var current: CollectionRef?
    private var script = EditScript(oldCount: 0)

    /// Folds an edit into the list's script. O(1) for the list edited last, else O(1) expected.
    ///
    /// - Parameter count: the elements the list has before the edit.
    @inline(__always)
    mutating func edit(_ list: CollectionRef, count: Int, _ change: (inout EditScript) -> Void) {
        if current != list { take(list, count) }
        change(&script)
    }

    private mutating func take(_ list: CollectionRef, _ count: Int) {
        if let current { others[current] = script }
        current = list
        script = others.removeValue(forKey: list) ?? EditScript(oldCount: count)
    }

    /// Forgets a list that is gone.
    mutating func forget(_ list: CollectionRef) {
        if current == list {
            current = nil
        } else if !others.isEmpty {
            others[list] = nil
        }
    }

    /// The scripts of all lists that were edited. O(lists).
    var all: [CollectionRef: EditScript] {
        guard let current else { return others }
        var all = others
        all[current] = script
        return all
    }
}
