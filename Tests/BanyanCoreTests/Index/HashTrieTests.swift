import BanyanCore
import Testing

/// How a payload hashes in a test: well, or badly on purpose.
enum HashQuality: CaseIterable {
    case good
    /// Only some hashes occur, each for many payloads.
    case fewValues
    /// All agree in the top half, so that the trie is deep.
    case sharedPrefix
    /// One hash for everything.
    case constant

    func hash(_ payload: UInt64) -> UInt64 {
        var generator = SplitMix(seed: payload)
        let good = generator.next()
        switch self {
        case .good: return good
        case .fewValues:
            var few = SplitMix(seed: good % 20)
            return few.next()
        case .sharedPrefix: return 0xABCD_EF01 << 32 | good >> 32
        case .constant: return 42
        }
    }
}

private func good(_ payload: UInt64) -> UInt64 { HashQuality.good.hash(payload) }

@Suite struct HashTrieTests {
    @Test(arguments: [4, 8], HashQuality.allCases)
    func `random operations agree with a set, and no version ever changes`(width: Int, quality: HashQuality) {
        let trie = HashTrie(width: width)
        let lineage = Lineage()
        var random = SplitMix(seed: UInt64(width))
        var expected: Set<UInt64> = []
        var history: [Set<UInt64>] = [[]]
        let space: UInt64 = quality == .good || quality == .sharedPrefix ? 6000 : 500

        for round in 0..<100 {
            // Grow, shrink to nothing, grow again.
            let inserts = [90, 60, 10, 0, 70][round / 20]
            let isRolledBack = random.next() % 8 == 0
            let before = expected
            let transaction: (inout HashTrie.Root, TransactionMemory) -> Void = { root, memory in
                for _ in 0..<(random.next() % 400) {
                    let payload = random.next() % space | (width == 8 ? 1 << 40 : 0)
                    let hash = quality.hash(payload)
                    let found = trie.find(root, hash: hash) { $0 == payload }
                    #expect(found == (expected.contains(payload) ? payload : nil))
                    if random.next() % 100 < inserts {
                        guard found == nil else { continue }
                        trie.insert(&root, hash: hash, payload: payload, in: memory, rehash: quality.hash)
                        expected.insert(payload)
                    } else {
                        let removed = trie.remove(&root, hash: hash, in: memory) { $0 == payload }
                        #expect(removed == (expected.remove(payload) != nil))
                    }
                }
            }
            if isRolledBack {
                lineage.rollBack(transaction)
                expected = before
            } else {
                lineage.commit(transaction)
                history.append(expected)
            }
            if round % 3 == 0 {
                lineage.keep(4)
                history.removeFirst(history.count - lineage.versions.count)
            }
            for (version, values) in zip(lineage.versions, history) where round % 5 == 0 {
                #expect(trie._invariantCheck(version.root, count: values.count, hash: quality.hash) == nil)
                var seen: Set<UInt64> = []
                trie.forEach(version.root) { seen.insert($0) }
                #expect(seen == values, "a version changed")
            }
            #expect(lineage.arena.used == lineage.reachable(trie._forEachNode), "bytes lost or found")
        }
        lineage.commit { root, memory in
            for payload in expected {
                let removed = trie.remove(&root, hash: quality.hash(payload), in: memory) { $0 == payload }
                #expect(removed)
            }
        }
        #expect(lineage.root == nil)
        lineage.keep(1)
        #expect(lineage.arena.used == 0)
    }

    @Test(arguments: [HashQuality.good, .sharedPrefix])
    func `a lookup looks at one object and hardly ever at another`(quality: HashQuality) {
        let trie = HashTrie(width: 4)
        let lineage = Lineage()
        lineage.commit { root, memory in
            for i: UInt64 in 0..<20_000 {
                trie.insert(&root, hash: quality.hash(i), payload: i, in: memory, rehash: quality.hash)
            }
        }
        var looks = 0
        for i: UInt64 in 0..<20_000 {
            let found = trie.find(lineage.root, hash: quality.hash(i)) {
                looks += 1
                return $0 == i
            }
            #expect(found == i)
        }
        #expect(looks < 20_000 * 12 / 10)
    }

