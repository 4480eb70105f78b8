import BanyanCore
import Testing

/// A tree beside the array that says what must be in it.
///
/// An element is a number; in the tree its low bytes are repeated over the stride, so that a byte out of place shows.
struct RankTreeModel {
    let tree: RankTree
    let lineage = Lineage()
    var expected: [UInt64] = []
    /// What each version that is still held must contain.
    var history: [[UInt64]] = [[]]

    init(stride: Int) { tree = RankTree(stride: stride) }

    func write(_ value: UInt64, to element: UnsafeMutableRawPointer) {
        for i in 0..<tree.stride {
            element.storeBytes(of: UInt8(truncatingIfNeeded: value >> (8 * (i % 8))), toByteOffset: i, as: UInt8.self)
        }
    }

    func holds(_ element: UnsafeRawPointer, _ value: UInt64) -> Bool {
        for i in 0..<tree.stride
        where element.load(fromByteOffset: i, as: UInt8.self) != UInt8(truncatingIfNeeded: value >> (8 * (i % 8))) {
            return false
        }
        return true
    }

    func matches(_ root: RankTree.Root, _ values: [UInt64]) -> Bool {
        guard tree.count(root) == values.count else { return false }
        var index = 0
        var cursor = tree.cursor(root)
        while let element = cursor.next() {
            guard holds(element, values[index]) else { return false }
            index += 1
        }
        return index == values.count
    }

    func insert(
        _ values: some Collection<UInt64>, at rank: Int, _ root: inout RankTree.Root, _ memory: TransactionMemory
    ) {
        var iterator = values.makeIterator()
        tree.insert(&root, at: rank, count: values.count, in: memory) { start, count in
            for i in 0..<count { write(iterator.next()!, to: start + i * tree.stride) }
        }
    }

    /// One random operation on both.
    mutating func step(
        _ random: inout SplitMix, _ root: inout RankTree.Root, _ memory: TransactionMemory, growing: Bool
    ) {
        let count = expected.count
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<(growing ? 40 : 20):
            let rank = Int.random(in: 0...count, using: &random)
            let value = random.next()
            write(value, to: tree.insertOne(&root, at: rank, in: memory))
            expected.insert(value, at: rank)
        case 40..<50:
            let n = Int.random(in: 1...40, using: &random)
            let values = (0..<n).map { _ in random.next() }
            insert(values, at: count, &root, memory)
            expected += values
        case 50..<55:
            let rank = [0, count, Int.random(in: 0...count, using: &random)].randomElement(using: &random)!
            let n = Int.random(in: 0...(growing ? 1500 : 300), using: &random)
            let values = (0..<n).map { _ in random.next() }
            insert(values, at: rank, &root, memory)
            expected.insert(contentsOf: values, at: rank)
        case 55..<70 where count > 0:
            let rank = Int.random(in: 0..<count, using: &random)
            tree.remove(&root, rank..<(rank + 1), in: memory)
            expected.remove(at: rank)
        case 70..<78 where count > 0:
            let longest = Int.random(in: 1...10, using: &random) == 1 ? count : max(1, count / 10)
            let lower = Int.random(in: 0..<count, using: &random)
            let range = lower..<min(count, lower + Int.random(in: 0...longest, using: &random))
            tree.remove(&root, range, in: memory)
            expected.removeSubrange(range)
        case 78..<88 where count > 0:
            let rank = Int.random(in: 0..<count, using: &random)
            expected[rank] = random.next()
            write(expected[rank], to: tree.mutableElement(&root, at: rank, in: memory))
        case 88..<92 where count > 0:
            let source = Int.random(in: 0..<count, using: &random)
            let target = Int.random(in: 0..<count, using: &random)
            tree.move(&root, from: source, to: target, in: memory)
            expected.insert(expected.remove(at: source), at: target)
        case 92..<98:
            let lower = Int.random(in: 0...count, using: &random)
            let range = lower..<min(count, lower + Int.random(in: 0...50, using: &random))
            let values = (0..<Int.random(in: 0...60, using: &random)).map { _ in random.next() }
            var iterator = values.makeIterator()
            tree.replace(&root, range, withCount: values.count, in: memory) { start, count in
                for i in 0..<count { write(iterator.next()!, to: start + i * tree.stride) }
            }
            expected.replaceSubrange(range, with: values)
        case 98 where !growing && Int.random(in: 0..<5, using: &random) == 0:
            tree.discardAll(&root, in: memory)
            expected = []
        default:
            break
        }
    }

    /// One transaction of random operations; `false` is rolled back.
    mutating func transaction(_ random: inout SplitMix, steps: Int, growing: Bool, commits: Bool) {
        var model = self
        if commits {
            lineage.commit { root, memory in
                for _ in 0..<steps { model.step(&random, &root, memory, growing: growing) }
            }
            self = model
            history.append(expected)
        } else {
            lineage.rollBack { root, memory in
                for _ in 0..<steps { model.step(&random, &root, memory, growing: growing) }
            }
        }
    }

    mutating func keep(_ count: Int) {
        lineage.keep(count)
        history.removeFirst(history.count - lineage.versions.count)
    }

    /// Everything that must hold of all versions held.
    func check(_ location: SourceLocation = #_sourceLocation) {
        for (version, values) in zip(lineage.versions, history) {
            #expect(tree._invariantCheck(version.root) == nil, sourceLocation: location)
            #expect(matches(version.root, values), "a version changed", sourceLocation: location)
        }
        let reachable = lineage.reachable(tree._forEachNode)
        #expect(lineage.arena.used == reachable, "bytes lost or found", sourceLocation: location)
    }
}
