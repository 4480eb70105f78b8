import BanyanCore
// What a property of the objects selected amounts to. Nil is left out. Of stored numbers and dates it is made in their columns,
// without looking at the objects one by one.

extension Results {
    /// The sum of a property; 0 when there are none. A sum of integers stops at the bounds of Int. O(n).
    public func sum<Value: SummableValue>(of property: KeyPath<Element, Value>) -> Value.Sum {
        column(.sum, property).flatMap { swift($0) } ?? Value._$sum(lazy.map { $0[keyPath: property] })
    }

    public func sum<Value: SummableValue>(of property: KeyPath<Element, Value?>) -> Value.Sum {
        column(.sum, property).flatMap { swift($0) } ?? Value._$sum(lazy.compactMap { $0[keyPath: property] })
    }

    /// The mean of a property where it is not nil; nil when there are none. O(n).
    public func average<Value: SummableValue>(of property: KeyPath<Element, Value>) -> Value.Average? {
        if let mean = column(.average, property) { return swift(mean) }
        return Value._$average(lazy.map { $0[keyPath: property] })
    }

    public func average<Value: SummableValue>(of property: KeyPath<Element, Value?>) -> Value.Average? {
        if let mean = column(.average, property) { return swift(mean) }
        return Value._$average(lazy.compactMap { $0[keyPath: property] })
    }

    /// The median of a property where it is not nil, the mean of the two values in the middle of an even number; nil when
    /// there are none. O(n log n), with room for all values.
    public func median<Value: SummableValue & Comparable>(of property: KeyPath<Element, Value>) -> Value.Average? {
        if let median = column(.median, property) { return swift(median) }
        return Value.median(lazy.map { $0[keyPath: property] })
    }

    public func median<Value: SummableValue & Comparable>(of property: KeyPath<Element, Value?>) -> Value.Average? {
        if let median = column(.median, property) { return swift(median) }
        return Value.median(lazy.compactMap { $0[keyPath: property] })
    }

    /// The least value of a property; nil when there is none. O(n); O(log n) of all objects of a type where the
    /// property has an ordered index.
    public func min<Value: Comparable>(of property: KeyPath<Element, Value>) -> Value? {
        if let least = column(.minimum, property) { return swift(least, property) }
        return lazy.map { $0[keyPath: property] }.min()
    }

    public func min<Value: Comparable>(of property: KeyPath<Element, Value?>) -> Value? {
        if let least = column(.minimum, property) { return swift(least, property) }
        return lazy.compactMap { $0[keyPath: property] }.min()
    }

    /// The greatest value of a property; nil when there is none. O(n); O(log n) of all objects of a type where the
    /// property has an ordered index.
    public func max<Value: Comparable>(of property: KeyPath<Element, Value>) -> Value? {
        if let greatest = column(.maximum, property) { return swift(greatest, property) }
        return lazy.map { $0[keyPath: property] }.max()
    }

    public func max<Value: Comparable>(of property: KeyPath<Element, Value?>) -> Value? {
        if let greatest = column(.maximum, property) { return swift(greatest, property) }
        return lazy.compactMap { $0[keyPath: property] }.max()
    }

    // MARK: - In columns

    /// The aggregate of a column; nil where the key path is not known to name one of a type that is compared and added up there
    /// as it is in Swift.
    func column(_ aggregate: Aggregate, _ keyPath: PartialKeyPath<Element>) -> BanyanCore.Value? {
        guard source.isWholeQuery, Self.isPlain(type(of: keyPath).valueType),
            let property = KeyPathTracer.stored(keyPath, Element._$model), property.isSingle
        else { return nil }
        do throws(BanyanError) {
            return try plan().aggregate(aggregate, of: .path(property.path), in: graph.workspace.view)
        } catch {
            fatalError("\(error)")
        }
    }

    private static func isPlain(_ type: Any.Type) -> Bool {
        if let optional = type as? any OptionalValue.Type { return isPlain(optional.wrappedType) }
        return type is any PlainAggregate.Type
    }

    private func swift<Result>(_ value: BanyanCore.Value) -> Result? {
        value.scalar?.swift(.int) as? Result
    }

    func swift<Result>(_ value: BanyanCore.Value, _ keyPath: PartialKeyPath<Element>) -> Result? {
        guard let kind = KeyPathTracer.stored(keyPath, Element._$model)?.kind else { return nil }
        let value = graph.swiftValue(value, kind, in: graph.workspace.view)
        return value as? Result ?? (value as? Int).flatMap { Int64($0) as? Result }
    }
}

/// Types whose order and sum are the same in a column and in Swift. Texts are not: there they are ordered by their bytes.
protocol PlainAggregate {}
extension AnyValue: PlainAggregate {}