    @Test func `an index that shrank gives back what it does not need`() {
        let trie = HashTrie(width: 4)
        for kept in [30, 10_000] {
            let lineage = Lineage()
            lineage.commit { root, memory in
                for i in 0..<UInt64(kept * 2) {
                    trie.insert(&root, hash: good(i), payload: i, in: memory, rehash: good)
                }
            }
            lineage.commit { root, memory in
                for i in 0..<UInt64(kept * 2 - kept / 4) {
                    let removed = trie.remove(&root, hash: good(i), in: memory) { $0 == i }
                    #expect(removed)
                }
            }
            lineage.keep(1)
            // Two neighbours of 20 entries each would have been joined.
            #expect(lineage.arena.used <= kept / 4 * 28 + 32)
        }
    }

    @Test(arguments: [4, 8])
    func `a payload is replaced where it is`(width: Int) {
        let trie = HashTrie(width: width)
        let lineage = Lineage()
        let hash = { (payload: UInt64) in good(payload % 1000) }
        lineage.commit { root, memory in
            for i: UInt64 in 0..<1000 {
                trie.insert(&root, hash: hash(i), payload: i, in: memory, rehash: hash)
            }
        }
        lineage.commit { root, memory in
            for i: UInt64 in 0..<1000 where i % 3 == 0 {
                let replaced = trie.replace(&root, hash: hash(i), with: i + 1000, in: memory) { $0 == i }
                #expect(replaced)
                let again = trie.replace(&root, hash: hash(i), with: i, in: memory) { $0 == i }
                #expect(!again)
            }
        }
        #expect(trie._invariantCheck(lineage.root, count: 1000, hash: hash) == nil)
        for i: UInt64 in 0..<1000 {
            #expect(trie.find(lineage.versions[1].root, hash: hash(i)) { $0 % 1000 == i } == i)
            #expect(trie.find(lineage.root, hash: hash(i)) { $0 % 1000 == i } == (i % 3 == 0 ? i + 1000 : i))
        }
    }

    @Test func `what is not there is not found, and looking for it copies nothing`() {
        let trie = HashTrie(width: 4)
        let lineage = Lineage()
        lineage.commit { root, memory in
            for i: UInt64 in 0..<5000 {
                trie.insert(&root, hash: good(i), payload: i, in: memory, rehash: good)
            }
        }
        lineage.commit { root, memory in
            for i: UInt64 in 5000..<10_000 {
                let removed = trie.remove(&root, hash: good(i), in: memory) { $0 == i }
                #expect(!removed)
            }
        }
        #expect(lineage.versions[1].root == lineage.root)
    }

    @Test(arguments: [1, 10, 64, 80, 81, 1000, 1_000_000])
    func `a reserved index takes what it was reserved for`(count: Int) {
        let trie = HashTrie(width: 4)
        let lineage = Lineage()
        lineage.commit { root, memory in
            trie.reserve(&root, count: count, in: memory)
            #expect(trie._invariantCheck(root, count: 0, hash: good) == nil)
            for i in 0..<UInt64(count) {
                trie.insert(&root, hash: good(i), payload: i, in: memory, rehash: good)
            }
        }
        #expect(trie._invariantCheck(lineage.root, count: count, hash: good) == nil)
        lineage.keep(1)
        #expect(lineage.arena.used == lineage.reachable(trie._forEachNode))
    }

    @Test func `an entry of four bytes costs ten and a half, whatever there is room for as buckets fill`() {
        let trie = HashTrie(width: 4)
        var bytesPerEntry: [Double] = []
        // From one size at which all buckets are as empty as they get to the next.
        for count: UInt64 in [85_000, 100_000, 120_000, 140_000, 160_000] {
            let lineage = Lineage()
            var rehashed = 0
            lineage.commit { root, memory in
                for i in 0..<count {
                    trie.insert(&root, hash: good(i), payload: i, in: memory) {
                        rehashed += 1
                        return good($0)
                    }
                }
            }
            #expect(trie._invariantCheck(lineage.root, count: Int(count), hash: good) == nil)
            bytesPerEntry.append(Double(lineage.arena.used) / Double(count))
            // All 256 buckets of the root are sent a level down once, and next to nothing after that.
            #expect(rehashed <= 256 * 80)
        }
        #expect(bytesPerEntry.reduce(0, +) / 5 <= 10.5 && bytesPerEntry.allSatisfy { $0 <= 13.5 }, "\(bytesPerEntry)")
    }
}
