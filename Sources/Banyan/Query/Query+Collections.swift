import BanyanCore

// Conditions on collections.

extension Query where T: _ObjectSequence {
    /// How many elements the collection has.
    public var count: Query<Int> { aggregate(.count) }
    /// Whether the collection has no elements.
    public var isEmpty: Query<Bool> { count == 0 }
}

extension Query where T: _ObjectSequence, T.Element: CollectionValue {
    /// Whether an element is equal to this value.
    public func contains(_ value: T.Element) -> Query<Bool> { any == value }

    /// The elements: a comparison means that one of them satisfies it.
    public var any: Query<T.Element> { elements(.any) }
    /// The elements: a comparison means that all of them satisfy it, as those of an empty collection do.
    ///
    /// ```swift
    /// graph.objects(Person.self).where { $0.dogs.all.age > 3 }
    /// ```
    public var all: Query<T.Element> { elements(.all) }
    /// The elements: a comparison means that none of them satisfies it.
    public var none: Query<T.Element> { elements(.none) }

    private func elements(_ quantifier: Comparison.Quantifier) -> Query<T.Element> {
        Query<T.Element>(.operand(.path(path.appending(.values))), scope.many(quantifier))
    }
}

/// A collection whose elements queries find by index.
public protocol _IndexedSequence: _ObjectSequence {}
extension List: _IndexedSequence {}

extension Query where T: _IndexedSequence {
    /// The element at an index; nil where there is none.
    public subscript(index: Int) -> Query<T.Element> { Query<T.Element>(.operand(.path(path.element(index))), scope) }
}

extension PropertyPath {
    /// The element of a list at an index. There is none below 0, as there is none beyond the end.
    func element(_ index: Int) -> PropertyPath { appending(.key(.int(index < 0 ? .max : Int64(index)))) }
}

extension Query {
    func aggregate<R>(_ aggregate: Aggregate) -> Query<R> { Query<R>(.operand(.aggregate(aggregate, path)), scope) }
}

extension Query where T: _ObjectSequence, T.Element: _QueryOrdered {
    /// The least element; nil of none.
    @_disfavoredOverload
    public var min: Query<T.Element?> { aggregate(.minimum) }
    /// The greatest element; nil of none.
    @_disfavoredOverload
    public var max: Query<T.Element?> { aggregate(.maximum) }
}
