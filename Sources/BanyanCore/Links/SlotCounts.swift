/// Slots of one table, each with how often, in one word: who links to an object, or which objects share an indexed value.
///
/// 0 is the empty set. One slot stands in the word itself (bit 0 set): most objects are linked from one place. More stand in
/// a rank tree sorted by slot, so a hub with a million links in costs O(log n) to change.
package struct SlotCounts {
    package var word: UInt64

    package init(word: UInt64) { self.word = word }

    static let tree = RankTree(stride: 8)

    private var isInline: Bool { word & 1 != 0 }
    private var inlineSlot: Int { Int(word >> 32) }
    private var inlineCount: Int { Int((word & 0xFFFF_FFFF) >> 1) }
    private var root: RankTree.Root { UnsafeRawPointer(bitPattern: UInt(word)) }

    static func inline(_ slot: Int, _ count: Int) -> UInt64 { UInt64(slot) << 32 | UInt64(count) << 1 | 1 }
    private static func entry(_ slot: Int, _ count: Int) -> UInt64 { UInt64(slot) << 32 | UInt64(count) }
    private static func find(_ root: RankTree.Root, _ slot: Int) -> RankTree.Place {
        tree.find(root) { entry in
            let other = Int(entry.load(as: UInt64.self) >> 32)
            return other < slot ? -1 : other == slot ? 0 : 1
        }
    }

    package var isEmpty: Bool { word == 0 }

    /// Distinct slots. O(1).
    package var count: Int {
        if word == 0 { return 0 }
        return isInline ? 1 : Self.tree.count(root)
    }

    /// The sum of how often each occurs. O(distinct slots).
    package var total: Int {
        var sum = 0
        forEach { _, times in
            sum += times
            return true
        }
        return sum
    }

    /// How often a slot occurs. O(log n).
    package func times(_ slot: Int) -> Int {
        if word == 0 { return 0 }
        if isInline { return inlineSlot == slot ? inlineCount : 0 }
        let place = Self.find(root, slot)
        guard place.isMatch, let element = place.element else { return 0 }
        return Int(element.load(as: UInt64.self) & 0xFFFF_FFFF)
    }

    /// Calls `body` with each slot, ascending, and how often it occurs. Return false to stop.
    package func forEach(_ body: (Int, Int) throws -> Bool) rethrows {
        if word == 0 { return }
        if isInline {
            _ = try body(inlineSlot, inlineCount)
            return
        }
        var cursor = Self.tree.cursor(root)
        while let entry = cursor.next(as: UInt64.self) {
            guard try body(Int(entry >> 32), Int(entry & 0xFFFF_FFFF)) else { return }
        }
    }

    /// The slot at a rank among the distinct slots, ascending. O(log n).
    package func slot(at rank: Int) -> Int {
        if isInline {
            precondition(rank == 0, "rank out of range")
            return inlineSlot
        }
        return Int(Self.tree.element(root, at: rank).load(as: UInt64.self) >> 32)
    }

    /// O(log n).
    package mutating func add(_ slot: Int, times: Int = 1, _ memory: TransactionMemory) {
        if word == 0 {
            word = Self.inline(slot, times)
            return
        }
        if isInline {
            if inlineSlot == slot {
                word = Self.inline(slot, inlineCount + times)
                return
            }
            var entries = [Self.entry(inlineSlot, inlineCount), Self.entry(slot, times)]
            if inlineSlot > slot { entries.swapAt(0, 1) }
            var root: RankTree.Root = nil
            for (i, entry) in entries.enumerated() {
                Self.tree.insertOne(&root, at: i, in: memory).storeBytes(of: entry, as: UInt64.self)
            }
            setRoot(root)
            return
        }
        var root = root
        let place = Self.find(root, slot)
        if place.isMatch {
            let element = Self.tree.mutableElement(&root, at: place.rank, in: memory)
            element.storeBytes(of: element.load(as: UInt64.self) + UInt64(times), as: UInt64.self)
        } else {
            Self.tree.insertOne(&root, at: place.rank, in: memory)
                .storeBytes(of: Self.entry(slot, times), as: UInt64.self)
        }
        setRoot(root)
    }

    /// Returns false, having done nothing, when the slot does not occur so often. O(log n).
    @discardableResult
    package mutating func remove(_ slot: Int, times: Int = 1, _ memory: TransactionMemory) -> Bool {
        let present = self.times(slot)
        guard present >= times, times > 0 else { return false }
        if isInline {
            word = present == times ? 0 : Self.inline(slot, present - times)
            return true
        }
        var root = root
        let rank = Self.find(root, slot).rank
        if present == times {
            Self.tree.remove(&root, rank..<(rank + 1), in: memory)
            if Self.tree.count(root) == 1 {
                let last = Self.tree.element(root, at: 0).load(as: UInt64.self)
                Self.tree.discardAll(&root, in: memory)
                word = Self.inline(Int(last >> 32), Int(last & 0xFFFF_FFFF))
                return true
            }
        } else {
            let element = Self.tree.mutableElement(&root, at: rank, in: memory)
            element.storeBytes(of: element.load(as: UInt64.self) - UInt64(times), as: UInt64.self)
        }
        setRoot(root)
        return true
    }

    package mutating func removeAll(_ memory: TransactionMemory) {
        if word != 0, !isInline {
            var root = root
            Self.tree.discardAll(&root, in: memory)
        }
        word = 0
    }

    private mutating func setRoot(_ root: RankTree.Root) { word = UInt64(UInt(bitPattern: root)) }
}
