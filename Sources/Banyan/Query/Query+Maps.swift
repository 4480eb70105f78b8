import BanyanCore

// Conditions on maps.

/// A map that a query path can go through.
public protocol _QueryMap<Key, Value> {
    associatedtype Key: MapKey
    associatedtype Value: CollectionValue
}
extension Map: _QueryMap {}

extension Query where T: _QueryMap {
    /// How many keys the map has.
    public var count: Query<Int> { Query<Int>(.operand(.aggregate(.count, path)), graph) }

    /// The value of a key; nil where there is none.
    public subscript(key: T.Key) -> Query<T.Value> {
        // Keys are never objects, so every graph has a value for one.
        Query<T.Value>(.operand(.path(path.appending(.key(graph.value(key) ?? .null)))), graph)
    }

    /// The keys: a comparison means that one of them satisfies it.
    public var keys: Query<T.Key> { Query<T.Key>(.operand(.path(path.appending(.keys))), graph) }

    /// The values: a comparison means that one of them satisfies it.
    public var values: Query<T.Value> { Query<T.Value>(.operand(.path(path.appending(.values))), graph) }

    /// Whether a value is equal to this one.
    public func contains(_ value: T.Value) -> Query<Bool> { compare(.equal, with: value) }
}

extension Query where T: _QueryMap, T.Value: _QueryOrdered {
    /// The least value; nil of none.
    @_disfavoredOverload
    public var min: Query<T.Value?> { Query<T.Value?>(.operand(.aggregate(.minimum, path)), graph) }
    /// The greatest value; nil of none.
    @_disfavoredOverload
    public var max: Query<T.Value?> { Query<T.Value?>(.operand(.aggregate(.maximum, path)), graph) }
    /// The sum of the values; 0 of none.
    @_disfavoredOverload
    public var sum: Query<T.Value> { Query<T.Value>(.operand(.aggregate(.sum, path)), graph) }
    /// The mean of the values; nil of none.
    @_disfavoredOverload
    public var avg: Query<Double?> { Query<Double?>(.operand(.aggregate(.average, path)), graph) }
}
