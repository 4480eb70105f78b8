/// A set of slots that knows how many of its members stand before each: a word a page, and a tree of sums over the pages.
///
/// The maintained form of results without an order. Finding out where a member stands, and adding or removing one, is
/// O(log pages), however many members there are.
struct RankedSlots {
    private var masks: [UInt64] = []
    /// A Fenwick tree, from 1 on: each node the sum of as many pages, up to its own, as its lowest bit says.
    private var sums: [Int32] = [0]
    private(set) var count = 0

    init(_ slots: [UInt32]) {
        grow(toHold: Int(slots.last ?? 0) >> 6)
        for slot in slots { masks[Int(slot) >> 6] |= 1 << UInt64(slot & 63) }
        count = slots.count
        rebuild()
    }

    func contains(_ slot: UInt32) -> Bool {
        let page = Int(slot) >> 6
        return page < masks.count && masks[page] >> UInt64(slot & 63) & 1 != 0
    }

    /// How many members are below `slot`.
    func rank(of slot: UInt32) -> Int {
        let page = Int(slot) >> 6
        guard page < masks.count else { return count }
        var rank = (masks[page] & (1 << UInt64(slot & 63) - 1)).nonzeroBitCount
        var node = page
        while node > 0 {
            rank += Int(sums[node])
            node &= node - 1
        }
        return rank
    }

    /// Adds a slot that is not in it.
    mutating func insert(_ slot: UInt32) {
        grow(toHold: Int(slot) >> 6)
        masks[Int(slot) >> 6] |= 1 << UInt64(slot & 63)
        add(1, Int(slot) >> 6)
    }

    /// Removes a slot that is in it.
    mutating func remove(_ slot: UInt32) {
        masks[Int(slot) >> 6] &= ~(1 << UInt64(slot & 63))
        add(-1, Int(slot) >> 6)
    }

    private mutating func add(_ difference: Int, _ page: Int) {
        count += difference
        var node = page + 1
        while node < sums.count {
            sums[node] += Int32(difference)
            node += node & -node
        }
    }

    private mutating func grow(toHold page: Int) {
        guard page >= masks.count else { return }
        var pages = max(16, masks.count)
        while pages <= page { pages *= 2 }
        masks += [UInt64](repeating: 0, count: pages - masks.count)
        rebuild()
    }

    private mutating func rebuild() {
        sums = [Int32](repeating: 0, count: masks.count + 1)
        for node in 1..<sums.count {
            sums[node] += Int32(masks[node - 1].nonzeroBitCount)
            let parent = node + node & -node
            if parent < sums.count { sums[parent] += sums[node] }
        }
    }
}

extension RankedSlots {
    /// Follows a change.
    /// - Parameter isSelected: whether the query selects what is in a slot after it.
    mutating func follow(
        _ touched: GraphChange.Touched, _ modified: Set<UInt32>, isSelected: (UInt32) -> Bool
    ) -> SlotDifference {
        var difference = SlotDifference()
        var (going, coming): ([UInt32], [UInt32]) = ([], [])
        for slot in touched.slots {
            let (was, now, isOther) = (contains(slot), isSelected(slot), touched.replaced.contains(slot))
            if was, !now || isOther { going.append(slot) }
            if now, !was || isOther { coming.append(slot) }
        }
        let gone = Set(going)
        difference.deletions = going.map { rank(of: $0) }
        difference.modifications = modified.filter { contains($0) && !gone.contains($0) }.map { rank(of: $0) }.sorted()
        for slot in going { remove(slot) }
        for slot in coming { insert(slot) }
        difference.insertions = coming.map { rank(of: $0) }
        return difference
    }
}
