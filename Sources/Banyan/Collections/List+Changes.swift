import BanyanCore

// Changing single elements and ranges. Everything here traps outside a write when the list is managed.

extension List {
    /// Adds an element at the end. An unmanaged object is added to the list's graph. O(log n).
    public func append(_ element: Element) {
        guard handle != nil else { return elements.append(element) }
        insertCell(of: element, at: nil)
    }

    /// Adds the elements of a sequence at the end, in one operation.
    public func append<S: Sequence>(contentsOf newElements: S) where S.Element == Element {
        guard handle != nil else { return elements.append(contentsOf: Array(newElements)) }
        insertCells(of: newElements, at: nil)
    }

    /// The same as `append(contentsOf:)`.
    public func append<S: Sequence>(objectsIn objects: S) where S.Element == Element { append(contentsOf: objects) }

    /// Inserts an element before the one at `index`; `count` appends.
    public func insert(_ element: Element, at index: Int) {
        guard handle != nil else {
            requirePlace(index)
            return elements.insert(element, at: index)
        }
        insertCell(of: element, at: index)
    }

    /// Inserts the elements of a sequence before the one at `index`, in one operation.
    public func insert<S: Sequence>(contentsOf newElements: S, at index: Int) where S.Element == Element {
        guard handle != nil else {
            requirePlace(index)
            return elements.insert(contentsOf: Array(newElements), at: index)
        }
        insertCells(of: newElements, at: index)
    }

    private func insertCell(of element: Element, at index: Int?) {
        guard let handle else { return }
        let transaction = handle.transaction
        guard let cell = handle.cell(of: element) else { return }
        transaction.listInsert(handle.owner, handle.column, at: index, cell)
    }

    private func insertCells<S: Sequence>(of elements: S, at index: Int?) where S.Element == Element {
        guard let handle else { return }
        let transaction = handle.transaction
        guard let cells = handle.cells(elements), !cells.isEmpty else { return }
        transaction.listInsert(handle.owner, handle.column, at: index ?? count, cells)
    }

    /// Removes an element and returns it. An embedded object is deleted.
    @discardableResult
    public func remove(at index: Int) -> Element {
        guard let handle else {
            requireElement(at: index)
            return elements.remove(at: index)
        }
        let transaction = handle.transaction
        let element = self[index]
        transaction.listRemove(handle.owner, handle.column, at: index)
        return element
    }

    @discardableResult
    public func removeFirst() -> Element { remove(at: 0) }

    @discardableResult
    public func removeLast() -> Element {
        remove(at: count - 1)
    }

    public func removeFirst(_ count: Int) {
        guard count >= 0, count <= self.count else { return refuse("removeFirst", count) }
        removeSubrange(0..<count)
    }

    public func removeLast(_ count: Int) {
        let end = self.count
        guard count >= 0, count <= end else { return refuse("removeLast", count) }
        removeSubrange((end - count)..<end)
    }

    @inline(never)
    private func refuse(_ function: String, _ count: Int) {
        reportBounds(
            "\(function)(\(count)) is out of bounds: the list has \(self.count) element\(self.count == 1 ? "" : "s")")
    }

    /// Removes a range of elements, in one operation.
    public func removeSubrange(_ bounds: Range<Int>) {
        guard let handle else {
            requirePlaces(bounds)
            return elements.removeSubrange(bounds)
        }
        handle.transaction.listRemove(handle.owner, handle.column, bounds)
    }

    public func removeSubrange<R: RangeExpression>(_ bounds: R) where R.Bound == Int {
        if let bounds = resolve(bounds) { removeSubrange(bounds) }
    }

    public func removeAll() {
        guard let handle else { return elements.removeAll() }
        handle.transaction.removeAll(handle.owner, handle.column)
    }

