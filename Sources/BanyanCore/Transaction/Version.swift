import Synchronization

/// The memory and the layout that a chain of versions shares: a store's, or a fork's.
package final class Lineage: @unchecked Sendable {
    // Sound: all is immutable but `minimumGeneration` and `spareMemory`, which only the holder of the write gate touches.
    package let layout: StoreLayout
    package let arena: Arena
    /// Nodes born before this serial belong to `base`.
    package let floor: UInt64
    /// No new object gets a lower generation: ids that a rolled-back transaction gave out are never given out again.
    var minimumGeneration: UInt32 = 0
    /// What the last transaction used, for the next one.
    private var spareMemory: TransactionMemory?
    /// For a fork: the version it was made from, held as long as any version of the fork is.
    private let base: Version?

    package init(layout: StoreLayout, base: Version? = nil) {
        self.layout = layout
        self.base = base
        arena = Arena()
        floor = base == nil ? 0 : TransactionMemory.nextSerial()
    }

    /// The memory for a transaction that starts now.
    func takeMemory() -> TransactionMemory {
        guard let memory = spareMemory else { return TransactionMemory(arena: arena, floor: floor) }
        spareMemory = nil
        memory.restart()
        return memory
    }

    func keep(_ memory: TransactionMemory) { spareMemory = memory }
}

/// An immutable value of the whole graph.
///
/// It shares all that did not change with the version before. Holding one costs the nodes replaced since and blocks nobody.
/// Each version holds its successor, so when a version is released nothing older is alive, and what its successor replaced
/// can be used again.
package final class Version: Sendable {
    /// The number of the commit that made it; 0 is the empty graph.
    package let sequence: UInt64
    /// When it was committed: nanoseconds since 1970.
    package let time: Int64
    package let lineage: Lineage
    package let view: GraphView

    fileprivate struct Next {
        var successor: Version?
        /// What the successor no longer uses of this version, then the pages that lead to it.
        var record: WordList?
        var listEdits: [CollectionRef: EditScript] = [:]
    }
    fileprivate let next = Mutex(Next())

    package init(sequence: UInt64, time: Int64, lineage: Lineage, root: UnsafeRawPointer) {
        self.sequence = sequence
        self.time = time
        self.lineage = lineage
        view = GraphView(root: root, layout: lineage.layout)
    }

    /// Called once, when the next version is made from this one.
    package func setSuccessor(_ version: Version, record: WordList, listEdits: [CollectionRef: EditScript]) {
        next.withLock { $0 = Next(successor: version, record: record, listEdits: listEdits) }
    }

    /// The change sets that lead from this version to a later one of its lineage, in order. Because a version keeps its
    /// successors alive, whoever holds one can always ask. O(commits between).
    package func changeSets(to later: Version) -> [ChangeSet] {
        var result: [ChangeSet] = []
        var current = self
        while current !== later,
            let (successor, changes) = current.next.withLock({ next -> (Version, FreshPages)? in
                guard let successor = next.successor, let record = next.record else { return nil }
                let pages = (record.count - record.tailCount..<record.count).map { FreshPage(record[$0]) }
                return (successor, FreshPages(pages: pages, listEdits: next.listEdits))
            })
        {
            result.append(ChangeSet(before: current, after: successor, changes))
            current = successor
        }
        return result
    }

    private func takeNext() -> Next {
        next.withLock { exchange(&$0, with: Next()) }
    }

    deinit {
        // A reader may have held this one through a million commits: let the chain go link by link, not recursively.
        var link = takeNext()
        let arena = lineage.arena
        if let record = link.record { arena.giveBack(record) }
        while let successor = link.successor {
            link.successor = nil
            var candidate: Version? = successor
            _ = consume successor
            guard isKnownUniquelyReferenced(&candidate), let last = candidate else { break }
            link = last.takeNext()
            if let record = link.record { arena.giveBack(record) }
        }
    }
}
