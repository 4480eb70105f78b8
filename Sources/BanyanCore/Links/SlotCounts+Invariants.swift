extension SlotCounts {
    /// Every node beyond the word and its size in bytes, for accounting. O(n / leaf).
    package func _forEachNode(_ body: (UnsafeRawPointer, Int) -> Void) {
        if isHead { body(head, Head.size) }
        Self.slots._forEachNode(slotsRoot, body)
        Self.surplus._forEachNode(surplusRoot, body)
    }

    /// What is wrong with the set, nil if all is well. O(n).
    package func _invariantCheck() -> String? {
        if isOne { return oneTimes == 0 ? "a slot that occurs 0 times" : nil }
        if isTwo { return pair.0 < pair.1 ? nil : "two slots out of order" }
        guard word != 0 else { return nil }
        let slotsProblem = Self.slots._invariantCheck(slotsRoot) { $0.load(as: UInt32.self) < $1.load(as: UInt32.self) }
        if let slotsProblem { return slotsProblem }
        if !isHead {
            return count > 2 || count == 2 && slot(at: 1) >= Self.pairLimit ? nil : "\(count) slots in a tree"
        }
        let surplusProblem = Self.surplus._invariantCheck(surplusRoot) {
            $0.load(as: UInt64.self) >> 32 < $1.load(as: UInt64.self) >> 32
        }
        if let surplusProblem { return surplusProblem }
        var sum = 0
        var cursor = Self.surplus.cursor(surplusRoot)
        while let entry = cursor.next(as: UInt64.self) {
            if entry & 0xFFFF_FFFF == 0 { return "slot \(entry >> 32) with a surplus of nothing" }
            if !Self.findSlot(slotsRoot, Int(entry >> 32)).isMatch { return "slot \(entry >> 32) only has a surplus" }
            sum += Int(entry & 0xFFFF_FFFF)
        }
        if sum == 0 { return "a head without a surplus" }
        if count < 2, sum < Self.maximumInlineTimes { return "a head for a single slot" }
        return sum + count == total ? nil : "a surplus of \(sum) in sum where the head says \(total - count)"
    }
}
