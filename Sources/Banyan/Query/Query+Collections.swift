import BanyanCore

// Conditions on collections.

extension Query where T: _ObjectSequence {
    /// How many elements the collection has.
    public var count: Query<Int> { Query<Int>(.operand(.aggregate(.count, path)), graph) }
}

extension Query where T: _ObjectSequence, T.Element: CollectionValue {
    /// Whether an element is equal to this value.
    public func contains(_ value: T.Element) -> Query<Bool> { compare(.equal, with: value) }

    /// The elements: a comparison means that one of them satisfies it.
    public var any: Query<T.Element> { Query<T.Element>(.operand(.path(path.appending(.values))), graph) }
}

/// A collection whose elements queries find by index.
public protocol _IndexedSequence: _ObjectSequence {}
extension List: _IndexedSequence {}

extension Query where T: _IndexedSequence {
    /// The element at an index; nil where there is none.
    public subscript(index: Int) -> Query<T.Element> { Query<T.Element>(.operand(.path(path.element(index))), graph) }
}

extension PropertyPath {
    /// The element of a list at an index. There is none below 0, as there is none beyond the end.
    func element(_ index: Int) -> PropertyPath { appending(.key(.int(index < 0 ? .max : Int64(index)))) }
}

extension Query where T: _ObjectSequence, T.Element: _QueryOrdered {
    /// The least element; nil of none.
    @_disfavoredOverload
    public var min: Query<T.Element?> { extreme(.minimum) }
    /// The greatest element; nil of none.
    @_disfavoredOverload
    public var max: Query<T.Element?> { extreme(.maximum) }
    /// The sum of the elements; 0 of none.
    @_disfavoredOverload
    public var sum: Query<T.Element> { Query<T.Element>(.operand(.aggregate(.sum, path)), graph) }
    /// The mean of the elements; nil of none.
    @_disfavoredOverload
    public var avg: Query<Double?> { Query<Double?>(.operand(.aggregate(.average, path)), graph) }

    private func extreme(_ kind: Aggregate) -> Query<T.Element?> {
        Query<T.Element?>(.operand(.aggregate(kind, path)), graph)
    }
}
