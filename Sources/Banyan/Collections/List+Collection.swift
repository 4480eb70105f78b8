import BanyanCore

extension List: RandomAccessCollection, MutableCollection {
    public typealias Index = Int
    public typealias Indices = Range<Int>

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    /// O(1).
    public var count: Int { handle?.count() ?? elements.count }
    public var isEmpty: Bool { count == 0 }

    /// The element at an index. Setting what is already there is not a change. O(log n) in a managed list.
    public subscript(position: Int) -> Element {
        get {
            guard let cell = handle?.value(at: position), let handle else {
                requireElement(at: position)
                return elements[position]
            }
            return handle.graph.element(cell, of: handle.owner, handle.column)
        }
        set {
            guard let handle else {
                requireElement(at: position)
                elements[position] = newValue
                return
            }
            let transaction = handle.transaction
            guard let cell = handle.cell(of: newValue) else { return }
            transaction.listSet(handle.owner, handle.column, at: position, cell)
        }
    }

    /// A live view of a range of the list.
    public subscript(bounds: Range<Int>) -> Slice<List> {
        get { slice(bounds) }
        set { replaceSubrange(bounds, with: newValue) }
    }

    /// The same of a range without an end, or without a start.
    public subscript<R: RangeExpression>(bounds: R) -> Slice<List> where R.Bound == Int {
        get { self[resolve(bounds) ?? 0..<0] }
        set { replaceSubrange(bounds, with: newValue) }
    }

    public var first: Element? { isEmpty ? nil : self[0] }
    public var last: Element? {
        let count = count
        return count == 0 ? nil : self[count - 1]
    }

    public func makeIterator() -> CollectionIterator<Element> {
        guard handle != nil else { return CollectionIterator(elements) }
        return CollectionIterator(&handle!)
    }

    // MARK: - Searching

    /// The first index of a value, or of an object. O(n), but O(log n) for an object that is not in a managed list.
    public func index(of element: Element) -> Int? {
        guard let graph = handle?.graph else { return elements.firstIndex { Element.isSame($0, element) } }
        if Element.isProjectedObject || (element as? AnyValue)?.isNested ?? false {
            return index(matching: { $0 == element })
        }
        return element._$withLookupCell(in: graph) { cell in cell.flatMap { handle?.firstRank(of: $0) } }
    }

    /// The first index of an element that satisfies a condition. O(n).
    public func index(matching predicate: (Element) throws -> Bool) rethrows -> Int? {
        var index = 0
        for element in self {
            if try predicate(element) { return index }
            index += 1
        }
        return nil
    }

    public func firstIndex(of element: Element) -> Int? { index(of: element) }
    public func firstIndex(where predicate: (Element) throws -> Bool) rethrows -> Int? {
        try index(matching: predicate)
    }

    /// Whether the value, or the object, is in the list. O(log n) for an object in a managed list, else O(n).
    public func contains(_ element: Element) -> Bool {
        guard let graph = handle?.graph else { return elements.contains { Element.isSame($0, element) } }
        if Element.isProjectedObject || (element as? AnyValue)?.isNested ?? false { return contains { $0 == element } }
        return element._$withLookupCell(in: graph) { cell in cell.flatMap { handle?.holds($0) } ?? false }
    }
}
