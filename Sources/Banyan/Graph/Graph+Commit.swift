public import BanyanCore
#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Commit {
    /// When it was made.
    public var time: Date { Date(timeIntervalSince1970: Double(timestamp) / 1_000_000_000) }
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
        // The body may have ended the write itself.
        return try endWrite(metadata) ?? Commit(withoutChangesAt: before)
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
        try transaction.undo(commit)
    }
}
