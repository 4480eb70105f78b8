/// Searching a tree whose elements the caller keeps sorted.
///
/// Inner nodes hold no keys: an element is often a slot whose key lives in an object, and a copied key could not be compared
/// once that object is gone. A probe of a child looks at the first element below it.
extension RankTree {
    /// Where a search ended.
    @usableFromInline
    package struct Place {
        /// Rank of the first element that is not before the wanted one; `count` when all are.
        @usableFromInline package var rank: Int
        /// That element, nil at the end.
        @usableFromInline package var element: UnsafeRawPointer?
        /// Whether it is equal to the wanted one.
        @usableFromInline package var isMatch: Bool
        @inlinable
        init(rank: Int, element: UnsafeRawPointer?, isMatch: Bool) {
            self.rank = rank
            self.element = element
            self.isMatch = isMatch
        }
    }

    /// Finds the first element that is not before the wanted one.
    ///
    /// - Parameter order: negative if the element comes before the wanted one, zero if it is equal to it, positive if it comes
    ///   after. Called O(log n) times, at most once for each element.
    @inlinable
    package func find<E: Error>(
        _ root: Root, _ order: (UnsafeRawPointer) throws(E) -> Int
    ) throws(E) -> Place {
        guard let root else { return Place(rank: 0, element: nil, isMatch: false) }
        var node = Node(root)
        var place = Place(rank: node.count, element: nil, isMatch: false)
        var base = 0
        while !node.isLeaf {
            // The last child whose first element comes before the wanted one, or else the first child.
            var low = 1
            var high = node.fanOut
            while low < high {
                let middle = (low &+ high) >> 1
                let probe = UnsafeRawPointer(node.child(middle).firstLeaf.element(0, stride))
                let result = try order(probe)
                if result < 0 {
                    low = middle &+ 1
                } else {
                    high = middle
                    place.element = probe
                    place.isMatch = result == 0
                }
            }
            base &+= node.start(low &- 1)
            node = node.child(low &- 1)
        }
        var low = 0
        var high = node.count
        while low < high {
            let middle = (low &+ high) >> 1
            let probe = UnsafeRawPointer(node.element(middle, stride))
            let result = try order(probe)
            if result < 0 {
                low = middle &+ 1
            } else {
                high = middle
                place.element = probe
                place.isMatch = result == 0
            }
        }
        place.rank = base &+ low
        return place
    }

    /// Rank of the first element for which `isBefore` is false; it must be true for a prefix of the elements. O(log n) calls.
    @inlinable
    package func lowerBound<E: Error>(
        _ root: Root, _ isBefore: (UnsafeRawPointer) throws(E) -> Bool
    ) throws(E) -> Int {
        try find(root) { (element) throws(E) -> Int in try isBefore(element) ? -1 : 1 }.rank
    }

    /// The first element. O(log n).
    @inlinable
    package func first(_ root: Root) -> UnsafeRawPointer? {
        root.map { UnsafeRawPointer(Node($0).firstLeaf.element(0, stride)) }
    }

    /// The last element. O(log n).
    @inlinable
    package func last(_ root: Root) -> UnsafeRawPointer? {
        guard let root else { return nil }
        var node = Node(root)
        while !node.isLeaf { node = node.child(node.fanOut &- 1) }
        return UnsafeRawPointer(node.element(node.count &- 1, stride))
    }
}
