import BanyanCore

// Sets against sets. What changes a managed set traps outside a write. Other collections may be given for the other set; those
// that are no sets are made one first.

extension MutableSet {
    /// An unmanaged set to look up the elements of a sequence in; a set is used as it is.
    private func lookup<S: Sequence>(_ other: S) -> MutableSet where S.Element == Element {
        other as? MutableSet ?? MutableSet(other)
    }

    /// Adds every element of a sequence.
    public func formUnion<S: Sequence>(_ other: S) where S.Element == Element {
        // The sequence may be a view of this very set.
        for element in Array(other) { insert(element) }
    }

    /// Removes what is not in `other`.
    public func formIntersection<S: Sequence>(_ other: S) where S.Element == Element {
        let other = lookup(other)
        guard other != self else { return }
        removeAll { !other.contains($0) }
    }

    /// Removes what is in `other`.
    public func subtract<S: Sequence>(_ other: S) where S.Element == Element {
        for element in Array(other) { remove(element) }
    }

    /// Removes what is in `other` and adds what was not here.
    public func formSymmetricDifference<S: Sequence>(_ other: S) where S.Element == Element {
        for element in Array(lookup(other)) where !remove(element) { insert(element) }
    }

    // MARK: - New sets, unmanaged

    public func union<S: Sequence>(_ other: S) -> MutableSet where S.Element == Element {
        let result = MutableSet(self)
        result.formUnion(other)
        return result
    }

    public func intersection<S: Sequence>(_ other: S) -> MutableSet where S.Element == Element {
        let other = lookup(other)
        return MutableSet(lazy.filter { other.contains($0) })
    }

    public func subtracting<S: Sequence>(_ other: S) -> MutableSet where S.Element == Element {
        let other = lookup(other)
        return MutableSet(lazy.filter { !other.contains($0) })
    }

    public func symmetricDifference<S: Sequence>(_ other: S) -> MutableSet where S.Element == Element {
        let result = MutableSet(self)
        result.formSymmetricDifference(other)
        return result
    }

    // MARK: - Tests

    /// Whether every element is in `other`.
    public func isSubset<S: Sequence>(of other: S) -> Bool where S.Element == Element {
        let other = lookup(other)
        return count <= other.count && allSatisfy { other.contains($0) }
    }

    public func isStrictSubset<S: Sequence>(of other: S) -> Bool where S.Element == Element {
        let other = lookup(other)
        return count < other.count && isSubset(of: other)
    }

    /// Whether every element of `other` is here.
    public func isSuperset<S: Sequence>(of other: S) -> Bool where S.Element == Element {
        other.allSatisfy { contains($0) }
    }

    public func isStrictSuperset<S: Sequence>(of other: S) -> Bool where S.Element == Element {
        let other = lookup(other)
        return other.count < count && isSuperset(of: other)
    }

    public func isDisjoint<S: Sequence>(with other: S) -> Bool where S.Element == Element { !intersects(other) }

    /// Whether some element of `other` is here.
    public func intersects<S: Sequence>(_ other: S) -> Bool where S.Element == Element {
        other.contains { contains($0) }
    }

    /// Whether both hold the same elements.
    public func hasSameElements<S: Sequence>(as other: S) -> Bool where S.Element == Element {
        let other = lookup(other)
        return count == other.count && isSubset(of: other)
    }
}
