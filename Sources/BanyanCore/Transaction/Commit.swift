/// What one transaction did: the version it started from, the version it made, and what its caller said about it.
///
/// A commit is made once, where its transaction ends, and the same value goes to all who have a use for it: the journal,
/// the graphs of the store, their observers, and `Graph.undo`. Holding one costs what has been replaced since the version it
/// started from, as holding any version does.
public struct Commit: Sendable {
    package let before: Version
    package let after: Version
    package let metadata: CommitMetadata

    init(before: Version, after: Version, metadata: CommitMetadata) {
        self.before = before
        self.after = after
        self.metadata = metadata
    }

    /// The commit of a transaction that changed nothing: it leads from a version to itself.
    package init(withoutChangesAt version: Version) {
        self.init(before: version, after: version, metadata: CommitMetadata())
    }

    /// The number of the commit; the one it started from if nothing was changed.
    public var sequence: UInt64 { after.sequence }

    /// When it was made: nanoseconds since 1970.
    package var timestamp: Int64 { after.time }

    /// What is different. O(pages written) for whoever asks first; the version before keeps the answer for all others.
    package var changes: ChangeSet { before.changes(to: after) }

    /// Whether nothing was changed.
    ///
    /// - Complexity: O(pages written) the first time, then O(1).
    public var isEmpty: Bool { before === after || changes.isEmpty }
}