    /// Removes the elements that satisfy a condition, which must not change the list. O(n).
    public func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
        guard let handle else { return try elements.removeAll(where: shouldBeRemoved) }
        let transaction = handle.transaction
        var ranges: [Range<Int>] = []
        for (index, element) in enumerated() where try shouldBeRemoved(element) {
            if let last = ranges.last, last.upperBound == index {
                ranges[ranges.count - 1] = last.lowerBound..<(index + 1)
            } else {
                ranges.append(index..<(index + 1))
            }
        }
        for range in ranges.reversed() { transaction.listRemove(handle.owner, handle.column, range) }
    }

    /// Removes the elements at these indices.
    public func remove<S: Sequence>(atOffsets offsets: S) where S.Element == Int {
        for offset in Set(offsets).sorted(by: >) { remove(at: offset) }
    }

    /// Puts another element in the place of the one at `index`.
    public func replace(index: Int, object: Element) { self[index] = object }

    /// Puts the elements of a sequence in the place of a range. Embedded objects that are in the range already may be among
    /// them, in any order.
    public func replaceSubrange<S: Sequence>(_ bounds: Range<Int>, with newElements: S) where S.Element == Element {
        guard let handle else {
            requirePlaces(bounds)
            return elements.replaceSubrange(bounds, with: Array(newElements))
        }
        let transaction = handle.transaction
        if Element._$elementType.kind == .embedded {
            return replaceEmbedded(bounds, with: Array(newElements), transaction)
        }
        guard let cells = handle.cells(newElements) else { return }
        self.handle?.replace(bounds, with: cells, transaction)
    }

    public func replaceSubrange<R: RangeExpression, S: Sequence>(_ bounds: R, with newElements: S)
    where R.Bound == Int, S.Element == Element {
        if let bounds = resolve(bounds) { replaceSubrange(bounds, with: newElements) }
    }

    /// Makes the list hold the elements of a sequence; what stays at either end is not a change. Embedded objects that are
    /// already in the list may be among them, in any order.
    public func replaceAll<S: Sequence>(with newElements: S) where S.Element == Element {
        let values = Array(newElements)
        guard handle != nil else {
            elements = values
            return
        }
        guard let transaction = handle?.transaction else { return }
        if Element._$elementType.kind == .embedded {
            return replaceEmbedded(0..<count, with: values, transaction)
        }
        guard let cells = handle?.cells(values) else { return }
        handle?.replace(0..<count, with: cells, transaction)
    }
}

extension CollectionHandle {
    /// Replaces a range, leaving alone what is the same at its ends.
    mutating func replace(_ range: Range<Int>, with cells: [Cell], _ transaction: Transaction) {
        let count = count()
        guard range.lowerBound >= 0, range.upperBound <= count else {
            return reportOutOfBounds(range.lowerBound < 0 ? range.lowerBound : range.upperBound, count: count)
        }
        let old = values(range)
        let shorter = min(old.count, cells.count)
        var prefix = 0
        while prefix < shorter, isIdentical(old[prefix], cells[prefix]) { prefix += 1 }
        var suffix = 0
        while suffix < shorter - prefix, isIdentical(old[old.count - 1 - suffix], cells[cells.count - 1 - suffix]) {
            suffix += 1
        }
        if elements.kind.isText {
            for cell in cells[..<prefix] { transaction.dropText(cell, elements.kind) }
            for cell in cells[(cells.count - suffix)...] { transaction.dropText(cell, elements.kind) }
        }
        let start = range.lowerBound + prefix
        let removed = start..<(range.upperBound - suffix)
        if !removed.isEmpty { transaction.listRemove(owner, column, removed) }
        let inserted = cells[prefix..<(cells.count - suffix)]
        if !inserted.isEmpty { transaction.listInsert(owner, column, at: start, Array(inserted)) }
    }

    private func isIdentical(_ a: Cell, _ b: Cell) -> Bool {
        guard elements.kind.isText, !a.isNull, !b.isNull else { return CellOrder.identical(a, b) }
        return Text.equal(a, b)
    }
}
