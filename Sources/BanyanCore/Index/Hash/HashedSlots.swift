/// Slots under the hashes of their values, to be sorted: then a trie is filled bucket by bucket instead of all over memory, and
/// equal values stand side by side.
struct HashedSlots {
    struct Entry {
        var hash: UInt64
        var slot: UInt32
    }

    private(set) var entries: [Entry] = []

    var count: Int { entries.count }

    init(capacity: Int) { entries.reserveCapacity(capacity) }

    /// Slots are added in ascending order.
    mutating func append(hash: UInt64, slot: Int) {
        entries.append(Entry(hash: hash, slot: UInt32(truncatingIfNeeded: slot)))
    }

    /// Calls `body` with each run of equal hashes, whose slots ascend. Takes sorted entries.
    func forEachGroup<E: Error>(_ body: (ArraySlice<Entry>) throws(E) -> Void) throws(E) {
        var start = 0
        while start < entries.count {
            var end = start + 1
            while end < entries.count, entries[end].hash == entries[start].hash { end += 1 }
            try body(entries[start..<end])
            start = end
        }
    }

    /// Stable, by hash: a byte at a time from the top bytes' least, until runs are short, then by insertion.
    mutating func sort() {
        var a = entries
        var b = entries
        var bits = 0
        while entries.count >> bits > 8 { bits += 8 }
        for shift in stride(from: UInt64(64 - bits), to: 64, by: 8) {
            var starts = [Int](repeating: 0, count: 257)
            for entry in a { starts[Int(entry.hash >> shift & 0xFF) + 1] += 1 }
            for i in 1...256 { starts[i] += starts[i - 1] }
            for entry in a {
                let digit = Int(entry.hash >> shift & 0xFF)
                b[starts[digit]] = entry
                starts[digit] += 1
            }
            swap(&a, &b)
        }
        for i in a.indices.dropFirst() where a[i].hash < a[i - 1].hash {
            let entry = a[i]
            var j = i
            while j > 0, a[j - 1].hash > entry.hash {
                a[j] = a[j - 1]
                j -= 1
            }
            a[j] = entry
        }
        entries = a
    }
}
