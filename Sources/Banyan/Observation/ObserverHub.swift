import Synchronization

/// The graphs that have observers, to be moved to each newly published version, on their own isolation.
final class ObserverHub: Sendable {
    private struct Entry {
        var graph: GraphReference
        // Weak, for an actor owns its graph, and the graph the store this belongs to.
        weak var isolation: (any Actor)?
        /// A move is on its way; it will find the newest version whatever is published meanwhile.
        var isScheduled = false
    }
    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])
    /// False as long as nobody ever observed anything: then a commit need not look. A graph that is added sets it before it
    /// asks for the newest version, and a writer asks after publishing, both through the store's lock: one sees the other.
    private let isUsed = Atomic<Bool>(false)

    /// From now on `graph` follows the store; it may be behind already.
    func add(_ graph: Graph, _ isolation: any Actor, at core: StoreCore) {
        let key = ObjectIdentifier(graph.context)
        isUsed.store(true, ordering: .releasing)
        entries.withLock { entries in
            if entries[key] == nil { entries[key] = Entry(graph: GraphReference(graph.context), isolation: isolation) }
        }
        if core.newest.sequence > graph.sequence { schedule([key]) }
    }

    func remove(_ context: GraphContext) {
        entries.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(context)) }
    }

    func published() {
        if isUsed.load(ordering: .acquiring) { schedule(nil) }
    }

    /// Has these graphs moved, or all.
    private func schedule(_ keys: [ObjectIdentifier]?) {
        let due = entries.withLock { entries in
            guard !entries.isEmpty else { return [(ObjectIdentifier, GraphReference, any Actor)]() }
            return (keys ?? Array(entries.keys)).compactMap { key in
                guard let entry = entries[key], !entry.isScheduled, let isolation = entry.isolation else { return nil }
                entries[key]?.isScheduled = true
                return (key, entry.graph, isolation)
            }
        }
        for (key, graph, isolation) in due {
            Task { await self.move(key, graph, on: isolation) }
        }
    }

    private func move(_ key: ObjectIdentifier, _ graph: GraphReference, on isolation: isolated any Actor) {
        entries.withLock { $0[key]?.isScheduled = false }
        // A graph nobody observes any more stands still, as it would without observers.
        if !graph.follow() { entries.withLock { _ = $0.removeValue(forKey: key) } }
    }
}

/// A graph on its way to the isolation it belongs to.
private struct GraphReference: @unchecked Sendable {
    // Sound: the graph is touched by `follow` only, which the hub calls on the graph's own isolation.
    private weak var context: GraphContext?
    init(_ context: GraphContext) { self.context = context }

    /// Moves to the newest version; false when there is nobody to tell.
    func follow() -> Bool {
        guard let context, context.isObserved else { return false }
        context.graph.refresh()
        return true
    }
}
