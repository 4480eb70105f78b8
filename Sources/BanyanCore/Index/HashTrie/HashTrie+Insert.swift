/// Adding entries, and the splitting that makes room for them.
extension HashTrie {
    /// Adds an entry. The caller knows that there is no equal one, or does not mind. O(1) amortised.
    ///
    /// - Parameter rehash: The hash of a payload that is in the index already; called for the entries of a bucket that becomes
    ///   a directory, about once in a hundred insertions. Every payload must hash as it did when it was inserted.
    package func insert(
        _ root: inout Root, hash: UInt64, payload: UInt64, in memory: TransactionMemory, rehash: (UInt64) -> UInt64
    ) {
        while !tryInsert(&root, hash: hash, payload: payload, in: memory, rehash: rehash) {}
    }

    /// Adds the entry, or else splits the bucket that has no room for it.
    private func tryInsert(
        _ root: inout Root, hash: UInt64, payload: UInt64, in memory: TransactionMemory, rehash: (UInt64) -> UInt64
    ) -> Bool {
        guard let old = root else {
            let bucket = makeBucket(depth: 0, slots: 1, in: memory)
            add(bucket, tag: Self.tag(hash), payload)
            root = UnsafeRawPointer(bucket.raw)
            return true
        }
        var bucket = Node(old)
        guard bucket.isDirectory else {
            if let room = roomy(bucket, tag: Self.tag(hash), hash, in: memory, rehash: rehash) {
                add(room, tag: Self.tag(hash), payload)
                root = UnsafeRawPointer(room.raw)
                return true
            }
            let directory = makeDirectory(bits: 1, in: memory)
            split(bucket, in: directory, at: 0..<2, in: memory)
            root = UnsafeRawPointer(directory.raw)
            return false
        }
        var directory = writable(bucket, in: memory)
        root = UnsafeRawPointer(directory.raw)
        // Where the directory is pointed to from; nil for the root.
        var place: UnsafeMutablePointer<UInt>?
        var shift: UInt64 = 0
        var index = 0
        while true {
            index = directory.childIndex(hash << shift)
            bucket = directory.child(index)
            guard bucket.isDirectory else { break }
            let child = writable(bucket, in: memory)
            place = directory.links + index
            directory.links[index] = child.link
            directory = child
            shift += UInt64(Self.levelBits)
        }
        let tag = Self.tag(hash << shift)
        if let room = roomy(bucket, tag: tag, hash, in: memory, rehash: rehash) {
            if room != bucket { directory.point(directory.span(of: room, at: index), to: room) }
            add(room, tag: tag, payload)
            return true
        }
        if bucket.depth < directory.depth {
            split(bucket, in: directory, at: directory.span(of: bucket, at: index), in: memory)
        } else if directory.depth < Self.levelBits {
            let wider = doubled(directory, in: memory)
            if let place { place.pointee = wider.link } else { root = UnsafeRawPointer(wider.raw) }
            split(bucket, in: wider, at: wider.span(of: bucket, at: index * 2), in: memory)
        } else {
            let shift = shift + UInt64(Self.levelBits)
            directory.links[index] = pushedDown(bucket, shift: shift, in: memory, rehash: rehash).link
        }
        return false
    }

    /// The bucket, owned and with room for one more, in place of the given one; nil if that must be split.
    private func roomy(
        _ bucket: Node, tag: UInt16, _ hash: UInt64, in memory: TransactionMemory, rehash: (UInt64) -> UInt64
    ) -> Node? {
        let count = bucket.count
        if count >= Self.bucketLimit {
            // Beyond the limit all entries have one hash, so the first speaks for the others.
            let judged = count == Self.bucketLimit ? bucket.end : 1
            for i in 0..<judged where !isFree(bucket, i) && self.tag(bucket, i) != tag { return nil }
            for i in 0..<judged where !isFree(bucket, i) && rehash(payload(bucket, i)) != hash { return nil }
            if count == bucket.slots { return resized(bucket, slots: count * 2, in: memory) }
        } else if count == bucket.slots {
            return resized(bucket, slots: count + 1, in: memory)
        }
        return writable(bucket, in: memory)
    }

    /// Replaces a bucket by two of the next depth, in an owned directory.
    private func split(_ bucket: Node, in directory: Node, at span: Range<Int>, in memory: TransactionMemory) {
        let depth = bucket.depth
        let bit = UInt16(1) << UInt16(15 - depth)
        var ones = 0
        for i in 0..<bucket.end where !isFree(bucket, i) && tag(bucket, i) & bit != 0 { ones += 1 }
        let zeros = bucket.count - ones
        let zero = makeBucket(depth: depth + 1, slots: max(zeros, Self.homedSlots), in: memory)
        let one = makeBucket(depth: depth + 1, slots: max(ones, Self.homedSlots), in: memory)
        for i in 0..<bucket.end where !isFree(bucket, i) {
            let tag = tag(bucket, i)
            add(tag & bit == 0 ? zero : one, tag: tag, payload(bucket, i))
        }
        discard(bucket, in: memory)
        let middle = span.lowerBound + span.count / 2
        directory.point(span.lowerBound..<middle, to: zero)
        directory.point(middle..<span.upperBound, to: one)
    }

    /// A directory of one more bit, in place of an owned one.
    private func doubled(_ old: Node, in memory: TransactionMemory) -> Node {
        let new = makeDirectory(bits: old.depth + 1, in: memory)
        for i in 0..<(1 << old.depth) {
            new.links[2 * i] = old.links[i]
            new.links[2 * i + 1] = old.links[i]
        }
        discard(old, in: memory)
        return new
    }

    /// A directory on the next level, of two buckets that part the entries of a bucket of full depth.
    private func pushedDown(
        _ bucket: Node, shift: UInt64, in memory: TransactionMemory, rehash: (UInt64) -> UInt64
    ) -> Node {
        let retagged = makeBucket(depth: 0, slots: max(bucket.count, Self.homedSlots), in: memory)
        for i in 0..<bucket.end where !isFree(bucket, i) {
            let payload = payload(bucket, i)
            add(retagged, tag: Self.tag(rehash(payload) << shift), payload)
        }
        discard(bucket, in: memory)
        let directory = makeDirectory(bits: 1, in: memory)
        split(retagged, in: directory, at: 0..<2, in: memory)
        return directory
    }

    /// Prepares an empty index for a known number of entries, so that inserting them splits next to nothing. O(n / 64).
    ///
    /// Does nothing for an index that has entries already.
    package func reserve(_ root: inout Root, count n: Int, in memory: TransactionMemory) {
        guard root == nil, n > 0 else { return }
        var bits = 0
        while n >> bits > 64 { bits += 1 }
        root = UnsafeRawPointer(emptyTree(bits: bits, slots: bits == 0 ? n : Self.homedSlots, in: memory).raw)
    }

    private func emptyTree(bits: Int, slots: Int, in memory: TransactionMemory) -> Node {
        if bits == 0 { return makeBucket(depth: 0, slots: slots, in: memory) }
        let own = min(bits, Self.levelBits)
        let directory = makeDirectory(bits: own, in: memory)
        for i in 0..<(1 << own) {
            let child =
                bits > own
                ? emptyTree(bits: bits - own, slots: slots, in: memory)
                : makeBucket(depth: own, slots: slots, in: memory)
            directory.links[i] = child.link
        }
        return directory
    }
}
