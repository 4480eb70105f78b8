public import BanyanCore
#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What one write did: the version it started from and the one it made.
///
/// It can be taken back with `Graph.undo`. Holding one costs what was replaced since, as holding any version does.
public struct Commit: Sendable {
    let changes: ChangeSet

    /// The number of the commit; the one it started from if nothing was changed.
    public var sequence: UInt64 { changes.after.sequence }

    /// When it was made.
    public var time: Date { Date(timeIntervalSince1970: Double(changes.after.time) / 1_000_000_000) }

    /// Whether nothing was changed.
    public var isEmpty: Bool { changes.isEmpty }
}

extension Graph {
    /// Runs `body` in a transaction, as `write` does, and returns what it did.
    ///
    /// ```swift
    /// let commit = try graph.commit { graph.delete(ada) }
    /// try graph.write { try graph.undo(commit) }
    /// ```
    /// - Throws: as `write`.
    @discardableResult
    public func commit(
        _ metadata: CommitMetadata = CommitMetadata(), _ body: (Graph) throws -> Void
    ) throws -> Commit {
        try beginWrite()
        let before = workspace.version
        do {
            try body(self)
        } catch {
            abandonWrite()
            throw error
        }
        let hasChanges = workspace.transaction?.hasChanges ?? false
        try endWrite(metadata)
        // Whatever came after it has been told of by now, and may be what the graph shows.
        let changes = hasChanges ? before.changeSets(to: workspace.version).first : nil
        return Commit(changes: changes ?? before.changeSet)
    }

    /// Takes back what a commit did, inside a write: objects it created go, objects it deleted come back under new ids, and the
    /// properties it changed get their old values. What was changed elsewhere since stays.
    ///
    /// - Throws: `conflict`, naming object and property, when what the commit left has been changed, deleted or linked to since:
    ///   then nothing is undone, and the write may go on. `notInWrite`; `foreignObject` for a commit of another store.
    /// - Complexity: O(objects the commit touched + elements of the collections it changed).
    public func undo(_ commit: Commit) throws(BanyanError) {
        try requireWrite()
        guard let transaction = workspace.transaction else { return }
        try transaction.undo(commit.changes)
    }
}
