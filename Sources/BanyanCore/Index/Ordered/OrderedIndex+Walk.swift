/// Entries of an ordered index in an order that a query can ask for: by value, up or down, and objects with equal values by
/// their slots, up in both cases.
extension OrderedIndex {
    func walk(_ slice: IndexSlice, isAscending: Bool, _ body: (UnsafePointer<UInt32>, Int) -> Bool) {
        if isAscending {
            Self.forEachSlot(slice.root, isWide: isWide, slice.range, body)
        } else {
            forEachSlotDescending(slice.root, slice.range, body)
        }
    }

    /// Calls `body` with the slots of the entries at these ranks, ascending by value. Return false to stop. O(log n + slots).
    static func forEachSlot(
        _ root: Root, isWide: Bool, _ range: Range<Int>,
        _ body: (UnsafePointer<UInt32>, Int) throws -> Bool
    ) rethrows {
        if isWide {
            try wide.forEachRun(root, range) { run in try body(run.slots, run.count) }
        } else {
            try narrow.forEachRun(root, range) { run in try body(run.slots, run.count) }
        }
    }

    /// The same descending. O(log n + slots) where few objects have the same values, and O(log n) more for each value that many
    /// have.
    private func forEachSlotDescending(
        _ root: Root, _ range: Range<Int>, _ body: (UnsafePointer<UInt32>, Int) throws -> Bool
    ) rethrows {
        if isWide {
            let isWhole: (UInt128) -> Bool = { [parts] key in
                parts.count == 1 && OrderedKey.isWhole(key, parts[0].kind, isOptional: parts[0].isOptional)
            }
            try descend(Self.wide, root, range, isWhole, body)
        } else {
            try descend(Self.narrow, root, range, { [parts] in $0 != 0 || !parts[0].isOptional }, body)
        }
    }

    private func descend<Key>(
        _ tree: OrderedTree<Key>, _ root: Root, _ range: Range<Int>,
        _ isWhole: (Key) -> Bool, _ body: (UnsafePointer<UInt32>, Int) throws -> Bool
    ) rethrows {
        // Entries from here on are done.
        var done = range.upperBound
        try tree.forEachRunBackwards(root, range) { run in
            while done > run.rank {
                let last = done - 1 - run.rank
                var first = last
                while first > 0, isSame(run, first - 1, last, isWhole) { first -= 1 }
                if first == 0, run.rank > range.lowerBound {
                    // There may be more of them in the leaves before.
                    let start = max(range.lowerBound, startOfEqual(root, Int(run.slots[last])))
                    let equal = start..<done
                    done = start
                    var goesOn = true
                    try Self.forEachSlot(root, isWide: isWide, equal) { slots, count in
                        goesOn = try body(slots, count)
                        return goesOn
                    }
                    if !goesOn { return false }
                } else {
                    done = run.rank + first
                    if try !body(run.slots + first, last - first + 1) { return false }
                }
            }
            return true
        }
    }

    /// Whether two entries of a run have the same values.
    private func isSame<Key>(
        _ run: OrderedTree<Key>.Run, _ a: Int, _ b: Int, _ isWhole: (Key) -> Bool
    ) -> Bool {
        if parts.count == 1 {
            if run.keys[a] != run.keys[b] { return false }
            if isWhole(run.keys[a]) { return true }
        }
        let (x, y) = (Int(run.slots[a]), Int(run.slots[b]))
        return parts.indices.allSatisfy { CellOrder.equal(cell(x, $0), cell(y, $0), parts[$0].kind) }
    }

    /// The rank of the first entry with the values of an object.
    private func startOfEqual(_ root: Root, _ slot: Int) -> Int {
        rank(root, IndexBound(cells: parts.indices.map { cell(slot, $0) }, isAfter: false))
    }
}
