// Changing a set of slots. What the word can hold is done in the word; all else opens it into its trees and closes them again.

extension SlotCounts {
    /// O(log n).
    @inline(__always)
    package mutating func add(_ slot: Int, times: Int = 1, _ memory: TransactionMemory) {
        if word == 0, times <= Self.maximumInlineTimes {
            word = Self.one(slot, times)
        } else {
            addToSome(slot, times, memory)
        }
    }

    private mutating func addToSome(_ slot: Int, _ times: Int, _ memory: TransactionMemory) {
        if isOne {
            if oneSlot == slot, oneTimes + times <= Self.maximumInlineTimes {
                word = Self.one(slot, oneTimes + times)
                return
            }
            if oneSlot != slot, oneTimes == 1, times == 1, max(oneSlot, slot) < Self.pairLimit {
                word = Self.two(oneSlot, slot)
                return
            }
        }
        var parts = open(memory)
        let place = parts.place(of: slot)
        if place.isMatch {
            parts.changeSurplus(of: slot, by: times, memory)
        } else {
            Self.slots.insertOne(&parts.slots, at: place.rank, in: memory).storeBytes(of: UInt32(slot), as: UInt32.self)
            if times > 1 { parts.changeSurplus(of: slot, by: times - 1, memory) }
        }
        close(parts, memory)
    }

    /// Returns false, having done nothing, when the slot does not occur so often. O(log n).
    @discardableResult
    @inline(__always)
    package mutating func remove(_ slot: Int, times: Int = 1, _ memory: TransactionMemory) -> Bool {
        if isOne, oneSlot == slot, oneTimes == times {
            word = 0
            return true
        }
        return removeFromSome(slot, times, memory)
    }

    private mutating func removeFromSome(_ slot: Int, _ times: Int, _ memory: TransactionMemory) -> Bool {
        let present = self.times(slot)
        guard present >= times, times > 0 else { return false }
        if isOne {
            word = present == times ? 0 : Self.one(slot, present - times)
            return true
        }
        if isTwo {
            word = Self.one(pair.0 == slot ? pair.1 : pair.0, 1)
            return true
        }
        var parts = open(memory)
        if present == times {
            let rank = parts.place(of: slot).rank
            Self.slots.remove(&parts.slots, rank..<(rank + 1), in: memory)
            if present > 1 { parts.changeSurplus(of: slot, by: 1 - present, memory) }
        } else {
            parts.changeSurplus(of: slot, by: -times, memory)
        }
        close(parts, memory)
        return true
    }

    package mutating func removeAll(_ memory: TransactionMemory) {
        if !isInline {
            var (slots, surplus) = (slotsRoot, surplusRoot)
            Self.slots.discardAll(&slots, in: memory)
            Self.surplus.discardAll(&surplus, in: memory)
            if isHead { memory.discard(head, size: Head.size) }
        }
        word = 0
    }

    // MARK: - Beyond the word

    /// A set taken apart.
    struct Parts {
        var slots: RankTree.Root
        var surplus: RankTree.Root
        var total: Int
        /// The head there was.
        var head: UnsafeRawPointer?

        /// Links come in the order of their sources more often than not: then the place is the end.
        func place(of slot: Int) -> RankTree.Place {
            if let last = SlotCounts.slots.last(slots), last.load(as: UInt32.self) < slot {
                return RankTree.Place(rank: SlotCounts.slots.count(slots), element: nil, isMatch: false)
            }
            return SlotCounts.findSlot(slots, slot)
        }

        mutating func changeSurplus(of slot: Int, by delta: Int, _ memory: TransactionMemory) {
            total += delta
            let place = SlotCounts.findSurplus(surplus, slot)
            let present = place.isMatch ? Int(place.element.unsafelyUnwrapped.load(as: UInt64.self) & 0xFFFF_FFFF) : 0
            if present + delta == 0 {
                SlotCounts.surplus.remove(&surplus, place.rank..<(place.rank + 1), in: memory)
                return
            }
            let entry =
                place.isMatch
                ? SlotCounts.surplus.mutableElement(&surplus, at: place.rank, in: memory)
                : SlotCounts.surplus.insertOne(&surplus, at: place.rank, in: memory)
            entry.storeBytes(of: UInt64(slot) << 32 | UInt64(present + delta), as: UInt64.self)
        }
    }

