import BanyanCore

// Conditions on what is in AnyValues, and on collections of them.

extension Query where T == AnyValue {
    /// The value of a key, where the value is a dictionary that has it; nil elsewhere.
    ///
    /// ```swift
    /// graph.objects(Setting.self).where { $0.value["volume"] > 0.5 }
    /// ```
    public subscript(key: String) -> Query<AnyValue> { step(.key(.string(key))) }

    /// The element at an index, where the value is a list that has it; nil elsewhere.
    public subscript(index: Int) -> Query<AnyValue> { Query(.operand(.path(path.element(index))), scope) }

    /// The first element, where the value is a list that has one; nil elsewhere.
    public var first: Query<AnyValue> { step(.first) }
    /// The last element, where the value is a list that has one; nil elsewhere.
    public var last: Query<AnyValue> { step(.last) }

    /// The elements of a list, or the values of a dictionary: a comparison means that one of them satisfies it. None
    /// where the value is neither.
    public var any: Query<AnyValue> { contents(.any) }
    /// The same: a comparison means that all of them satisfy it, as where there are none.
    public var all: Query<AnyValue> { contents(.all) }
    /// The same: a comparison means that none of them satisfies it.
    public var none: Query<AnyValue> { contents(.none) }

    /// The keys of a dictionary: a comparison means that one of them satisfies it. None where the value is no
    /// dictionary.
    public var keys: Query<String> { Query<String>(.operand(.path(path.appending(.keys))), scope.many()) }

    /// How many elements the list or the dictionary has; nil where the value is neither.
    public var count: Query<Int> { Query<Int>(.operand(.aggregate(.count, path)), scope) }

    /// The least element of the list or the dictionary, in the order of AnyValues; nil of none.
    public var min: Query<AnyValue> { contents(.minimum) }
    /// The greatest element of the list or the dictionary, in the order of AnyValues; nil of none.
    public var max: Query<AnyValue> { contents(.maximum) }
    /// The sum of the numbers in the list or the dictionary; 0 of none.
    public var sum: Query<Decimal128> { contents(.sum) }
    /// The mean of the numbers in the list or the dictionary; nil of none.
    public var avg: Query<Decimal128?> { contents(.average) }
    /// The median of the numbers in the list or the dictionary; nil of none.
    public var median: Query<Decimal128?> { contents(.median) }

    private func step(_ step: PropertyPath.Step) -> Query<AnyValue> {
        Query(.operand(.path(path.appending(step))), scope)
    }

    private func contents(_ quantifier: Comparison.Quantifier) -> Query<AnyValue> {
        Query(.operand(.path(path.appending(.values))), scope.many(quantifier))
    }

    private func contents<R>(_ aggregate: Aggregate) -> Query<R> {
        Query<R>(.operand(.aggregate(aggregate, path.appending(.values))), scope)
    }
}

// MARK: - Collections of them

extension Query where T: _ObjectSequence, T.Element == AnyValue {
    /// The least element, in the order of AnyValues; nil of none.
    public var min: Query<AnyValue> { Query<AnyValue>(.operand(.aggregate(.minimum, path)), scope) }
    /// The greatest element, in the order of AnyValues; nil of none.
    public var max: Query<AnyValue> { Query<AnyValue>(.operand(.aggregate(.maximum, path)), scope) }
    /// The sum of the elements that are numbers; 0 of none.
    public var sum: Query<Decimal128> { Query<Decimal128>(.operand(.aggregate(.sum, path)), scope) }
    /// The mean of the elements that are numbers; nil of none.
    public var avg: Query<Decimal128?> { Query<Decimal128?>(.operand(.aggregate(.average, path)), scope) }
    /// The median of the elements that are numbers; nil of none.
    public var median: Query<Decimal128?> { Query<Decimal128?>(.operand(.aggregate(.median, path)), scope) }
}

extension Query where T: _IndexedSequence, T.Element == AnyValue {
    /// The first element; nil of none.
    public var first: Query<AnyValue> { Query<AnyValue>(.operand(.path(path.appending(.first))), scope) }
    /// The last element; nil of none.
    public var last: Query<AnyValue> { Query<AnyValue>(.operand(.path(path.appending(.last))), scope) }
}

extension Query where T: _QueryMap, T.Value == AnyValue {
    /// The least value, in the order of AnyValues; nil of none.
    public var min: Query<AnyValue> { Query<AnyValue>(.operand(.aggregate(.minimum, path)), scope) }
    /// The greatest value, in the order of AnyValues; nil of none.
    public var max: Query<AnyValue> { Query<AnyValue>(.operand(.aggregate(.maximum, path)), scope) }
    /// The sum of the values that are numbers; 0 of none.
    public var sum: Query<Decimal128> { Query<Decimal128>(.operand(.aggregate(.sum, path)), scope) }
    /// The mean of the values that are numbers; nil of none.
    public var avg: Query<Decimal128?> { Query<Decimal128?>(.operand(.aggregate(.average, path)), scope) }
    /// The median of the values that are numbers; nil of none.
    public var median: Query<Decimal128?> { Query<Decimal128?>(.operand(.aggregate(.median, path)), scope) }
}
