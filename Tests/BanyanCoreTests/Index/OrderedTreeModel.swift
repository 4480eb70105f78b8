import BanyanCore
import Testing

/// A tree beside the sorted array that says what must be in it.
///
/// Slots have values; a key is what is left of a value without its lowest bits, so that keys alone do not always decide.
struct OrderedTreeModel<Key: FixedWidthInteger & UnsignedInteger & BitwiseCopyable & Sendable> {
    struct Entry: Hashable, Comparable {
        var value: UInt64
        var slot: UInt32

        static func < (a: Entry, b: Entry) -> Bool { (a.value, a.slot) < (b.value, b.slot) }
    }

    let tree = OrderedTree<Key>()
    let lineage = Lineage()
    /// Bits of a value that its key does not have.
    let hidden: UInt64
    /// Values come from this range; few of them make many equal ones.
    let values: Range<UInt64>
    var expected: [Entry] = []
    /// What each version that is still held must contain.
    var history: [[Entry]] = [[]]

    init(hidden: UInt64, values: Range<UInt64>) {
        self.hidden = hidden
        self.values = values
    }

    func key(_ value: UInt64) -> Key { Key(value >> hidden) << Key(Key.bitWidth - 64) }

    /// The tree asks about slots that are in it, whose values are here.
    private func value(of slot: UInt32, in entries: [UInt32: UInt64]) -> UInt64 {
        guard let value = entries[slot] else {
            preconditionFailure("the tree asks about slot \(slot), which is not in it")
        }
        return value
    }

    /// One random operation on both.
    mutating func step(
        _ random: inout SplitMix, _ root: inout UnsafeRawPointer?, _ memory: TransactionMemory,
        _ known: inout [UInt32: UInt64], growing: Bool
    ) {
        if Int.random(in: 0..<100, using: &random) < (growing ? 70 : 30) {
            var entry = Entry(
                value: UInt64.random(in: values, using: &random), slot: UInt32.random(in: 0..<100_000, using: &random))
            // Ascending runs, as times and counters make them.
            if Int.random(in: 0..<3, using: &random) == 0, let last = expected.last { entry.value = last.value }
            guard known[entry.slot] == nil else { return }
            tree.insert(&root, key(entry.value), slot: entry.slot, in: memory) { slot in
                Entry(value: value(of: slot, in: known), slot: slot) < entry
            }
            known[entry.slot] = entry.value
            expected.insert(entry, at: expected.firstIndex { entry < $0 } ?? expected.count)
        } else if let entry = expected.randomElement(using: &random) {
            tree.remove(&root, key(entry.value), slot: entry.slot, in: memory) { slot in
                Entry(value: value(of: slot, in: known), slot: slot) < entry
            }
            known[entry.slot] = nil
            expected.remove(at: expected.firstIndex(of: entry)!)
        }
    }

    /// One transaction of random operations; one that does not commit is rolled back.
    mutating func transaction(_ random: inout SplitMix, steps: Int, growing: Bool, commits: Bool) {
        var model = self
        var known = Dictionary(uniqueKeysWithValues: expected.map { ($0.slot, $0.value) })
        func run(_ root: inout UnsafeRawPointer?, _ memory: TransactionMemory) {
            for _ in 0..<steps { model.step(&random, &root, memory, &known, growing: growing) }
        }
        guard commits else { return lineage.rollBack(run) }
        lineage.commit(run)
        self = model
        history.append(expected)
    }

    mutating func keep(_ count: Int) {
        lineage.keep(count)
        history.removeFirst(history.count - lineage.versions.count)
    }

    func slots(_ root: UnsafeRawPointer?, _ range: Range<Int>, backwards: Bool = false) -> [UInt32] {
        var slots: [UInt32] = []
        let body: (OrderedTree<Key>.Run) -> Bool = { run in
            let found = (0..<run.count).map { run.slots[$0] }
            slots += backwards ? found.reversed() : found
            return true
        }
        if backwards {
            tree.forEachRunBackwards(root, range, body)
        } else {
            tree.forEachRun(root, range, body)
        }
        return slots
    }

    /// Everything that must hold of all versions held.
    func check(_ random: inout SplitMix, _ location: SourceLocation = #_sourceLocation) {
        for (version, entries) in zip(lineage.versions, history) {
            let known = Dictionary(uniqueKeysWithValues: entries.map { ($0.slot, $0.value) })
            let problem = tree._invariantCheck(version.root) { a, b in
                Entry(value: value(of: a, in: known), slot: a) < Entry(value: value(of: b, in: known), slot: b)
            }
            #expect(problem == nil, sourceLocation: location)
            #expect(tree.count(version.root) == entries.count, sourceLocation: location)
            #expect(slots(version.root, 0..<entries.count) == entries.map(\.slot), sourceLocation: location)
            checkRanges(version.root, entries, known, &random, location)
        }
        let reachable = lineage.reachable(tree._forEachNode)
        #expect(lineage.arena.used == reachable, "bytes lost or found", sourceLocation: location)
    }

    private func checkRanges(
        _ root: UnsafeRawPointer?, _ entries: [Entry], _ known: [UInt32: UInt64], _ random: inout SplitMix,
        _ location: SourceLocation
    ) {
        for _ in 0..<10 {
            let wanted = UInt64.random(in: values, using: &random)
            let below = tree.rank(root, key(wanted)) { value(of: $0, in: known) < wanted }
            #expect(below == entries.count { $0.value < wanted }, sourceLocation: location)
            let upTo = tree.rank(root, key(wanted)) { value(of: $0, in: known) <= wanted }
            #expect(upTo == entries.count { $0.value <= wanted }, sourceLocation: location)
            // Through a mask: as if only the highest bits had been asked for.
            let mask = ~Key(0) << Key(Key.bitWidth - 60)
            let masked = tree.rank(root, key(wanted) & mask, mask: mask) { _ in true }
            #expect(masked == entries.count { key($0.value) & mask <= key(wanted) & mask }, sourceLocation: location)

            let from = Int.random(in: 0...entries.count, using: &random)
            let range = from..<Int.random(in: from...entries.count, using: &random)
            #expect(slots(root, range) == entries[range].map(\.slot), sourceLocation: location)
            #expect(
                slots(root, range, backwards: true) == entries[range].reversed().map(\.slot), sourceLocation: location)
            if from < entries.count {
                #expect(tree.slot(root, at: from) == entries[from].slot, sourceLocation: location)
            }
        }
    }
}