    private func open(_ memory: TransactionMemory) -> Parts {
        if word & 1 == 0 {
            let total = isHead ? Int(head.load(fromByteOffset: Head.total, as: UInt64.self)) : 0
            return Parts(slots: slotsRoot, surplus: surplusRoot, total: total, head: isHead ? head : nil)
        }
        var parts = Parts(slots: nil, surplus: nil, total: 0, head: nil)
        // Room for one more, which is why it is opened.
        Self.slots.append(&parts.slots, count: count, in: memory) { start, count in
            for i in 0..<count { start.storeBytes(of: UInt32(slot(at: i)), toByteOffset: i &* 4, as: UInt32.self) }
        }
        if isOne, oneTimes > 1 { parts.changeSurplus(of: oneSlot, by: oneTimes - 1, memory) }
        return parts
    }

    /// The shortest form of the parts.
    private mutating func close(_ parts: Parts, _ memory: TransactionMemory) {
        var parts = parts
        let count = Self.slots.count(parts.slots)
        guard count > 2 || !closeInWord(&parts, count, memory) else { return }
        guard parts.surplus != nil else {
            if let head = parts.head { memory.discard(head, size: Head.size) }
            word = UInt64(UInt(bitPattern: parts.slots))
            return
        }
        let head = parts.head.map { memory.writable($0, size: Head.size) } ?? memory.allocate(Head.size)
        head.storeBytes(of: UInt64(parts.total), toByteOffset: Head.total, as: UInt64.self)
        head.storeBytes(of: parts.slots, toByteOffset: Head.slots, as: RankTree.Root.self)
        head.storeBytes(of: parts.surplus, toByteOffset: Head.surplus, as: RankTree.Root.self)
        word = UInt64(UInt(bitPattern: head)) | 2
    }

    /// Puts one slot or two in the word if they fit.
    private mutating func closeInWord(_ parts: inout Parts, _ count: Int, _ memory: TransactionMemory) -> Bool {
        let new: UInt64
        if count == 0 {
            new = 0
        } else {
            let a = Int(Self.slots.element(parts.slots, at: 0).load(as: UInt32.self))
            if count == 1 {
                guard parts.total < Self.maximumInlineTimes else { return false }
                new = Self.one(a, 1 + parts.total)
            } else {
                let b = Int(Self.slots.element(parts.slots, at: 1).load(as: UInt32.self))
                guard parts.total == 0, b < Self.pairLimit else { return false }
                new = Self.two(a, b)
            }
        }
        Self.slots.discardAll(&parts.slots, in: memory)
        Self.surplus.discardAll(&parts.surplus, in: memory)
        if let head = parts.head { memory.discard(head, size: Head.size) }
        word = new
        return true
    }
}

extension SlotCounts {
    /// The slots of a sorted, not empty run, duplicates counted. O(n).
    package init(sorted slots: UnsafeBufferPointer<UInt32>, _ memory: TransactionMemory) {
        self.init(word: 0)
        if slots[0] == slots[slots.count - 1] {
            add(Int(slots[0]), times: slots.count, memory)
            return
        }
        var distinct = 1
        for i in 1..<slots.count where slots[i] != slots[i &- 1] { distinct &+= 1 }
        var parts = Parts(slots: nil, surplus: nil, total: 0, head: nil)
        var next = 0
        Self.slots.append(&parts.slots, count: distinct, in: memory) { start, count in
            for i in 0..<count {
                while next > 0, slots[next] == slots[next &- 1] { next &+= 1 }
                start.storeBytes(of: slots[next], toByteOffset: i &* 4, as: UInt32.self)
                next &+= 1
            }
        }
        if distinct < slots.count {
            var first = 0
            for end in 1...slots.count where end == slots.count || slots[end] != slots[first] {
                if end &- first > 1 { parts.changeSurplus(of: Int(slots[first]), by: end &- first &- 1, memory) }
                first = end
            }
        }
        close(parts, memory)
    }
}
