/// The objects an index finds, by their slots.
package enum IndexedSlots: Sendable {
    /// What a hash index has under a value.
    case counts(SlotCounts)
    /// A stretch of an ordered index.
    case slice(IndexSlice)

    static var none: IndexedSlots { .counts(SlotCounts(word: 0)) }

    /// O(1).
    package var count: Int {
        switch self {
        case .counts(let counts): counts.count
        case .slice(let slots): slots.range.count
        }
    }

    package var isEmpty: Bool { count == 0 }

    /// The slot at a rank in the order of `forEach`. O(log n).
    package func slot(at rank: Int) -> Int {
        switch self {
        case .counts(let counts): counts.slot(at: rank)
        case .slice(let slots): slots.slot(at: rank)
        }
    }

    /// Whether slots come ascending: they do where all objects have the same value.
    var isAscending: Bool {
        switch self {
        case .counts: true
        case .slice(let slots): slots.isAscending
        }
    }

    /// Calls `body` with each slot. Return false to stop.
    package func forEach(_ body: (Int) throws -> Bool) rethrows {
        switch self {
        case .counts(let counts): try counts.forEach { slot, _ in try body(slot) }
        case .slice(let slots): try slots.forEach(body)
        }
    }

    /// Calls `body` with slots that stand side by side, where they do.
    func forEachRun(_ body: (UnsafeBufferPointer<UInt32>) -> Void) {
        switch self {
        case .counts(let counts):
            counts.forEach { slot, _ in
                withUnsafePointer(to: UInt32(truncatingIfNeeded: slot)) {
                    body(UnsafeBufferPointer(start: $0, count: 1))
                }
                return true
            }
        case .slice(let slots):
            OrderedIndex.forEachSlot(slots.root, isWide: slots.isWide, slots.range) { slots, count in
                body(UnsafeBufferPointer(start: slots, count: count))
                return true
            }
        }
    }

    /// How often a slot occurs: once at most. O(log n) where slots ascend.
    package func times(_ slot: Int) -> Int {
        switch self {
        case .counts(let counts): return counts.times(slot)
        case .slice(let slots):
            var times = 0
            slots.forEach {
                if $0 == slot { times += 1 }
                return !slots.isAscending || $0 < slot
            }
            return times
        }
    }
}

/// A stretch of an ordered index. Valid as long as the version it was taken from is held.
package struct IndexSlice: @unchecked Sendable {
    // Sound: the nodes behind a version's root never change, and a transaction's own view stays on its thread.
    let root: UnsafeRawPointer?
    let isWide: Bool
    /// Ranks in the index.
    let range: Range<Int>
    /// Whether all objects have the same values in all properties of the index: then slots ascend.
    let isAscending: Bool

    func slot(at rank: Int) -> Int {
        let rank = range.lowerBound + rank
        return Int(isWide ? OrderedIndex.wide.slot(root, at: rank) : OrderedIndex.narrow.slot(root, at: rank))
    }

    func forEach(_ body: (Int) throws -> Bool) rethrows {
        try OrderedIndex.forEachSlot(root, isWide: isWide, range) { slots, count in
            for i in 0..<count where try !body(Int(slots[i])) { return false }
            return true
        }
    }
}
