import BanyanCore
import Testing

/// Elements of 16 bytes: a key, by which they are sorted, and a value.
@Suite struct SortedRankTreeTests {
    struct Entry: BitwiseCopyable, Equatable {
        var key: UInt64
        var value: UInt64 = 0
    }
    let tree = RankTree(stride: 16)

    func order(_ element: UnsafeRawPointer, _ key: UInt64) -> Int {
        let other = element.load(as: UInt64.self)
        return other < key ? -1 : other == key ? 0 : 1
    }

    func put(_ entry: Entry, _ root: inout RankTree.Root, _ memory: TransactionMemory) {
        let place = tree.find(root) { order($0, entry.key) }
        let element =
            place.isMatch
            ? tree.mutableElement(&root, at: place.rank, in: memory) : tree.insertOne(&root, at: place.rank, in: memory)
        element.storeBytes(of: entry, as: Entry.self)
    }

    func delete(_ key: UInt64, _ root: inout RankTree.Root, _ memory: TransactionMemory) {
        let place = tree.find(root) { order($0, key) }
        if place.isMatch { tree.remove(&root, place.rank..<(place.rank + 1), in: memory) }
    }

    func check(_ root: RankTree.Root) -> String? {
        tree._invariantCheck(root) { $0.load(as: UInt64.self) < $1.load(as: UInt64.self) }
    }

    @Test(arguments: [UInt64(1), 2, 3, 4])
    func `searching finds what a sorted array finds`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let lineage = Lineage()
        var model: [UInt64: UInt64] = [:]
        let space: UInt64 = seed % 2 == 0 ? 300 : 20_000
        for _ in 0..<60 {
            lineage.commit { root, memory in
                for _ in 0..<200 {
                    let key = random.next() % space
                    if random.next() % 3 == 0 {
                        delete(key, &root, memory)
                        model[key] = nil
                    } else {
                        let entry = Entry(key: key, value: random.next())
                        put(entry, &root, memory)
                        model[key] = entry.value
                    }
                }
            }
            lineage.keep(2)
            #expect(check(lineage.root) == nil)
            let sorted = model.keys.sorted()
            #expect(tree.count(lineage.root) == sorted.count)
            for _ in 0..<50 {
                let key = random.next() % (space + 2)
                let rank = sorted.firstIndex { $0 >= key } ?? sorted.count
                let place = tree.find(lineage.root) { order($0, key) }
                #expect(place.rank == rank)
                #expect(place.isMatch == (model[key] != nil))
                #expect(place.element?.load(as: UInt64.self) == (rank < sorted.count ? sorted[rank] : nil))
                #expect(tree.lowerBound(lineage.root) { $0.load(as: UInt64.self) < key } == rank)
                if place.isMatch { #expect(place.element?.load(as: Entry.self).value == model[key]) }
            }
            #expect(tree.first(lineage.root)?.load(as: UInt64.self) == sorted.first)
            #expect(tree.last(lineage.root)?.load(as: UInt64.self) == sorted.last)
        }
    }

    struct Difference: Equatable {
        var removed: [UInt64] = []
        var inserted: [UInt64] = []
        var changed: [UInt64] = []
    }

    func diff(_ old: RankTree.Root, _ new: RankTree.Root, comparisons: inout Int) -> Difference {
        var result = Difference()
        tree.diff(
            old, new,
            compare: { a, b in
                comparisons += 1
                return order(a, b.load(as: UInt64.self))
            },
            onRemoved: { element, rank in
                result.removed.append(element.load(as: UInt64.self))
                #expect(tree.element(old, at: rank) == element)
            },
            onInserted: { element, rank in
                result.inserted.append(element.load(as: UInt64.self))
                #expect(tree.element(new, at: rank) == element)
            },
            onChanged: { a, oldRank, b, newRank in
                result.changed.append(b.load(as: UInt64.self))
                #expect(tree.element(old, at: oldRank) == a && tree.element(new, at: newRank) == b)
            })
        return result
    }

    func entries(_ root: RankTree.Root) -> [UInt64: UInt64] {
        var result: [UInt64: UInt64] = [:]
        var cursor = tree.cursor(root)
        while let entry = cursor.next(as: Entry.self) { result[entry.key] = entry.value }
        return result
    }

    func naiveDiff(_ old: RankTree.Root, _ new: RankTree.Root) -> Difference {
        let (a, b) = (entries(old), entries(new))
        return Difference(
            removed: a.keys.filter { b[$0] == nil }.sorted(),
            inserted: b.keys.filter { a[$0] == nil }.sorted(),
            changed: b.keys.filter { a[$0] != nil && a[$0] != b[$0] }.sorted())
    }

    @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6])
    func `a difference names exactly what changed`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let lineage = Lineage()
        var comparisons = 0
        for round in 0..<80 {
            lineage.commit { root, memory in
                for _ in 0..<(1 + random.next() % (round < 20 ? 600 : 40)) {
                    let key = random.next() % 12_000
                    if random.next() % 5 < (round % 30 < 15 ? 1 : 3) {
                        delete(key, &root, memory)
                    } else {
                        put(Entry(key: key, value: random.next() % 3), &root, memory)
                    }
                }
                if random.next() % 10 == 0 {
                    let lower = Int(random.next() % UInt64(tree.count(root) + 1))
                    let upper = min(tree.count(root), lower + Int(random.next() % 900))
                    tree.remove(&root, lower..<upper, in: memory)
                }
            }
            lineage.keep(8)
            let old = lineage.versions.randomElement(using: &random)!.root
            #expect(diff(old, lineage.root, comparisons: &comparisons) == naiveDiff(old, lineage.root))
            #expect(diff(lineage.root, old, comparisons: &comparisons) == naiveDiff(lineage.root, old))
        }
    }

    @Test func `the cost of a difference follows the change`() {
        let lineage = Lineage()
        lineage.commit { root, memory in
            var key: UInt64 = 0
            tree.append(&root, count: 500_000, in: memory) { start, n in
                for i in 0..<n {
                    start.storeBytes(of: Entry(key: key), toByteOffset: i * 16, as: Entry.self)
                    key += 2
                }
            }
        }
        lineage.commit { root, memory in
            put(Entry(key: 400_001), &root, memory)
            put(Entry(key: 600_000, value: 1), &root, memory)
            delete(800_000, &root, memory)
        }
        var comparisons = 0
        let result = diff(lineage.versions[1].root, lineage.root, comparisons: &comparisons)
        #expect(result == Difference(removed: [800_000], inserted: [400_001], changed: [600_000]))
        #expect(comparisons < 1500)
    }

    @Test func `a tree that grew a level still shares with what it was`() {
        let lineage = Lineage()
        let full = 63 * 64
        for count in [full, 1] {
            lineage.commit { root, memory in
                for _ in 0..<count { put(Entry(key: UInt64(tree.count(root))), &root, memory) }
            }
        }
        var comparisons = 0
        let result = diff(lineage.versions[1].root, lineage.root, comparisons: &comparisons)
        #expect(result == Difference(inserted: [UInt64(full)]))
        // The last leaf, which is full, and the way there.
        #expect(comparisons < 100)
        comparisons = 0
        let reverse = diff(lineage.root, lineage.versions[1].root, comparisons: &comparisons)
        #expect(reverse == Difference(removed: [UInt64(full)]))
        #expect(comparisons < 100)
    }
}
