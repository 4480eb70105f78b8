import BanyanCore

extension Results: RandomAccessCollection {
    public var startIndex: Int { 0 }

    @inlinable public var endIndex: Int { source.count }

    /// O(1) for all objects of a type and for what an index answers.
    @inlinable public var count: Int { source.count }

    /// No more is looked at than it takes to find one.
    @inlinable public var isEmpty: Bool { source.isEmpty }

    /// No more is looked at than it takes to find it.
    @inlinable public var first: Element? { source.first().map { unsafeDowncast($0, to: Element.self) } }

    @inlinable public var last: Element? { isEmpty ? nil : self[count - 1] }

    @inlinable
    public subscript(position: Int) -> Element { unsafeDowncast(source.object(at: position), to: Element.self) }

    /// Goes through what is selected now, whatever changes meanwhile. Objects deleted meanwhile are left out.
    public func makeIterator() -> ResultsIterator<Element> { ResultsIterator(source.walk()) }
}

extension ResultsSource {
    func walk() -> HandleWalk {
        let workspace = graph.workspace
        // A version keeps the identities by itself; inside a write a slot may be freed and used again, so they are taken down.
        guard workspace.transaction == nil else { return HandleWalk(graph, span, ids: ids()) }
        if isWholeTable { return HandleWalk(graph, span) }
        return HandleWalk(graph, span, members: slots())
    }

    private func ids() -> [ObjectID] {
        let (view, table, span) = (graph.workspace.view, table, span)
        guard isWholeTable else { return slots().map { view.id(span.ref($0)) } }
        var ids: [ObjectID] = []
        ids.reserveCapacity(view.count(table))
        view.forEachObject(table) { page, slot, index in
            ids.append(ObjectID(table: table, slot: index, generation: Page.generation(page, slot)))
            return true
        }
        return ids
    }
}

/// The objects of results, one after the other.
///
/// An object that was only looked at is not kept: the next one is shown by the same instance. Whoever holds on to an object
/// keeps that object.
public struct ResultsIterator<Element: ObjectBase>: IteratorProtocol {
    @usableFromInline var walk: HandleWalk

    init(_ walk: HandleWalk) { self.walk = walk }

    @inlinable
    public mutating func next() -> Element? { walk.next().map { unsafeDowncast($0, to: Element.self) } }
}
