// What several lookups find, or a range, in the order of the slots.

extension [IndexedSlots] {
    /// Calls `body` with all slots, ascending. No slot is in two of them. Return false to stop.
    ///
    /// - Parameter limit: above every slot.
    func forEachSlot(below limit: Int, _ body: (Int) throws -> Bool) rethrows {
        if count == 1, self[0].isAscending { return try self[0].forEach(body) }
        let found = reduce(0) { $0 + $1.count }
        // Setting bits in a map of all slots is quicker than sorting, unless the map is much larger than what is in it.
        if found > 64, found > limit / 256 { return try forEachBit(below: limit, body) }
        var slots: ContiguousArray<Int> = []
        slots.reserveCapacity(found)
        for part in self {
            part.forEach { slot in
                slots.append(slot)
                return true
            }
        }
        slots.sort()
        for slot in slots where try !body(slot) { return }
    }

    private func forEachBit(below limit: Int, _ body: (Int) throws -> Bool) rethrows {
        try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: (limit + 63) / 64) { words in
            words.initialize(repeating: 0)
            for part in self {
                part.forEachRun { run in
                    for slot in run { words[Int(slot) &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: slot & 63) }
                }
            }
            for (i, word) in words.enumerated() {
                var rest = word
                while rest != 0 {
                    guard try body(i &<< 6 | rest.trailingZeroBitCount) else { return }
                    rest &= rest &- 1
                }
            }
        }
    }
}

extension GraphView {
    /// Above every slot of a table.
    func slotLimit(_ table: Int) -> Int { TableHeader.pageCount(header(table)) << Page.slotBits }
}
