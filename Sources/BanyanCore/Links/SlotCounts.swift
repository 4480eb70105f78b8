/// Slots of one table, each with how often, in one word: who links to an object, or which objects share an indexed value.
///
/// Most objects are linked from no place, one or two, and those stand in the word itself. More stand in a rank tree of bare
/// slots, ascending, so a hub with a million links in costs O(log n) to change. Only where a slot occurs more than once beside
/// others there is a *head* in front: the tree, a second one with the surplus of each such slot, and the sum of the surplus.
/// So how many slots there are and how many links are both known at once.
///
/// A word says by its two lowest bits what it is (addresses are multiples of 16). Equal sets that need no tree are equal words.
/// ```
/// 0                                     nothing
/// slot (32) · times (30) · 01           one slot
/// slot (31) · slot (31) · 11            two slots, each once, ascending
/// address · 00                          a tree of slots, each once
/// address · 10                          a head
/// ```
@frozen
@usableFromInline
package struct SlotCounts {
    @usableFromInline package var word: UInt64

    @inlinable
    @inline(__always)
    package init(word: UInt64) { self.word = word }

    /// The set of one slot.
    package init(single slot: Int) { word = Self.one(slot, 1) }

    // MARK: - Forms

    /// The slots, each 4 bytes.
    static let slots = RankTree(stride: 4)
    /// Those that occur more than once: the slot above how often beyond the first time, 8 bytes.
    static let surplus = RankTree(stride: 8)

    /// The node in front of the trees: its birth, the sum of the surplus, the two roots.
    enum Head {
        static let total = 8
        static let slots = 16
        static let surplus = 24
        static let size = 32
    }

    static let maximumInlineTimes = 1 << 30 - 1
    /// Two slots fit a word when both are below.
    static let pairLimit = 1 << 31

    @inline(__always)
    static func one(_ slot: Int, _ times: Int) -> UInt64 { UInt64(slot) << 32 | UInt64(times) << 2 | 1 }
    @inline(__always)
    static func two(_ a: Int, _ b: Int) -> UInt64 { UInt64(max(a, b)) << 33 | UInt64(min(a, b)) << 2 | 3 }

    var isOne: Bool { @inline(__always) get { word & 3 == 1 } }
    var isTwo: Bool { @inline(__always) get { word & 3 == 3 } }
    var isHead: Bool { @inline(__always) get { word & 3 == 2 } }
    var oneSlot: Int { @inline(__always) get { Int(word >> 32) } }
    var oneTimes: Int { @inline(__always) get { Int(word & 0xFFFF_FFFF) >> 2 } }
    var pair: (Int, Int) { @inline(__always) get { (Int(word & 0x1_FFFF_FFFF) >> 2, Int(word >> 33)) } }

    var head: UnsafeRawPointer { UnsafeRawPointer(bitPattern: UInt(word & ~3)).unsafelyUnwrapped }

    /// The tree of slots; nil where the set stands in the word.
    var slotsRoot: RankTree.Root {
        if word & 1 != 0 { return nil }
        return isHead
            ? head.load(fromByteOffset: Head.slots, as: RankTree.Root.self) : UnsafeRawPointer(bitPattern: UInt(word))
    }

    var surplusRoot: RankTree.Root {
        isHead ? head.load(fromByteOffset: Head.surplus, as: RankTree.Root.self) : nil
    }

    // MARK: - Reading

    @inlinable package var isEmpty: Bool { @inline(__always) get { word == 0 } }

    /// Whether the set stands in the word itself.
    package var isInline: Bool { @inline(__always) get { word == 0 || word & 1 != 0 } }

    /// The node that changes when a set beyond the word does.
    package var node: UnsafeRawPointer? { isInline ? nil : UnsafeRawPointer(bitPattern: UInt(word & ~3)) }

    /// Distinct slots. O(1).
    package var count: Int {
        if word & 1 != 0 { return 1 + Int(word >> 1 & 1) }
        return Self.slots.count(slotsRoot)
    }

    /// The sum of how often each occurs. O(1).
    @inlinable
    package var total: Int {
        @inline(__always)
        get {
            if word == 0 { return 0 }
            if word & 3 == 1 { return Int(truncatingIfNeeded: word & 0xFFFF_FFFF) &>> 2 }
            return totalOfMany
        }
    }

    @usableFromInline
    var totalOfMany: Int { isHead ? count + Int(head.load(fromByteOffset: Head.total, as: UInt64.self)) : count }

    /// How often a slot occurs. O(log n).
    package func times(_ slot: Int) -> Int {
        if isOne { return oneSlot == slot ? oneTimes : 0 }
        if isTwo { return pair.0 == slot || pair.1 == slot ? 1 : 0 }
        guard Self.findSlot(slotsRoot, slot).isMatch else { return 0 }
        let place = Self.findSurplus(surplusRoot, slot)
        guard place.isMatch, let entry = place.element else { return 1 }
        return 1 + Int(entry.load(as: UInt64.self) & 0xFFFF_FFFF)
    }

    /// Calls `body` with each slot, ascending, and how often it occurs. Return false to stop.
    package func forEach(_ body: (Int, Int) throws -> Bool) rethrows {
        if isOne {
            _ = try body(oneSlot, oneTimes)
            return
        }
        if isTwo {
            if try body(pair.0, 1) { _ = try body(pair.1, 1) }
            return
        }
        var entries = Self.surplus.cursor(surplusRoot)
        var entry = entries.next(as: UInt64.self)
        var cursor = Self.slots.cursor(slotsRoot)
        while let slot = cursor.next(as: UInt32.self) {
            var times = 1
            if let found = entry, found >> 32 == UInt64(slot) {
                times += Int(found & 0xFFFF_FFFF)
                entry = entries.next(as: UInt64.self)
            }
            guard try body(Int(slot), times) else { return }
        }
    }

    /// The slot at a rank among the distinct slots, ascending. O(log n).
    @usableFromInline
    package func slot(at rank: Int) -> Int {
        if word & 1 != 0 {
            precondition(rank >= 0 && rank < count, "rank out of range")
            return isOne ? oneSlot : rank == 0 ? pair.0 : pair.1
        }
        return Int(Self.slots.element(slotsRoot, at: rank).load(as: UInt32.self))
    }

    static func findSlot(_ root: RankTree.Root, _ slot: Int) -> RankTree.Place {
        slots.find(root) { Int($0.load(as: UInt32.self)) - slot }
    }

    static func findSurplus(_ root: RankTree.Root, _ slot: Int) -> RankTree.Place {
        surplus.find(root) { Int($0.load(as: UInt64.self) >> 32) - slot }
    }
}
