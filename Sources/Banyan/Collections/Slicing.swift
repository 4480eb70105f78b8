// Ranges of collections. One that is not there traps outside a write, as with an array, and fails the transaction inside one.

extension BoundsReporting {
    func slice(_ bounds: Range<Int>) -> Slice<Self> {
        if bounds.lowerBound >= 0, bounds.upperBound <= count { return Slice(base: self, bounds: bounds) }
        reportOutOfBounds(bounds.lowerBound < 0 ? bounds.lowerBound : bounds.upperBound)
        return Slice(base: self, bounds: 0..<0)
    }

    /// The range an expression stands for; nil, and reported, when its start lies beyond the end. Its own way to find out would
    /// trap.
    func resolve<R: RangeExpression>(_ bounds: R) -> Range<Int>? where R.Bound == Int {
        let range = bounds.relative(to: 0..<Int.max)
        guard range.upperBound == .max else { return range }
        let count = count
        guard range.lowerBound <= count else {
            reportOutOfBounds(range.lowerBound)
            return nil
        }
        return range.lowerBound..<count
    }
}

extension MutableSet {
    /// A live view of a range of the set.
    public subscript(bounds: Range<Int>) -> Slice<MutableSet> { slice(bounds) }
    /// The same of a range without an end, or without a start.
    public subscript<R: RangeExpression>(bounds: R) -> Slice<MutableSet> where R.Bound == Int {
        self[resolve(bounds) ?? 0..<0]
    }
}

extension LinkingObjects {
    /// A live view of a range of the objects.
    public subscript(bounds: Range<Int>) -> Slice<LinkingObjects> { slice(bounds) }
    /// The same of a range without an end, or without a start.
    public subscript<R: RangeExpression>(bounds: R) -> Slice<LinkingObjects> where R.Bound == Int {
        self[resolve(bounds) ?? 0..<0]
    }
}

extension Results {
    /// A live view of a range of the results.
    public subscript(bounds: Range<Int>) -> Slice<Results> { slice(bounds) }
    /// The same of a range without an end, or without a start.
    public subscript<R: RangeExpression>(bounds: R) -> Slice<Results> where R.Bound == Int {
        self[resolve(bounds) ?? 0..<0]
    }
}
