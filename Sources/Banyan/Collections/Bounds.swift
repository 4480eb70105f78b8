// An index that is not there: outside a write it stops the program, as an array does, and says so in release builds too;
// inside one it fails the transaction.

/// What is said of an index that is not there.
func outOfBounds(_ index: Int, count: Int, _ what: String = "collection has", _ element: String = "element") -> String {
    "index \(index) is out of bounds: the \(what) \(count) \(element)\(count == 1 ? "" : "s")"
}

/// Stops the program, in the words of an array. Never inlined, so that whoever asks for what is there pays for no more than a
/// comparison.
@inline(never)
func trapOutOfBounds(_ index: Int, count: Int) -> Never {
    fatalError("Index out of range: \(outOfBounds(index, count: count))")
}

/// A collection that can say that an index is not there.
protocol BoundsReporting: RandomAccessCollection where Index == Int, Indices == Range<Int> {
    /// Stops the program, or fails the transaction and returns.
    func reportBounds(_ message: String)
}

extension BoundsReporting {
    func reportOutOfBounds(_ index: Int) { reportBounds(outOfBounds(index, count: count)) }
}

extension LiveCollection {
    @inline(never)
    func reportBounds(_ message: String) {
        guard let handle else { fatalError(message) }
        handle.reportBounds(message)
    }
}

extension List: BoundsReporting {
    /// Traps for an index that an unmanaged list does not have.
    func requireElement(at index: Int) {
        if index < 0 || index >= elements.count { trapOutOfBounds(index, count: elements.count) }
    }

    /// Traps for a place that an unmanaged list does not have. There is one behind its end.
    func requirePlace(_ index: Int) {
        if index < 0 || index > elements.count { trapOutOfBounds(index, count: elements.count) }
    }

    func requirePlaces(_ bounds: Range<Int>) {
        requirePlace(bounds.lowerBound)
        requirePlace(bounds.upperBound)
    }
}

extension MutableSet: BoundsReporting {}
extension LinkingObjects: BoundsReporting {}

extension Results: BoundsReporting {
    func reportOutOfBounds(_ index: Int) {
        reportBounds(outOfBounds(index, count: count, "results have", "object"))
    }
    func reportBounds(_ message: String) { source.reportBounds(message) }
}

extension AnyObjectCollection: BoundsReporting {
    func reportBounds(_ message: String) { base.reportAnyBounds(message) }
}

// MARK: - Slices

// What a slice asks of its collection before it reads an element.
extension ObjectCollection {
    public func _failEarlyRangeCheck(_ index: Int, bounds: Range<Int>) {
        if !bounds.contains(index) { reportOutside(index, bounds) }
    }

    public func _failEarlyRangeCheck(_ index: Int, bounds: ClosedRange<Int>) {
        if !bounds.contains(index) { reportOutside(index, bounds.lowerBound..<bounds.upperBound + 1) }
    }

    public func _failEarlyRangeCheck(_ range: Range<Int>, bounds: Range<Int>) {
        if range.lowerBound < bounds.lowerBound { return reportOutside(range.lowerBound, bounds) }
        if range.upperBound > bounds.upperBound { reportOutside(range.upperBound, bounds) }
    }

    @inline(never)
    private func reportOutside(_ index: Int, _ bounds: Range<Int>) {
        let place = bounds.isEmpty ? "is empty" : "has the elements \(bounds.lowerBound) to \(bounds.upperBound - 1)"
        reportAnyBounds("index \(index) is out of bounds: the slice \(place)")
    }

    fileprivate func reportAnyBounds(_ message: String) {
        guard let reporting = self as? any BoundsReporting else { fatalError(message) }
        reporting.reportBounds(message)
    }
}
