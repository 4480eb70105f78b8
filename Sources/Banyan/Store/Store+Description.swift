import BanyanCore
import BanyanPersistence

// What `print` shows of stores, graphs and results: what there is and how much, never all of it.

extension Store: CustomStringConvertible {
    /// Where it is, at which commit, and how many objects of which types it has.
    nonisolated public var description: String {
        let place = core.files.map { "directory: \($0.path.debugDescription)" } ?? "in memory"
        return "Store(\(place), \(Graph(frozen: core.newest, core.binding, home: core).contents))"
    }
}

extension Graph: CustomStringConvertible {
    /// At which commit it stands, and how many objects of which types it shows.
    public var description: String { "Graph(\(isFrozen ? "frozen, " : "")\(contents))" }

    /// O(types).
    fileprivate var contents: String {
        let limit = 20
        let types = binding.binders.filter { !$0.layout.type.isInternal }
        var parts = ["commit: \(sequence)"]
        parts += types.prefix(limit).map { "\($0.layout.type.name): \(workspace.view.count($0.table))" }
        if types.count > limit { parts.append("… \(types.count - limit) more types") }
        return parts.joined(separator: ", ")
    }
}

extension Results: CustomStringConvertible {
    /// The type, how many objects there are, and the first of them: as many as fit on a page, at most ten.
    ///
    /// - Complexity: as `count`.
    public var description: String { "Results<\(Element._$model.name)> of \(count): \(describe(self, count: count))" }
}
