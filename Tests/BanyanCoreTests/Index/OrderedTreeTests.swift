import BanyanCore
import Testing

@Suite struct OrderedTreeTests {
    /// Values that are all different, values that many share, values that keys tell apart only in part.
    static let shapes: [(hidden: UInt64, values: Range<UInt64>)] = [
        (0, 0..<(1 << 62)), (0, 0..<20), (0, 7..<8), (3, 0..<200), (60, 0..<10_000), (4, (1 << 40)..<(1 << 41)),
    ]

    private func run<Key>(_ shape: Int, seed: UInt64, _: Key.Type)
    where Key: FixedWidthInteger & UnsignedInteger & BitwiseCopyable & Sendable {
        var random = SplitMix(seed: seed &* 1000 &+ UInt64(shape))
        var model = OrderedTreeModel<Key>(hidden: Self.shapes[shape].hidden, values: Self.shapes[shape].values)
        for round in 0..<160 {
            let growing = round % 80 < 50
            let steps = Int.random(in: 1...(round % 20 == 0 ? 300 : 30), using: &random)
            let commits = Int.random(in: 0..<6, using: &random) != 0
            model.transaction(&random, steps: steps, growing: growing, commits: commits)
            if round % 7 == 0 { model.keep(Int.random(in: 1...4, using: &random)) }
            if round % 10 == 0 { model.check(&random) }
        }
        model.check(&random)
        model.keep(1)
        model.check(&random)
    }

    @Test(arguments: shapes.indices, [UInt64(1), 2])
    func `random operations agree with a sorted array, and no version ever changes`(shape: Int, seed: UInt64) {
        run(shape, seed: seed, UInt64.self)
        run(shape, seed: seed, UInt128.self)
    }

    @Test(arguments: 0..<4)
    func `a tree emptied in any order gives back every byte`(order: Int) {
        let tree = OrderedTree<UInt64>()
        let lineage = Lineage()
        var random = SplitMix(seed: UInt64(order))
        var slots = Array(UInt32(0)..<20_000)
        lineage.commit { root, memory in
            for slot in slots.shuffled(using: &random) {
                tree.insert(&root, UInt64(slot / 3), slot: slot, in: memory) { $0 < slot }
            }
        }
        while !slots.isEmpty {
            lineage.commit { root, memory in
                for _ in 0..<min(slots.count, 500) {
                    let count = slots.count
                    let slot = slots.remove(
                        at: [0, count - 1, count / 2, Int.random(in: 0..<count, using: &random)][order])
                    tree.remove(&root, UInt64(slot / 3), slot: slot, in: memory) { $0 < slot }
                }
            }
            #expect(tree._invariantCheck(lineage.root) { $0 < $1 } == nil)
            #expect(tree.count(lineage.root) == slots.count)
            lineage.keep(2)
        }
        #expect(lineage.root == nil)
        lineage.keep(1)
        #expect(lineage.arena.used == 0)
    }

    @Test func `ascending values leave full leaves`() {
        let tree = OrderedTree<UInt64>()
        let lineage = Lineage()
        lineage.commit { root, memory in
            for slot in UInt32(0)..<41_000 { tree.insert(&root, UInt64(slot), slot: slot, in: memory) { $0 < slot } }
        }
        #expect(tree._invariantCheck(lineage.root) { $0 < $1 } == nil)
        var leaves = 0
        tree.forEachRun(lineage.root, 0..<41_000) { run in
            leaves += 1
            return true
        }
        #expect(leaves == 1000)
    }

    @Test func `one entry changed in a million copies a few small nodes`() {
        let tree = OrderedTree<UInt64>()
        let lineage = Lineage()
        lineage.commit { root, memory in
            root = tree.build(count: 1_000_000, in: memory) { (UInt64($0) * 2, UInt32($0)) }
        }
        lineage.keep(1)
        let before = lineage.arena.used
        lineage.commit { root, memory in
            tree.remove(&root, 400_000, slot: 200_000, in: memory) { $0 < 200_000 }
            tree.insert(&root, 1_200_001, slot: 200_000, in: memory) { $0 < 200_000 }
        }
        #expect(lineage.arena.used - before <= 10 * 512)
    }

    @Test(arguments: [0, 1, 2, 40, 41, 42, 1000, 100_000])
    func `a tree built at once is one that can be changed`(count: Int) {
        let tree = OrderedTree<UInt128>()
        let lineage = Lineage()
        lineage.commit { root, memory in
            root = tree.build(count: count, in: memory) { (UInt128($0 / 2), UInt32($0)) }
        }
        #expect(tree._invariantCheck(lineage.root) { $0 < $1 } == nil)
        #expect(tree.count(lineage.root) == count)
        for slot in stride(from: 0, to: count, by: 7) {
            #expect(tree.slot(lineage.root, at: slot) == slot)
            #expect(tree.rank(lineage.root, UInt128(slot / 2)) { $0 < slot } == slot)
        }
        lineage.commit { root, memory in
            for slot in UInt32(0)..<UInt32(count) where slot % 3 != 0 {
                tree.remove(&root, UInt128(slot / 2), slot: slot, in: memory) { $0 < slot }
            }
        }
        #expect(tree._invariantCheck(lineage.root) { $0 < $1 } == nil)
        #expect(tree.count(lineage.root) == (count + 2) / 3)
        lineage.keep(1)
        #expect(lineage.arena.used == lineage.reachable(tree._forEachNode))
    }
}
