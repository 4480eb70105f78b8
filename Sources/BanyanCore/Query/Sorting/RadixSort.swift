/// Sorts entries by key, keeping the order of equal ones.
///
/// Few entries are sorted by comparison. Many go through one stable distribution for each byte in which any two keys
/// differ, the lowest first: ages take one pass, and what is in order already takes none.
enum RadixSort {
    private static var threshold: Int { 200 }

    static func sort(_ entries: UnsafeMutableBufferPointer<SortEntry>) {
        guard entries.count > 1, let differing = differingBits(entries) else { return }
        if entries.count < threshold {
            var entries = entries
            entries.sort { $0.key < $1.key || $0.key == $1.key && $0.position < $1.position }
            return
        }
        var shifts: [UInt64] = []
        // Bytes are cut where the differing bits begin, not at multiples of eight.
        var shift = UInt64(differing.trailingZeroBitCount)
        while shift < 64, differing &>> shift != 0 {
            if differing &>> shift & 0xFF != 0 { shifts.append(shift) }
            shift += 8
        }
        withUnsafeScratch(entries.count) { scratch in
            var source = entries
            var target = scratch
            for shift in shifts {
                distribute(source, target, shift)
                swap(&source, &target)
            }
            if source.baseAddress != entries.baseAddress {
                _ = entries.update(fromContentsOf: source)
            }
        }
    }

    private static func withUnsafeScratch(_ count: Int, _ body: (UnsafeMutableBufferPointer<SortEntry>) -> Void) {
        let scratch = UnsafeMutableBufferPointer<SortEntry>.allocate(capacity: count)
        defer { scratch.deallocate() }
        scratch.initialize(repeating: SortEntry(key: 0, slot: 0, position: 0))
        body(scratch)
    }

    /// The bits that are not the same in all keys; nil when the entries are in order.
    private static func differingBits(_ entries: UnsafeMutableBufferPointer<SortEntry>) -> UInt64? {
        let first = entries[0].key
        var differing: UInt64 = 0
        var isSorted = true
        var previous = first
        for entry in entries {
            differing |= entry.key ^ first
            isSorted = isSorted && previous <= entry.key
            previous = entry.key
        }
        return isSorted ? nil : differing
    }

    private static func distribute(
        _ source: UnsafeMutableBufferPointer<SortEntry>, _ target: UnsafeMutableBufferPointer<SortEntry>,
        _ shift: UInt64
    ) {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 256) { starts in
            starts.initialize(repeating: 0)
            for entry in source { starts[Int(entry.key &>> shift & 0xFF)] &+= 1 }
            var sum = 0
            for digit in 0..<256 {
                let count = starts[digit]
                starts[digit] = sum
                sum &+= count
            }
            for entry in source {
                let digit = Int(entry.key &>> shift & 0xFF)
                target[starts[digit]] = entry
                starts[digit] &+= 1
            }
        }
    }
}
