/// Removing and replacing entries, and the joining of buckets that have become too empty.
///
/// Joining needs no hashes: the eight bits by which a bucket's directory was reached are the head of its entries' tags on the
/// level above.
extension HashTrie {
    /// A directory passed on the way down, and which of its children was taken.
    private struct Step {
        var directory: Node
        var index: Int
    }

    private static var maximumLevels: Int { 10 }

    /// Removes the payload under `hash` for which `matches` holds; false, and nothing copied, if there is none. O(1).
    @inlinable
    package func remove(
        _ root: inout Root, hash: UInt64, in memory: TransactionMemory, where matches: (UInt64) -> Bool
    ) -> Bool {
        guard let (tag, index) = locate(root, hash: hash, where: matches) else { return false }
        change(&root, hash: hash, tag: tag, index: index, to: nil, in: memory)
        return true
    }

    /// Puts `payload` in place of the one under `hash` for which `matches` holds; false if there is none. O(1).
    @inlinable
    package func replace(
        _ root: inout Root, hash: UInt64, with payload: UInt64, in memory: TransactionMemory,
        where matches: (UInt64) -> Bool
    ) -> Bool {
        guard let (tag, index) = locate(root, hash: hash, where: matches) else { return false }
        change(&root, hash: hash, tag: tag, index: index, to: payload, in: memory)
        return true
    }

    @inlinable
    func locate(_ root: Root, hash: UInt64, where matches: (UInt64) -> Bool) -> (tag: UInt16, index: Int)? {
        guard let root else { return nil }
        let (bucket, isHomed, tag) = descend(from: Node(root), hash)
        return index(in: bucket, isHomed: isHomed, tag: tag, where: matches).map { (tag, $0) }
    }

    /// Gives up all nodes and empties the root. O(n / 64).
    package func discardAll(_ root: inout Root, in memory: TransactionMemory) {
        guard let old = root else { return }
        discardSubtree(Node(old), in: memory)
        root = nil
    }

    /// Replaces or removes the entry at an index of the bucket of `hash`.
    @usableFromInline
    func change(
        _ root: inout Root, hash: UInt64, tag: UInt16, index: Int, to payload: UInt64?, in memory: TransactionMemory
    ) {
        var node = writable(Node(root!), in: memory)
        root = UnsafeRawPointer(node.raw)
        withUnsafeTemporaryAllocation(of: Step.self, capacity: Self.maximumLevels) { path in
            var depth = 0
            var window = hash
            while node.isDirectory {
                let at = node.childIndex(window)
                path[depth] = Step(directory: node, index: at)
                depth += 1
                let child = node.child(at)
                let own = writable(child, in: memory)
                if own != child { node.point(own.isDirectory ? at..<(at + 1) : node.span(of: own, at: at), to: own) }
                node = own
                window <<= UInt64(Self.levelBits)
            }
            if let payload {
                setPayload(node, index, payload)
                return
            }
            removeEntry(node, index)
            join(node, path.baseAddress!, depth, &root, in: memory)
        }
    }

    /// Joins an owned bucket with its buddy, and a directory of one bucket with its parent, as long as they are small.
    private func join(
        _ bucket: Node, _ path: UnsafeMutablePointer<Step>, _ depth: Int, _ root: inout Root,
        in memory: TransactionMemory
    ) {
        var bucket = bucket
        var depth = depth
        while depth > 0, bucket.depth == 0 || bucket.count <= Self.bucketLimit / 4 {
            let directory = path[depth - 1].directory
            let span = directory.span(of: bucket, at: path[depth - 1].index)
            if bucket.depth == 0 {
                // All hashes here share the bits by which the directory was reached.
                var head: UInt16 = 0
                if depth > 1 { head = UInt16(path[depth - 2].index) << UInt16(16 - Self.levelBits) }
                discard(directory, in: memory)
                depth -= 1
                if depth == 0 {
                    root = UnsafeRawPointer(bucket.raw)
                } else {
                    // Other tags, other homes.
                    let lifted = makeBucket(
                        depth: Self.levelBits, slots: max(bucket.count, Self.homedSlots), in: memory)
                    for i in 0..<bucket.end where !isFree(bucket, i) {
                        add(lifted, tag: head | self.tag(bucket, i) >> UInt16(Self.levelBits), payload(bucket, i))
                    }
                    discard(bucket, in: memory)
                    bucket = lifted
                    path[depth - 1].directory.links[path[depth - 1].index] = bucket.link
                }
                continue
            }
            let buddy = directory.child(span.lowerBound ^ span.count)
            guard !buddy.isDirectory, buddy.depth == bucket.depth,
                bucket.count + buddy.count <= Self.bucketLimit / 2
            else { break }
            let joined = makeBucket(depth: bucket.depth - 1, slots: Self.homedSlots, in: memory)
            copyEntries(of: bucket, to: joined)
            copyEntries(of: buddy, to: joined)
            discard(bucket, in: memory)
            discard(buddy, in: memory)
            bucket = joined
            directory.point(directory.span(of: joined, at: span.lowerBound), to: joined)
        }
        tighten(bucket, path, depth, &root, in: memory)
    }

    /// Gives back what a bucket does not need.
    private func tighten(
        _ bucket: Node, _ path: UnsafeMutablePointer<Step>, _ depth: Int, _ root: inout Root,
        in memory: TransactionMemory
    ) {
        if depth == 0, bucket.count == 0 {
            discard(bucket, in: memory)
            root = nil
            return
        }
        let least = depth == 0 ? 8 : Self.homedSlots
        guard bucket.slots - bucket.count >= 24 || bucket.count * 4 <= bucket.slots, bucket.slots > least else {
            return
        }
        let small = resized(bucket, slots: max(bucket.count, least), in: memory)
        if depth == 0 {
            root = UnsafeRawPointer(small.raw)
        } else {
            let directory = path[depth - 1].directory
            directory.point(directory.span(of: small, at: path[depth - 1].index), to: small)
        }
    }
}
