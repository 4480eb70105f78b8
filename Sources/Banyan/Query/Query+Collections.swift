import BanyanCore

// Conditions on collections.

extension Query where T: _ObjectSequence {
    /// How many elements the collection has.
    public var count: Query<Int> { Query<Int>(.operand(.aggregate(.count, path)), graph) }
}

extension Query where T: _ObjectSequence, T.Element: CollectionValue {
    /// Whether an element is equal to this value.
    public func contains(_ value: T.Element) -> Query<Bool> { compare(.equal, .value(graph.value(value))) }
}

extension Query where T: _ObjectSequence, T.Element: _QueryOrdered {
    /// The least element; nil of none.
    public var min: Query<T.Element?> { extreme(.minimum) }
    /// The greatest element; nil of none.
    public var max: Query<T.Element?> { extreme(.maximum) }
    /// The sum of the elements; 0 of none.
    public var sum: Query<T.Element> { Query<T.Element>(.operand(.aggregate(.sum, path)), graph) }
    /// The mean of the elements; nil of none.
    public var avg: Query<Double?> { Query<Double?>(.operand(.aggregate(.average, path)), graph) }

    private func extreme(_ kind: Aggregate) -> Query<T.Element?> {
        Query<T.Element?>(.operand(.aggregate(kind, path)), graph)
    }
}
