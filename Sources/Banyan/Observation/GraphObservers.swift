import BanyanCore

/// Whoever wants to know what changes in one graph, and the one place that tells them.
///
/// Each is told of the way from the version it was told last to the version the graph stands at, however many commits that
/// is: a slow consumer gets one merged change, and what it is told of is what it finds in the graph. A callback may write;
/// what it did is told when it is done.
///
/// Observers that watch the same tables form a group: a commit that touches none of them passes the whole group by at once,
/// however many are in it.
final class GraphObservers {
    private final class Entry {
        let id: Int
        let observer: any GraphObserver
        unowned let group: Group
        /// The version it was told last, where that is not its group's.
        var told: Version?
        var isOver = false

        init(_ id: Int, _ observer: any GraphObserver, _ group: Group) {
            self.id = id
            self.observer = observer
            self.group = group
        }
    }

    private final class Group {
        let tables: Set<Int>
        var told: Version
        var entries: [Entry] = []
        /// How many of them were told another version last.
        var stragglers = 0
        /// How many of them are over.
        var over = 0

        init(_ tables: Set<Int>, _ told: Version) {
            self.tables = tables
            self.told = told
        }

        func setTold(_ entry: Entry, _ version: Version) {
            let told = version === self.told ? nil : version
            stragglers += (told == nil ? 0 : 1) - (entry.told == nil ? 0 : 1)
            entry.told = told
        }
    }

    private var entries: [Int: Entry] = [:]
    private var groups: [Set<Int>: Group] = [:]
    private var lastID = 0
    private var isTelling = false

    var isEmpty: Bool { entries.isEmpty }

    func add(_ observer: any GraphObserver, _ graph: Graph) -> Int {
        lastID += 1
        let version = graph.workspace.version
        let group = groups[observer.tables] ?? Group(observer.tables, version)
        groups[observer.tables] = group
        let entry = Entry(lastID, observer, group)
        group.entries.append(entry)
        group.setTold(entry, version)
        entries[lastID] = entry
        return lastID
    }

    func remove(_ id: Int) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        let group = entry.group
        group.setTold(entry, group.told)
        entry.isOver = true
        group.over += 1
        // Not each time: thousands may go one after the other.
        if group.over * 2 > group.entries.count {
            group.entries.removeAll(where: \.isOver)
            group.over = 0
            if group.entries.isEmpty { groups[group.tables] = nil }
        }
    }

    /// Tells everybody how the graph came to where it stands.
    func deliver(_ graph: Graph) {
        guard !isTelling, !entries.isEmpty else { return }
        isTelling = true
        defer { isTelling = false }
        var way: GraphChange?
        while graph.workspace.transaction == nil {
            let due = due(graph.workspace.version, &way)
            if due.isEmpty { return }
            for entry in due where !entry.isOver && graph.workspace.transaction == nil { tell(entry, graph, &way) }
        }
    }

    /// Who is to be told, in the order they came. O(groups), and what those have that the change may concern.
    private func due(_ after: Version, _ way: inout GraphChange?) -> [Entry] {
        var due: [Entry] = []
        for group in groups.values where group.told !== after || group.stragglers > 0 {
            if group.told !== after {
                let isConcerned = !self.way(group.told, after, &way).tables.isDisjoint(with: group.tables)
                let told = group.told
                if isConcerned {
                    for entry in group.entries where !entry.isOver && entry.told == nil {
                        entry.told = told
                        group.stragglers += 1
                    }
                }
                group.told = after
            }
            guard group.stragglers > 0 else { continue }
            for entry in group.entries where entry.told != nil {
                if entry.told === after { group.setTold(entry, after) } else { due.append(entry) }
            }
        }
        due.sort { $0.id < $1.id }
        return due
    }

    private func tell(_ entry: Entry, _ graph: Graph, _ way: inout GraphChange?) {
        // One before it may have written.
        let after = graph.workspace.version
        guard let told = entry.told, told !== after else { return }
        entry.group.setTold(entry, after)
        let change = self.way(told, after, &way)
        guard !change.tables.isDisjoint(with: entry.group.tables) else { return }
        if !entry.observer.tell(graph, change) { remove(entry.id) }
    }

    /// The way between two versions; the last one is kept, for most are asked for many times.
    private func way(_ before: Version, _ after: Version, _ last: inout GraphChange?) -> GraphChange {
        if let last, last.before === before, last.after === after { return last }
        let way = GraphChange(before: before, after: after)
        last = way
        return way
    }
}

protocol GraphObserver {
    /// The tables in which something must have changed for there to be anything to tell.
    var tables: Set<Int> { get }
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
