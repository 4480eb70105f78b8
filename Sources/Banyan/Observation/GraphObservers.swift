import BanyanCore

/// Whoever wants to know what changes in one graph, and the one place that tells them.
///
/// Each is told of the way from the version it was told last to the version the graph stands at, however many commits that
/// is: a slow consumer gets one merged change, and what it is told of is what it finds in the graph. A callback may write;
/// what it did is told when it is done.
final class GraphObservers {
    private struct Entry {
        let observer: any GraphObserver
        var told: Version
    }
    private var entries: [Int: Entry] = [:]
    private var order: [Int] = []
    private var lastID = 0
    private var isTelling = false

    var isEmpty: Bool { entries.isEmpty }

    func add(_ observer: any GraphObserver, _ graph: Graph) -> Int {
        lastID += 1
        entries[lastID] = Entry(observer: observer, told: graph.workspace.version)
        order.append(lastID)
        return lastID
    }

    func remove(_ id: Int) {
        guard entries.removeValue(forKey: id) != nil else { return }
        order.removeAll { $0 == id }
    }

    /// Tells everybody how the graph came to where it stands.
    func deliver(_ graph: Graph) {
        guard !isTelling else { return }
        isTelling = true
        defer { isTelling = false }
        var change: GraphChange?
        var isDone = false
        while !isDone, graph.workspace.transaction == nil {
            isDone = true
            for id in order {
                // One before it may have removed it, or have written.
                let after = graph.workspace.version
                guard let entry = entries[id], entry.told !== after else { continue }
                isDone = false
                entries[id]?.told = after
                let way =
                    change.flatMap { $0.before === entry.told && $0.after === after ? $0 : nil }
                    ?? GraphChange(before: entry.told, after: after, changeSets: entry.told.changeSets(to: after))
                change = way
                if !entry.observer.tell(graph, way) { remove(id) }
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
    private weak var context: GraphContext?
    private let id: Int

    init(_ graph: Graph, _ id: Int) {
        context = graph.context
        self.id = id
    }

    deinit { invalidate() }

    /// Ends the observation. Call it on the graph's isolation, where the token lives.
    public func invalidate() { context?.observers.remove(id) }
}
