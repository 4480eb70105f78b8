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
    public var count: Query<Int> { aggregate(.count) }
    /// Whether the map has no keys.
    public var isEmpty: Query<Bool> { count == 0 }

    /// The value of a key; nil where there is none.
    public subscript(key: T.Key) -> Query<T.Value> {
        // Keys are never objects, so every graph has a value for one.
        Query<T.Value>(.operand(.path(path.appending(.key(graph.value(key) ?? .null)))), scope)
    }

    /// The keys: a comparison means that one of them satisfies it.
    public var keys: Query<T.Key> { Query<T.Key>(.operand(.path(path.appending(.keys))), scope.many()) }

    /// The values: a comparison means that one of them satisfies it.
    public var values: Query<T.Value> { values(.any) }
    /// The values, as `values`.
    public var any: Query<T.Value> { values(.any) }
    /// The values: a comparison means that all of them satisfy it, as those of an empty map do.
    public var all: Query<T.Value> { values(.all) }
    /// The values: a comparison means that none of them satisfies it.
    public var none: Query<T.Value> { values(.none) }

    private func values(_ quantifier: Comparison.Quantifier) -> Query<T.Value> {
        Query<T.Value>(.operand(.path(path.appending(.values))), scope.many(quantifier))
    }

    /// Whether a value is equal to this one.
    public func contains(_ value: T.Value) -> Query<Bool> { any == value }
}

extension Query where T: _QueryMap, T.Value: _QueryOrdered {
    /// The least value; nil of none.
    @_disfavoredOverload
    public var min: Query<T.Value?> { aggregate(.minimum) }
    /// The greatest value; nil of none.
    @_disfavoredOverload
    public var max: Query<T.Value?> { aggregate(.maximum) }
}
