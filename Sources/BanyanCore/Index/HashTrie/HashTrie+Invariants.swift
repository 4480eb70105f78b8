extension HashTrie {
    /// Looks at every node and returns what is wrong with the first bad one, nil if all is well. O(n).
    ///
    /// - Parameters:
    ///   - count: The number of entries there should be.
    ///   - hash: The hash under which a payload was inserted.
    package func _invariantCheck(_ root: Root, count: Int, hash: (UInt64) -> UInt64) -> String? {
        guard let root else { return count == 0 ? nil : "no entries instead of \(count)" }
        let top = Node(root)
        var found = 0
        let problem =
            top.isDirectory
            ? check(directory: top, prefix: 0, shift: 0, &found, hash)
            : top.depth != 0
                ? "a lone bucket of depth \(top.depth)" : check(bucket: top, prefix: 0, bits: 0, shift: 0, &found, hash)
        return problem ?? (found == count ? nil : "\(found) entries instead of \(count)")
    }

    private func check(
        directory: Node, prefix: UInt64, shift: Int, _ found: inout Int, _ hash: (UInt64) -> UInt64
    ) -> String? {
        let bits = directory.depth
        if bits < 1 || bits > Self.levelBits { return "a directory of \(bits) bits" }
        var index = 0
        while index < 1 << bits {
            let child = directory.child(index)
            if directory.link(index) != child.link { return "a link that does not say what it leads to" }
            let below = prefix | (UInt64(index) << UInt64(64 - bits)) >> UInt64(shift)
            if child.isDirectory {
                if bits != Self.levelBits { return "a directory below one of \(bits) bits" }
                if let problem = check(
                    directory: child, prefix: below, shift: shift + Self.levelBits, &found, hash)
                {
                    return problem
                }
                index += 1
            } else {
                if child.depth < 1 || child.depth > bits { return "a bucket of depth \(child.depth) in \(bits) bits" }
                let span = directory.span(of: child, at: index)
                if span.lowerBound != index { return "a bucket that starts at \(index), not \(span.lowerBound)" }
                for i in span where directory.link(i) != child.link { return "a bucket missing from its span" }
                if let problem = check(
                    bucket: child, prefix: below, bits: shift + child.depth, shift: shift, &found, hash)
                {
                    return problem
                }
                index = span.upperBound
            }
        }
        return nil
    }

    private func check(
        bucket: Node, prefix: UInt64, bits: Int, shift: Int, _ found: inout Int, _ hash: (UInt64) -> UInt64
    ) -> String? {
        if bucket.count > bucket.slots { return "\(bucket.count) entries in \(bucket.slots) slots" }
        found += bucket.count
        var taken = 0
        var away = [UInt64](repeating: 0, count: Self.homedSlots / 8)
        for i in 0..<bucket.end {
            if isFree(bucket, i) {
                if tag(bucket, i) != Self.freeTag { return "a free place with a tag" }
                continue
            }
            taken += 1
            let home = Self.home(tag(bucket, i))
            if bucket.isHomed, home != i / 8 { away[home] += 1 }
            let hash = hash(payload(bucket, i))
            if tag(bucket, i) != Self.tag(hash << UInt64(shift)) { return "a tag that is not the hash's" }
            if bits > 0, (hash ^ prefix) >> UInt64(64 - bits) != 0 { return "an entry in another's bucket" }
        }
        if bucket.isHomed {
            for (group, count) in away.enumerated() {
                let noted = bucket.overflow(of: group)
                if noted != count, noted < 7 { return "\(count) entries away from home, not \(noted)" }
            }
        }
        if taken != bucket.count { return "\(taken) entries in a bucket of \(bucket.count)" }
        let places = (0..<bucket.end).filter { !isFree(bucket, $0) }
        if bucket.count > Self.bucketLimit, Set(places.map { hash(payload(bucket, $0)) }).count > 1 {
            return "a bucket of \(bucket.count) entries that could be parted"
        }
        return nil
    }

    /// Every node reachable from a root and its size in bytes, for accounting. O(n / 64).
    package func _forEachNode(_ root: Root, _ body: (UnsafeRawPointer, Int) -> Void) {
        if let root { forEachNode(Node(root)) { body(UnsafeRawPointer($0.raw), size(of: $0)) } }
    }
}
