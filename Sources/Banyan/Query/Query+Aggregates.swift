import BanyanCore

// What the values of a collection, or those that a path through a collection reaches, amount to. Of all of them: nil is left
// out, and the mean can be compared with a Double as well as with a number of the elements' type.

/// A value that queries sum up.
public protocol _QuerySummable: _QueryOrdered {}

/// A number that queries sum up, whose mean can be compared with a Double.
public protocol _QueryNumber: _QuerySummable {}

/// A number whose mean can be compared with numbers of its type.
public protocol _QueryAveraged: CollectionValue {}
extension Optional: _QueryAveraged where Wrapped: _QueryAveraged & _OptionalWrapped {}

/// The Optional of what a query can order.
public protocol _OptionalOrdered: _QueryOrdered {
    associatedtype _Ordered: _QueryOrdered
}
extension Optional: _OptionalOrdered where Wrapped: _QueryOrdered & _OptionalWrapped {
    public typealias _Ordered = Wrapped
}

// MARK: - Of the elements

extension Query where T: _ObjectSequence, T.Element: _QuerySummable {
    /// The sum of the elements; 0 of none.
    public var sum: Query<T.Element> { aggregate(.sum) }
}

extension Query where T: _ObjectSequence, T.Element: _QueryNumber {
    /// The mean of the elements; nil of none.
    public var avg: Query<Double?> { aggregate(.average) }
    /// The median of the elements; nil of none.
    public var median: Query<Double?> { aggregate(.median) }
}

extension Query where T: _ObjectSequence, T.Element: _QueryAveraged {
    /// The mean of the elements, to be compared with a number of their type; nil of none.
    @_disfavoredOverload
    public var avg: Query<T.Element?> { aggregate(.average) }
    /// The median of the elements, to be compared with a number of their type; nil of none.
    @_disfavoredOverload
    public var median: Query<T.Element?> { aggregate(.median) }
}

extension Query where T: _ObjectSequence, T.Element: _OptionalOrdered {
    /// The least element that is not nil; nil of none.
    public var min: Query<T.Element> { aggregate(.minimum) }
    /// The greatest element; nil of none.
    public var max: Query<T.Element> { aggregate(.maximum) }
}

extension Query where T: _ObjectSequence, T.Element: _OptionalOrdered, T.Element._Ordered: _QuerySummable {
    /// The sum of the elements that are not nil; 0 of none.
    public var sum: Query<T.Element> { aggregate(.sum) }
}

extension Query where T: _ObjectSequence, T.Element: _OptionalOrdered, T.Element._Ordered: _QueryNumber {
    /// The mean of the elements that are not nil; nil of none.
    public var avg: Query<Double?> { aggregate(.average) }
    /// The median of the elements that are not nil; nil of none.
    public var median: Query<Double?> { aggregate(.median) }
}

extension Query where T: _QueryMap, T.Value: _QuerySummable {
    /// The sum of the values; 0 of none.
    public var sum: Query<T.Value> { aggregate(.sum) }
}

extension Query where T: _QueryMap, T.Value: _QueryNumber {
    /// The mean of the values; nil of none.
    public var avg: Query<Double?> { aggregate(.average) }
    /// The median of the values; nil of none.
    public var median: Query<Double?> { aggregate(.median) }
}

extension Query where T: _QueryMap, T.Value: _QueryAveraged {
    /// The mean of the values, to be compared with a number of their type; nil of none.
    @_disfavoredOverload
    public var avg: Query<T.Value?> { aggregate(.average) }
    /// The median of the values, to be compared with a number of their type; nil of none.
    @_disfavoredOverload
    public var median: Query<T.Value?> { aggregate(.median) }
}

extension Query where T: _QueryMap, T.Value: _OptionalOrdered, T.Value._Ordered: _QuerySummable {
    /// The sum of the values that are not nil; 0 of none.
    public var sum: Query<T.Value> { aggregate(.sum) }
}

