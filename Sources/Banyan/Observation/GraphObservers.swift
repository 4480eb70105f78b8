import BanyanCore

/// Whoever wants to know what changes in one graph, and the one place that tells them.
///
/// Everybody is told of the way from the version told last to the version the graph stands at, however many commits that is:
/// a slow consumer gets one merged change. A callback may write; what it did is told when it is done.
final class GraphObservers {
    private var observers: [Int: any GraphObserver] = [:]
    private var order: [Int] = []
    private var nextID = 0
    private var told: Version?
    private var isTelling = false

    var isEmpty: Bool { observers.isEmpty }

    func add(_ observer: any GraphObserver, _ graph: Graph) -> Int {
        if told == nil { told = graph.workspace.version }
        nextID += 1
        observers[nextID] = observer
        order.append(nextID)
        return nextID
    }

    func remove(_ id: Int) {
        observers[id] = nil
        order.removeAll { $0 == id }
        if observers.isEmpty { told = nil }
    }

    /// Tells everybody how the graph came to where it stands.
    func deliver(_ graph: Graph) {
        guard !isTelling else { return }
        isTelling = true
        defer { isTelling = false }
        while let before = told, before !== graph.workspace.version, graph.workspace.transaction == nil {
            let after = graph.workspace.version
            told = after
            let change = GraphChange(before: before, after: after, changeSets: before.changeSets(to: after))
            for id in order {
                // An observer may have been removed by one before it.
                if let observer = observers[id], !observer.tell(graph, change) { remove(id) }
            }
        }
    }
}

/// The way from one version to a later one.
struct GraphChange {
    let before: Version
    let after: Version
    let changeSets: [ChangeSet]

    /// Every object of a table that some commit on the way touched.
    func touched(_ table: Int) -> Set<ObjectID> {
        var result: Set<ObjectID> = []
        for set in changeSets {
            for changes in set.tables where changes.table == table {
                set.forEachObject(of: changes) { result.insert($0.id) }
            }
        }
        return result
    }

    func touches(_ table: Int) -> Bool {
        changeSets.contains { set in set.tables.contains { $0.table == table } }
    }
}

protocol GraphObserver {
    /// Returns false when there will be nothing to tell any more.
    func tell(_ graph: Graph, _ change: GraphChange) -> Bool
}

/// Ends an observation when it is dropped or invalidated.
public final class NotificationToken {
    private weak var graph: Graph?
    private let id: Int

    init(_ graph: Graph, _ id: Int) {
        self.graph = graph
        self.id = id
    }

    deinit { invalidate() }

    /// Ends the observation. Call it on the graph's isolation, where the token lives.
    public func invalidate() { graph?.observers.remove(id) }
}
