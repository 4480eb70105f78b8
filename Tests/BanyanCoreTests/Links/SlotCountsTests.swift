import BanyanCore
import Testing

/// Sets of slots against a dictionary, over many commits, with every byte accounted for.
@Suite struct SlotCountsTests {
    /// A set as a root of the test's lineage: the word, which never looks like another one's address.
    private func counts(_ root: RankTree.Root) -> SlotCounts { SlotCounts(word: UInt64(UInt(bitPattern: root))) }
    private func root(_ counts: SlotCounts) -> RankTree.Root { UnsafeRawPointer(bitPattern: UInt(counts.word)) }

    private func check(_ counts: SlotCounts, _ model: [Int: Int]) {
        let problem = counts._invariantCheck()
        #expect(problem == nil)
        #expect(counts.count == model.count)
        #expect(counts.total == model.values.reduce(0, +))
        #expect(counts.isEmpty == model.isEmpty)
        var found: [(Int, Int)] = []
        counts.forEach { slot, times in
            found.append((slot, times))
            return true
        }
        let expected = model.sorted { $0.key < $1.key }
        #expect(found.map(\.0) == expected.map(\.key))
        #expect(found.map(\.1) == expected.map(\.value))
        for (rank, entry) in expected.enumerated() {
            #expect(counts.slot(at: rank) == entry.key)
            #expect(counts.times(entry.key) == entry.value)
        }
        #expect(counts.times(4_000_000_001) == model[4_000_000_001, default: 0])
    }

    @Test(arguments: [(1, 3, false), (2, 8, false), (3, 8, true), (4, 400, false), (5, 3_000, true)])
    func `a set holds what a dictionary holds`(seed: Int, space: Int, high: Bool) {
        var random = SplitMix(seed: UInt64(seed))
        let lineage = Lineage()
        var model: [Int: Int] = [:]
        for round in 0..<80 {
            // Grow, shrink to nothing, and grow again.
            let removals = round % 20 < 10 ? 2 : 6
            lineage.commit { root, memory in
                var counts = counts(root)
                for _ in 0..<(space < 100 ? 3 : 150) {
                    let slot = Int(random.next() % UInt64(space)) + (high ? 1 << 31 - 2 : 0)
                    let times = random.next() % 5 == 0 ? Int(random.next() % 4) + 1 : 1
                    if random.next() % 8 < removals {
                        let present = model[slot, default: 0]
                        #expect(counts.remove(slot, times: times, memory) == (present >= times))
                        if present >= times { model[slot] = present == times ? nil : present - times }
                    } else {
                        counts.add(slot, times: times, memory)
                        model[slot, default: 0] += times
                    }
                }
                root = self.root(counts)
            }
            check(counts(lineage.root), model)
            lineage.keep(3)
            #expect(lineage.arena.used == lineage.reachable { counts($0)._forEachNode($1) })
        }
        lineage.commit { root, memory in
            var counts = counts(root)
            counts.removeAll(memory)
            root = self.root(counts)
        }
        lineage.keep(1)
        #expect(lineage.arena.used == 0)
    }

    @Test func `one slot and two slots need no memory, and equal sets are equal words`() {
        let lineage = Lineage()
        lineage.commit { _, memory in
            var a = SlotCounts(word: 0)
            var b = SlotCounts(word: 0)
            a.add(7, memory)
            a.add(3, memory)
            b.add(3, memory)
            b.add(7, memory)
            #expect(a.word == b.word)
            a.remove(3, memory)
            #expect(a.word == SlotCounts(single: 7).word)
            a.add(7, times: 1_000_000, memory)
            #expect(a.total == 1_000_001)
            #expect(a.isInline)
        }
        #expect(lineage.arena.used == 0)
    }

    @Test func `a set that outgrew its word goes back into it`() {
        let lineage = Lineage()
        lineage.commit { _, memory in
            var set = SlotCounts(word: 0)
            for slot in 0..<2_000 { set.add(slot, memory) }
            for slot in 0..<1_998 { set.remove(slot, memory) }
            #expect(set.isInline)
            set.add(1_999, memory)
            #expect(!set.isInline)
            #expect(set.total == 3)
            set.remove(1_999, memory)
            #expect(set.isInline)
        }
        #expect(lineage.arena.used == 0)
    }

    @Test func `a slot that occurs more often than a word can say is counted all the same`() {
        let lineage = Lineage()
        lineage.commit { _, memory in
            var set = SlotCounts(word: 0)
            set.add(5, times: 1 << 30 - 1, memory)
            #expect(set.isInline)
            set.add(5, times: 2, memory)
            check(set, [5: 1 << 30 + 1])
            set.remove(5, times: 2, memory)
            #expect(set.isInline)
            check(set, [5: 1 << 30 - 1])
        }
        #expect(lineage.arena.used == 0)
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `a sorted run becomes the set that adding its slots makes`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let lineage = Lineage()
        lineage.commit { _, memory in
            for size in [1, 2, 3, 4, 50, 3_000] {
                let slots = (0..<size).map { _ in UInt32(random.next() % UInt64(size + 1)) }.sorted()
                var model: [Int: Int] = [:]
                for slot in slots { model[Int(slot), default: 0] += 1 }
                let set = slots.withUnsafeBufferPointer { SlotCounts(sorted: $0, memory) }
                check(set, model)
            }
        }
    }
}
