// New orders of lists, by moves alone: embedded objects, and what AnyValues own, may neither be in two places at any time
// nor leave their list.

extension Transaction {
    /// Puts at each index of a list the value that is at `order` of that index now. O(n log n).
    package func listReorder(_ id: ObjectID, _ column: Int, _ order: [Int]) {
        var placed = PrefixCounts(order.count)
        for (target, original) in order.enumerated() {
            // Those placed stand in front; behind them the others still stand in their old order.
            let source = target + original - placed.count(below: original)
            if source != target { listMove(id, column, from: source, to: target) }
            placed.insert(original)
        }
    }

    /// Gives a list new contents, of which some are in it already. O(n log n), and what `insert` takes.
    ///
    /// - Parameters:
    ///   - places: For each element that is to be: where it stands now, each place at most once; nil for a new one. Those
    ///     that stand nowhere in it leave the list.
    ///   - insert: Inserts a run of new elements at the start of its range. Returns false when the transaction has failed.
    package func listRearrange(_ id: ObjectID, _ column: Int, keeping places: [Int?], insert: (Range<Int>) -> Bool) {
        var stays = [Bool](repeating: false, count: view.elementCount(CollectionRef(id.ref, column)))
        for place in places { if let place { stays[place] = true } }
        var ranks: [Int] = []
        ranks.reserveCapacity(stays.count)
        var remaining = 0
        for isStaying in stays {
            ranks.append(remaining)
            if isStaying { remaining += 1 }
        }
        var end = stays.count
        while end > 0 {
            let start = stays[..<end].lastIndex(of: true).map { $0 + 1 } ?? 0
            if start < end { listRemove(id, column, start..<end) }
            end = start - 1
        }
        listReorder(id, column, places.compactMap { place in place.map { ranks[$0] } })
        var index = 0
        while let start = places[index...].firstIndex(of: nil) {
            let run = start..<(places[start...].firstIndex { $0 != nil } ?? places.endIndex)
            guard insert(run) else { return }
            index = run.upperBound
        }
    }
}

/// How many of the numbers 0 to n − 1 that are in a set lie below a bound, in O(log n).
private struct PrefixCounts {
    private var sums: [Int]

    init(_ n: Int) { sums = Array(repeating: 0, count: n + 1) }

    mutating func insert(_ number: Int) {
        var i = number + 1
        while i < sums.count {
            sums[i] += 1
            i += i & -i
        }
    }

    func count(below bound: Int) -> Int {
        var i = bound
        var sum = 0
        while i > 0 {
            sum += sums[i]
            i -= i & -i
        }
        return sum
    }
}
