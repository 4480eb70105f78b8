import BanyanCore

/// A live list, set or inverse of a dynamic object. Elements are what is stored; links are `DynamicObject`s.
///
/// It can be changed inside a write only; outside of one, changing it traps.
public struct DynamicCollection: RandomAccessCollection {
    private let live: LiveCollection

    init(_ live: LiveCollection) { self.live = live }

    private var handle: CollectionHandle { live.handle.unsafelyUnwrapped }
    private var isInverse: Bool { handle.plan.pointee.shape == .inverse }
    private var links: [ObjectRef] { ResultsScope(handle).refs(in: handle.graph.workspace.view) }

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }
    public var count: Int { isInverse ? links.count : live.handle?.count() ?? 0 }

    /// The element at an index. O(log n).
    public subscript(position: Int) -> Any? {
        let graph = handle.graph
        guard isInverse else {
            guard let cell = live.handle?.value(at: position) else { return nil }
            return graph.dynamicValue(Value(cell, handle.elements.kind), handle.elements.kind)
        }
        let links = links
        guard links.indices.contains(position) else {
            handle.reportOutOfBounds(position, count: links.count)
            return nil
        }
        return graph.dynamicValue(.object(links[position]), .object)
    }

    public var isInvalidated: Bool { live.isInvalidated }

    // MARK: - Changing

    /// Adds an element: at the end of a list, or to a set that does not have it.
    ///
    /// - Throws: `invalidValue`, and what the value itself breaks.
    public func append(_ element: Any?) throws(BanyanError) {
        let value = try stored(element)
        let transaction = handle.transaction
        if handle.plan.pointee.shape == .set {
            _ = transaction.setInsert(handle.owner, handle.column, value)
        } else {
            transaction.listInsert(handle.owner, handle.column, at: count, [value])
        }
        if let fault = transaction.fault { throw fault }
    }

    /// Inserts an element before another one of a list.
    public func insert(_ element: Any?, at index: Int) throws(BanyanError) {
        let value = try stored(element)
        let transaction = handle.transaction
        guard handle.plan.pointee.shape == .list else { return try append(element) }
        transaction.listInsert(handle.owner, handle.column, at: index, [value])
        if let fault = transaction.fault { throw fault }
    }

    /// Removes the element at an index. An inverse cannot be changed: that fails the transaction.
    public func remove(at index: Int) {
        let transaction = handle.transaction
        guard !isInverse else { return transaction.fail(Self.refusal) }
        guard handle.plan.pointee.shape == .set else {
            return transaction.listRemove(handle.owner, handle.column, at: index)
        }
        if let cell = live.handle?.value(at: index) { transaction.setRemove(handle.owner, handle.column, cell) }
    }

    /// Removes all elements. An inverse cannot be changed: that fails the transaction.
    public func removeAll() {
        let transaction = handle.transaction
        guard !isInverse else { return transaction.fail(Self.refusal) }
        transaction.removeAll(handle.owner, handle.column)
    }

    /// Makes it hold these elements. Embedded objects that are in it already may be among them, in any order.
    ///
    /// - Throws: `invalidValue`, and what a value itself breaks. If an element does not fit, nothing has changed.
    public func replaceAll(with elements: [Any?]) throws(BanyanError) {
        guard !isInverse else { throw Self.refusal }
        let (graph, owner, column) = (handle.graph, handle.owner, handle.column)
        let values = try graph.storedValues(elements, owner, column)
        let transaction = handle.transaction
        if handle.elements.kind == .embedded {
            var places: [ObjectRef: Int] = [:]
            for (place, cell) in (live.handle?.values(0..<count) ?? []).enumerated() {
                if let ref = ObjectRef(word: cell.low) { places[ref] = place }
            }
            let kept = values.map { $0.link.flatMap { places.removeValue(forKey: $0) } }
            transaction.listRearrange(owner, column, keeping: kept) { run in
                transaction.listInsert(owner, column, at: run.lowerBound, Array(values[run]))
                return transaction.fault == nil
            }
        } else {
            transaction.removeAll(owner, column)
            if handle.plan.pointee.shape == .set {
                for value in values { _ = transaction.setInsert(owner, column, value) }
            } else {
                transaction.listInsert(owner, column, at: 0, values)
            }
        }
        if let fault = transaction.fault { throw fault }
    }

    private static var refusal: BanyanError {
        BanyanError(
            .invalidValue, "an inverse cannot be changed", remedy: "Change the property whose inverse it is")
    }

    private func stored(_ element: Any?) throws(BanyanError) -> Value {
        guard !isInverse else { throw Self.refusal }
        let (graph, owner) = (handle.graph, handle.owner)
        return try graph.storedValue(element, owner, handle.column)
    }
}

