import BanyanCore

/// The maintained form of sorted results: slots in their order, found by comparing the objects.
struct OrderedSlots {
    private(set) var slots: [UInt32]
    private let order: SortOrder

    init(_ slots: [UInt32], _ order: SortOrder) {
        self.slots = slots
        self.order = order
    }

    /// Takes over slots that were sorted elsewhere.
    mutating func replace(by sorted: [UInt32]) { slots = sorted }

    /// What may come, go or move with a change, in ascending order: not what is selected as before and stands where it stood,
    /// whatever else has changed about it. O(touched).
    /// - Parameter isSelected: whether the query selects what is in a slot at a version.
    func unsettled(_ change: GraphChange, _ isSelected: (UInt32, GraphView) -> Bool) -> [UInt32] {
        let touched = change.touched(order.span)
        let (before, after) = (change.before.view, change.after.view)
        return touched.slots.filter { slot in
            if touched.replaced.contains(slot) { return true }
            guard isSelected(slot, before) else { return isSelected(slot, after) }
            return !isSelected(slot, after) || order.compare(ref(slot), in: before, ref(slot), in: after) != 0
        }
    }

    /// Follows a change of few objects: each is looked for where it was and where it belongs now, and the others keep their
    /// order. O(unsettled × log n) comparisons; what stands behind them in memory moves.
    /// - Parameter isSelected: whether the query selects what is in a slot after it.
    mutating func follow(
        _ change: GraphChange, _ unsettled: [UInt32], _ isSelected: (UInt32) -> Bool
    ) -> SlotDifference {
        let replaced = change.touched(order.span).replaced
        let modified = change.modified(order.span)
        let (before, after) = (change.before.view, change.after.view)
        let isUnsettled = Set(unsettled)
        var difference = SlotDifference()
        difference.modifications = modified.compactMap { isUnsettled.contains($0) ? nil : find($0, in: before) }

        let old = unsettled.compactMap { slot in find(slot, in: before).map { (slot: slot, position: $0) } }
            .sorted { $0.position < $1.position }
        removeAll(old.map(\.position))
        // Where each belongs: behind how many of those that are settled.
        let new = unsettled.filter(isSelected).map { (slot: $0, rest: place(of: $0, in: after)) }
            .sorted { $0.rest != $1.rest ? $0.rest < $1.rest : isBefore($0.slot, $1.slot, in: after) }
        insertAll(new)

        // Those still between the same others have not moved, as far as they have not changed places among themselves.
        var newIndex: [UInt32: Int] = [:]
        for (i, object) in new.enumerated() where !replaced.contains(object.slot) { newIndex[object.slot] = i }
        let still = old.enumerated().compactMap { i, object in
            newIndex[object.slot].flatMap { new[$0].rest == object.position - i ? (old: i, new: $0) : nil }
        }
        var (isKeptOld, isKeptNew): (Set<Int>, Set<Int>) = ([], [])
        for i in SlotDifference.longestIncreasing(still.map(\.new)) {
            isKeptOld.insert(still[i].old)
            isKeptNew.insert(still[i].new)
        }
        for (i, object) in old.enumerated() {
            if !isKeptOld.contains(i) {
                difference.deletions.append(object.position)
            } else if modified.contains(object.slot) {
                difference.modifications.append(object.position)
            }
        }
        difference.insertions = new.indices.filter { !isKeptNew.contains($0) }.map { new[$0].rest + $0 }
        difference.modifications.sort()
        return difference
    }

    // MARK: - Where an object stands

    private func isBefore(_ a: UInt32, _ b: UInt32, in view: GraphView) -> Bool {
        let order = order.compare(ref(a), in: view, ref(b), in: view)
        return order < 0 || order == 0 && a < b
    }

    private func ref(_ slot: UInt32) -> ObjectRef { order.span.ref(slot) }

    /// How many of the slots come before this one.
    private func place(of slot: UInt32, in view: GraphView) -> Int {
        var (low, high) = (0, slots.count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(slots[middle], slot, in: view) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func find(_ slot: UInt32, in view: GraphView) -> Int? {
        guard view.isPresent(ref(slot)) else { return nil }
        let place = place(of: slot, in: view)
        return place < slots.count && slots[place] == slot ? place : nil
    }

    // MARK: - Moving

    /// Ascending positions.
    private mutating func removeAll(_ positions: [Int]) {
        guard let first = positions.first else { return }
        var target = first
        for (i, position) in positions.enumerated() {
            let end = i + 1 < positions.count ? positions[i + 1] : slots.count
            slots.withUnsafeMutableBufferPointer { slots in
                for source in (position + 1)..<end {
                    slots[target] = slots[source]
                    target += 1
                }
            }
        }
        slots.removeLast(positions.count)
    }

    private mutating func insertAll(_ new: [(slot: UInt32, rest: Int)]) {
        var end = slots.count
        slots.append(contentsOf: repeatElement(0, count: new.count))
        for (i, object) in new.enumerated().reversed() {
            slots.withUnsafeMutableBufferPointer { slots in
                var source = end - 1
                while source >= object.rest {
                    slots[source + i + 1] = slots[source]
                    source -= 1
                }
                slots[object.rest + i] = object.slot
            }
            end = object.rest
        }
    }
}
