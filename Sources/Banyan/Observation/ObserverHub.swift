import Synchronization

/// The graphs that have observers, to be moved to each newly published version, on their own isolation.
final class ObserverHub: Sendable {
    private struct Entry {
        var graph: GraphReference
        var isolation: any Actor
        /// A move is on its way; it will find the newest version whatever is published meanwhile.
        var isScheduled = false
    }
    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    func add(_ graph: Graph, isolation: any Actor) {
        entries.withLock { $0[ObjectIdentifier(graph)] = Entry(graph: GraphReference(graph), isolation: isolation) }
    }

    func remove(_ graph: Graph) {
        entries.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(graph)) }
    }

    func published() {
        let due = entries.withLock { entries in
            guard !entries.isEmpty else { return [(ObjectIdentifier, GraphReference, any Actor)]() }
            return entries.keys.compactMap { key in
                guard let entry = entries[key], !entry.isScheduled else { return nil }
                entries[key]?.isScheduled = true
                return (key, entry.graph, entry.isolation)
            }
        }
        for (key, graph, isolation) in due {
            Task { await self.move(key, graph, on: isolation) }
        }
    }

    private func move(_ key: ObjectIdentifier, _ graph: GraphReference, on isolation: isolated any Actor) {
        entries.withLock { $0[key]?.isScheduled = false }
        graph.refresh()
    }
}

/// A graph on its way to the isolation it belongs to.
private struct GraphReference: @unchecked Sendable {
    // Sound: the graph is touched by `refresh` only, which the hub calls on the graph's own isolation.
    private weak var graph: Graph?
    init(_ graph: Graph) { self.graph = graph }
    func refresh() { graph?.refresh() }
}
