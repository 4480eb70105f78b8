import BanyanCore

// What a collection of numbers, or a number property of the objects in a collection, amounts to. Nil is left out.

/// A number whose values can be summed up.
public protocol SummableValue {
    /// Int for every integer.
    associatedtype Sum
    associatedtype Average
    static func _$sum(_ values: some Sequence<Self>) -> Sum
    static func _$average(_ values: some Sequence<Self>) -> Average?
}

extension SummableValue where Self: Comparable {
    /// The value in the middle, or the mean of the two that are.
    static func median(_ values: some Sequence<Self>) -> Average? {
        let sorted = values.sorted()
        return sorted.isEmpty ? nil : _$average(sorted[(sorted.count - 1) / 2...sorted.count / 2])
    }
}

// MARK: - Of the elements

extension ObjectCollection where Element: SummableValue & Comparable {
    /// The element in the middle, or the mean of the two that are; nil when there are none. O(n log n).
    public func median() -> Element.Average? { Element.median(self) }
}

extension ObjectCollection where Element: SummableValue {
    /// The sum of the elements; 0 when there are none. A sum of integers stops at the bounds of Int. O(n).
    public func sum() -> Element.Sum { Element._$sum(self) }

    /// The mean of the elements; nil when there are none. O(n).
    public func average() -> Element.Average? { Element._$average(self) }
}

extension ObjectCollection {
    /// The sum of the elements that are not nil. O(n).
    public func sum<Value: SummableValue>() -> Value.Sum where Element == Value? { Value._$sum(lazy.compactMap { $0 }) }

    /// The mean of the elements that are not nil; nil when there are none. O(n).
    public func average<Value: SummableValue>() -> Value.Average? where Element == Value? {
        Value._$average(lazy.compactMap { $0 })
    }

    /// The least of the elements that are not nil. O(n).
    public func min<Value: Comparable>() -> Value? where Element == Value? { lazy.compactMap { $0 }.min() }

    /// The greatest of the elements that are not nil. O(n).
    public func max<Value: Comparable>() -> Value? where Element == Value? { lazy.compactMap { $0 }.max() }
}

// MARK: - Of a property

extension ObjectCollection where Element: ObjectBase {
    /// The sum of a property over all elements; 0 when there are none. O(n).
    public func sum<Value: SummableValue>(of property: KeyPath<Element, Value>) -> Value.Sum {
        Value._$sum(lazy.map { $0[keyPath: property] })
    }

    public func sum<Value: SummableValue>(of property: KeyPath<Element, Value?>) -> Value.Sum {
        Value._$sum(lazy.compactMap { $0[keyPath: property] })
    }

    /// The mean of a property over all elements where it is not nil; nil when there are none. O(n).
    public func average<Value: SummableValue>(of property: KeyPath<Element, Value>) -> Value.Average? {
        Value._$average(lazy.map { $0[keyPath: property] })
    }

    public func average<Value: SummableValue>(of property: KeyPath<Element, Value?>) -> Value.Average? {
        Value._$average(lazy.compactMap { $0[keyPath: property] })
    }

    /// The median of a property over all elements where it is not nil; nil when there are none. O(n log n).
    public func median<Value: SummableValue & Comparable>(of property: KeyPath<Element, Value>) -> Value.Average? {
        Value.median(lazy.map { $0[keyPath: property] })
    }

    public func median<Value: SummableValue & Comparable>(of property: KeyPath<Element, Value?>) -> Value.Average? {
        Value.median(lazy.compactMap { $0[keyPath: property] })
    }

    /// The least value of a property; nil when there is none. O(n).
    public func min<Value: Comparable>(of property: KeyPath<Element, Value>) -> Value? {
        lazy.map { $0[keyPath: property] }.min()
    }

    public func min<Value: Comparable>(of property: KeyPath<Element, Value?>) -> Value? {
        lazy.compactMap { $0[keyPath: property] }.min()
    }

    /// The greatest value of a property; nil when there is none. O(n).
    public func max<Value: Comparable>(of property: KeyPath<Element, Value>) -> Value? {
        lazy.map { $0[keyPath: property] }.max()
    }

    public func max<Value: Comparable>(of property: KeyPath<Element, Value?>) -> Value? {
        lazy.compactMap { $0[keyPath: property] }.max()
    }
}
