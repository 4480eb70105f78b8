/// What happened to an observed collection.
public enum CollectionChange<C> {
    /// The observation has begun; this is the collection as it is now.
    case initial(C)
    /// The collection as it is now and how it differs from the one told before: ascending positions. Deletions and
    /// modifications are positions before the change, insertions positions after it. An element that moved is deleted and
    /// inserted.
    case update(C, deletions: [Int], insertions: [Int], modifications: [Int])
    /// Nothing can go wrong: this never comes, and need not be looked for. It is here for programs written for Realm.
    @available(*, deprecated, message: "an observation does not fail: leave the case out")
    case error(Never)
}

extension CollectionChange {
    /// The same change of what is another collection to whoever is told.
    func of<Other>(_ other: (C) -> Other) -> CollectionChange<Other> {
        switch self {
        case .initial(let collection): .initial(other(collection))
        case .update(let collection, let deletions, let insertions, let modifications):
            .update(
                other(collection), deletions: deletions, insertions: insertions, modifications: modifications)
        }
    }
}

extension LinkingObjects {
    /// Calls `block` at once with the objects that link here, and after each commit that changes which they are, how
    /// often they link here, or one of them (or what that links to, up to four links away). Ends when the token is
    /// dropped, and when the object is deleted: that is told as the deletion of everything that linked here.
    public func observe(
        isolation: isolated (any Actor)? = #isolation, _ block: @escaping (CollectionChange<LinkingObjects>) -> Void
    ) -> NotificationToken {
        guard handle != nil, !isFrozen else {
            fatalError("only the inverse of a live object can be observed: add the object to a graph first")
        }
        return results.observe(isolation: isolation) { change in block(change.of { _ in self }) }
    }
}

/// The difference of two sequences of slots, which may be in them several times.
struct SlotDifference {
    var deletions: [Int] = []
    var insertions: [Int] = []
    var modifications: [Int] = []

    init() {}

    var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

    /// - Parameters:
    ///   - replaced: slots that hold another object than before.
    ///   - modified: slots whose objects changed.
    ///   - unsettled: slots whose objects may have moved. Others stay, where their order is the same as before.
    /// O(n log n) in the worst case, where the order changed; O(n) where it did not.
    init(
        from old: [UInt32], to new: [UInt32], replaced: Set<UInt32>, modified: Set<UInt32>, unsettled: Set<UInt32>
    ) {
        var newPositions: [UInt32: Int] = [:]
        newPositions.reserveCapacity(new.count)
        // Of a slot that is there several times: the positions behind the first.
        var morePositions: [UInt32: [Int]] = [:]
        for (i, slot) in new.enumerated() where !replaced.contains(slot) {
            if newPositions[slot] == nil { newPositions[slot] = i } else { morePositions[slot, default: []].append(i) }
        }
        for slot in morePositions.keys { morePositions[slot]?.reverse() }
        // What stays is the longest part that is in the same order before and after; all else goes and comes.
        var candidates: [(old: Int, new: Int)] = []
        for (i, slot) in old.enumerated() {
            guard let position = newPositions[slot] else { continue }
            candidates.append((i, position))
            // The next time it is another one, or none.
            newPositions[slot] = morePositions.isEmpty ? position : morePositions[slot]?.popLast()
        }
        Self.settle(&candidates) { !unsettled.contains(old[$0.old]) }
        let staying = Self.longestIncreasing(candidates.map(\.new))
        var isKeptOld = [Bool](repeating: false, count: old.count)
        var isKeptNew = [Bool](repeating: false, count: new.count)
        for i in staying {
            isKeptOld[candidates[i].old] = true
            isKeptNew[candidates[i].new] = true
        }
        for (i, slot) in old.enumerated() {
            if !isKeptOld[i] {
                deletions.append(i)
            } else if modified.contains(slot) {
                modifications.append(i)
            }
        }
        insertions = isKeptNew.indices.filter { !isKeptNew[$0] }
    }

    /// Leaves out candidates that would keep a settled one from staying. Does nothing where the settled ones are themselves in
    /// another order, as they are when it depends on other objects.
    private static func settle(
        _ candidates: inout [(old: Int, new: Int)], _ isSettled: ((old: Int, new: Int)) -> Bool
    ) {
        // For each candidate, the last settled position up to it.
        var last = -1
        var floors: [Int] = []
        floors.reserveCapacity(candidates.count)
        for candidate in candidates {
            if isSettled(candidate) {
                guard candidate.new > last else { return }
                last = candidate.new
            }
            floors.append(last)
        }
        var ceiling = Int.max
        var kept: [(old: Int, new: Int)] = []
        kept.reserveCapacity(candidates.count)
        for (candidate, floor) in zip(candidates, floors).reversed() {
            if floor == candidate.new { ceiling = candidate.new } else if candidate.new < floor { continue }
            if candidate.new <= ceiling { kept.append(candidate) }
        }
        candidates = kept.reversed()
    }

    /// Indices of a longest strictly increasing subsequence.
    static func longestIncreasing(_ values: [Int]) -> [Int] {
        if zip(values, values.dropFirst()).allSatisfy({ $0 < $1 }) { return Array(values.indices) }
        var tails: [Int] = []
        var previous = [Int](repeating: -1, count: values.count)
        for (i, value) in values.enumerated() {
            var low = 0
            var high = tails.count
            while low < high {
                let middle = (low + high) / 2
                if values[tails[middle]] < value { low = middle + 1 } else { high = middle }
            }
            previous[i] = low > 0 ? tails[low - 1] : -1
            if low == tails.count { tails.append(i) } else { tails[low] = i }
        }
        var result: [Int] = []
        var i = tails.last ?? -1
        while i >= 0 {
            result.append(i)
            i = previous[i]
        }
        return result.reversed()
    }
}
