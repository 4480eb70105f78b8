import BanyanCore
import Testing

@Suite struct RankTreeTests {
    @Test(arguments: [1, 3, 4, 8, 12, 16, 24, 32], [UInt64(1), 2, 3])
    func `random operations agree with an array, and no version ever changes`(stride: Int, seed: UInt64) {
        var random = SplitMix(seed: seed &* 1000 &+ UInt64(stride))
        var model = RankTreeModel(stride: stride)
        for round in 0..<120 {
            let growing = round % 60 < 35
            let steps = Int.random(in: 1...20, using: &random)
            let commits = Int.random(in: 0..<6, using: &random) != 0
            model.transaction(&random, steps: steps, growing: growing, commits: commits)
            if round % 7 == 0 { model.keep(Int.random(in: 1...6, using: &random)) }
            if round % 10 == 0 { model.check() }
        }
        model.check()
        model.keep(1)
        model.check()
    }

    @Test(arguments: [4, 8, 32])
    func `a tree emptied in any order gives back every byte`(stride: Int) {
        for order in 0..<4 {
            var random = SplitMix(seed: UInt64(order))
            let model = RankTreeModel(stride: stride)
            model.lineage.commit { root, memory in
                model.insert(Array(0..<20_000), at: 0, &root, memory)
            }
            var count = 20_000
            while count > 0 {
                model.lineage.commit { root, memory in
                    for _ in 0..<min(count, 500) {
                        let rank = [0, count - 1, count / 2, Int.random(in: 0..<count, using: &random)][order]
                        model.tree.remove(&root, rank..<(rank + 1), in: memory)
                        count -= 1
                    }
                }
                #expect(model.tree._invariantCheck(model.lineage.root) == nil)
                model.lineage.keep(2)
            }
            #expect(model.lineage.root == nil)
            model.lineage.keep(1)
            #expect(model.lineage.arena.used == 0)
        }
    }

    @Test func `a short list costs its elements and one header`() {
        let tree = RankTree(stride: 8)
        let lineage = Lineage()
        lineage.commit { root, memory in
            for i in 0..<3 { tree.insertOne(&root, at: i, in: memory).storeBytes(of: UInt64(i), as: UInt64.self) }
        }
        lineage.keep(1)
        #expect(lineage.arena.used <= 48)
    }

    @Test func `appending one by one leaves full leaves`() {
        let tree = RankTree(stride: 8)
        let lineage = Lineage()
        lineage.commit { root, memory in
            for i in 0..<100_000 { tree.insertOne(&root, at: i, in: memory).storeBytes(of: UInt64(i), as: UInt64.self) }
        }
        #expect(tree._invariantCheck(lineage.root) == nil)
        var nodes = 0
        tree._forEachNode(lineage.root) { _, _ in nodes += 1 }
        // 126 elements a leaf, 64 children an inner node, and not one node more.
        #expect(nodes == 794 + 13 + 1)
        #expect(lineage.arena.used < 100_000 * 8 * 105 / 100)
    }

    @Test func `cuts that leave single children behind are mended all the way`() {
        // 31 elements a leaf, 64 leaves under an inner node: cuts right behind and before the borders of inner nodes.
        let below = 31 * 64
        let count = below * 70
        let full = RankTreeModel(stride: 32)
        full.lineage.commit { root, memory in full.insert(Array(0..<UInt64(count)), at: 0, &root, memory) }
        let root = full.lineage.root
        for (left, right) in [(1, 1), (1, 40), (40, 1), (40, 40), (200, 1), (1, 200), (31, 31), (3, 0), (0, 3)] {
            for (first, last) in [(0, 70), (0, 2), (1, 3), (1, 69), (30, 40), (63, 65), (63, 70), (0, 65), (68, 70)] {
                full.lineage.rollBack { copy, memory in
                    let range = (first * below + left)..<(last * below - right)
                    full.tree.remove(&copy, range, in: memory)
                    #expect(full.tree._invariantCheck(copy) == nil, "\(first) + \(left), \(last) - \(right)")
                    #expect(full.tree.count(copy) == count - range.count)
                    for rank in [range.lowerBound - 1, range.lowerBound] where rank >= 0 {
                        guard rank < full.tree.count(copy) else { continue }
                        let value = rank < range.lowerBound ? rank : rank + range.count
                        #expect(full.holds(full.tree.element(copy, at: rank), UInt64(value)))
                    }
                }
            }
        }
        #expect(full.tree._invariantCheck(root) == nil)
        #expect(full.lineage.arena.used == full.lineage.reachable(full.tree._forEachNode))
    }

    @Test func `a list of a few million elements keeps its order and its shape`() {
        let tree = RankTree(stride: 4)
        let lineage = Lineage()
        let count = 3_000_000
        lineage.commit { root, memory in
            var next: UInt32 = 0
            tree.append(&root, count: count, in: memory) { start, n in
                for i in 0..<n { start.storeBytes(of: next + UInt32(i), toByteOffset: i * 4, as: UInt32.self) }
                next += UInt32(n)
            }
        }
        #expect(tree._invariantCheck(lineage.root) == nil)
        for rank in Swift.stride(from: 0, to: count, by: 997) {
            #expect(tree.element(lineage.root, at: rank).load(as: UInt32.self) == UInt32(rank))
        }
        // All but the ends: the two edges of the cut are far apart.
        lineage.commit { root, memory in tree.remove(&root, 70..<(count - 70), in: memory) }
        #expect(tree._invariantCheck(lineage.root) == nil)
        #expect(tree.count(lineage.root) == 140)
        #expect(tree.element(lineage.root, at: 70).load(as: UInt32.self) == UInt32(count - 70))
        lineage.keep(1)
        #expect(lineage.arena.used == lineage.reachable(tree._forEachNode))
    }

    @Test func `runs and cursors over ranges give the elements of the range`() {
        let model = RankTreeModel(stride: 12)
        model.lineage.commit { root, memory in
            model.insert(Array(0..<5000), at: 0, &root, memory)
        }
        let root = model.lineage.root
        for range in [0..<0, 0..<5000, 83..<85, 4999..<5000, 100..<3100, 5000..<5000] {
            var next = range.lowerBound
            model.tree.forEachRun(root, in: range) { start, count in
                for i in 0..<count {
                    #expect(model.holds(start + i * 12, UInt64(next)))
                    next += 1
                }
            }
            #expect(next == range.upperBound)
            var cursor = model.tree.cursor(root, in: range)
            var seen = range.lowerBound
            while let element = cursor.next() {
                #expect(model.holds(element, UInt64(seen)))
                seen += 1
            }
            #expect(seen == range.upperBound)
            #expect(cursor.next() == nil)
        }
    }

    @Test func `discarding everything visits every element once`() {
        var visited: [UInt64] = []
        let tree = RankTree(stride: 8)
        let lineage = Lineage()
        lineage.commit { root, memory in
            var next: UInt64 = 0
            tree.append(&root, count: 1000, in: memory) { start, n in
                for i in 0..<n { start.storeBytes(of: next + UInt64(i), toByteOffset: i * 8, as: UInt64.self) }
                next += UInt64(n)
            }
        }
        lineage.commit { root, memory in
            tree.discardAll(&root, in: memory) { start, n in
                for i in 0..<n { visited.append(start.load(fromByteOffset: i * 8, as: UInt64.self)) }
            }
        }
        #expect(visited == Array(0..<1000))
        lineage.keep(1)
        #expect(lineage.arena.used == 0)
    }
}
