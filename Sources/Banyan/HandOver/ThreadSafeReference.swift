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
/// It may be resolved any number of times, or never. While it exists it keeps the version it was made at. An ``ObjectID`` does the same for objects where the version does not matter.
public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
    let handOver: _HandOver

    /// A reference to something managed. O(1).
    ///
    /// To what is unmanaged there is no reference, for no other isolation could find it: that traps, as it does in Realm. See
    /// `detached()` for values that go anywhere.
    public init(to confined: Confined) {
        guard let handOver = confined._$handOver else {
            fatalError(
                "a reference to an unmanaged \(type(of: confined)) was made: add it to a graph first, or pass a `detached()` value"
            )
        }
        self.handOver = handOver
    }

    /// What it refers to, as it was when the reference was made, for good: for the isolation that asks. This is how frozen
    /// versions are handed over. Nil for what was not there in that version.
    public func frozen() -> Confined? {
        let graph = Graph(frozen: handOver.version, handOver.binding, home: handOver.home)
        return Confined._$resolve(handOver, in: graph)
    }
}

extension Graph {
    /// What a reference leads to in this graph. The graph moves on where it is older than the reference, unless it is in a
    /// write.
    ///
    /// Nil when it was deleted, or when the reference is of another store. O(1).
    public func resolve<Confined: ThreadConfined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
        let handOver = reference.handOver
        guard handOver.version.lineage === lineage else { return nil }
        if sequence < handOver.version.sequence { refresh() }
        return Confined._$resolve(handOver, in: self)
    }
}