extension DynamicCollection: CustomStringConvertible {
    public var description: String {
        let limit = isInverse || handle.elements.kind.isLink ? DescriptionLimit.objects : DescriptionLimit.values
        return describe(self, count: count, limit: limit) { $0.map { String(reflecting: $0) } ?? "nil" }
    }
}

/// A live map of a dynamic object.
public struct DynamicMap {
    private let live: LiveCollection

    init(_ live: LiveCollection) { self.live = live }

    private var handle: CollectionHandle { live.handle.unsafelyUnwrapped }

    public var count: Int { live.handle?.count() ?? 0 }
    public var isInvalidated: Bool { live.isInvalidated }

    /// Keys in order, with what is stored under them. O(n).
    public var entries: [(key: Any, value: Any?)] {
        let (graph, elements) = (handle.graph, handle.elements)
        var entries: [(key: Any, value: Any?)] = []
        graph.workspace.view.forEachElement(handle.ref) { key, value in
            if let kind = elements.key, let key = SwiftValue.make(Value(key, kind), kind) {
                entries.append((key, graph.dynamicValue(Value(value, elements.kind), elements.kind)))
            }
            return true
        }
        return entries
    }

    public var keys: [Any] { entries.map(\.key) }

    /// The value of a key; nil too where the key is not there. O(log n).
    public func value(forKey key: Any) -> Any? {
        let (graph, elements) = (handle.graph, handle.elements)
        guard let kind = elements.key, let stored = ValueConversion.value(key, as: kind) else { return nil }
        let view = graph.workspace.view
        var found: Any?
        func look(_ cell: Cell) {
            guard let rank = view.rank(of: cell, in: handle.ref) else { return }
            found = graph.dynamicValue(
                Value(view.elementCell(handle.ref, at: rank).value, elements.kind), elements.kind)
        }
        if case .string(var text) = stored {
            text.withUTF8 { Text.withCell(UnsafeRawBufferPointer($0), look) }
        } else if let cell = stored.cell(as: kind) {
            look(cell)
        }
        return found
    }

    /// Sets the value of a key, which may be nil where values are optional.
    ///
    /// - Throws: `invalidValue`, and what the value itself breaks.
    public func setValue(_ value: Any?, forKey key: Any) throws(BanyanError) {
        let transaction = handle.transaction
        let key = try stored(key: key)
        let stored = try handle.graph.storedValue(value, handle.owner, handle.column)
        transaction.mapSet(handle.owner, handle.column, key: key, stored)
        if let fault = transaction.fault { throw fault }
    }

    private func stored(key: Any) throws(BanyanError) -> Value {
        if let kind = handle.elements.key, let stored = ValueConversion.value(key, as: kind) { return stored }
        throw BanyanError(
            .invalidValue, "a \(type(of: key)) is no key here",
            at: handle.graph.binder(Int(handle.owner.table)).layout.location(
                handle.column, object: "\(handle.owner)"))
    }

    /// Makes it hold these entries. Nothing has changed if one of them does not fit.
    func replaceAll(with entries: [(key: Any, value: Any?)]) throws(BanyanError) {
        let (graph, owner, column) = (handle.graph, handle.owner, handle.column)
        var wanted: [Value] = []
        for entry in entries { wanted.append(try stored(key: entry.key)) }
        let values = try graph.storedValues(entries.map(\.value), owner, column)
        let transaction = handle.transaction
        transaction.mapRearrange(
            owner, column,
            zip(wanted, values).compactMap { key, value in value.link.map { (key: key, target: $0) } })
        let view = graph.workspace.view
        let kept = Set(wanted.map { ExactValue(value: $0) })
        for key in (0..<count).map({ view.element(handle.ref, at: $0).key })
        where !kept.contains(ExactValue(value: key)) {
            transaction.mapRemove(owner, column, key: key)
        }
        for (key, value) in zip(wanted, values) { transaction.mapSet(owner, column, key: key, value) }
        if let fault = transaction.fault { throw fault }
    }

    /// Removes a key.
    public func removeValue(forKey key: Any) {
        let transaction = handle.transaction
        guard let kind = handle.elements.key, let key = ValueConversion.value(key, as: kind) else { return }
        _ = transaction.mapRemove(handle.owner, handle.column, key: key)
    }

    public func removeAll() { handle.transaction.removeAll(handle.owner, handle.column) }
}

extension DynamicMap: CustomStringConvertible {
    public var description: String {
        let limit = handle.elements.kind.isLink ? DescriptionLimit.objects : DescriptionLimit.values
        return describe(entries, count: count, limit: limit, empty: ":") {
            "\(String(reflecting: $0.key)): \($0.value.map { String(reflecting: $0) } ?? "nil")"
        }
    }
}
