import BanyanCore

/// Takes an object, a collection, results or a graph from one isolation domain to another.
///
/// Live and frozen objects stay with the actor or the task that has them; a reference to one is `Sendable`:
/// ```swift
/// let reference = ThreadSafeReference(to: person)
/// await kennel.visit(reference)
///
/// // there, inside the actor:
/// guard let person = graph.resolve(reference) else { return }     // deleted meanwhile
/// ```
/// It may be resolved any number of times, or never. While it exists it keeps the version it was made at. Of what is unmanaged
/// a reference resolves to nil. An ``ObjectID`` does the same for objects where the version does not matter.
public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
    let handOver: _HandOver?

    /// A reference to something managed. O(1).
    public init(to confined: Confined) { handOver = confined._$handOver }

    /// What it refers to, as it was when the reference was made, for good: for the isolation that asks. This is how frozen
    /// versions are handed over. Nil for what was not there in that version.
    public func frozen() -> Confined? {
        guard let handOver else { return nil }
        let graph = Graph(frozen: handOver.version, handOver.binding, home: handOver.home)
        return Confined._$resolve(handOver, in: graph)
    }
}

extension Graph {
    /// What a reference leads to in this graph. The graph moves on where it is older than the reference, unless it is in a
    /// write.
    ///
    /// Nil when it was deleted, when the reference is of another store, or of something unmanaged. O(1).
    public func resolve<Confined: ThreadConfined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
        guard let handOver = reference.handOver, handOver.version.lineage === lineage else { return nil }
        if sequence < handOver.version.sequence { refresh() }
        return Confined._$resolve(handOver, in: self)
    }
}