extension Query where T: _QueryMap, T.Value: _OptionalOrdered, T.Value._Ordered: _QueryNumber {
    /// The mean of the values that are not nil; nil of none.
    public var avg: Query<Double?> { aggregate(.average) }
    /// The median of the values that are not nil; nil of none.
    public var median: Query<Double?> { aggregate(.median) }
}

extension Query where T: _QueryMap, T.Value: _OptionalOrdered {
    /// The least value that is not nil; nil of none.
    public var min: Query<T.Value> { aggregate(.minimum) }
    /// The greatest value; nil of none.
    public var max: Query<T.Value> { aggregate(.maximum) }
}

// MARK: - Of enums, by what they are stored as

extension Query where T: _ObjectSequence, T.Element: PersistableEnum, T.Element.RawValue: _QueryOrdered {
    /// The case with the least raw value; nil of none.
    public var min: Query<T.Element?> { aggregate(.minimum) }
    /// The case with the greatest raw value; nil of none.
    public var max: Query<T.Element?> { aggregate(.maximum) }
}

extension Query where T: _ObjectSequence, T.Element: PersistableEnum, T.Element.RawValue: _QueryNumber {
    /// The sum of the raw values; 0 of none.
    public var sum: Query<T.Element.RawValue> { aggregate(.sum) }
    /// The mean of the raw values; nil of none.
    public var avg: Query<Double?> { aggregate(.average) }
    /// The median of the raw values; nil of none.
    public var median: Query<Double?> { aggregate(.median) }
}

extension Query where T: _ObjectSequence, T.Element: _OptionalEnum & CollectionValue {
    /// The case with the least raw value; nil of none.
    public var min: Query<T.Element> { aggregate(.minimum) }
    /// The case with the greatest raw value; nil of none.
    public var max: Query<T.Element> { aggregate(.maximum) }
}

// MARK: - Of what a path reaches

extension Query where T: _QueryOrdered {
    /// The least value that the path reaches, which must go through a collection: `$0.dogs.age.min`. Nil of none.
    @_disfavoredOverload
    public var min: Query<T?> { aggregate(.minimum) }
    /// The greatest one; nil of none.
    @_disfavoredOverload
    public var max: Query<T?> { aggregate(.maximum) }
}

extension Query where T: _OptionalOrdered {
    /// The least value that the path reaches, which must go through a collection; nil of none.
    @_disfavoredOverload
    public var min: Query<T> { aggregate(.minimum) }
    /// The greatest one; nil of none.
    @_disfavoredOverload
    public var max: Query<T> { aggregate(.maximum) }
}

extension Query where T: _QuerySummable {
    /// The sum of what the path reaches, which must go through a collection: `$0.dogs.age.sum`. 0 of none.
    public var sum: Query<T> { aggregate(.sum) }
}

extension Query where T: _QueryNumber {
    /// The mean; nil of none.
    public var avg: Query<Double?> { aggregate(.average) }
    /// The median; nil of none.
    public var median: Query<Double?> { aggregate(.median) }
}

extension Query where T: _QueryAveraged {
    /// The mean of what the path reaches, to be compared with a number of its type; nil of none.
    @_disfavoredOverload
    public var avg: Query<T?> { aggregate(.average) }
    /// The median of what the path reaches, to be compared with a number of its type; nil of none.
    @_disfavoredOverload
    public var median: Query<T?> { aggregate(.median) }
}

extension Query where T: _OptionalOrdered, T._Ordered: _QuerySummable {
    /// The sum of what the path reaches, which must go through a collection; 0 of none.
    public var sum: Query<T> { aggregate(.sum) }
}

extension Query where T: _OptionalOrdered, T._Ordered: _QueryNumber {
    /// The mean; nil of none.
    public var avg: Query<Double?> { aggregate(.average) }
    /// The median; nil of none.
    public var median: Query<Double?> { aggregate(.median) }
}
